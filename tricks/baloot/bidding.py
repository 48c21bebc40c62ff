"""Who buys the deal, in two rounds of calls (section 3)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, assert_never

from tricks.baloot.contract import SUN, Contract, hokum
from tricks.cards import SUITS, Card, Suit, suit_of
from tricks.tally import SEATS


class CallName(StrEnum):
    PASS = "pass"  # noqa: S105 - a call, not a password
    HOKUM = "hokum"
    SUN = "sun"
    ASHKAL = "ashkal"


@dataclass(frozen=True, slots=True)
class Call:
    """trump: the suit of a Hokum, None for every other call."""

    name: CallName
    trump: Suit | None = None


PASS: Final = Call(CallName.PASS)
SUN_CALL: Final = Call(CallName.SUN)
ASHKAL: Final = Call(CallName.ASHKAL)


@dataclass(frozen=True, slots=True)
class ToCall:
    """Whose call it is. options: what the rules allow, never empty."""

    seat: int
    round: int
    options: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Bought:
    """takes: who gets the turned card."""

    contract: Contract
    buyer: int
    takes: int


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """Nobody bought: no score, next dealer."""


Auction = ToCall | Bought | ThrownIn


class CallRefused(ValueError):
    """A call that the rules do not allow there; the message says what is allowed."""


def auction(dealer: int, upcard: Card, calls: Sequence[Call]) -> Auction:
    """Where the bidding stands after these calls, in the order they were made. Raises CallRefused."""
    bidding = Bidding(dealer, suit_of(upcard))
    for call in calls:
        standing = bidding.standing
        if not isinstance(standing, ToCall):
            raise CallRefused("the bidding is over")
        if call not in standing.options:
            raise CallRefused(f"{call.name} is not allowed now, only {', '.join(o.name for o in standing.options)}")
        bidding = bidding.after(call)
    return bidding.standing


@dataclass(frozen=True, slots=True)
class Bidding:
    """How far the calls have come. Places count from the player after the dealer, 0 to 3.

    place: whose call it is; 4 once all have called. Once a Sun was bid it counts those who may take it over, from the
    first one again. hokum, sun: who bid it. is_final: the Sun was a takeover, which nobody overcalls.
    """

    dealer: int
    turned: Suit
    round: int = 1
    place: int = 0
    trump: Suit | None = None
    hokum: int | None = None
    sun: int | None = None
    is_ashkal: bool = False
    is_final: bool = False

    @property
    def standing(self) -> Auction:
        if self.sun is not None:
            if self.is_final or self.place == self.sun:
                buyer = self._seat(self.sun)
                return Bought(SUN, buyer, takes=(buyer + 2) % SEATS if self.is_ashkal else buyer)
            return self._to_call((PASS, SUN_CALL))
        if self.place < SEATS:
            return self._to_call(self._options())
        if self.hokum is not None:
            assert self.trump is not None, "a Hokum has its trump"
            buyer = self._seat(self.hokum)
            return Bought(hokum(self.trump), buyer, takes=buyer)
        return ThrownIn()

    def after(self, call: Call) -> "Bidding":
        """The bidding after a call that its standing allows."""
        if self.sun is not None:
            if call.name is CallName.SUN:
                return replace(self, sun=self.place, is_ashkal=False, is_final=True)
            return replace(self, place=self.place + 1)
        match call.name:
            case CallName.SUN | CallName.ASHKAL:
                # Those who called before, the first one first, may take it over.
                return replace(self, sun=self.place, is_ashkal=call.name is CallName.ASHKAL, place=0)
            case CallName.HOKUM:
                called = replace(self, hokum=self.place, trump=call.trump, place=self.place + 1)
            case CallName.PASS:
                called = replace(self, place=self.place + 1)
            case _:
                assert_never(call.name)
        if called.place == SEATS and called.hokum is None and called.round == 1:
            return replace(called, round=2, place=0)
        return called

    def _options(self) -> tuple[Call, ...]:
        suits = () if self.hokum is not None else self._hokum_suits()
        may_ashkal = self.round == 1 and self.place >= 2
        return (PASS, *(Call(CallName.HOKUM, suit) for suit in suits), SUN_CALL, *((ASHKAL,) if may_ashkal else ()))

    def _hokum_suits(self) -> tuple[Suit, ...]:
        return (self.turned,) if self.round == 1 else tuple(suit for suit in SUITS if suit is not self.turned)

    def _to_call(self, options: tuple[Call, ...]) -> ToCall:
        return ToCall(self._seat(self.place), self.round, options)

    def _seat(self, place: int) -> int:
        return (self.dealer + 1 + place) % SEATS
