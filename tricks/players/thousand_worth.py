"""What a hand of Thousand is worth to its declarer, by counting and without search: for bids, gifts and write-offs."""

from collections.abc import Sequence
from typing import Final

from tricks.cards import SUITS, Card, Rank, Suit, card_of, of_suit, rank_of, suit_of
from tricks.thousand.following import ranking
from tricks.thousand.marriages import MARRIAGE_POINTS, has_marriage

RANKING: Final = ranking(None)
BEST_FIRST: Final = (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.NINE)

# Fitted to 1,500 deals between players that follow the tips: what declarers took, by what they held.
BASE: Final = 14
PER_ACE: Final = 16
PER_CARD_OF_THE_LONGEST_SUIT: Final = 6
FIRST_MARRIAGE_PERCENT: Final = 80
LATER_MARRIAGE_PERCENT: Final = 50

PRIKUP_CARDS: Final = 3
UNKNOWN_IN_AUCTION: Final = 17
PRIKUP_HELP: Final = 10
"""Measured over 1,500 hands: what the prikup adds on average, the marriages that it completes apart."""


def worth(hand: Sequence[Card]) -> int:
    """The points that a declarer with this hand takes on average. hand: seven cards in the auction, eight later.

    A marriage counts only where a trick is likely to be won before, that is beside an ace.
    """
    aces = sum(rank_of(card) is Rank.ACE for card in hand)
    longest = max(len(of_suit(hand, suit)) for suit in SUITS)
    return BASE + PER_ACE * aces + PER_CARD_OF_THE_LONGEST_SUIT * longest + (_marriages(hand) if aces else 0)


def _marriages(hand: Sequence[Card]) -> int:
    """What the marriages held bring on average: most of the best one, and half of the others."""
    held = sorted((MARRIAGE_POINTS[suit] for suit in SUITS if has_marriage(hand, suit)), reverse=True)
    return (sum(held[:1]) * FIRST_MARRIAGE_PERCENT + sum(held[1:]) * LATER_MARRIAGE_PERCENT) // 100


def prikup_help(hand: Sequence[Card]) -> int:
    """What three unknown cards add, in the auction: a little in general, and each marriage at its small chance."""
    halves = {suit_of(card) for card in hand if is_half(hand, card)}
    return PRIKUP_HELP + sum(MARRIAGE_POINTS[suit] * PRIKUP_CARDS // UNKNOWN_IN_AUCTION for suit in halves)


def sure_tricks(hand: Sequence[Card], suit: Suit) -> tuple[Card, ...]:
    """The cards of a suit that take tricks by themselves while nothing is trumped: from the ace down without a gap.

    The whole suit, once the others can't have more cards of it than those draw.
    """
    held = [card for rank in BEST_FIRST if (card := card_of(rank, suit)) in hand]
    top = 0
    while top < len(held) and rank_of(held[top]) is BEST_FIRST[top]:
        top += 1
    return tuple(held) if len(BEST_FIRST) - len(held) <= top else tuple(held[:top])


def is_half(hand: Sequence[Card], card: Card) -> bool:
    """Whether it is a king or queen whose mate is not held."""
    return rank_of(card) in (Rank.KING, Rank.QUEEN) and not has_marriage(hand, suit_of(card))


def gift_harm(hand: Sequence[Card], card: Card) -> int:
    """How much it hurts to give the card away, as far as it can be counted: the smallest first."""
    suit = suit_of(card)
    if has_marriage(hand, suit) and rank_of(card) in (Rank.KING, Rank.QUEEN):
        return MARRIAGE_POINTS[suit] + 20
    harm = RANKING.points(card)
    if card in sure_tricks(hand, suit):
        harm += 20
    # It may complete a marriage with whoever gets it.
    return harm + (MARRIAGE_POINTS[suit] // 4 if is_half(hand, card) else 0)
