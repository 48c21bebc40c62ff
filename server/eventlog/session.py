"""The committer's own database session, kept over many transactions."""

from typing import Final, Self

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.eventlog.driver import Driver, driver_of

LONGEST_STALL_SECONDS: Final = 30

_SETTINGS: Final = f"""
SET synchronous_commit = on;
SET lock_timeout = '{LONGEST_STALL_SECONDS}s';
SET idle_in_transaction_session_timeout = '{LONGEST_STALL_SECONDS}s'
"""
"""Durable before visible, whatever the server's default; and a node that was lost gives its locks back."""


class Session:
    def __init__(self, connection: AsyncConnection, driver: Driver) -> None:
        self.connection: Final = connection
        self.driver: Final = driver

    @classmethod
    async def open(cls, engine: AsyncEngine) -> Self:
        connection = await engine.connect()
        try:
            driver = await driver_of(connection)
            await driver.execute(_SETTINGS)
        except BaseException:
            await connection.invalidate()
            await connection.close()
            raise
        return cls(connection, driver)

    @property
    def is_lost(self) -> bool:
        return self.connection.invalidated or self.driver.is_closed()

    async def commit(self) -> None:
        await self.connection.commit()

    async def rollback(self) -> None:
        await self.connection.rollback()

    async def drop(self) -> None:
        """Close it for good. Never back into the pool: it has settings of its own, and its transaction may hang."""
        await self.connection.invalidate()
        await self.connection.close()
