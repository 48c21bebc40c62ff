"""The house's own tables, as operators open and end them, each with its act on record in the same transaction."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.eventlog.orders import locked_orders, store_orders
from server.eventlog.queries import create_table
from server.tables.hub import House
from server.tables.ports import StoredTable, TableConfig, TableOrders

Record = Callable[[AsyncConnection], Awaitable[None]]
"""Writes down who did it, in the transaction of the act."""


class HouseTables:
    def __init__(
        self,
        engine: AsyncEngine,
        house: House,
        load: Callable[[UUID], Awaitable[StoredTable]],
        now_ms: Callable[[], int],
    ) -> None:
        self._engine = engine
        self._house = house
        self._load = load
        self._now_ms = now_ms

    async def open(self, config: TableConfig, record: Record) -> None:
        async with self._engine.begin() as database:
            await create_table(database, config, self._now_ms())
            await record(database)
        await self._house.add_table(await self._load(config.table_id))

    async def close(self, table_id: UUID, record: Record) -> None:
        """Close a table once no hand and no match runs there; it opens no further one."""
        await self._order(table_id, lambda orders: replace(orders, closing=True), record)

    async def set_stakes(self, table_id: UUID, rate: int | None, commission_bp: int | None, record: Record) -> None:
        """Of coming hands and matches; None leaves as it is, and takes back what was ordered before."""
        await self._order(table_id, lambda orders: replace(orders, rate=rate, commission_bp=commission_bp), record)

    async def _order(self, table_id: UUID, change: Callable[[TableOrders], TableOrders], record: Record) -> None:
        async with self._engine.begin() as database:
            orders = change(await locked_orders(database, table_id))
            await store_orders(database, table_id, orders)
            await record(database)
        self._house.give_orders(table_id, orders)
