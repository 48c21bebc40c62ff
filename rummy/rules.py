"""The rules that an operator may set per table, with the values and defaults of the house (rules section 8)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

FIRST_DROP_POINTS: Final = 20
MIDDLE_DROP_POINTS: Final = 40
WRONG_DECLARE_POINTS: Final = 80
MAX_POINTS: Final = 130
SEAT_COUNTS: Final = (4, 6, 8)


class TakeWildFromPile(StrEnum):
    """Whether a wild card may be taken from the discard pile."""

    ALLOWED = "allowed"
    FIRST_TURN_ONLY = "first_turn_only"
    NEVER = "never"


class ReturnTakenCard(StrEnum):
    """Whether the card just taken from the discard pile may be the one that is discarded."""

    FORBIDDEN = "forbidden"
    ALLOWED = "allowed"


def decks_for(seat_count: int) -> int:
    """Two decks at 4 and 6 seats, three at 8: the seats of the table decide, not how many sit (rules section 1)."""
    return 3 if seat_count == 8 else 2


@dataclass(frozen=True, slots=True)
class TableRules:
    """One table's rules. Raises ValueError when a value is outside what rules section 8 allows."""

    seat_count: int
    min_players: int = 2
    turn_seconds: int = 30
    time_bank_seconds: int = 30
    missed_turns_to_drop: int = 3
    take_wild_from_pile: TakeWildFromPile = TakeWildFromPile.ALLOWED
    return_taken_card: ReturnTakenCard = ReturnTakenCard.FORBIDDEN
    reshuffles_allowed: int = 3

    def __post_init__(self) -> None:
        if self.seat_count not in SEAT_COUNTS:
            raise ValueError(f"seat_count is {self.seat_count}: a table has 4, 6 or 8 seats")
        _require("min_players", self.min_players, 2, self.seat_count)
        _require("turn_seconds", self.turn_seconds, 5, 120)
        _require("time_bank_seconds", self.time_bank_seconds, 0, 120)
        _require("missed_turns_to_drop", self.missed_turns_to_drop, 1, 10)
        _require("reshuffles_allowed", self.reshuffles_allowed, 0, 10)

    @property
    def decks(self) -> int:
        return decks_for(self.seat_count)

    def to_map(self) -> dict[str, str]:
        """The rule map that a hand's terms are bound to: printable ASCII, numbers in decimal."""
        return {
            "min_players": str(self.min_players),
            "turn_seconds": str(self.turn_seconds),
            "time_bank_seconds": str(self.time_bank_seconds),
            "missed_turns_to_drop": str(self.missed_turns_to_drop),
            "take_wild_from_pile": self.take_wild_from_pile.value,
            "return_taken_card": self.return_taken_card.value,
            "reshuffles_allowed": str(self.reshuffles_allowed),
        }


def _require(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}: allowed are {low} to {high}")
