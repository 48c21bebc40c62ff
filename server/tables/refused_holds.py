"""What a player hears when nothing could be set aside for their next hand: a code for their client, and words."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from server.protocol.messages import NoticeCode
from server.tables.ports import HoldReason


class WhySatOut(NamedTuple):
    code: NoticeCode
    words: str


_NO_TOKENS: Final = WhySatOut(
    "sat_out_no_tokens", "You can't cover the largest loss of a hand here, so you sit out. Sit in again when you can."
)

WHY_SAT_OUT: Final[Mapping[HoldReason, WhySatOut]] = {
    HoldReason.INSUFFICIENT_FUNDS: _NO_TOKENS,
    HoldReason.NO_ACCOUNT: _NO_TOKENS,
    HoldReason.LOSS_LIMIT: WhySatOut(
        "sat_out_loss_limit", "A hand here could lose more than your own loss limit leaves you today, so you sit out."
    ),
    HoldReason.SESSION_REMINDER: WhySatOut(
        "sat_out_session_reminder",
        "You have played as long as you wanted to be reminded of. Confirm it, then sit in again.",
    ),
    HoldReason.COOL_OFF: WhySatOut(
        "sat_out_cool_off", "You are taking the break that you asked for, so you have given up the chair."
    ),
    HoldReason.SELF_EXCLUSION: WhySatOut(
        "sat_out_self_exclusion", "You have excluded yourself from play, so you have given up the chair."
    ),
    HoldReason.FROZEN: WhySatOut(
        "sat_out_frozen", "An operator has frozen your account, so you have given up the chair."
    ),
}

SHORT_OF_TOKENS: Final = frozenset({HoldReason.INSUFFICIENT_FUNDS, HoldReason.NO_ACCOUNT})
"""The reasons that everybody at the table may know; a player's own limits are theirs alone."""
