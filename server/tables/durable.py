"""The journal as a table uses it: every call is made until it is done, and what that took is not the players' time."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar
from uuid import UUID

from server.protocol.messages import Notice
from server.tables.ports import Clock, Journal, JournalUnavailable

T = TypeVar("T")

FIRST_RETRY_MS: Final = 200
LONGEST_RETRY_MS: Final = 5_000
SLOW_MS: Final = 500
"""A call that takes longer than this held the table up: its time is given back to the clocks."""


class Stopped(Exception):
    """The house stops while a call could not be done. Whether it was stored is for the next start to find out."""


class DurableJournal:
    """Retries through outages; tells when the table pauses and resumes."""

    def __init__(
        self,
        table_id: UUID,
        journal: Journal,
        clock: Clock,
        stopping: asyncio.Event,
        tell: Callable[[Notice], None],
    ) -> None:
        self._table_id = table_id
        self._journal = journal
        self._clock = clock
        self._stopping = stopping
        self._tell = tell
        self._lost_ms = 0
        self.is_paused = False

    async def call(self, make: Callable[[Journal], Awaitable[T]]) -> T:
        """The result of a journal call, however long the storage is away. Raises what the call refuses, and Stopped."""
        began_ms = self._clock.now_ms()
        result = await self._until_done(make)
        took_ms = self._clock.now_ms() - began_ms
        if took_ms > SLOW_MS:
            self._lost_ms += took_ms
        if self.is_paused:
            self.is_paused = False
            self._tell(self.resumed_notice())
        return result

    def take_lost_ms(self) -> int:
        """How long the storage has held the table up since the last time this was asked."""
        lost_ms, self._lost_ms = self._lost_ms, 0
        return lost_ms

    async def _until_done(self, make: Callable[[Journal], Awaitable[T]]) -> T:
        retry_ms = FIRST_RETRY_MS
        while True:
            try:
                return await make(self._journal)
            except JournalUnavailable:
                self._pause()
            await self.wait(retry_ms)
            retry_ms = min(2 * retry_ms, LONGEST_RETRY_MS)

    def _pause(self) -> None:
        if not self.is_paused:
            self.is_paused = True
            self._tell(self.paused_notice())

    def paused_notice(self) -> Notice:
        words = "The house can't save moves right now: the table waits, and no clock runs."
        return Notice(code="paused", table_id=self._table_id, message=words)

    def resumed_notice(self) -> Notice:
        words = "The table goes on; no clock ran meanwhile."
        return Notice(code="resumed", table_id=self._table_id, message=words)

    async def wait(self, ms: int) -> None:
        """Return after that time; raises Stopped as soon as the house stops."""
        sleep = asyncio.ensure_future(self._clock.sleep_until(self._clock.now_ms() + ms))
        stop = asyncio.ensure_future(self._stopping.wait())
        try:
            await asyncio.wait((sleep, stop), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleep.cancel()
            stop.cancel()
        if self._stopping.is_set():
            raise Stopped
