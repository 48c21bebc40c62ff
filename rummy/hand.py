"""The hand as a state machine: `start` deals it, `apply` moves it, and nothing else does.

No clock, no randomness, no I/O: the deck comes in as data, a clock that ran out as an action. `apply` answers with the
events that happened, and its new state is the old one with those events folded in.

Follows rules sections 2, 5, 6 and 7. Where those leave room, this is how the hand reads them:

- A turn begins when the one before it ends; `turn_number` counts the turns of the hand from 1.
- Copies are alike: with `return_taken_card = forbidden` no card with the face of the one just taken may be discarded.
  The finish card of a declare is no discard, so the card just taken may be it.
- A seat that leaves after drawing takes all 14 cards out of play with it. If it had taken the last card of the pile,
  the pile is empty and only the stock can be drawn from.
- A Timeout counts a missed turn even when the seat drew by itself in that turn: the clock finished it.
"""

from rummy.actions import Action, Declare, Discard, DrawFromPile, DrawFromStock, Drop, Leave, Timeout, Void, VoidReason
from rummy.cards import Card, face_of, face_points, is_wild
from rummy.events import (
    Dealt,
    Declared,
    Discarded,
    DrewFromPile,
    DrewFromStock,
    Event,
    HandEnded,
    HandVoided,
    HowOut,
    Outcome,
    PileOpened,
    Shown,
    StockReshuffled,
    WentOut,
    WildTurned,
)
from rummy.fold import before_deal, evolve
from rummy.refusals import (
    ActionName,
    IllegalAction,
    RefusalCode,
    allowed_actions,
    can_draw_from_pile,
    legal_discards,
    refusal_of,
)
from rummy.rules import FIRST_DROP_POINTS, MIDDLE_DROP_POINTS
from rummy.scoring import drop_price
from rummy.solver import best_arrangement, can_declare, discard_options, fewest_points
from rummy.state import (
    HandSetup,
    HandState,
    Phase,
    Reshuffle,
    check_invariants,
)

__all__ = [
    "ActionName",
    "HandSetup",
    "HandState",
    "IllegalAction",
    "Phase",
    "RefusalCode",
    "Reshuffle",
    "allowed_actions",
    "apply",
    "can_draw_from_pile",
    "check_invariants",
    "evolve",
    "refusal_of",
    "start",
]


class _Unfolding:
    """The events of one action as they happen, and the state after each: later ones depend on what earlier ones did."""

    def __init__(self, state: HandState) -> None:
        self.state = state
        self.events: list[Event] = []

    def happen(self, event: Event) -> None:
        self.state = evolve(self.state, event)
        self.events.append(event)

    def outcome(self) -> tuple[HandState, tuple[Event, ...]]:
        check_invariants(self.state)
        return self.state, tuple(self.events)


def start(setup: HandSetup) -> tuple[HandState, tuple[Event, ...]]:
    """Deal a hand: 13 cards each, the wild card, the card that opens the pile (rules section 2)."""
    hand = _Unfolding(before_deal(setup))
    hand.happen(Dealt())
    hand.happen(WildTurned(hand.state.stock[0]))
    hand.happen(PileOpened(hand.state.stock[0]))
    return hand.outcome()


def apply(state: HandState, action: Action) -> tuple[HandState, tuple[Event, ...]]:
    """What an action does: the new state, and the events that lead there, at least one.

    Raises IllegalAction, with a code, words and what is allowed now, when the rules refuse it; `state` is untouched
    either way. AssertionError means that an invariant broke: that table has to stop.
    """
    refusal = refusal_of(state, action)
    if refusal is not None:
        allowed = () if isinstance(action, Void) else allowed_actions(state, action.seat)
        raise IllegalAction(refusal.code, refusal.words, allowed)
    hand = _Unfolding(state)
    _act(hand, action)
    return hand.outcome()


def _act(hand: _Unfolding, action: Action) -> None:
    match action:
        case DrawFromStock():
            _draw_from_stock(hand, action.seat, auto=False)
        case DrawFromPile():
            hand.happen(DrewFromPile(action.seat, hand.state.discard_pile[-1], auto=False))
        case Discard():
            hand.happen(Discarded(action.seat, action.card, auto=False))
        case Declare():
            _declare(hand, action)
        case Drop():
            _drop(hand, action.seat)
        case Leave():
            _go_out(hand, action.seat, HowOut.LEFT, MIDDLE_DROP_POINTS)
        case Timeout():
            _time_out(hand, action.seat)
        case Void():
            _void(hand, action.reason)


def _draw_from_stock(hand: _Unfolding, seat: int, auto: bool) -> None:
    """Draw, reshuffling an empty stock first; a stock that can't be filled again voids the hand (rules section 7)."""
    if not hand.state.stock:
        if not hand.state.can_reshuffle:
            _void(hand, VoidReason.STOCK_EXHAUSTED)
            return
        hand.happen(StockReshuffled(hand.state.reshuffles_done + 1, len(hand.state.discard_pile) - 1))
    hand.happen(DrewFromStock(seat, auto))


def _drop(hand: _Unfolding, seat: int) -> None:
    points = drop_price(hand.state, seat)
    _go_out(hand, seat, HowOut.FIRST_DROP if points == FIRST_DROP_POINTS else HowOut.MIDDLE_DROP, points)


def _go_out(hand: _Unfolding, seat: int, how: HowOut, points: int) -> None:
    hand.happen(WentOut(seat, how, points))
    _end_if_last_in(hand)


def _declare(hand: _Unfolding, declare: Declare) -> None:
    """Whether the 13 cards can be grouped decides; the groups are only how they are shown (rules section 2)."""
    state = hand.state
    shown = tuple(card for card in state.seat(declare.seat).cards if card != declare.finish_card)
    valid = can_declare(shown, state.wild_rank)
    groups = declare.groups or _laid_out(state, shown)
    hand.happen(Declared(declare.seat, valid, declare.finish_card, groups))
    if valid:
        _show_and_end(hand, declare.seat)
    else:
        _end_if_last_in(hand)


def _laid_out(state: HandState, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], ...]:
    """The best arrangement as shown groups; what fits nowhere is the last group, so that all 13 are shown."""
    best = best_arrangement(cards, state.wild_rank)
    groups = tuple(group.cards for group in best.groups)
    return (*groups, best.deadwood) if best.deadwood else groups


def _show_and_end(hand: _Unfolding, declarer: int) -> None:
    state = hand.state
    points = {}
    for seat in state.seats_in:
        if seat != declarer:
            cards = tuple(sorted(state.seat(seat).cards))
            points[seat] = fewest_points(cards, state.wild_rank)
            hand.happen(Shown(seat, points[seat], cards))
    _end(hand, Outcome.DECLARED, declarer, points)


def _end_if_last_in(hand: _Unfolding) -> None:
    still_in = hand.state.seats_in
    if len(still_in) == 1:
        _end(hand, Outcome.LAST_IN, still_in[0], {})


def _end(hand: _Unfolding, outcome: Outcome, winner: int, shown_points: dict[int, int]) -> None:
    """The winner's 0, the points shown by those still in, and what the others left for."""
    points = []
    for seat in hand.state.setup.players:
        out = hand.state.seat(seat).out
        points.append((seat, shown_points.get(seat, 0) if out is None else out.points))
    hand.happen(HandEnded(outcome, winner, tuple(points)))


def _void(hand: _Unfolding, reason: VoidReason) -> None:
    hand.happen(HandVoided(reason))
    hand.happen(HandEnded(Outcome.VOID, None, tuple((seat, 0) for seat in hand.state.setup.players)))


def _time_out(hand: _Unfolding, seat: int) -> None:
    """Play the turn of a seat whose clock ran out, and drop it after too many in a row (rules section 6)."""
    if hand.state.phase is Phase.DRAW:
        _draw_from_stock(hand, seat, auto=True)
        if hand.state.is_over:
            return
    hand.happen(Discarded(seat, _auto_discard(hand.state, seat), auto=True))
    if hand.state.seat(seat).misses >= hand.state.rules.missed_turns_to_drop:
        _go_out(hand, seat, HowOut.MISSED_TURNS, MIDDLE_DROP_POINTS)


def _auto_discard(state: HandState, seat: int) -> Card:
    """The drawn card; where that may not be discarded, the card whose discard leaves the fewest points.

    Between equals a card that is not wild, then the dearest, then the lowest card number.
    """
    assert state.drawn is not None, "a discard follows a draw"
    may_go = legal_discards(state, seat)
    if state.drawn.card in may_go:
        return state.drawn.card

    def preference(card: Card, points_left: int) -> tuple[int, bool, int, Card]:
        face = face_of(card)
        return points_left, is_wild(face, state.wild_rank), -face_points(face, state.wild_rank), card

    options = discard_options(state.seat(seat).cards, state.wild_rank)
    return min(preference(option.card, option.points) for option in options if option.card in may_go)[-1]
