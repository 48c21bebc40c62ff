"""What operators want of open tables: kept until the table's owner carries it out between hands."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.eventlog.driver import Driver, driver_of
from server.eventlog.failure import unavailable
from server.tables.ports import NO_ORDERS, Fenced, TableOrders

_LOAD: Final = "SELECT table_id, closing, rate, commission_bp FROM table_orders WHERE table_id = ANY ($1::uuid[])"
_STORE: Final = """
INSERT INTO table_orders (table_id, closing, rate, commission_bp) VALUES ($1, $2, $3, $4)
ON CONFLICT (table_id) DO UPDATE SET closing = $2, rate = $3, commission_bp = $4
"""
_LOCK: Final = "SELECT closing, rate, commission_bp FROM table_orders WHERE table_id = $1 FOR UPDATE"
_STAKES: Final = """
UPDATE tables SET rate = $3, commission_bp = $4 WHERE table_id = $1 AND epoch = $2 AND status = 'open'
"""
_DONE: Final = "UPDATE table_orders SET rate = NULL, commission_bp = NULL WHERE table_id = $1"


async def load_orders(driver: Driver, table_ids: Sequence[UUID]) -> dict[UUID, TableOrders]:
    """Of those tables of which something is wanted."""
    rows = await driver.fetch(_LOAD, table_ids)
    return {row["table_id"]: TableOrders(row["closing"], row["rate"], row["commission_bp"]) for row in rows}


async def orders_of(connection: AsyncConnection, table_ids: Sequence[UUID]) -> dict[UUID, TableOrders]:
    return await load_orders(await driver_of(connection), table_ids)


async def locked_orders(connection: AsyncConnection, table_id: UUID) -> TableOrders:
    """What is wanted of a table, unchanged by others until the caller commits."""
    row = (await connection.exec_driver_sql(_LOCK, (table_id,))).first()
    return NO_ORDERS if row is None else TableOrders(*row)


async def store_orders(connection: AsyncConnection, table_id: UUID, orders: TableOrders) -> None:
    """The caller commits, and then tells the table."""
    await connection.exec_driver_sql(_STORE, (table_id, orders.closing, orders.rate, orders.commission_bp))


async def store_stakes(engine: AsyncEngine, table_id: UUID, epoch: int, rate: int, commission_bp: int) -> None:
    """As the table's owner, between hands; again is no mistake. Raises Fenced, JournalUnavailable."""
    with unavailable("the database can't be reached"):
        async with engine.begin() as connection:
            changed = await connection.exec_driver_sql(_STAKES, (table_id, epoch, rate, commission_bp))
            if changed.rowcount != 1:
                raise Fenced
            await connection.exec_driver_sql(_DONE, (table_id,))
