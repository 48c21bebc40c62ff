"""What 13 cards promise: the numbers by which the strong strategy tells a good hand from a bad one.

Everything is counted from the seat's own cards and from how many copies of each face it has not seen. The solver says
what a hand counts now; the numbers here say what it may become.

The natural faces of a hand are one whole number: 16 bits a suit, of which 13 are the ranks from the ace up and the
next stands for the ace above the king. Shifting by one or two then looks at the neighbours in all four suits at once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from rummy.cards import FACES_PER_DECK, PRINTED_JOKER, Card, Face, Rank, face_points, is_wild

_SUIT_BITS: Final = 16
_SUIT: Final = 0x1FFF
_SUITS: Final = sum(_SUIT << _SUIT_BITS * suit for suit in range(4))
_ACES: Final = sum(1 << _SUIT_BITS * suit for suit in range(4))
_HIGH_ACE: Final = 13
_MOST_WILDS: Final = 4
_BITS: Final = (*(1 << _SUIT_BITS * (face // 13) + face % 13 for face in range(52)), 0)
_FACES: Final = {bit: face for face, bit in enumerate(_BITS) if bit}


def faces_mask(cards: Iterable[Card]) -> int:
    """The natural faces of some cards."""
    mask = 0
    for card in cards:
        mask |= _BITS[card % FACES_PER_DECK]
    return mask


def _with_high_aces(mask: int) -> int:
    return mask | (mask & _ACES) << _HIGH_ACE


def _folded(mask: int) -> int:
    return (mask | mask >> _HIGH_ACE & _ACES) & _SUITS


def _beside(mask: int) -> int:
    """The faces at most two away, in their suit, from one of these."""
    row = _with_high_aces(mask)
    return _folded(row << 1 | row << 2 | row >> 1 | row >> 2)


def _near(face: Face) -> int:
    """The natural faces that could stand in one group with this one."""
    others = sum(_BITS[13 * suit + face % 13] for suit in range(4) if suit != face // 13)
    return others | _beside(_BITS[face])


_NEAR: Final = (*(_near(Face(face)) for face in range(52)), 0)


def company(card: Card, mask: int) -> int:
    """How many of these faces could stand in one group with a card; none for a printed joker."""
    return (_NEAR[card % FACES_PER_DECK] & mask).bit_count()


@cache
def faces_near(face: Face) -> frozenset[Face]:
    """The natural faces that could stand in one group with this one; none for a printed joker."""
    return frozenset(Face(other) for other in range(52) if _NEAR[face] & _BITS[other])


@dataclass(frozen=True, slots=True)
class Prospects:
    """stage: 0 without a pure run, 1 with one run only that counts, 2 with two sequences.

    points: the fewest that the 13 cards count. wilds: at most 4. run_outs and set_outs: the share of the unseen cards
    that makes a run of three with two of these, or a set with two, in tenths. lonely: faces that could stand beside
    no other.
    """

    stage: int
    points: int
    wilds: int
    run_outs: float
    set_outs: float
    lonely: int


class Appraiser:
    """Tells the prospects of many hands in one turn. copies: by face, how many the seat has not seen."""

    def __init__(self, copies: Sequence[int], wild_rank: Rank | None) -> None:
        self._copies = copies
        self._tenth = 10 / max(1, sum(copies))
        self._wild_place = -1 if wild_rank is None else wild_rank - 1
        self.is_wild = tuple(is_wild(Face(face), wild_rank) for face in range(FACES_PER_DECK))
        self.points = tuple(face_points(Face(face), wild_rank) for face in range(FACES_PER_DECK))

    def prospects(self, cards: Iterable[Card], points: int) -> Prospects:
        """cards: 13. points: the fewest that they count, by the solver."""
        wilds = total = naturals = plain = 0
        for card in cards:
            face = card % FACES_PER_DECK
            naturals |= _BITS[face]
            if self.is_wild[face]:
                wilds += 1
            else:
                plain |= _BITS[face]
                total += self.points[face]
        worth, run = self._best_run(naturals)
        if run:
            stage, loose = 1 if points == total - worth else 2, plain & ~run
        else:
            stage, loose = 0, naturals
        run_outs, set_outs = self._run_outs(loose), self._set_outs(plain)
        return Prospects(stage, points, min(wilds, _MOST_WILDS), run_outs, set_outs, _lonely(plain))

    def _best_run(self, mask: int) -> tuple[int, int]:
        """Of all whole pure runs the one worth most: its points and its faces; no faces when there is none."""
        row = _with_high_aces(mask)
        if not row & row >> 1 & row >> 2:
            return 0, 0
        best, place = max(
            (_best_run_of(row >> _SUIT_BITS * suit & 0x3FFF, self._wild_place), suit) for suit in range(4)
        )
        return best[0], _folded(best[1]) << _SUIT_BITS * place

    def _run_outs(self, mask: int) -> float:
        row = _with_high_aces(mask)
        below, above = row << 1, row >> 1
        wanted = _folded(below & row << 2 | above & row >> 2 | below & above) & ~mask
        return self._share(wanted)

    def _set_outs(self, mask: int) -> float:
        clubs, diamonds, hearts, spades = (mask >> _SUIT_BITS * suit & _SUIT for suit in range(4))
        pairs = clubs & (diamonds | hearts | spades) | diamonds & (hearts | spades) | hearts & spades
        return self._share(pairs * _ACES & ~mask) if pairs else 0.0

    def _share(self, wanted: int) -> float:
        outs = 0
        while wanted:
            bit = wanted & -wanted
            outs += self._copies[_FACES[bit]]
            wanted ^= bit
        return outs * self._tenth


@lru_cache(maxsize=1 << 14)
def _best_run_of(row: int, wild_place: int) -> tuple[int, int]:
    """The same in one suit, of 14 places; a card of the wild rank counts nothing."""
    best = (0, 0)
    starts = row & row >> 1 & row >> 2
    while starts:
        place = (starts & -starts).bit_length() - 1
        run = worth = 0
        while row >> place & 1:
            run |= 1 << place
            worth += 0 if place % 13 == wild_place else face_points(Face(place % 13), None)
            place += 1
        best = max(best, (worth, run))
        starts &= ~run
    return best


def _lonely(mask: int) -> int:
    count = 0
    alone = mask & ~_beside(mask)
    while alone:
        bit = alone & -alone
        count += not _NEAR[_FACES[bit]] & mask
        alone ^= bit
    return count


assert _BITS[PRINTED_JOKER] == 0, "a printed joker is no natural face"
