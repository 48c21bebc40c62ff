"""What may be done now, and why not: every refusal has a code, plain words and what is allowed instead."""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from rummy.actions import (
    Action,
    Declare,
    Discard,
    DrawFromPile,
    DrawFromStock,
    Drop,
    Leave,
    Timeout,
    Void,
    VoidReason,
)
from rummy.cards import Card, Face, card_name, face_of, is_wild
from rummy.rules import ReturnTakenCard, TakeWildFromPile
from rummy.state import DrawnFrom, HandState, Phase


class ActionName(StrEnum):
    """What a seat can ask for, by name."""

    DRAW_STOCK = "draw_stock"
    DRAW_PILE = "draw_pile"
    DISCARD = "discard"
    DECLARE = "declare"
    DROP = "drop"
    LEAVE = "leave"


class RefusalCode(StrEnum):
    HAND_OVER = "hand_over"
    NOT_IN_HAND = "not_in_hand"
    OUT_OF_HAND = "out_of_hand"
    NOT_YOUR_TURN = "not_your_turn"
    DRAW_FIRST = "draw_first"
    ALREADY_DRAWN = "already_drawn"
    DROP_BEFORE_DRAWING = "drop_before_drawing"
    PILE_EMPTY = "pile_empty"
    WILD_STAYS_ON_PILE = "wild_stays_on_pile"
    CARD_NOT_HELD = "card_not_held"
    TAKEN_CARD_STAYS = "taken_card_stays"
    GROUPS_ARE_NOT_THE_CARDS = "groups_are_not_the_cards"
    VOID_REASON_IS_THE_HANDS = "void_reason_is_the_hands"


@dataclass(frozen=True, slots=True)
class Refusal:
    code: RefusalCode
    words: str


class IllegalAction(Exception):
    """An action that the rules refuse; the hand is as it was.

    code: for programs. words: for the player. allowed: what this seat may do now.
    """

    def __init__(self, code: RefusalCode, words: str, allowed: tuple[ActionName, ...]) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
        self.allowed = allowed


def allowed_actions(state: HandState, seat: int) -> tuple[ActionName, ...]:
    """What a seat may do now, by name; () for one that is out, not in this hand, or when the hand is over."""
    if _refuse_seat(state, seat) is not None:
        return ()
    if seat != state.turn_seat:
        return (ActionName.LEAVE,)
    if state.phase is Phase.DISCARD:
        return (ActionName.DISCARD, ActionName.DECLARE, ActionName.LEAVE)
    if can_draw_from_pile(state, seat):
        return (ActionName.DRAW_STOCK, ActionName.DRAW_PILE, ActionName.DROP, ActionName.LEAVE)
    return (ActionName.DRAW_STOCK, ActionName.DROP, ActionName.LEAVE)


def can_draw_from_pile(state: HandState, seat: int) -> bool:
    return refusal_of(state, DrawFromPile(seat)) is None


def can_drop(state: HandState, seat: int) -> bool:
    return refusal_of(state, Drop(seat)) is None


def can_discard(state: HandState, seat: int, card: Card) -> bool:
    return refusal_of(state, Discard(seat, card)) is None


def legal_discards(state: HandState, seat: int) -> tuple[Card, ...]:
    """The cards that a seat may discard now, in the order it holds them; () when it may not discard."""
    if _refuse_turn(state, seat, Phase.DISCARD) is not None:
        return ()
    stays = _face_that_stays(state)
    return tuple(card for card in state.seat(seat).cards if face_of(card) != stays)


def _face_that_stays(state: HandState) -> Face | None:
    """The face that the seat on turn took from the pile and may not put back in this turn; None when none does.

    A face, not a card: copies are alike, and laying the other copy down would leave pile and cards just as they were,
    which is the passing that rules section 8 forbids.
    """
    drawn = state.drawn
    if drawn is None or drawn.source is DrawnFrom.STOCK or state.rules.return_taken_card is ReturnTakenCard.ALLOWED:
        return None
    return face_of(drawn.card)


def refusal_of(state: HandState, action: Action) -> Refusal | None:
    """Why the rules refuse an action now; None when they allow it. Changes nothing."""
    match action:
        case DrawFromStock():
            return _refuse_turn(state, action.seat, Phase.DRAW)
        case Discard():
            return _refuse_turn(state, action.seat, Phase.DISCARD) or _refuse_discard(state, action.seat, action.card)
        case DrawFromPile():
            return _refuse_turn(state, action.seat, Phase.DRAW) or _refuse_pile(state, action.seat)
        case Declare():
            return _refuse_turn(state, action.seat, Phase.DISCARD) or _refuse_declare(state, action)
        case Drop():
            return _refuse_drop(state, action.seat)
        case Leave():
            return _refuse_seat(state, action.seat)
        case Timeout():
            return _refuse_off_turn(state, action.seat)
        case Void():
            return _refuse_void(state, action)
        case _:
            assert_never(action)


def _refuse_seat(state: HandState, seat: int) -> Refusal | None:
    if state.turn_seat is None:
        return Refusal(RefusalCode.HAND_OVER, "This hand is over.")
    if not state.is_playing(seat):
        return Refusal(RefusalCode.NOT_IN_HAND, f"Seat {seat} plays no part in this hand.")
    if not state.seat(seat).is_in:
        return Refusal(RefusalCode.OUT_OF_HAND, "You are out of this hand.")
    return None


def _refuse_off_turn(state: HandState, seat: int) -> Refusal | None:
    refusal = _refuse_seat(state, seat)
    if refusal is None and seat != state.turn_seat:
        return Refusal(RefusalCode.NOT_YOUR_TURN, f"It is the turn of seat {state.turn_seat}.")
    return refusal


def _refuse_turn(state: HandState, seat: int, phase: Phase) -> Refusal | None:
    refusal = _refuse_off_turn(state, seat)
    if refusal is not None or state.phase is phase:
        return refusal
    if phase is Phase.DRAW:
        return Refusal(RefusalCode.ALREADY_DRAWN, "You have drawn in this turn: discard a card or declare.")
    return Refusal(RefusalCode.DRAW_FIRST, "Draw a card first, from the stock or from the discard pile.")


def _refuse_drop(state: HandState, seat: int) -> Refusal | None:
    refusal = _refuse_off_turn(state, seat)
    if refusal is None and state.phase is not Phase.DRAW:
        return Refusal(
            RefusalCode.DROP_BEFORE_DRAWING, "A drop is made before drawing, and you have drawn in this turn."
        )
    return refusal


def _refuse_pile(state: HandState, seat: int) -> Refusal | None:
    if not state.discard_pile:
        return Refusal(RefusalCode.PILE_EMPTY, "The discard pile is empty: draw from the stock.")
    rule = state.rules.take_wild_from_pile
    if rule is TakeWildFromPile.ALLOWED or not is_wild(face_of(state.discard_pile[-1]), state.wild_rank):
        return None
    if rule is TakeWildFromPile.NEVER:
        return Refusal(RefusalCode.WILD_STAYS_ON_PILE, "At this table no wild card may be taken from the discard pile.")
    # A turn ends with a draw or with being out, so a seat that never drew is in its first turn.
    if state.seat(seat).has_drawn:
        return Refusal(
            RefusalCode.WILD_STAYS_ON_PILE,
            "At this table a wild card may be taken from the discard pile only in a player's first turn.",
        )
    return None


def _refuse_held(state: HandState, seat: int, card: Card) -> Refusal | None:
    if card not in state.seat(seat).cards:
        return Refusal(RefusalCode.CARD_NOT_HELD, "You do not hold that card.")
    return None


def _refuse_discard(state: HandState, seat: int, card: Card) -> Refusal | None:
    refusal = _refuse_held(state, seat, card)
    if refusal is None and face_of(card) == _face_that_stays(state):
        return Refusal(
            RefusalCode.TAKEN_CARD_STAYS,
            f"You took {card_name(card)} from the discard pile in this turn: discard another card.",
        )
    return refusal


def _refuse_declare(state: HandState, declare: Declare) -> Refusal | None:
    """The finish card lies face down and is no discard: the card taken from the pile may be it."""
    refusal = _refuse_held(state, declare.seat, declare.finish_card)
    if refusal is not None or not declare.groups:
        return refusal
    shown = sorted(card for group in declare.groups for card in group)
    rest = sorted(card for card in state.seat(declare.seat).cards if card != declare.finish_card)
    if shown != rest or not all(declare.groups):
        return Refusal(
            RefusalCode.GROUPS_ARE_NOT_THE_CARDS,
            "The groups must hold each of your other 13 cards exactly once, and no group may be empty.",
        )
    return None


def _refuse_void(state: HandState, void: Void) -> Refusal | None:
    if state.turn_seat is None:
        return Refusal(RefusalCode.HAND_OVER, "This hand is over.")
    if void.reason is VoidReason.STOCK_EXHAUSTED:
        return Refusal(
            RefusalCode.VOID_REASON_IS_THE_HANDS, "Only a draw that finds no card voids a hand for its stock."
        )
    return None
