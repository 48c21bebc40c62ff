"""Where a table stands between one hand and the next: a closed union of values, each with its own deadline."""

from dataclasses import dataclass, field, replace
from typing import Generic, assert_never

from server.protocol.messages import ResultView
from server.tables.game import State
from server.tables.record import HandRecord
from server.tables.seeds import SeedsRound
from server.tables.turn_clock import TurnClock


@dataclass(frozen=True, slots=True)
class Waiting:
    """Not enough players for a hand."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """Enough players: a hand opens at the deadline."""

    deadline_ms: int


@dataclass(frozen=True, slots=True)
class Seeds:
    """A hand is open and its players contribute; the deadline ends the open window."""

    record: HandRecord
    round: SeedsRound
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class Playing(Generic[State]):
    record: HandRecord
    state: State = field(repr=False)
    clock: TurnClock


@dataclass(frozen=True, slots=True)
class Result(Generic[State]):
    """A hand has ended and its result stands until the deadline; state is None when no card was dealt."""

    record: HandRecord
    state: State | None = field(repr=False)
    view: ResultView
    deadline_ms: int


Phase = Waiting | Countdown | Seeds | Playing[State] | Result[State]


def deadline_of(phase: Phase[State]) -> int | None:
    """When the table has to act by itself, in Unix milliseconds; None when it waits for people alone."""
    match phase:
        case Waiting():
            return None
        case Countdown() | Seeds() | Result():
            return phase.deadline_ms
        case Playing():
            return phase.clock.deadline_ms
        case _:
            assert_never(phase)


def later(phase: Phase[State], by_ms: int) -> Phase[State]:
    """The same phase with that much more time: an outage of ours is not charged to anybody."""
    match phase:
        case Waiting():
            return phase
        case Countdown() | Seeds() | Result():
            return replace(phase, deadline_ms=phase.deadline_ms + by_ms)
        case Playing():
            return replace(phase, clock=phase.clock.later(by_ms))
        case _:
            assert_never(phase)
