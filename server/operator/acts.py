"""What operators did, to what and why: written with the act itself, and never changed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

MAX_PAGE: Final = 200


class Act(StrEnum):
    VOID_HAND = "void_hand"
    VOID_MATCH = "void_match"
    SET_CUSTOMS = "set_customs"
    SILENCE = "silence"
    ASK_ADJUSTMENT = "ask_adjustment"
    APPROVE_ADJUSTMENT = "approve_adjustment"
    REJECT_ADJUSTMENT = "reject_adjustment"
    CLOSE_DAY = "close_day"
    FREEZE = "freeze"
    UNFREEZE = "unfreeze"
    OPEN_TABLE = "open_table"
    CLOSE_TABLE = "close_table"
    SET_STAKES = "set_stakes"
    OPEN_CASE = "open_case"
    NOTE_CASE = "note_case"
    ASSIGN_CASE = "assign_case"
    CLOSE_CASE = "close_case"
    REOPEN_CASE = "reopen_case"


@dataclass(frozen=True, slots=True)
class OperatorAct:
    """subject: the id of the table, player, adjustment or case that was acted on, or the day that was closed."""

    act_id: int
    at_ms: int
    player_id: UUID
    name: str
    act: str
    subject: str
    reason: str


_RECORD: Final = text(
    "INSERT INTO operator_acts (at_ms, player_id, act, subject, reason)"
    " VALUES (:at_ms, :player_id, :act, :subject, :reason)"
)
_NEWEST: Final = text(
    "SELECT act_id, at_ms, player_id, name, act, subject, reason FROM operator_acts JOIN players USING (player_id)"
    " WHERE act_id < :before AND (CAST(:act AS text) IS NULL OR act = :act)"
    "   AND (CAST(:operator_id AS uuid) IS NULL OR player_id = :operator_id)"
    "   AND (CAST(:subject AS text) IS NULL OR subject = :subject)"
    " ORDER BY act_id DESC LIMIT :most"
)


async def record_act(
    connection: AsyncConnection, operator_id: UUID, act: Act, subject: UUID | str, reason: str, at_ms: int
) -> None:
    """In the transaction of the act: neither stands without the other."""
    await connection.execute(
        _RECORD,
        {"at_ms": at_ms, "player_id": operator_id, "act": act.value, "subject": str(subject), "reason": reason},
    )


@dataclass(frozen=True, slots=True)
class ActFilter:
    """Which acts; None asks nothing."""

    act: Act | None = None
    operator_id: UUID | None = None
    subject: str | None = None


EVERY_ACT: Final = ActFilter()


async def newest_acts(
    connection: AsyncConnection, before: int, most: int, wanted: ActFilter = EVERY_ACT
) -> tuple[OperatorAct, ...]:
    """Acts before this one (by act_id), newest first; at most MAX_PAGE."""
    values = {
        "before": before,
        "most": min(most, MAX_PAGE),
        "act": None if wanted.act is None else wanted.act.value,
        "operator_id": wanted.operator_id,
        "subject": wanted.subject,
    }
    rows = await connection.execute(_NEWEST, values)
    return tuple(OperatorAct(*row) for row in rows)
