"""Mutes, silences and reports in the database. The caller commits."""

import json
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.protocol.chat_messages import ChatLine

_MUTED: Final = text("SELECT muted_id FROM chat_mutes WHERE player_id = :player_id ORDER BY muted_ms, muted_id")
_MUTE: Final = text(
    "INSERT INTO chat_mutes (player_id, muted_id, muted_ms)"
    " SELECT :player_id, player_id, :at_ms FROM players WHERE player_id = :muted_id ON CONFLICT DO NOTHING"
)
_UNMUTE: Final = text("DELETE FROM chat_mutes WHERE player_id = :player_id AND muted_id = :muted_id")
_IS_PLAYER: Final = text("SELECT EXISTS (SELECT FROM players WHERE player_id = :player_id)")
_SILENCES: Final = text("SELECT player_id, until_ms FROM chat_silences WHERE until_ms > :at_ms")
_SILENCE: Final = text(
    "INSERT INTO chat_silences (player_id, by_id, from_ms, until_ms) VALUES (:player_id, :by_id, :at_ms, :until_ms)"
    " ON CONFLICT (player_id) DO UPDATE SET by_id = :by_id, from_ms = :at_ms, until_ms = :until_ms"
)
_REPORT: Final = text(
    "INSERT INTO chat_reports (at_ms, table_id, reporter_id, reported_id, reason, note, lines)"
    " VALUES (:at_ms, :table_id, :reporter_id, :reported_id, :reason, :note, :lines) RETURNING report_id"
)
_REPORTS: Final = text(
    "SELECT report_id, at_ms, table_id, t.name AS table_name, reporter_id, reporter.name AS reporter_name,"
    " reported_id, reported.name AS reported_name, reason, note, lines"
    " FROM chat_reports AS r JOIN tables AS t USING (table_id)"
    " JOIN players AS reporter ON reporter.player_id = reporter_id"
    " JOIN players AS reported ON reported.player_id = reported_id"
    " WHERE report_id < :before ORDER BY report_id DESC LIMIT :limit"
)


async def muted_by(database: AsyncConnection, player_id: UUID) -> list[UUID]:
    return list((await database.execute(_MUTED, {"player_id": player_id})).scalars())


async def mute(database: AsyncConnection, player_id: UUID, muted_id: UUID, at_ms: int) -> None:
    await database.execute(_MUTE, {"player_id": player_id, "muted_id": muted_id, "at_ms": at_ms})


async def unmute(database: AsyncConnection, player_id: UUID, muted_id: UUID) -> None:
    await database.execute(_UNMUTE, {"player_id": player_id, "muted_id": muted_id})


async def is_player(database: AsyncConnection, player_id: UUID) -> bool:
    known: bool = (await database.execute(_IS_PLAYER, {"player_id": player_id})).scalar_one()
    return known


async def silences(database: AsyncConnection, at_ms: int) -> dict[UUID, int]:
    """Who is silenced at that time, and until when."""
    return {row.player_id: row.until_ms for row in await database.execute(_SILENCES, {"at_ms": at_ms})}


async def silence(database: AsyncConnection, player_id: UUID, by_id: UUID, at_ms: int, until_ms: int) -> None:
    values = {"player_id": player_id, "by_id": by_id, "at_ms": at_ms, "until_ms": until_ms}
    await database.execute(_SILENCE, values)


async def report(
    database: AsyncConnection,
    *,
    at_ms: int,
    table_id: UUID,
    reporter_id: UUID,
    reported_id: UUID,
    reason: str,
    note: str,
    lines: Sequence[ChatLine],
) -> int:
    """Returns the report's number."""
    values = {
        "at_ms": at_ms,
        "table_id": table_id,
        "reporter_id": reporter_id,
        "reported_id": reported_id,
        "reason": reason,
        "note": note,
        "lines": json.dumps([line.model_dump(mode="json") for line in lines]),
    }
    report_id: int = (await database.execute(_REPORT, values)).scalar_one()
    return report_id


async def reports(database: AsyncConnection, before: int, limit: int) -> list[dict[str, Any]]:
    """The newest reports with a smaller number, newest first."""
    return [dict(row._mapping) for row in await database.execute(_REPORTS, {"before": before, "limit": limit})]
