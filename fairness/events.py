"""What a transcript records: fourteen types of public events, each with its bytes and its JSON.

Source: FAIRNESS_SPEC section 8. Events name no card that the table may not see. at_ms: Unix milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

from fairness.contributions import Roster
from fairness.encoding import HOUSE_SEAT, Coded, i64, u8, u16, u64
from fairness.json_form import JsonObject

MAX_CARD: Final = 158
MAX_SEAT: Final = 7
MAX_EVENTS: Final = 10_000
"""Far above what a hand can have: the stock, four times over, at two events a turn."""
MAX_GROUPS: Final = 13
CARDS_DEALT: Final = 13
MAX_POINTS: Final = 130


class How(Coded):
    """How a seat went out of the hand."""

    FIRST_DROP = 1
    MIDDLE_DROP = 2
    LEFT = 3
    MISSED_TURNS = 4


class Outcome(Coded):
    DECLARED = 1
    LAST_IN = 2
    VOID = 3


class VoidReason(Coded):
    STOCK_EXHAUSTED = 1
    NOT_ENOUGH_PLAYERS = 2
    OPERATOR = 3
    SERVER_FAILURE = 4


@dataclass(frozen=True, slots=True)
class RosterClosed:
    TYPE: ClassVar[int] = 1
    NAME: ClassVar[str] = "roster"
    at_ms: int
    roster: Roster

    def body(self) -> bytes:
        return self.roster.encode()

    def fields(self) -> JsonObject:
        return {"roster": self.roster.encode().hex()}


@dataclass(frozen=True, slots=True)
class Dealt:
    TYPE: ClassVar[int] = 2
    NAME: ClassVar[str] = "dealt"
    at_ms: int

    def body(self) -> bytes:
        return u8(CARDS_DEALT)

    def fields(self) -> JsonObject:
        return {}


@dataclass(frozen=True, slots=True)
class WildTurned:
    TYPE: ClassVar[int] = 3
    NAME: ClassVar[str] = "wild"
    at_ms: int
    card: int

    def body(self) -> bytes:
        return u16(self.card)

    def fields(self) -> JsonObject:
        return {"card": self.card}


@dataclass(frozen=True, slots=True)
class PileOpened:
    TYPE: ClassVar[int] = 4
    NAME: ClassVar[str] = "open"
    at_ms: int
    card: int

    def body(self) -> bytes:
        return u16(self.card)

    def fields(self) -> JsonObject:
        return {"card": self.card}


@dataclass(frozen=True, slots=True)
class DrewFromStock:
    """auto: the clock played it."""

    TYPE: ClassVar[int] = 5
    NAME: ClassVar[str] = "draw_stock"
    at_ms: int
    seat: int
    auto: bool

    def body(self) -> bytes:
        return u8(self.auto)

    def fields(self) -> JsonObject:
        return {"auto": int(self.auto)}


@dataclass(frozen=True, slots=True)
class DrewFromPile:
    TYPE: ClassVar[int] = 6
    NAME: ClassVar[str] = "draw_pile"
    at_ms: int
    seat: int
    auto: bool
    card: int

    def body(self) -> bytes:
        return u8(self.auto) + u16(self.card)

    def fields(self) -> JsonObject:
        return {"auto": int(self.auto), "card": self.card}


@dataclass(frozen=True, slots=True)
class Discarded:
    TYPE: ClassVar[int] = 7
    NAME: ClassVar[str] = "discard"
    at_ms: int
    seat: int
    auto: bool
    card: int

    def body(self) -> bytes:
        return u8(self.auto) + u16(self.card)

    def fields(self) -> JsonObject:
        return {"auto": int(self.auto), "card": self.card}


@dataclass(frozen=True, slots=True)
class WentOut:
    TYPE: ClassVar[int] = 8
    NAME: ClassVar[str] = "out"
    at_ms: int
    seat: int
    how: How
    points: int

    def body(self) -> bytes:
        return u8(self.how.value) + u16(self.points)

    def fields(self) -> JsonObject:
        return {"how": self.how.word, "points": self.points}


@dataclass(frozen=True, slots=True)
class Declared:
    """groups: the 13 cards as the player laid them out."""

    TYPE: ClassVar[int] = 9
    NAME: ClassVar[str] = "declare"
    at_ms: int
    seat: int
    valid: bool
    finish_card: int
    groups: tuple[tuple[int, ...], ...]

    def body(self) -> bytes:
        groups = b"".join(encode_cards(group) for group in self.groups)
        return u8(self.valid) + u16(self.finish_card) + u8(len(self.groups)) + groups

    def fields(self) -> JsonObject:
        return {
            "valid": int(self.valid),
            "finish_card": self.finish_card,
            "groups": [list(group) for group in self.groups],
        }


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """number: 1 for the hand's first; stock_count: cards in the new stock."""

    TYPE: ClassVar[int] = 10
    NAME: ClassVar[str] = "reshuffle"
    at_ms: int
    number: int
    stock_count: int

    def body(self) -> bytes:
        return u8(self.number) + u16(self.stock_count)

    def fields(self) -> JsonObject:
        return {"r": self.number, "stock_count": self.stock_count}


@dataclass(frozen=True, slots=True)
class Shown:
    """cards: the 13 in ascending order."""

    TYPE: ClassVar[int] = 11
    NAME: ClassVar[str] = "show"
    at_ms: int
    seat: int
    points: int
    cards: tuple[int, ...]

    def body(self) -> bytes:
        return u16(self.points) + encode_cards(self.cards)

    def fields(self) -> JsonObject:
        return {"points": self.points, "cards": list(self.cards)}


@dataclass(frozen=True, slots=True)
class SettleLine:
    """delta: token units, losers negative, the winner positive after commission."""

    seat: int
    points: int
    delta: int

    def to_json(self) -> JsonObject:
        return {"seat": self.seat, "points": self.points, "delta": self.delta}


@dataclass(frozen=True, slots=True)
class Settled:
    """winner: None in a void hand. lines: every player in ascending seat order. commission: token units."""

    TYPE: ClassVar[int] = 12
    NAME: ClassVar[str] = "settle"
    at_ms: int
    outcome: Outcome
    winner: int | None
    lines: tuple[SettleLine, ...]
    commission: int

    def body(self) -> bytes:
        return b"".join(
            (
                u8(self.outcome.value),
                u8(winner_code(self.winner)),
                u8(len(self.lines)),
                *(u8(line.seat) + u16(line.points) + i64(line.delta) for line in self.lines),
                u64(self.commission),
            )
        )

    def fields(self) -> JsonObject:
        return {
            "outcome": self.outcome.word,
            "winner": winner_code(self.winner),
            "lines": [line.to_json() for line in self.lines],
            "commission": self.commission,
        }


@dataclass(frozen=True, slots=True)
class SeedRevealed:
    TYPE: ClassVar[int] = 13
    NAME: ClassVar[str] = "reveal"
    at_ms: int
    server_seed: bytes = field(repr=False)

    def body(self) -> bytes:
        return self.server_seed

    def fields(self) -> JsonObject:
        return {"server_seed": self.server_seed.hex()}


@dataclass(frozen=True, slots=True)
class Voided:
    TYPE: ClassVar[int] = 14
    NAME: ClassVar[str] = "void"
    at_ms: int
    reason: VoidReason

    def body(self) -> bytes:
        return u8(self.reason.value)

    def fields(self) -> JsonObject:
        return {"reason": self.reason.word}


HouseEvent = RosterClosed | Dealt | WildTurned | PileOpened | Reshuffled | Settled | SeedRevealed | Voided
PlayerEvent = DrewFromStock | DrewFromPile | Discarded | WentOut | Declared | Shown
Event = HouseEvent | PlayerEvent


def event_seat(event: Event) -> int:
    """The seat in the event's header; 255 for the house."""
    return event.seat if isinstance(event, PlayerEvent) else HOUSE_SEAT


def encode_cards(cards: Sequence[int]) -> bytes:
    return u8(len(cards)) + b"".join(u16(card) for card in cards)


def winner_code(winner: int | None) -> int:
    return HOUSE_SEAT if winner is None else winner


def winner_of(code: int) -> int | None:
    return None if code == HOUSE_SEAT else code
