"""Why an action is refused: a code, plain words and what is allowed instead."""

from collections.abc import Iterable
from enum import StrEnum
from typing import assert_never

from tricks.cards import Card, card_name
from tricks.duties import Choice, Duty


class RefusalCode(StrEnum):
    DEAL_OVER = "deal_over"
    NOT_YOUR_TURN = "not_your_turn"
    NOT_NOW = "not_now"
    CALL_NOT_ALLOWED = "call_not_allowed"
    CARD_NOT_HELD = "card_not_held"
    DUTY = "duty"


class IllegalAction(Exception):
    """An action that the rules refuse; the deal is as it was. allowed: what may be done now, in words.

    duty: which one forbids a card, for code DUTY.
    """

    def __init__(self, code: RefusalCode, words: str, allowed: Iterable[str] = (), duty: Duty = Duty.FREE) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
        self.allowed = tuple(allowed)
        self.duty = duty


def require_turn(on_turn: int | None, seat: int) -> None:
    """Raises IllegalAction unless it is the seat's turn."""
    if on_turn is None:
        raise IllegalAction(RefusalCode.DEAL_OVER, "This deal is over.")
    if on_turn != seat:
        raise IllegalAction(RefusalCode.NOT_YOUR_TURN, "It is not your turn.")


def require_card(hand: Iterable[Card], choice: Choice, card: Card) -> None:
    """Raises IllegalAction unless the card may be played."""
    if card in choice.cards:
        return
    allowed = [card_name(other) for other in choice.cards]
    if card not in set(hand):
        raise IllegalAction(RefusalCode.CARD_NOT_HELD, f"You do not hold {_name(card)}.", allowed)
    raise IllegalAction(RefusalCode.DUTY, duty_words(choice.duty), allowed, choice.duty)


def duty_words(duty: Duty) -> str:
    match duty:
        case Duty.FREE:
            return "You may play any card."
        case Duty.FOLLOW_SUIT:
            return "You must follow the suit that was led."
        case Duty.PLAY_TRUMP:
            return "You must play a trump."
        case Duty.BEAT_TRUMP:
            return "You must beat the highest trump of the trick."
        case Duty.KEEP_LOW_TRUMPS:
            return "You may not play a trump below the highest one of the trick."
        case _:
            assert_never(duty)


def _name(card: Card) -> str:
    return card_name(card) if 0 <= card < 32 else "such a card"
