"""The rules' refusals in the wire's codes."""

from typing import assert_never

from rummy.refusals import IllegalAction, RefusalCode
from server.protocol.messages import ErrorCode
from server.tables.refusal import Refused
from server.tables.rummy_views import command_names


def refused(illegal: IllegalAction) -> Refused:
    """What the player is told; the words are the rules' own."""
    return Refused(error_code(illegal.code), illegal.words, command_names(illegal.allowed))


def error_code(code: RefusalCode) -> ErrorCode:
    match code:
        case RefusalCode.HAND_OVER:
            return ErrorCode.HAND_OVER
        case RefusalCode.NOT_IN_HAND | RefusalCode.OUT_OF_HAND:
            return ErrorCode.NOT_IN_HAND
        case RefusalCode.NOT_YOUR_TURN:
            return ErrorCode.NOT_YOUR_TURN
        case RefusalCode.DRAW_FIRST:
            return ErrorCode.DRAW_FIRST
        case RefusalCode.ALREADY_DRAWN:
            return ErrorCode.ALREADY_DRAWN
        case RefusalCode.DROP_BEFORE_DRAWING:
            return ErrorCode.DROP_TOO_LATE
        case RefusalCode.PILE_EMPTY:
            return ErrorCode.NOT_NOW
        case RefusalCode.WILD_STAYS_ON_PILE:
            return ErrorCode.WILD_NOT_TAKEABLE
        case RefusalCode.CARD_NOT_HELD:
            return ErrorCode.NOT_YOUR_CARD
        case RefusalCode.TAKEN_CARD_STAYS:
            return ErrorCode.TAKEN_CARD_NOT_RETURNABLE
        case RefusalCode.GROUPS_ARE_NOT_THE_CARDS:
            return ErrorCode.BAD_GROUPS
        case RefusalCode.VOID_REASON_IS_THE_HANDS:
            return ErrorCode.INTERNAL
        case _:
            assert_never(code)
