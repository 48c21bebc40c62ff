"""What happened in a hand: a closed union of public facts.

No event names a card that the table may not see. What a draw from the stock gave follows from the deck, so
the events and the deck together replay the hand exactly. They map one to one onto the transcript that the
fairness room chains.
"""

from dataclasses import dataclass
from enum import StrEnum

from rummy.actions import VoidReason
from rummy.cards import Card


@dataclass(frozen=True, slots=True)
class Dealt:
    """13 cards to every player, one at a time in deal order."""


@dataclass(frozen=True, slots=True)
class WildTurned:
    card: Card


@dataclass(frozen=True, slots=True)
class PileOpened:
    card: Card


@dataclass(frozen=True, slots=True)
class DrewFromStock:
    seat: int
    auto: bool


@dataclass(frozen=True, slots=True)
class DrewFromPile:
    seat: int
    card: Card
    auto: bool


@dataclass(frozen=True, slots=True)
class Discarded:
    seat: int
    card: Card
    auto: bool


class HowOut(StrEnum):
    FIRST_DROP = "first_drop"
    MIDDLE_DROP = "middle_drop"
    LEFT = "left"
    MISSED_TURNS = "missed_turns"


@dataclass(frozen=True, slots=True)
class WentOut:
    """A seat gave up the hand, left it, or was dropped by the table; it owes `points` when the hand is won."""

    seat: int
    how: HowOut
    points: int


@dataclass(frozen=True, slots=True)
class Declared:
    """A seat showed 13 cards. When not valid it is out for 80 and the finish card lies on the discard pile.

    groups: every one of the 13 cards once, as the player laid them out.
    """

    seat: int
    valid: bool
    finish_card: Card
    groups: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class StockReshuffled:
    """The discard pile but its top became the new stock; number counts from 1."""

    number: int
    stock_count: int


@dataclass(frozen=True, slots=True)
class Shown:
    """After a valid declare: one other seat still in, its 13 cards ascending and the fewest points they count."""

    seat: int
    points: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class HandVoided:
    reason: VoidReason


class Outcome(StrEnum):
    DECLARED = "declared"
    LAST_IN = "last_in"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class HandEnded:
    """The last event of every hand.

    winner: None when void. points: (seat, points) for every player in ascending seat order, the winner's 0;
    all 0 when void.
    """

    outcome: Outcome
    winner: int | None
    points: tuple[tuple[int, int], ...]


Event = (
    Dealt
    | WildTurned
    | PileOpened
    | DrewFromStock
    | DrewFromPile
    | Discarded
    | WentOut
    | Declared
    | StockReshuffled
    | Shown
    | HandVoided
    | HandEnded
)
