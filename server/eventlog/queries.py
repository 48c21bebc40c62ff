"""Opening and closing tables, and what lobby and operators read of hands."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from server.eventlog.driver import driver_of
from server.eventlog.fence import hold_writers_off
from server.eventlog.rule_map import rules_map
from server.tables.ports import TableConfig

_CREATE: Final = """
INSERT INTO tables (table_id, name, asset, practice, seat_count, rate, commission_bp, rules, created_ms, format, buy_in)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
"""
_CLOSE: Final = """
UPDATE tables SET status = 'closed', closed_ms = $2, epoch = epoch + 1
WHERE table_id = $1 AND status = 'open'
  AND NOT EXISTS (SELECT FROM hands WHERE hands.table_id = tables.table_id AND hands.status = 'open')
  AND NOT EXISTS (SELECT FROM matches WHERE matches.table_id = tables.table_id AND matches.status = 'open')
"""
_COUNT: Final = "SELECT count(*) FROM tables"
_COUNT_OF_MATCHES: Final = "SELECT count(*) FROM tables WHERE format <> 'points'"
_HAND_COLUMNS: Final = """
SELECT h.hand_id, h.table_id, t.name AS table_name, h.hand_no, h.asset, h.status, h.outcome, h.void_reason,
       h.opened_ms, h.closed_ms,
       (SELECT jsonb_agg(jsonb_build_object('seat', p.seat, 'player_id', p.player_id, 'name', who.name,
                                            'points', p.points, 'delta', p.delta) ORDER BY p.seat)
        FROM hand_players AS p JOIN players AS who USING (player_id) WHERE p.hand_id = h.hand_id) AS players
FROM hands AS h JOIN tables AS t USING (table_id)
"""
_RECENT: Final = f"{_HAND_COLUMNS} ORDER BY h.opened_ms DESC LIMIT $1"


async def create_table(connection: AsyncConnection, config: TableConfig, now_ms: int) -> None:
    """Open a table, owned by nobody yet: `Journal.load_table` takes it over. The caller commits."""
    values = (
        config.table_id,
        config.name,
        config.asset,
        config.practice,
        config.rules.seat_count,
        config.rate,
        config.commission_bp,
        json.dumps(rules_map(config.rules)),
        now_ms,
        config.format.value,
        config.buy_in,
    )
    await connection.exec_driver_sql(_CREATE, values)


async def close_table(connection: AsyncConnection, table_id: UUID, now_ms: int) -> bool:
    """Close a table between hands and matches, and fence its owner; False when one goes on, or it is not open.

    The caller commits.
    """
    await hold_writers_off(connection, table_id)
    closed = await connection.exec_driver_sql(_CLOSE, (table_id, now_ms))
    return closed.rowcount == 1


async def table_count(connection: AsyncConnection) -> int:
    """How many tables there ever were, closed ones too."""
    count: int = await (await driver_of(connection)).fetchval(_COUNT)
    return count


async def match_table_count(connection: AsyncConnection) -> int:
    """How many tables there ever were that play matches, closed ones too."""
    count: int = await (await driver_of(connection)).fetchval(_COUNT_OF_MATCHES)
    return count


async def recent_hands(connection: AsyncConnection, limit: int) -> list[dict[str, Any]]:
    """The newest hands, running ones too, ready for JSON; of a running one, points and deltas are null."""
    return _hands(await (await driver_of(connection)).fetch(_RECENT, limit))


def _hands(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [dict(row) | {"hand_id": str(row["hand_id"]), "table_id": str(row["table_id"])} for row in rows]
