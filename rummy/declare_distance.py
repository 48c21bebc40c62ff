"""How far 13 cards are from a declare: the fewest of them to exchange.

An exchanged card may as well become a wild card, except for what the pure run still lacks. So take a pure run that
lacks m cards, and groups for the rest that leave n natural cards loose: max(m, n) cards are exchanged. Of the cards
that come in m are for the run and the others wild; if that is more than the loose ones, own wild cards go out instead.
Either way the groups have the own wild cards less m plus n to spend. That no wild card takes a place which a natural
one can take, and that runs of three to five are enough, holds here as in `rummy.search`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from rummy.cards import CARDS_PER_HAND, Card, Face, Rank, Suit, face_of, is_wild, natural_face
from rummy.groups import ACE_HIGH, SHORTEST_GROUP
from rummy.search import bit_of, leading_options, packed

LONGEST_RUN: Final = 5
UNAFFORDABLE: Final = 99


def declare_distance(cards: Sequence[Card], wild_rank: Rank | None) -> int:
    """The fewest of 13 cards to exchange, for any others, until all can be declared; 0 when they can be now.

    It measures the hand, not the stock: which cards are still to come does not count. Takes about 3 ms, at worst
    some 10 ms. Raises ValueError for any other number of cards.
    """
    if len(cards) != CARDS_PER_HAND:
        raise ValueError(f"expected {CARDS_PER_HAND} cards, got {len(cards)}")
    ones, twos, threes, wilds, _, _ = packed(cards, wild_rank or 0)
    runs = set(_pure_runs(cards, wild_rank))

    prices = _Prices()
    return min(
        max(lacking, loose)
        for faces, own, lacking in runs
        for loose, price in enumerate(prices.by_loose(*_without(faces, ones, twos, threes), True))
        if price <= wilds - own - lacking + loose
    )


def _pure_runs(cards: Sequence[Card], wild_rank: Rank | None) -> Iterator[tuple[int, int, int]]:
    """Every pure run to aim for: natural faces at hand, wild cards at hand as themselves, cards lacking.

    Longer than three only with natural cards at both ends: any other end is better left off.
    """
    held = {face_of(card) for card in cards}
    for suit in map(Suit, range(4)):
        for low in range(1, ACE_HIGH - 1):
            for high in range(low + SHORTEST_GROUP - 1, min(low + LONGEST_RUN - 1, ACE_HIGH) + 1):
                run = [_face_at(place, suit) for place in range(low, high + 1)]
                natural = [face for face in run if face in held and not is_wild(face, wild_rank)]
                if len(run) > SHORTEST_GROUP and not {run[0], run[-1]} <= set(natural):
                    continue
                own = sum(face in held for face in run) - len(natural)
                yield sum(map(bit_of, natural)), own, len(run) - own - len(natural)


def _face_at(place: int, suit: Suit) -> Face:
    return natural_face(Rank((place - 1) % 13 + 1), suit)


def _without(faces: int, ones: int, twos: int, threes: int) -> tuple[int, int, int]:
    """One copy less of each of these faces."""
    return ones & ~faces | twos & faces, twos & ~faces | threes & faces, threes & ~faces


@dataclass(slots=True)
class _Prices:
    """What it costs to group a hand's cards, with the answers on the way kept: what is left recurs from run to run."""

    known: dict[tuple[int, int, int, bool], tuple[int, ...]] = field(default_factory=dict)

    def by_loose(self, ones: int, twos: int, threes: int, need: bool) -> tuple[int, ...]:
        """By the number of cards left loose: the fewest wild cards with which groups hold all the others.

        need: a sequence must be among the groups; three wild cards are one.
        """
        state = ones, twos, threes, need
        if state not in self.known:
            self.known[state] = self._by_loose(*state)
        return self.known[state]

    def _by_loose(self, ones: int, twos: int, threes: int, need: bool) -> tuple[int, ...]:
        if not ones:
            return (SHORTEST_GROUP if need else 0,)
        lead = ones & -ones
        copies = 1 + bool(twos & lead) + bool(threes & lead)
        lightest = [UNAFFORDABLE] * copies + list(self.by_loose(ones ^ lead, twos & ~lead, threes & ~lead, need))
        for faces, price, sequence in leading_options(ones, CARDS_PER_HAND):
            others = self.by_loose(*_without(faces, ones, twos, threes), need and not sequence)
            for loose, others_price in enumerate(others):
                lightest[loose] = min(lightest[loose], price + others_price)
        return tuple(lightest)
