"""Tells players over their sockets that they have played as long as they wanted to be reminded of."""

from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from server.eventlog.failure import words_for
from server.protocol.messages import SessionReminder
from server.tables.ports import Clock
from server.web.connection import SocketConnection
from server.web.errors import DATABASE_AWAY
from server.web.sockets import Sockets
from wallet.limits import LimitKind, limits_of
from wallet.play_sessions import play_sessions

LOOK_MS: Final = 10_000
"""How often it is looked who has begun to play, or has come back; whose moment is known hears of it at that moment."""

_log = structlog.get_logger(__name__)


class Reminders:
    """One query for all who are connected. Each connection hears of one reminder once; a new one hears it again.

    That no hand starts until the player has confirmed the time is held by the wallet, not here.
    """

    def __init__(self, engine: AsyncEngine, sockets: Sockets, clock: Clock) -> None:
        self._engine = engine
        self._sockets = sockets
        self._clock = clock
        self._told: dict[SocketConnection, int] = {}

    async def run(self) -> None:
        while True:
            try:
                next_ms = await self.look()
            except DATABASE_AWAY as fault:
                _log.warning("reminders_not_looked_up", why=words_for(fault))
                next_ms = self._clock.now_ms() + LOOK_MS
            await self._clock.sleep_until(next_ms)

    async def look(self) -> int:
        """Tell everybody whose time has come; returns when to look again."""
        now_ms = self._clock.now_ms()
        next_ms = now_ms + LOOK_MS
        told: dict[SocketConnection, int] = {}
        players = self._sockets.players()
        if players:
            async with self._engine.connect() as database:
                sessions = await play_sessions(database, players)
                limits = await limits_of(database, sessions)
        else:
            sessions, limits = {}, {}
        for player_id, session in sessions.items():
            after_ms = limits[player_id].value(LimitKind.SESSION_REMINDER, now_ms) if player_id in limits else None
            if after_ms is None or session.is_over(now_ms):
                continue
            since_ms = max(session.started_ms, session.acknowledged_ms)
            if now_ms < since_ms + after_ms:
                next_ms = min(next_ms, since_ms + after_ms)
                continue
            reminder = SessionReminder(after_ms=after_ms, played_ms=now_ms - since_ms).model_dump_json()
            for connection in self._sockets.of_player(player_id):
                if self._told.get(connection) != since_ms:
                    connection.send(reminder)
                told[connection] = since_ms
        self._told = told
        return next_ms
