"""Closes the sockets of sessions that ran out, or were ended by another process; and notes who is still here."""

from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from server.eventlog.failure import words_for
from server.identity.sessions import alive_sessions, note_seen
from server.tables.ports import Clock
from server.web.connection import CLOSE_SIGNED_OUT
from server.web.errors import DATABASE_AWAY
from server.web.sockets import Sockets

_log = structlog.get_logger(__name__)

ENDED: Final = "this session has ended: sign in again"


class SessionWatch:
    """Looks every `every_ms`: one query, however many sockets are open."""

    def __init__(self, engine: AsyncEngine, sockets: Sockets, clock: Clock, every_ms: int) -> None:
        self._engine = engine
        self._sockets = sockets
        self._clock = clock
        self._every_ms = every_ms

    async def run(self) -> None:
        while True:
            await self._clock.sleep_until(self._clock.now_ms() + self._every_ms)
            try:
                await self.look()
            except DATABASE_AWAY as fault:
                # Who can't be looked up stays: sessions outlive an outage of the database, as tables do.
                _log.warning("session_check_failed", why=words_for(fault))

    async def look(self) -> None:
        opened = {connection.session.session_id for connection in self._sockets}
        if not opened:
            return
        now_ms = self._clock.now_ms()
        async with self._engine.begin() as database:
            alive = await alive_sessions(database, list(opened), now_ms)
            await note_seen(database, sorted(alive), now_ms)
        for connection in self._sockets:
            # One that opened in the meantime was looked up then.
            if connection.session.session_id in opened - alive:
                connection.close(CLOSE_SIGNED_OUT, ENDED)
