"""What each event changes: the hand is its events folded, in play, recovery and verification alike."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, assert_never

from rummy.cards import CARDS_PER_HAND, Card
from rummy.events import (
    Dealt,
    Declared,
    Discarded,
    DrewFromPile,
    DrewFromStock,
    Event,
    HandEnded,
    HandVoided,
    PileOpened,
    Shown,
    StockReshuffled,
    WentOut,
    WildTurned,
)
from rummy.rules import WRONG_DECLARE_POINTS
from rummy.state import Drawn, DrawnFrom, HandSetup, HandState, Out, OutBy, Phase, SeatState

_OUT_BY_WRONG_DECLARE: Final = Out(OutBy.WRONG_DECLARE, WRONG_DECLARE_POINTS)


def before_deal(setup: HandSetup) -> HandState:
    """The hand before its first event: the whole deck is the stock."""
    seats = tuple(SeatState(cards=()) if seat in setup.players else None for seat in range(setup.rules.seat_count))
    return HandState(setup=setup, phase=Phase.DEALING, seats=seats, stock=setup.deck)


def fold(setup: HandSetup, events: Iterable[Event]) -> HandState:
    """The hand after these events, from the first one on: how a table that restarts finds its hand again."""
    state = before_deal(setup)
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: HandState, event: Event) -> HandState:
    """The state after one event that has happened. AssertionError when it cannot have happened in this state.

    It trusts that the rules allowed the event: whoever does not trust the events asks `rummy.replay`.
    """
    match event:
        case DrewFromStock():
            return _drew_from_stock(state, event)
        case Discarded():
            return _discarded(state, event)
        case DrewFromPile():
            return _drew_from_pile(state, event)
        case WentOut():
            return _went_out(state, event)
        case Declared():
            return _declared(state, event)
        case StockReshuffled():
            return _stock_reshuffled(state, event)
        case Dealt():
            return _dealt(state)
        case WildTurned():
            assert state.stock[0] == event.card, "the card turned up is not the next of the deck"
            return replace(state, turned=event.card, stock=state.stock[1:])
        case PileOpened():
            return _pile_opened(state, event)
        case Shown():
            return state
        case HandVoided():
            return replace(state, phase=Phase.CLOSING, turn_seat=None, drawn=None, void_reason=event.reason)
        case HandEnded():
            return replace(state, phase=Phase.ENDED, turn_seat=None, drawn=None, ended=event)
        case _:
            assert_never(event)


def _dealt(state: HandState) -> HandState:
    deck = state.setup.deck
    order = state.setup.deal_order
    dealt = CARDS_PER_HAND * len(order)
    seats = list(state.seats)
    for place, seat in enumerate(order):
        seats[seat] = SeatState(cards=deck[place : dealt : len(order)])
    return replace(state, seats=tuple(seats), stock=deck[dealt:])


def _pile_opened(state: HandState, event: PileOpened) -> HandState:
    assert state.stock[0] == event.card, "the card that opens the pile is not the next of the deck"
    return replace(
        state,
        phase=Phase.DRAW,
        stock=state.stock[1:],
        discard_pile=(event.card,),
        turn_seat=state.setup.deal_order[0],
        turn_number=1,
    )


def _drew_from_stock(state: HandState, event: DrewFromStock) -> HandState:
    _expect_turn(state, event.seat, Phase.DRAW)
    assert state.stock, "a draw from an empty stock"
    drawn = Drawn(state.stock[0], DrawnFrom.STOCK)
    return replace(
        state,
        phase=Phase.DISCARD,
        seats=_with_drawn(state, event.seat, drawn.card, event.auto),
        stock=state.stock[1:],
        drawn=drawn,
    )


def _drew_from_pile(state: HandState, event: DrewFromPile) -> HandState:
    _expect_turn(state, event.seat, Phase.DRAW)
    assert state.discard_pile[-1:] == (event.card,), "the card taken is not the top of the pile"
    return replace(
        state,
        phase=Phase.DISCARD,
        seats=_with_drawn(state, event.seat, event.card, event.auto),
        discard_pile=state.discard_pile[:-1],
        drawn=Drawn(event.card, DrawnFrom.PILE),
    )


def _expect_turn(state: HandState, seat: int, phase: Phase) -> None:
    assert seat == state.turn_seat, f"seat {seat} acted out of turn"
    assert state.phase is phase, f"an event of phase {phase} in phase {state.phase}"


def _with_drawn(state: HandState, number: int, card: Card, auto: bool) -> tuple[SeatState | None, ...]:
    """An own draw sets the misses back to zero; one that the clock made leaves them."""
    seat = state.seat(number)
    misses = seat.misses if auto else 0
    return _with_seat(state, number, SeatState((*seat.cards, card), True, misses, seat.out))


def _discarded(state: HandState, event: Discarded) -> HandState:
    _expect_turn(state, event.seat, Phase.DISCARD)
    seat = state.seat(event.seat)
    misses = seat.misses + 1 if event.auto else 0
    after = SeatState(_without(seat.cards, event.card), seat.has_drawn, misses, seat.out)
    return _next_turn(state, event.seat, _with_seat(state, event.seat, after), (*state.discard_pile, event.card))


def _went_out(state: HandState, event: WentOut) -> HandState:
    seat = state.seat(event.seat)
    assert seat.is_in, f"seat {event.seat} is out already"
    after = replace(seat, out=Out(OutBy(event.how.value), event.points))
    return _after_out(state, event.seat, _with_seat(state, event.seat, after), state.discard_pile)


def _declared(state: HandState, event: Declared) -> HandState:
    _expect_turn(state, event.seat, Phase.DISCARD)
    seat = state.seat(event.seat)
    shown = _without(seat.cards, event.finish_card)
    if not event.valid:
        after = replace(seat, cards=shown, out=_OUT_BY_WRONG_DECLARE)
        pile = (*state.discard_pile, event.finish_card)
        return _after_out(state, event.seat, _with_seat(state, event.seat, after), pile)
    return replace(
        state,
        phase=Phase.CLOSING,
        seats=_with_seat(state, event.seat, replace(seat, cards=shown)),
        turn_seat=None,
        drawn=None,
        declarer=event.seat,
        finish_card=event.finish_card,
    )


def _stock_reshuffled(state: HandState, event: StockReshuffled) -> HandState:
    assert not state.stock, "a reshuffle of a stock that has cards"
    assert event.number == state.reshuffles_done + 1, "a reshuffle out of order"
    below_top = state.discard_pile[:-1]
    stock = state.setup.reshuffle(event.number, below_top)
    assert len(stock) == event.stock_count, "a reshuffle of another count of cards"
    assert set(stock) == set(below_top), "the reshuffle changed the cards"
    return replace(state, stock=stock, discard_pile=state.discard_pile[-1:], reshuffles_done=event.number)


def _after_out(state: HandState, number: int, seats: tuple[SeatState | None, ...], pile: tuple[Card, ...]) -> HandState:
    """One player left in decides the hand; else the turn goes on when it was the turn of the seat that is out."""
    still_in = sum(seat is not None and seat.out is None for seat in seats)
    if still_in < 2:
        return replace(state, phase=Phase.CLOSING, seats=seats, discard_pile=pile, turn_seat=None, drawn=None)
    if number == state.turn_seat:
        return _next_turn(state, number, seats, pile)
    return replace(state, seats=seats)


def _next_turn(state: HandState, number: int, seats: tuple[SeatState | None, ...], pile: tuple[Card, ...]) -> HandState:
    return replace(
        state,
        phase=Phase.DRAW,
        seats=seats,
        discard_pile=pile,
        turn_seat=_next_in(seats, number),
        turn_number=state.turn_number + 1,
        drawn=None,
    )


def _next_in(seats: tuple[SeatState | None, ...], number: int) -> int:
    count = len(seats)
    for step in range(1, count + 1):
        candidate = (number + step) % count
        seat = seats[candidate]
        if seat is not None and seat.out is None:
            return candidate
    raise AssertionError("a turn needs somebody who is in")


def _with_seat(state: HandState, number: int, seat: SeatState) -> tuple[SeatState | None, ...]:
    return (*state.seats[:number], seat, *state.seats[number + 1 :])


def _without(cards: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    assert card in cards, "a card that the seat does not hold"
    place = cards.index(card)
    return (*cards[:place], *cards[place + 1 :])
