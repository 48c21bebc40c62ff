"""What a trick is in every game of this room: who wins it, and what its cards count."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tricks.cards import RANK_NAMES, RANKS, RANKS_PER_SUIT, Card, Rank, Suit, suit_of


@dataclass(frozen=True, slots=True)
class RankOrder:
    """The ranks of one suit from the strongest down, and the points of those that count.

    strength: by rank, higher is stronger. points: by rank.
    """

    strength: tuple[int, ...]
    points: tuple[int, ...]


def rank_order(names: str, points: dict[Rank, int]) -> RankOrder:
    """names: all eight ranks by their letters, the strongest first."""
    strength = tuple(len(names) - 1 - names.index(RANK_NAMES[rank]) for rank in RANKS)
    return RankOrder(strength, tuple(points.get(rank, 0) for rank in RANKS))


TEN_SECOND: Final = rank_order("ATKQJ987", {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3, Rank.JACK: 2})
"""Every side suit of the room's games, and Thousand's trump, too."""

JACK_AND_NINE: Final = rank_order(
    "J9ATKQ87",
    {Rank.JACK: 20, Rank.NINE: 14, Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3},
)
"""Trump of Klaverjas and Baloot."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """How cards compare in a trick. trump: None where there is none (yet)."""

    trump: Suit | None
    trump_order: RankOrder

    def is_trump(self, card: Card) -> bool:
        return card // RANKS_PER_SUIT == self.trump

    def strength(self, card: Card, led: Suit) -> int:
        """Comparable within a trick of this suit led; negative for a card that can't win it."""
        suit, rank = divmod(card, RANKS_PER_SUIT)
        if suit == self.trump:
            return 100 + self.trump_order.strength[rank]
        return TEN_SECOND.strength[rank] if suit == led else -1

    def points(self, card: Card) -> int:
        suit, rank = divmod(card, RANKS_PER_SUIT)
        return (self.trump_order if suit == self.trump else TEN_SECOND).points[rank]

    def points_of(self, cards: Iterable[Card]) -> int:
        return sum(self.points(card) for card in cards)

    def winning(self, trick: Sequence[Card]) -> int:
        """The place of the card that wins the trick so far; the first card led it. At least one card."""
        led = suit_of(trick[0])
        return max(range(len(trick)), key=lambda place: self.strength(trick[place], led))

    def beating(self, trick: Sequence[Card], cards: Iterable[Card]) -> tuple[Card, ...]:
        """Those of the cards that would win the trick as it stands."""
        led = suit_of(trick[0])
        best = self.strength(trick[self.winning(trick)], led)
        return tuple(card for card in cards if self.strength(card, led) > best)
