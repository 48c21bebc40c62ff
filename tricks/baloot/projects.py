"""Projects: sequences and fours that are worth points by themselves (section 8)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import combinations
from typing import Final

from tricks.baloot.contract import Mode
from tricks.cards import SUITS, Card, Rank, card_of
from tricks.sequences import runs


class Kind(IntEnum):
    """Higher is better."""

    SIRI = 1
    FIFTY = 2
    HUNDRED = 3
    FOUR_HUNDRED = 4


class Shape(StrEnum):
    SEQUENCE = "sequence"
    FOUR = "four"


GAME_POINTS: Final = {
    Mode.HOKUM: {Kind.SIRI: 2, Kind.FIFTY: 5, Kind.HUNDRED: 10},
    Mode.SUN: {Kind.SIRI: 4, Kind.FIFTY: 10, Kind.HUNDRED: 20, Kind.FOUR_HUNDRED: 40},
}
KIND_BY_LENGTH: Final = {3: Kind.SIRI, 4: Kind.FIFTY, 5: Kind.HUNDRED}
FOURS: Final = (Rank.ACE, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.TEN)


@dataclass(frozen=True, slots=True)
class Project:
    """rank: of the four, or the highest of the sequence. cards: those it consists of, ascending."""

    kind: Kind
    shape: Shape
    rank: Rank
    cards: tuple[Card, ...]

    @property
    def merit(self) -> tuple[int, bool, int]:
        """Comparable: the better project has the higher merit, whoever holds it."""
        return (self.kind, self.shape is Shape.FOUR, -self.rank)


def points(mode: Mode, projects: Iterable[Project]) -> int:
    """In game points."""
    return sum(GAME_POINTS[mode][project.kind] for project in projects)


def find_projects(mode: Mode, hand: Sequence[Card]) -> tuple[Project, ...]:
    """The hand's disjoint projects worth most, the best first; among equals the set whose projects rank higher."""
    candidates = (*_sequences(hand), *_fours(mode, hand))
    best: tuple[Project, ...] = ()
    for count in range(1, len(hand) // 3 + 1):
        for chosen in combinations(candidates, count):
            ranked = tuple(sorted(chosen, key=lambda project: project.merit, reverse=True))
            if _are_disjoint(ranked) and _worth(mode, ranked) > _worth(mode, best):
                best = ranked
    return best


def best_seat(projects: Sequence[Sequence[Project]], first: int) -> int | None:
    """Who holds the best project of all; between equals whoever plays earlier to the first trick. None: nobody has one.

    projects: by seat, each seat's best first.
    """
    in_order = ((first + turn) % len(projects) for turn in range(len(projects)))
    holders = [seat for seat in in_order if projects[seat]]
    return max(holders, key=lambda seat: projects[seat][0].merit, default=None)


def _sequences(hand: Sequence[Card]) -> Iterable[Project]:
    for run in runs(hand):
        for length, kind in KIND_BY_LENGTH.items():
            for start in range(len(run) - length + 1):
                cards = run[start : start + length]
                yield Project(kind, Shape.SEQUENCE, Rank(cards[0] % len(Rank)), cards)


def _fours(mode: Mode, hand: Sequence[Card]) -> Iterable[Project]:
    for rank in FOURS:
        cards = tuple(card_of(rank, suit) for suit in SUITS)
        if set(cards) <= set(hand):
            kind = Kind.FOUR_HUNDRED if rank is Rank.ACE and mode is Mode.SUN else Kind.HUNDRED
            yield Project(kind, Shape.FOUR, rank, cards)


def _are_disjoint(projects: Sequence[Project]) -> bool:
    cards = [card for project in projects for card in project.cards]
    return len(cards) == len(set(cards))


def _worth(mode: Mode, ranked: tuple[Project, ...]) -> tuple[int, list[tuple[int, bool, int]]]:
    return points(mode, ranked), [project.merit for project in ranked]
