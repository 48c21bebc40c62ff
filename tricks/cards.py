"""Cards of a 32-card pack as small integers; Thousand plays with the 24 of them from the nine up.

A card is ``8 * suit + rank``, with the ranks in sequence order from the ace down: so a sequence of a suit is a run of
consecutive integers, and cards in ascending order are sorted as players sort them.
"""

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, NewType

Card = NewType("Card", int)
"""0 .. 31."""

RANKS_PER_SUIT: Final = 8


class Suit(IntEnum):
    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3


class Rank(IntEnum):
    """In sequence order, which is the same in every suit and every game of this room."""

    ACE = 0
    KING = 1
    QUEEN = 2
    JACK = 3
    TEN = 4
    NINE = 5
    EIGHT = 6
    SEVEN = 7


SUIT_NAMES: Final = "SHDC"
RANK_NAMES: Final = "AKQJT987"
SUITS: Final = tuple(Suit)
RANKS: Final = tuple(Rank)


class UnreadableCard(ValueError):
    """A text that names no card or suit; the message says what is allowed."""


def card_of(rank: Rank, suit: Suit) -> Card:
    return Card(RANKS_PER_SUIT * suit + rank)


def suit_of(card: Card) -> Suit:
    return SUITS[card // RANKS_PER_SUIT]


def rank_of(card: Card) -> Rank:
    return RANKS[card % RANKS_PER_SUIT]


def of_suit(cards: Iterable[Card], suit: Suit) -> tuple[Card, ...]:
    return tuple([card for card in cards if card // RANKS_PER_SUIT == suit])


PACK_32: Final = tuple(card_of(rank, suit) for suit in SUITS for rank in RANKS)
PACK_24: Final = tuple(card for card in PACK_32 if rank_of(card) <= Rank.NINE)


def card_name(card: Card) -> str:
    """Rank and suit in one letter each, `TH` for the ten of hearts."""
    return RANK_NAMES[rank_of(card)] + SUIT_NAMES[suit_of(card)]


def read_card(text: str) -> Card:
    """Raises UnreadableCard."""
    if len(text) != 2 or text[0] not in RANK_NAMES or text[1] not in SUIT_NAMES:
        raise UnreadableCard(f"{text!r} is no card: a rank of {RANK_NAMES} and a suit of {SUIT_NAMES}, like TH")
    return card_of(RANKS[RANK_NAMES.index(text[0])], read_suit(text[1]))


def read_suit(text: str) -> Suit:
    """Raises UnreadableCard."""
    if len(text) != 1 or text not in SUIT_NAMES:
        raise UnreadableCard(f"{text!r} is no suit: one of {SUIT_NAMES}")
    return SUITS[SUIT_NAMES.index(text)]
