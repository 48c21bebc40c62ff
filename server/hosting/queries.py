"""Private tables in the database: who opened which, and whose invite opens it. The caller commits."""

from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

_ONE_AT_A_TIME: Final = text("SELECT player_id FROM players WHERE player_id = :host_id FOR UPDATE")
_COUNT: Final = text(
    "SELECT count(*) FROM private_tables JOIN tables USING (table_id) WHERE host_id = :host_id AND status = 'open'"
)
_INSERT: Final = text(
    "INSERT INTO private_tables (table_id, host_id, code_hash) VALUES (:table_id, :host_id, :code_hash)"
)
_BY_CODE: Final = text(
    "SELECT table_id, host_id, coalesce(joining, true) AS joining"
    " FROM private_tables JOIN tables USING (table_id) LEFT JOIN table_customs USING (table_id)"
    " WHERE code_hash = :code_hash AND status = 'open'"
)
_ADMIT: Final = text(
    "INSERT INTO private_guests (table_id, player_id, admitted_ms) VALUES (:table_id, :player_id, :at_ms)"
    " ON CONFLICT DO NOTHING"
)
_NEW_CODE: Final = text(
    "UPDATE private_tables SET code_hash = :code_hash WHERE table_id = :table_id AND host_id = :host_id"
    " AND EXISTS (SELECT FROM tables WHERE tables.table_id = :table_id AND status = 'open')"
)


class Invited(NamedTuple):
    table_id: UUID
    host_id: UUID
    joining: bool


async def count_open(database: AsyncConnection, host_id: UUID) -> int:
    """How many open tables a player hosts; until the transaction ends nobody opens another for them."""
    await database.execute(_ONE_AT_A_TIME, {"host_id": host_id})
    count: int = (await database.execute(_COUNT, {"host_id": host_id})).scalar_one()
    return count


async def insert_private(database: AsyncConnection, table_id: UUID, host_id: UUID, code_hash: bytes) -> None:
    await database.execute(_INSERT, {"table_id": table_id, "host_id": host_id, "code_hash": code_hash})


async def find_invite(database: AsyncConnection, code_hash: bytes) -> Invited | None:
    """The open table that a code leads to."""
    row = (await database.execute(_BY_CODE, {"code_hash": code_hash})).first()
    return None if row is None else Invited(row.table_id, row.host_id, row.joining)


async def admit(database: AsyncConnection, table_id: UUID, player_id: UUID, at_ms: int) -> None:
    await database.execute(_ADMIT, {"table_id": table_id, "player_id": player_id, "at_ms": at_ms})


async def replace_code(database: AsyncConnection, table_id: UUID, host_id: UUID, code_hash: bytes) -> bool:
    """False when this player hosts no such open table."""
    values = {"table_id": table_id, "host_id": host_id, "code_hash": code_hash}
    return (await database.execute(_NEW_CODE, values)).rowcount == 1
