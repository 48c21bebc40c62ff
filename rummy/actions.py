"""What may be asked of a hand: a closed union, the only way to move it.

A person, a bot, the clock and an operator all enter through these.
"""

from dataclasses import dataclass
from enum import StrEnum

from rummy.cards import Card


@dataclass(frozen=True, slots=True)
class DrawFromStock:
    seat: int


@dataclass(frozen=True, slots=True)
class DrawFromPile:
    seat: int


@dataclass(frozen=True, slots=True)
class Discard:
    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Declare:
    """Finish with one of 14 cards face down and the other 13 shown.

    groups: the 13 cards as the player likes to show them, every card exactly once; () shows the best arrangement.
    They never decide whether the declare is valid.
    """

    seat: int
    finish_card: Card
    groups: tuple[tuple[Card, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Drop:
    """Give up the hand, on the own turn before drawing in it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table in mid-hand: at any moment, always 40."""

    seat: int


@dataclass(frozen=True, slots=True)
class Timeout:
    """The clock of the seat on turn has run out, bank included: its move is played for it."""

    seat: int


class VoidReason(StrEnum):
    STOCK_EXHAUSTED = "stock_exhausted"
    NOT_ENOUGH_PLAYERS = "not_enough_players"
    OPERATOR = "operator"
    SERVER_FAILURE = "server_failure"


@dataclass(frozen=True, slots=True)
class Void:
    """End the hand without a result; nobody pays."""

    reason: VoidReason


Action = DrawFromStock | DrawFromPile | Discard | Declare | Drop | Leave | Timeout | Void
