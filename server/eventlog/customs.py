"""What may change about an open table besides its game, and the tables that players open for themselves.

These are rare and wait for no move, so they are transactions of their own, past the group commit.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.eventlog import queries
from server.eventlog.driver import Driver
from server.eventlog.failure import unavailable
from server.eventlog.fence import hold_writers_off
from server.tables.ports import Customs, Fenced

_LOAD: Final = "SELECT table_id, watching, chat, joining FROM table_customs WHERE table_id = ANY ($1::uuid[])"
_GUESTS: Final = "SELECT table_id, player_id FROM private_guests WHERE table_id = ANY ($1::uuid[])"
_STAND: Final = "SELECT epoch, status FROM tables WHERE table_id = $1"
_STAND_STILL: Final = f"{_STAND} FOR SHARE"
_STORE: Final = """
INSERT INTO table_customs (table_id, watching, chat, joining) VALUES ($1, $2, $3, $4)
ON CONFLICT (table_id) DO UPDATE SET watching = $2, chat = $3, joining = $4
"""


async def load_customs(driver: Driver, table_ids: Sequence[UUID]) -> dict[UUID, Customs]:
    """A table that is not among them has the house's customs."""
    rows = await driver.fetch(_LOAD, table_ids)
    return {row["table_id"]: Customs(row["watching"], row["chat"], row["joining"]) for row in rows}


async def load_guests(driver: Driver, table_ids: Sequence[UUID]) -> dict[UUID, frozenset[UUID]]:
    guests: dict[UUID, set[UUID]] = {}
    for row in await driver.fetch(_GUESTS, table_ids):
        guests.setdefault(row["table_id"], set()).add(row["player_id"])
    return {table_id: frozenset(players) for table_id, players in guests.items()}


async def insert_customs(connection: AsyncConnection, table_id: UUID, customs: Customs) -> None:
    """The caller commits."""
    values = (table_id, customs.watching, customs.chat, customs.joining)
    await connection.exec_driver_sql(_STORE, values)


async def store_customs(engine: AsyncEngine, table_id: UUID, epoch: int, customs: Customs) -> None:
    """As the table's owner. Raises Fenced, JournalUnavailable."""

    async def store(connection: AsyncConnection) -> None:
        stand = (await connection.exec_driver_sql(_STAND_STILL, (table_id,))).first()
        if stand is None or (stand.status, stand.epoch) != ("open", epoch):
            raise Fenced
        await insert_customs(connection, table_id, customs)

    await _in_transaction(engine, store)


async def close_owned(engine: AsyncEngine, table_id: UUID, epoch: int, now_ms: int) -> None:
    """As the table's owner, between hands; closing it again is no mistake. Raises Fenced, JournalUnavailable."""

    async def close(connection: AsyncConnection) -> None:
        await hold_writers_off(connection, table_id)
        stand = (await connection.exec_driver_sql(_STAND, (table_id,))).first()
        if stand is not None and (stand.status, stand.epoch) == ("closed", epoch + 1):
            return
        if stand is None or stand.epoch != epoch or not await queries.close_table(connection, table_id, now_ms):
            raise Fenced

    await _in_transaction(engine, close)


async def _in_transaction(engine: AsyncEngine, work: Callable[[AsyncConnection], Awaitable[None]]) -> None:
    with unavailable("the database can't be reached"):
        async with engine.begin() as connection:
            await work(connection)
