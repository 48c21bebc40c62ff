"""Who looked on and whose line was lost, hand by hand: gathered from the tables, written behind their backs.

No table waits for it, and nothing but the desk reads it. What can't be written for long is dropped, the oldest first.
"""

import asyncio
from collections import deque
from typing import Final
from uuid import UUID

import structlog
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from server.eventlog.driver import driver_of
from server.eventlog.failure import words_for
from server.tables.ports import Clock

WRITE_EVERY_MS: Final = 1_000
MOST_WAITING: Final = 10_000

_AWAY: Final = (DBAPIError, PoolTimeout, OSError)

_log = structlog.get_logger(__name__)

_WATCHED: Final = """
INSERT INTO hand_watchers (hand_id, player_id, since_ms) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[])
ON CONFLICT DO NOTHING
"""
_CUT_OFF: Final = """
INSERT INTO hand_disconnects (hand_id, player_id, at_ms) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[])
ON CONFLICT DO NOTHING
"""

_Noted = tuple[UUID, UUID, int]


class PresenceLog:
    """Satisfies `server.tables.ports.Onlookers`."""

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine = engine
        self._clock = clock
        self._watched: deque[_Noted] = deque(maxlen=MOST_WAITING)
        self._cut_off: deque[_Noted] = deque(maxlen=MOST_WAITING)

    def watched(self, hand_id: UUID, player_id: UUID, at_ms: int) -> None:
        self._watched.append((hand_id, player_id, at_ms))

    def cut_off(self, hand_id: UUID, player_id: UUID, at_ms: int) -> None:
        self._cut_off.append((hand_id, player_id, at_ms))

    async def run(self) -> None:
        """Write for as long as this runs, and what is left when it ends."""
        try:
            while True:
                await self._clock.sleep_until(self._clock.now_ms() + WRITE_EVERY_MS)
                await self._try_to_write()
        except asyncio.CancelledError:
            await self._try_to_write()
            raise

    async def write(self) -> None:
        """Everything that waits. What could not be written waits on."""
        watched, cut_off = list(self._watched), list(self._cut_off)
        if not watched and not cut_off:
            return
        async with self._engine.begin() as connection:
            await connection.exec_driver_sql("SELECT 1")
            driver = await driver_of(connection)
            for statement, noted in ((_WATCHED, watched), (_CUT_OFF, cut_off)):
                if noted:
                    await driver.execute(statement, *map(list, zip(*noted, strict=True)))
        for queue, noted in ((self._watched, watched), (self._cut_off, cut_off)):
            for _ in noted:
                queue.popleft()

    async def _try_to_write(self) -> None:
        try:
            await self.write()
        except _AWAY as fault:
            _log.warning("presence_not_written", why=words_for(fault))
