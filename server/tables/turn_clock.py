"""One turn's clock and every player's time bank, as deadlines: nothing here ticks (rules section 6)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from server.tables.game import Turn


@dataclass(frozen=True, slots=True)
class TurnClock:
    """The clock of turn `number` ends at clock_ms; then the bank of its seat runs until deadline_ms.

    banks: milliseconds that each player had left when this turn began.
    """

    seat: int
    number: int
    clock_ms: int
    deadline_ms: int
    turn_ms: int
    banks: Mapping[int, int]

    @classmethod
    def first(cls, turn: Turn, starts_ms: int, turn_ms: int, bank_ms: int, seats: Iterable[int]) -> "TurnClock":
        banks = MappingProxyType(dict.fromkeys(seats, bank_ms))
        return cls(turn.seat, turn.number, starts_ms + turn_ms, starts_ms + turn_ms + banks[turn.seat], turn_ms, banks)

    def at_turn(self, turn: Turn, now_ms: int) -> "TurnClock":
        """The clock when `turn` is on at now_ms: this one while its turn lasts, else a new one, the bank charged."""
        if turn.number == self.number:
            return self
        banks = MappingProxyType({**self.banks, self.seat: self.bank_left(now_ms)})
        clock_ms = now_ms + self.turn_ms
        return replace(
            self,
            seat=turn.seat,
            number=turn.number,
            clock_ms=clock_ms,
            deadline_ms=clock_ms + banks[turn.seat],
            banks=banks,
        )

    def bank_left(self, now_ms: int) -> int:
        """What is left of the bank of the seat on turn when its turn ends at now_ms."""
        bank = self.banks[self.seat]
        return bank - min(max(now_ms - self.clock_ms, 0), bank)

    def later(self, by_ms: int) -> "TurnClock":
        """The same turn with that much more time: what an outage of ours took is given back."""
        return replace(self, clock_ms=self.clock_ms + by_ms, deadline_ms=self.deadline_ms + by_ms)

    def to_stored(self) -> Mapping[str, Any]:
        return {
            "seat": self.seat,
            "number": self.number,
            "clock_ms": self.clock_ms,
            "deadline_ms": self.deadline_ms,
            "banks": {str(seat): bank_ms for seat, bank_ms in self.banks.items()},
        }

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any], turn_ms: int) -> "TurnClock":
        banks = {int(seat): int(bank_ms) for seat, bank_ms in stored["banks"].items()}
        return cls(
            seat=int(stored["seat"]),
            number=int(stored["number"]),
            clock_ms=int(stored["clock_ms"]),
            deadline_ms=int(stored["deadline_ms"]),
            turn_ms=turn_ms,
            banks=MappingProxyType(banks),
        )
