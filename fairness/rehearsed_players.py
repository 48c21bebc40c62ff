"""How the players of rehearsed hands play: each is one function from the hand to its next action."""

from collections.abc import Callable
from random import Random

from rummy.actions import Action, Declare, Discard, DrawFromPile, DrawFromStock
from rummy.cards import face_of
from rummy.random_play import RESTLESS, random_action
from rummy.refusals import can_draw_from_pile
from rummy.solver import best_discard, fewest_points
from rummy.state import HandState, Phase

Mover = Callable[[HandState, Random], Action]
"""The next action of a hand that is not over."""


def restless(state: HandState, rng: Random) -> Action:
    """Any legal action: drops, leaves, wrong declares, turns that the clock plays."""
    return random_action(state, RESTLESS, rng)


def eager(state: HandState, rng: Random) -> Action:
    """Plays to declare: takes what lowers its points, throws what leaves the fewest, declares as soon as it can."""
    seat = _on_turn(state)
    cards = state.seat(seat).cards
    if state.phase is Phase.DRAW:
        return DrawFromPile(seat) if _pile_helps(state, seat) else DrawFromStock(seat)
    best = best_discard(cards, state.wild_rank)
    return Declare(seat, best.card) if best.declares else Discard(seat, best.card)


def idle(state: HandState, rng: Random) -> Action:
    """Draws from the stock and throws what it drew, until the stock has run out for good."""
    seat = _on_turn(state)
    return DrawFromStock(seat) if state.phase is Phase.DRAW else Discard(seat, state.seat(seat).cards[-1])


def _pile_helps(state: HandState, seat: int) -> bool:
    if not can_draw_from_pile(state, seat):
        return False
    cards, top = state.seat(seat).cards, state.discard_pile[-1]
    best = best_discard((*cards, top), state.wild_rank)
    return face_of(best.card) != face_of(top) and best.points < fewest_points(cards, state.wild_rank)


def _on_turn(state: HandState) -> int:
    assert state.turn_seat is not None, "the hand is over"
    return state.turn_seat
