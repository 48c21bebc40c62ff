"""Keeps looking: counts new hands a few hundred at a time and then judges anew, far from any table's path."""

from typing import Final

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from server.eventlog.failure import words_for
from server.operator.integrity.counting import BATCH, count_next
from server.operator.integrity.signals import assess
from server.tables.ports import Clock

LOOK_EVERY_MS: Final = 60_000
BREATH_MS: Final = 250
"""Between two batches of a long history: the tables' own work goes first."""

_AWAY: Final = (DBAPIError, PoolTimeout, OSError)

_log = structlog.get_logger(__name__)


class IntegrityWatch:
    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock

    async def run(self) -> None:
        while True:
            await self._clock.sleep_until(self._clock.now_ms() + LOOK_EVERY_MS)
            try:
                await self.look()
            except _AWAY as fault:
                _log.warning("integrity_not_looked", why=words_for(fault))

    async def look(self) -> int:
        """Count everything new and judge anew if there was something; returns how many hands were new."""
        counted = 0
        while batch := await self._count():
            counted += batch
            if batch == BATCH:
                await self._clock.sleep_until(self._clock.now_ms() + BREATH_MS)
        if counted:
            async with self._engine.begin() as connection:
                await assess(connection, self._clock.now_ms())
        return counted

    async def _count(self) -> int:
        async with self._engine.begin() as connection:
            return (await count_next(connection, self._clock.now_ms())).hands
