"""Groups of cards, what kind a group is, and one division of 13 cards into groups and deadwood.

Rules: house rules section 3. Nothing here searches; `rummy.solver` does.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rummy.cards import CARDS_PER_HAND, PRINTED_JOKER, Card, Face, Rank, face_of, is_wild, rank_of, suit_of

SHORTEST_GROUP: Final = 3
LARGEST_SET: Final = 4
ACE_HIGH: Final = 14
"""Where an ace stands above the king; as the lowest card of a run it stands at 1."""


class GroupKind(StrEnum):
    PURE_SEQUENCE = "pure"
    IMPURE_SEQUENCE = "impure"
    SET = "set"

    @property
    def is_sequence(self) -> bool:
        return self is not GroupKind.SET


@dataclass(frozen=True, slots=True)
class Group:
    """Cards laid together, in the order in which they lie: a run upwards, substitutes where they stand."""

    kind: GroupKind
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One legal division of 13 cards.

    groups: pure sequences first, then impure ones, then sets. Empty when no pure sequence exists; exactly one when
    no second sequence does (rules section 4: nothing else that is arranged counts then).
    deadwood: every other card, ascending. points: the sum of its card points.
    """

    groups: tuple[Group, ...]
    deadwood: tuple[Card, ...]
    points: int

    @property
    def complete(self) -> bool:
        """Whether these 13 cards may be declared: all of them grouped, by two sequences and one of them pure."""
        return not self.deadwood and bool(self.groups)


def classify_group(cards: Sequence[Card], wild_rank: Rank | None) -> GroupKind | None:
    """The strongest kind that these cards are when laid together, in any order; None when they are no group.

    cards: distinct. Strongest is a pure sequence, then an impure one, then a set.
    """
    if not SHORTEST_GROUP <= len(cards) <= CARDS_PER_HAND:
        return None
    faces = [face_of(card) for card in cards]
    if PRINTED_JOKER not in faces and _is_run(faces, len(faces)):
        return GroupKind.PURE_SEQUENCE
    naturals = [face for face in faces if not is_wild(face, wild_rank)]
    if not naturals or _is_run(naturals, len(faces)):
        return GroupKind.IMPURE_SEQUENCE
    if len(faces) <= LARGEST_SET and _is_set(naturals):
        return GroupKind.SET
    return None


def _is_run(naturals: list[Face], length: int) -> bool:
    """Whether these natural faces fit a run of `length` places, the other places being substitutes."""
    ranks = {rank_of(face) for face in naturals}
    if len({suit_of(face) for face in naturals}) != 1 or len(ranks) != len(naturals):
        return False
    return _span(ranks) <= length or _span({ACE_HIGH if rank == 1 else rank for rank in ranks}) <= length


def _span(places: Collection[int]) -> int:
    return max(places) - min(places) + 1


def _is_set(naturals: list[Face]) -> bool:
    suits = {suit_of(face) for face in naturals}
    return len({rank_of(face) for face in naturals}) == 1 and len(suits) == len(naturals)
