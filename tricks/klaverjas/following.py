"""What may be played, in Amsterdam and in Rotterdam (sections 3 and 4)."""

from collections.abc import Sequence
from enum import StrEnum

from tricks.cards import Card, Suit, of_suit, suit_of
from tricks.duties import Choice, Duty, free
from tricks.tricks import JACK_AND_NINE, Ranking


class Variant(StrEnum):
    AMSTERDAM = "amsterdam"
    ROTTERDAM = "rotterdam"


def ranking(trump: Suit) -> Ranking:
    return Ranking(trump, JACK_AND_NINE)


def choice(variant: Variant, trump: Suit, hand: tuple[Card, ...], trick: Sequence[Card]) -> Choice:
    """What may be played on the trick so far, its leader's card first (section 4)."""
    if not trick:
        return free(hand)
    led = suit_of(trick[0])
    following = of_suit(hand, led)
    trumps = of_suit(hand, trump)
    higher = ranking(trump).beating(trick, trumps)
    if led is trump and following:
        return Choice(higher, Duty.BEAT_TRUMP) if higher else Choice(trumps, Duty.FOLLOW_SUIT)
    if following:
        return Choice(following, Duty.FOLLOW_SUIT)
    if not trumps:
        return free(hand)
    is_trumped = any(suit_of(card) is trump for card in trick)
    partner_wins = ranking(trump).winning(trick) == len(trick) - 2
    match variant:
        case Variant.ROTTERDAM:
            return _must_trump(higher, trumps, is_trumped)
        case Variant.AMSTERDAM if partner_wins:
            return _spare_low_trumps(hand, higher, trumps) if is_trumped else free(hand)
        case Variant.AMSTERDAM:
            return _must_trump(higher, trumps, is_trumped) if higher else _spare_low_trumps(hand, higher, trumps)


def _must_trump(higher: tuple[Card, ...], trumps: tuple[Card, ...], is_trumped: bool) -> Choice:
    if higher:
        return Choice(higher, Duty.BEAT_TRUMP if is_trumped else Duty.PLAY_TRUMP)
    return Choice(trumps, Duty.PLAY_TRUMP)


def _spare_low_trumps(hand: tuple[Card, ...], higher: tuple[Card, ...], trumps: tuple[Card, ...]) -> Choice:
    """No trump under another one, unless the hand holds nothing else."""
    low = set(trumps) - set(higher)
    allowed = tuple(card for card in hand if card not in low)
    if not allowed:
        return free(hand)
    return Choice(allowed, Duty.KEEP_LOW_TRUMPS if low else Duty.FREE)
