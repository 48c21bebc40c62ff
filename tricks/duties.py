"""What a seat may play, and the duty that forbids the rest: an answer that a page can put into words."""

from dataclasses import dataclass
from enum import StrEnum

from tricks.cards import Card


class Duty(StrEnum):
    """Why not every card of the hand may be played. FREE: every one may."""

    FREE = "free"
    FOLLOW_SUIT = "follow_suit"
    PLAY_TRUMP = "play_trump"
    BEAT_TRUMP = "beat_trump"
    KEEP_LOW_TRUMPS = "keep_low_trumps"


@dataclass(frozen=True, slots=True)
class Choice:
    """cards: what may be played, in hand order; never empty for a hand that is not. duty: what forbids the others."""

    cards: tuple[Card, ...]
    duty: Duty


def free(hand: tuple[Card, ...]) -> Choice:
    return Choice(hand, Duty.FREE)
