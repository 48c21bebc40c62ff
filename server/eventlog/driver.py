"""The asyncpg connection under a SQLAlchemy one: arrays, COPY and prepared statements without a layer between."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, cast

from sqlalchemy.ext.asyncio import AsyncConnection


class Driver(Protocol):
    """The part of asyncpg's connection that is used here. Rows read by column name.

    jsonb goes in as text and comes out parsed, as SQLAlchemy sets its connections up.
    """

    async def fetch(self, query: str, *args: object) -> Sequence[Mapping[str, Any]]: ...

    async def fetchval(self, query: str, *args: object) -> Any: ...

    async def execute(self, query: str, *args: object) -> str:
        """Returns the command tag, such as `UPDATE 3`."""

    async def copy_records_to_table(
        self, table_name: str, *, records: Iterable[Sequence[object]], columns: Sequence[str]
    ) -> str: ...

    def is_closed(self) -> bool: ...


async def driver_of(connection: AsyncConnection) -> Driver:
    """The driver's connection; inside a transaction only if SQLAlchemy has sent a statement before."""
    raw = await connection.get_raw_connection()
    return cast(Driver, raw.driver_connection)


def rows_changed(tag: str) -> int:
    """How many rows a command tag such as `UPDATE 3` or `INSERT 0 3` speaks of."""
    return int(tag.rsplit(" ", 1)[1])
