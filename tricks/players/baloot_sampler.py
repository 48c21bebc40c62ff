"""The strong player of Baloot: solves worlds for each card, in game points and near the end in chances to win."""

from collections.abc import Callable
from functools import lru_cache, partial
from math import erf, sqrt
from typing import Final

from tricks.baloot.contract import Mode
from tricks.baloot.deal import Action
from tricks.baloot.projects import Project, best_seat, find_projects
from tricks.baloot.scoring import MATCH_POINTS, counted_projects, settle
from tricks.baloot.seen import Seen
from tricks.cards import Card
from tricks.moves import PlayCard
from tricks.play import Play
from tricks.players.baloot import TipFollower
from tricks.players.baloot_worth import lives
from tricks.players.sampling import STRONG, Budget, Question, Worth, advised_first, best_card, seeded
from tricks.search import solver
from tricks.search.search import BALOOT
from tricks.search.solver import OpenDeal, Solver
from tricks.search.tables import SWEEP
from tricks.tally import LAST_TRICK
from tricks.worlds import Unknown, World

UNLIKELY: Final = 0.2
"""How often a buyer may be expected without jack and nine of trump."""
CONTRADICTED: Final = 0.02
"""The same of a world in which a seat would have announced other projects than it did: as good as never."""
NEAR_THE_END: Final = 100
"""From this total on the match counts, and not points."""
POINTS_A_DEAL: Final = 13
SPREAD_A_DEAL: Final = 14
"""What the pair that is ahead makes in a deal about, and how far a deal's difference strays, in game points."""


class SamplingPlayer:
    """Deterministic: draws from its seed and what it sees. solver: shared between players, never between threads."""

    def __init__(self, solver: Solver, seed: int = 0, budget: Budget = STRONG) -> None:
        self._solver = solver
        self._seed = seed
        self._budget = budget
        self._tips = TipFollower()

    def choose(self, seen: Seen) -> Action:
        if seen.bought is None:
            return self._tips.choose(seen)
        return PlayCard(best_card(question(seen), self._solver, self._budget, seeded(self._seed, seen)))


def question(seen: Seen) -> Question:
    counts = tuple(0 if seat == seen.seat else count for seat, count in enumerate(seen.play.counts))
    return Question(
        play=seen.play,
        cards=advised_first(seen.playable.cards, TipFollower().choose(seen)),
        unknown=Unknown(seen.unseen, counts, seen.excluded()),
        open=partial(_open, seen),
        worth=_worth(seen),
        likelihood=partial(_likelihood, seen),
    )


def match_chance(own: int, other: int) -> float:
    """How likely it is that who has `own` points wins a match against `other`."""
    if max(own, other) >= MATCH_POINTS:
        return 0.5 if own == other else float(own > other)
    deals = max(1.0, (MATCH_POINTS - max(own, other)) / POINTS_A_DEAL)
    return 0.5 + 0.5 * erf((own - other) / (SPREAD_A_DEAL * sqrt(2 * deals)))


def _open(seen: Seen, play: Play) -> OpenDeal:
    assert seen.bought is not None, "cards are played once the deal is bought"
    return solver.baloot(seen.bought.contract, play)


def _worth(seen: Seen) -> Callable[[World], Worth]:
    assert seen.bought is not None, "cards are played once the deal is bought"
    mode, buyers = seen.bought.contract.mode, seen.bought.buyer % 2
    made = [0, 0]
    for taken in seen.play.taken:
        made[taken.winner % 2] += seen.ranking.points_of(taken.cards)
    ahead = made[0] - made[1]
    left = seen.ranking.points_of((*seen.hand, *seen.unseen, *seen.play.trick))
    whole = sum(made) + left + LAST_TRICK
    own, value_of = seen.seat % 2, _own_value(seen)

    def in_world(dealt: World) -> Worth:
        counted = _counted(seen, dealt)

        def worth(value: int) -> float:
            difference = ahead + value
            # Only a sweep brings more than all there is in cards.
            kaboot = None if abs(difference) <= whole else int(difference < 0)
            if kaboot is not None:
                difference -= SWEEP[BALOOT] * (1 - 2 * kaboot)
            cards = ((whole + difference) // 2, (whole - difference) // 2)
            settled = settle(mode, buyers, cards, kaboot, counted)
            gains = [sum(parts) for parts in zip(settled.card_points, settled.project_points, strict=True)]
            return value_of(gains[own], gains[1 - own])

        return worth

    return in_world


def _own_value(seen: Seen) -> Callable[[int, int], float]:
    """What a deal's game points are worth: points as they are, but near the end the chance to win the match."""
    own, other = seen.totals[seen.seat % 2], seen.totals[1 - seen.seat % 2]
    if max(own, other) < NEAR_THE_END:
        return lambda gain, loss: gain - loss
    return lambda gain, loss: MATCH_POINTS * match_chance(own + gain, other + loss)


def _counted(seen: Seen, dealt: World) -> tuple[int, int]:
    """The projects that score, in game points: shown after the first trick, before that as the world has them."""
    assert seen.bought is not None, "cards are played once the deal is bought"
    mode = seen.bought.contract.mode
    projects = seen.shown if seen.play.taken else tuple(_projects(mode, hand) for hand in dealt)
    return counted_projects(mode, projects, best_seat(projects, seen.first))


@lru_cache(maxsize=1 << 14)
def _projects(mode: Mode, hand: tuple[Card, ...]) -> tuple[Project, ...]:
    """Worlds share most of their hands."""
    return find_projects(mode, hand)


def _likelihood(seen: Seen, dealt: World) -> float:
    """Whether the buyer had what a Hokum lives on, and everybody the projects that were announced."""
    assert seen.bought is not None, "cards are played once the deal is bought"
    contract, buyer = seen.bought.contract, seen.bought.buyer
    likelihood = 1.0
    if contract.trump is not None and not lives(contract.trump, dealt[buyer]):
        likelihood *= UNLIKELY
    told = [(seat, kinds) for seat, kinds in enumerate(seen.announced) if seat != seen.seat and kinds is not None]
    for seat, kinds in told:
        if kinds != tuple(project.kind for project in _projects(contract.mode, dealt[seat])):
            likelihood *= CONTRADICTED
    return likelihood
