"""The score of a deal, and who has won a match (sections 9 to 11)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricks.baloot.contract import Contract, Mode
from tricks.baloot.projects import Project, best_seat, find_projects, points
from tricks.cards import Card, Rank, card_of
from tricks.tally import for_pair, tally

ALL_POINTS: Final = {Mode.HOKUM: 16, Mode.SUN: 26}
KABOOT_POINTS: Final = {Mode.HOKUM: 25, Mode.SUN: 44}
CARD_POINTS_PER_GAME_POINT: Final = {Mode.HOKUM: 10, Mode.SUN: 5}
BALOOT_POINTS: Final = 2
MATCH_POINTS: Final = 152


@dataclass(frozen=True, slots=True)
class DealScore:
    """Two numbers each are the pairs'. cards and compared: in card points; the others in game points.

    projects: by seat. best_project_seat: whose pair alone scores its projects. lost: whether the buyers did.
    kaboot: the pair that took all tricks.
    """

    winners: tuple[int, ...]
    cards: tuple[int, int]
    projects: tuple[tuple[Project, ...], ...]
    best_project_seat: int | None
    compared: tuple[int, int]
    kaboot: int | None
    lost: bool
    card_points: tuple[int, int]
    project_points: tuple[int, int]
    baloot: tuple[int, int]
    score: tuple[int, int]


def score_deal(
    contract: Contract, first: int, buyer: int, hands: Sequence[Sequence[Card]], played: Sequence[Sequence[Card]]
) -> DealScore:
    """The score of a deal. hands: eight cards each before the first lead, by seat. played: the tricks in order of play.

    first: who led the first trick.
    """
    taken = tally(contract.ranking, first, played)
    cards, kaboot = taken.cards, taken.sweeper
    projects = tuple(find_projects(contract.mode, hand) for hand in hands)
    best = best_seat(projects, first)
    settled = settle(contract.mode, buyer % 2, cards, kaboot, counted_projects(contract.mode, projects, best))
    baloot = _baloot(contract, hands)
    score = [sum(parts) for parts in zip(settled.card_points, settled.project_points, baloot, strict=True)]
    return DealScore(
        winners=taken.winners,
        cards=cards,
        projects=projects,
        best_project_seat=best,
        compared=settled.compared,
        kaboot=kaboot,
        lost=settled.lost,
        card_points=settled.card_points,
        project_points=settled.project_points,
        baloot=baloot,
        score=(score[0], score[1]),
    )


@dataclass(frozen=True, slots=True)
class Settled:
    """What the pairs get, Baloot apart, and what the make-or-break line compared; as in DealScore."""

    compared: tuple[int, int]
    lost: bool
    card_points: tuple[int, int]
    project_points: tuple[int, int]


def settle(mode: Mode, buyers: int, cards: tuple[int, int], kaboot: int | None, counted: tuple[int, int]) -> Settled:
    """Steps 1 to 6. buyers: the pair. cards: card points, the last trick among them. counted: projects that score."""
    per_game_point = CARD_POINTS_PER_GAME_POINT[mode]
    compared = (cards[0] + counted[0] * per_game_point, cards[1] + counted[1] * per_game_point)
    # Who took every trick has not lost, whatever projects the others hold.
    lost = kaboot != buyers and compared[buyers] < compared[1 - buyers]
    if not lost:
        return Settled(compared, lost, _card_points(mode, cards, kaboot), counted)
    everything = ALL_POINTS[mode] if kaboot is None else KABOOT_POINTS[mode]
    return Settled(compared, lost, for_pair(1 - buyers, everything), for_pair(1 - buyers, sum(counted)))


def match_winner(totals: tuple[int, int]) -> int | None:
    """The pair that has won, None while the match goes on."""
    if max(totals) < MATCH_POINTS or totals[0] == totals[1]:
        return None
    return 0 if totals[0] > totals[1] else 1


def counted_projects(mode: Mode, projects: Sequence[Sequence[Project]], best: int | None) -> tuple[int, int]:
    """The better pair scores all of its projects, the other pair none."""
    if best is None:
        return (0, 0)
    both = (*projects[best], *projects[(best + 2) % 4])
    return for_pair(best % 2, points(mode, both))


def _card_points(mode: Mode, cards: tuple[int, int], kaboot: int | None) -> tuple[int, int]:
    if kaboot is not None:
        return for_pair(kaboot, KABOOT_POINTS[mode])
    if mode is Mode.SUN:
        return _sun_points(cards[0]), _sun_points(cards[1])
    ours, theirs = ((value + 4) // 10 for value in cards)
    if ours + theirs > ALL_POINTS[mode]:
        # Both end in 6 and both went up: the pair with more card points gives one back.
        return (ours - 1, theirs) if cards[0] > cards[1] else (ours, theirs - 1)
    return ours, theirs


def _sun_points(card_points: int) -> int:
    """To the nearest ten, doubled, in tens; what ends in 5 is doubled as it is."""
    return card_points * 2 // 10 if card_points % 10 == 5 else (card_points + 4) // 10 * 2


def _baloot(contract: Contract, hands: Sequence[Sequence[Card]]) -> tuple[int, int]:
    """King and queen of trump in one hand belong to the holder's pair, whatever else happens."""
    if contract.trump is None:
        return (0, 0)
    both = {card_of(Rank.KING, contract.trump), card_of(Rank.QUEEN, contract.trump)}
    holder = next((seat for seat, hand in enumerate(hands) if both <= set(hand)), None)
    return (0, 0) if holder is None else for_pair(holder % 2, BALOOT_POINTS)
