"""What a table asks of a game, whichever it is: the table knows seats, turns, clocks and money, never cards.

A game is pure. Time comes in as the moment to stamp on what happens, randomness as the hand key that follows from
everybody's seeds. A game adds nothing to a hand but events; it never forgets or takes back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar
from uuid import UUID

from fairness.events import Event, VoidReason
from fairness.terms import Terms
from server.protocol.commands import TurnCommand
from server.protocol.messages import ArrangementView, HandView, TurnView
from server.protocol.messages import Rules as RulesView

State = TypeVar("State")

HandStage = Literal["hashes", "reveals", "playing", "ended"]
OutReason = Literal["first_drop", "middle_drop", "left", "missed_turns", "wrong_declare"]
OutcomeWord = Literal["declared", "last_in", "void"]


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What the table must know about its game before any hand; times in milliseconds.

    hold_units: the most that one player can lose in a hand, in token units. rules_map: what its terms are bound to.
    """

    seat_count: int
    decks: int
    min_players: int
    turn_ms: int
    bank_ms: int
    hold_units: int
    rules_map: Mapping[str, str]
    rules_view: RulesView


@dataclass(frozen=True, slots=True)
class PrivateShowing:
    """Cards that one seat alone is shown, with the event at this place in the step's events."""

    place: int
    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step(Generic[State]):
    """What one action did: the new state, the public events, and what single seats were shown with them."""

    state: State
    events: tuple[Event, ...]
    showings: tuple[PrivateShowing, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is. number grows with each turn of the hand. may_drop: whether giving up is possible right now."""

    seat: int
    number: int
    stage: Literal["draw", "discard"]
    may_drop: bool


@dataclass(frozen=True, slots=True)
class SeatInHand:
    """What everyone may know of one player of the hand."""

    card_count: int
    out: OutReason | None
    points: int | None
    misses: int


@dataclass(frozen=True, slots=True)
class SeatCards:
    """What only the player of a seat may know.

    allowed: what the seat may ask of the hand now, by name. drop_points: None when it can drop no more.
    """

    cards: tuple[int, ...]
    drawn_card: int | None
    allowed: tuple[str, ...]
    drop_points: int | None
    drop_units: int | None


@dataclass(frozen=True, slots=True)
class OutcomeLine:
    """delta: token units, negative for who pays. arrangement: None unless these cards were shown to all."""

    seat: int
    points: int
    delta: int
    out: OutReason | None = None
    arrangement: ArrangementView | None = None


@dataclass(frozen=True, slots=True)
class HandOutcome:
    """How a hand ended, every player in ascending seat order; deltas and commission sum to zero."""

    outcome: OutcomeWord
    void_reason: VoidReason | None
    winner: int | None
    lines: tuple[OutcomeLine, ...]
    commission: int

    @classmethod
    def void_before_deal(cls, seats: Sequence[int], reason: VoidReason) -> "HandOutcome":
        return cls("void", reason, None, tuple(OutcomeLine(seat, 0, 0) for seat in seats), commission=0)


@dataclass(frozen=True, slots=True)
class HandFrame:
    """The part of a hand's public view that is alike in every game."""

    hand_id: UUID
    hand_no: int
    stage: HandStage
    stage_deadline_ms: int | None
    dealer: int
    players: tuple[int, ...]
    commitment: str
    turn: TurnView | None


class Game(Protocol[State]):
    """One table's game. Every action may raise Refused, and then nothing happened."""

    @property
    def settings(self) -> GameSettings: ...

    def start(self, terms: Terms, hand_key: bytes, at_ms: int) -> Step[State]:
        """Deal the hand."""

    def restore(self, terms: Terms, hand_key: bytes, events: Sequence[Event]) -> Step[State]:
        """The hand after these events, which were its game's events so far, in order and from its start."""

    def apply(self, state: State, seat: int, command: TurnCommand, at_ms: int) -> Step[State]:
        """A player's own move."""

    def drop(self, state: State, seat: int, at_ms: int) -> Step[State]:
        """Give up the hand, on the own turn, as the player wished beforehand."""

    def leave(self, state: State, seat: int, at_ms: int) -> Step[State]:
        """Leave the table in mid-hand."""

    def timeout(self, state: State, at_ms: int) -> Step[State]:
        """The clock of the seat on turn ran out: its move is played for it."""

    def void(self, state: State, reason: VoidReason, at_ms: int) -> Step[State]:
        """End the hand without a result."""

    def turn(self, state: State) -> Turn | None:
        """None when the hand is over."""

    def seats_in(self, state: State) -> tuple[int, ...]:
        """The seats that still play."""

    def outcome(self, state: State) -> HandOutcome | None:
        """None while the hand goes on."""

    def played_card(self, events: Sequence[Event]) -> int | None:
        """The card that these events laid open as a move, if they did."""

    def hand_view(self, frame: HandFrame, state: State | None) -> HandView:
        """The public part of the hand; no state before the deal."""

    def seat_view(self, state: State, seat: int) -> SeatInHand: ...

    def cards_view(self, state: State, seat: int) -> SeatCards: ...

    def hint(self, state: State, seat: int) -> dict[str, Any]:
        """Advice on the seat's own cards, from nothing but them. Raises Refused when it has none."""
