"""What may be played (section 4)."""

from collections.abc import Sequence

from tricks.cards import Card, Suit, of_suit, suit_of
from tricks.duties import Choice, Duty, free
from tricks.tricks import TEN_SECOND, Ranking


def ranking(trump: Suit | None) -> Ranking:
    return Ranking(trump, TEN_SECOND)


def choice(trump: Suit | None, hand: tuple[Card, ...], trick: Sequence[Card]) -> Choice:
    """What may be played on the trick so far (section 4)."""
    if not trick:
        return free(hand)
    following = of_suit(hand, suit_of(trick[0]))
    if following:
        return Choice(following, Duty.FOLLOW_SUIT)
    trumps = of_suit(hand, trump) if trump is not None else ()
    return Choice(trumps, Duty.PLAY_TRUMP) if trumps else free(hand)
