"""Check a hand's public events against the rules: every event must be what some legal action gives there.

`rummy.fold` trusts its events; this trusts nobody. A verifier that has the deck and the events needs nothing else to
prove whose turn it was, what was drawn, every auto-played turn, every validity and every point.
"""

from collections.abc import Sequence

from rummy.actions import Action, Declare, Discard, DrawFromPile, DrawFromStock, Drop, Leave, Timeout, Void, VoidReason
from rummy.events import (
    Declared,
    Discarded,
    DrewFromPile,
    DrewFromStock,
    Event,
    HandVoided,
    HowOut,
    StockReshuffled,
    WentOut,
)
from rummy.hand import apply, start
from rummy.refusals import IllegalAction
from rummy.state import HandSetup, HandState


class UnlawfulEvent(Exception):
    """The first event that the rules don't give: its index, from 0, plain words, and what they give there, if known."""

    def __init__(self, index: int, words: str, expected: Event | None = None) -> None:
        super().__init__(f"event {index}: {words}")
        self.index = index
        self.words = words
        self.expected = expected


def replay(setup: HandSetup, events: Sequence[Event]) -> HandState:
    """Play a hand again from its public events; the state that they lead to, which need not be the end.

    Raises UnlawfulEvent at the first event that no legal action gives, that is missing, or that comes after the end.
    """
    state, expected = start(setup)
    _expect(events, 0, expected)
    index = len(expected)
    while index < len(events):
        action = _action_behind(state, events, index)
        if action is None:
            raise UnlawfulEvent(index, f"no action leads to {events[index]}")
        try:
            state, expected = apply(state, action)
        except IllegalAction as refusal:
            raise UnlawfulEvent(index, f"{events[index]} is refused: {refusal.words}") from refusal
        _expect(events, index, expected)
        index += len(expected)
    return state


def _expect(events: Sequence[Event], index: int, expected: Sequence[Event]) -> None:
    for offset, right in enumerate(expected):
        if index + offset >= len(events):
            raise UnlawfulEvent(index + offset, f"{right} is missing", right)
        if events[index + offset] != right:
            raise UnlawfulEvent(index + offset, f"{events[index + offset]} where the rules give {right}", right)


def _action_behind(state: HandState, events: Sequence[Event], index: int) -> Action | None:
    """The action whose first event this is; None when such an event never comes first."""
    match events[index]:
        case StockReshuffled() if index + 1 < len(events):
            return _draw_behind(events[index + 1])
        case DrewFromStock() as event:
            return _draw_behind(event)
        case DrewFromPile(seat):
            return DrawFromPile(seat)
        case Discarded(seat, card, auto):
            return Timeout(seat) if auto else Discard(seat, card)
        case Declared(seat, _, finish_card, groups):
            return Declare(seat, finish_card, groups)
        case WentOut(seat, HowOut.FIRST_DROP | HowOut.MIDDLE_DROP):
            return Drop(seat)
        case WentOut(seat, HowOut.LEFT):
            return Leave(seat)
        case HandVoided(VoidReason.STOCK_EXHAUSTED) if state.turn_seat is not None:
            return DrawFromStock(state.turn_seat)
        case HandVoided(reason):
            return Void(reason)
        case _:
            return None


def _draw_behind(event: Event) -> Action | None:
    match event:
        case DrewFromStock(seat, auto):
            return Timeout(seat) if auto else DrawFromStock(seat)
        case _:
            return None
