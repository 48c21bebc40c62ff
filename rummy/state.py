"""What one hand is at a moment: where every card lies, who is in, whose turn it is.

Values only. Events change them in `rummy.fold`; `rummy.hand` decides which events happen.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rummy.actions import VoidReason
from rummy.cards import CARDS_PER_HAND, Card, Rank, deck_size, wild_rank_of
from rummy.events import HandEnded, HowOut
from rummy.rules import TableRules

Reshuffle = Callable[[int, tuple[Card, ...]], tuple[Card, ...]]
"""(number of the reshuffle from 1, the pile below its top, bottom first) -> the new stock, index 0 on top.

Pure and deterministic: the same arguments give the same order on every replay (FAIRNESS_SPEC section 7).
"""

_EVERY_CARD: Final = {decks: frozenset(range(deck_size(decks))) for decks in (2, 3)}


@dataclass(frozen=True, slots=True)
class HandSetup:
    """All that is fixed before the first card is dealt. Raises ValueError when it is no possible hand.

    players: the occupied seats that play this hand, ascending, at least two.
    dealer: the seat with the dealer button, 0 .. seat_count - 1; it may be empty.
    deck: every card of the table's pack once, in the order in which they are dealt and drawn.
    """

    rules: TableRules
    players: tuple[int, ...]
    dealer: int
    deck: tuple[Card, ...]
    reshuffle: Reshuffle

    def __post_init__(self) -> None:
        seats = range(self.rules.seat_count)
        if len(self.players) < 2:
            raise ValueError(f"players are {self.players}: a hand needs at least two")
        if list(self.players) != sorted(set(self.players)) or not all(seat in seats for seat in self.players):
            raise ValueError(f"players are {self.players}: seats 0 to {len(seats) - 1}, ascending, each once")
        if self.dealer not in seats:
            raise ValueError(f"dealer is {self.dealer}: the button is at one of the seats 0 to {len(seats) - 1}")
        if len(self.deck) != deck_size(self.rules.decks) or set(self.deck) != _EVERY_CARD[self.rules.decks]:
            raise ValueError(f"deck has {len(self.deck)} cards: every card of {self.rules.decks} decks once")

    @property
    def deal_order(self) -> tuple[int, ...]:
        """The players from the left of the dealer on; the dealer, if playing, is last (FAIRNESS_SPEC section 7)."""
        after = tuple(seat for seat in self.players if seat > self.dealer)
        return after + self.players[: len(self.players) - len(after)]

    @property
    def every_card(self) -> frozenset[int]:
        return _EVERY_CARD[self.rules.decks]


class Phase(StrEnum):
    """What a hand waits for. DEALING and CLOSING are never seen between two actions."""

    DEALING = "dealing"
    DRAW = "draw"
    DISCARD = "discard"
    CLOSING = "closing"
    ENDED = "ended"


class DrawnFrom(StrEnum):
    STOCK = "stock"
    PILE = "pile"


@dataclass(frozen=True, slots=True)
class Drawn:
    """The card that the seat on turn drew in this turn."""

    card: Card
    source: DrawnFrom


class OutBy(StrEnum):
    """Why a seat is out of the hand: the ways of leaving it, and the wrong declare."""

    FIRST_DROP = HowOut.FIRST_DROP.value
    MIDDLE_DROP = HowOut.MIDDLE_DROP.value
    LEFT = HowOut.LEFT.value
    MISSED_TURNS = HowOut.MISSED_TURNS.value
    WRONG_DECLARE = "wrong_declare"


@dataclass(frozen=True, slots=True)
class Out:
    """What a seat that is out owes when the hand is won."""

    by: OutBy
    points: int


@dataclass(frozen=True, slots=True)
class SeatState:
    """One player of the hand.

    cards: as dealt, then as drawn. A seat that is out keeps its cards: they stay out of play (rules section 5).
    has_drawn: whether it ever drew a card in this hand, by itself or by the clock.
    misses: turns in a row that the clock finished for it.
    """

    cards: tuple[Card, ...]
    has_drawn: bool = False
    misses: int = 0
    out: Out | None = None

    @property
    def is_in(self) -> bool:
        return self.out is None


@dataclass(frozen=True, slots=True)
class HandState:
    """One hand at a moment. It holds hidden cards: nothing outside may see it but through a view.

    seats: one entry for every seat of the table, None where nobody plays this hand.
    stock: face down, index 0 on top. discard_pile: face up, top last.
    turned: the wild card; it stays out of play. finish_card: face down beside a valid declare.
    turn_seat: None unless somebody has to draw or discard. turn_number: 1 for the first turn of the hand, one more each
    time that a seat's turn begins.
    drawn: in phase DISCARD, the 14th card. declarer: who declared validly.
    ended: the result, in phase ENDED.
    """

    setup: HandSetup
    phase: Phase
    seats: tuple[SeatState | None, ...]
    stock: tuple[Card, ...]
    discard_pile: tuple[Card, ...] = ()
    turned: Card | None = None
    turn_seat: int | None = None
    turn_number: int = 0
    drawn: Drawn | None = None
    reshuffles_done: int = 0
    declarer: int | None = None
    finish_card: Card | None = None
    void_reason: VoidReason | None = None
    ended: HandEnded | None = None

    @property
    def rules(self) -> TableRules:
        return self.setup.rules

    @property
    def wild_rank(self) -> Rank | None:
        """The rank that is wild; None when a printed joker was turned up, or before anything was."""
        return None if self.turned is None else wild_rank_of(self.turned)

    @property
    def is_over(self) -> bool:
        return self.phase is Phase.ENDED

    @property
    def seats_in(self) -> tuple[int, ...]:
        """The seats still in the hand, ascending."""
        return tuple([number for number, seat in enumerate(self.seats) if seat is not None and seat.out is None])

    @property
    def can_reshuffle(self) -> bool:
        """Whether the pile can become the stock; if not, an empty stock voids the hand (rules section 7)."""
        return self.reshuffles_done < self.rules.reshuffles_allowed and len(self.discard_pile) >= 2

    def seat(self, number: int) -> SeatState:
        """The player at a seat; KeyError when that seat plays no part in this hand."""
        found = self.seats[number] if 0 <= number < len(self.seats) else None
        if found is None:
            raise KeyError(f"seat {number} plays no part in this hand")
        return found

    def is_playing(self, number: int) -> bool:
        """Whether a seat was dealt into this hand, still in or out."""
        return 0 <= number < len(self.seats) and self.seats[number] is not None


def check_invariants(state: HandState) -> None:
    """Hold what is true of every hand after every action; AssertionError when it is not, and the table must stop.

    Every card lies in exactly one place. 13 cards with every player, 14 only with the one who drew, or who left after
    drawing.
    """
    _check_cards(state)
    _check_turn(state)
    assert state.reshuffles_done <= state.rules.reshuffles_allowed, "more reshuffles than the table allows"
    if state.phase is Phase.ENDED:
        assert state.ended is not None, "an ended hand has a result"
        assert tuple(seat for seat, _ in state.ended.points) == state.setup.players, "the result leaves a player out"


def _check_cards(state: HandState) -> None:
    alone = [card for card in (state.turned, state.finish_card) if card is not None]
    places: list[Collection[Card]] = [state.stock, state.discard_pile, alone]
    places += [seat.cards for seat in state.seats if seat is not None]
    count = sum(map(len, places))
    assert count == len(state.setup.deck), f"{count} cards instead of {len(state.setup.deck)}"
    assert set().union(*places) == state.setup.every_card, "a card lies in two places, another in none"
    drawer = state.turn_seat if state.phase is Phase.DISCARD else None
    for number, seat in enumerate(state.seats):
        if seat is not None and len(seat.cards) != CARDS_PER_HAND + (number == drawer):
            _check_keeps_14(state, seat, number)


def _check_keeps_14(state: HandState, seat: SeatState, number: int) -> None:
    """Somebody who had drawn holds 14 for good when it left then, or when the hand ended in that turn."""
    left = seat.out is not None and seat.out.by is OutBy.LEFT
    keeps = number != state.turn_seat and (left or state.phase is Phase.ENDED)
    assert keeps and len(seat.cards) == CARDS_PER_HAND + 1, f"seat {number} holds {len(seat.cards)} cards"  # noqa: PT018


def _check_turn(state: HandState) -> None:
    on_turn = state.phase in (Phase.DRAW, Phase.DISCARD)
    assert (state.turn_seat is not None) == on_turn, "a turn belongs to a hand that is played"
    assert (state.drawn is not None) == (state.phase is Phase.DISCARD), "the drawn card belongs to the discard"
    if state.turn_seat is not None:
        seat = state.seat(state.turn_seat)
        assert seat.is_in, f"seat {state.turn_seat} is out and on turn"
        assert state.drawn is None or state.drawn.card == seat.cards[-1], "the drawn card is the newest in the hand"
        assert len(state.seats_in) >= 2, "a hand goes on with fewer than two players"
