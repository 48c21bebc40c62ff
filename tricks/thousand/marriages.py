"""Kings and queens of one suit, and when they make trump (section 5)."""

from collections.abc import Sequence
from typing import Final

from tricks.cards import Card, Rank, Suit, card_of, rank_of, suit_of

MARRIAGE_POINTS: Final = {Suit.HEARTS: 100, Suit.DIAMONDS: 80, Suit.CLUBS: 60, Suit.SPADES: 40}


def has_marriage(hand: Sequence[Card], suit: Suit) -> bool:
    return card_of(Rank.KING, suit) in hand and card_of(Rank.QUEEN, suit) in hand


def declaring_leads(hand: Sequence[Card], trick_no: int) -> tuple[Card, ...]:
    """The cards that declare a marriage when led to the trick of this number, from 1 (section 5)."""
    if trick_no == 1:
        return ()
    return tuple(
        card for card in hand if rank_of(card) in (Rank.KING, Rank.QUEEN) and has_marriage(hand, suit_of(card))
    )
