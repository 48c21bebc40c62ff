"""One bot: an account, its socket, and the tables it sits at."""

import asyncio
import random
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self
from uuid import UUID

import httpx

from clients.python.account import Account, top_up_practice
from clients.python.client import HouseClient
from clients.python.seat_player import SeatPlayer
from clients.python.strategies import Strategy
from server.protocol.messages import Balances, ServerMessage, Table, Welcome

_LOW_PRACTICE_UNITS: Final = 250_000
"""Below this a bot asks for a practice top-up."""


class Bot:
    """Use as a context manager. What goes wrong while it plays ends the block, as in a task group."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        account: Account,
        strategy: Strategy,
        think_ms: tuple[int, int] = (0, 0),
        on_message: Callable[[ServerMessage], None] = lambda message: None,
    ) -> None:
        self.account = account
        self._http = http
        self._strategy = strategy
        self._think_ms = think_ms
        self._on_message = on_message
        self.client = HouseClient(account, self._hear)
        self._seats: dict[UUID, SeatPlayer] = {}
        self._playing: dict[UUID, asyncio.Task[None]] = {}
        self._tasks = asyncio.TaskGroup()
        self._topping_up: asyncio.Task[None] | None = None
        self._seated_before: tuple[UUID, ...] = ()

    @property
    def tables(self) -> tuple[UUID, ...]:
        return tuple(self._seats)

    async def __aenter__(self) -> Self:
        await self.client.__aenter__()
        await self._tasks.__aenter__()
        # Chairs of an earlier life: whoever runs this bot again finds it where it sat.
        for table_id in self._seated_before:
            await self._follow(table_id)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in (*self._playing.values(), *([self._topping_up] if self._topping_up else [])):
            task.cancel()
        try:
            await self._tasks.__aexit__(kind, fault, trace)
        finally:
            await self.client.__aexit__(kind, fault, trace)

    async def sit(
        self,
        table_id: UUID,
        on_table: Callable[[Table], None] = lambda table: None,
        wants_more: Callable[[], bool] = lambda: True,
    ) -> None:
        """Take a chair and play there. Raises CommandRefused when the table has none to give.

        on_table hears every message of the table. While wants_more says no, the bot is not ready for another hand.
        """
        await self._follow(table_id, on_table, wants_more)
        try:
            await self._seats[table_id].sit()
        except BaseException:
            await self.forget(table_id)
            raise

    async def _follow(
        self,
        table_id: UUID,
        on_table: Callable[[Table], None] = lambda table: None,
        wants_more: Callable[[], bool] = lambda: True,
    ) -> None:
        """Watch a table and play there whenever a chair of ours is on turn."""
        seat = SeatPlayer(self.client, table_id, self._strategy, self._think, on_table, wants_more)
        self._seats[table_id] = seat
        try:
            await seat.watch()
        except BaseException:
            del self._seats[table_id]
            raise
        self._playing[table_id] = self._tasks.create_task(seat.play())

    def seated(self, table_id: UUID) -> bool:
        return table_id in self._seats and self._seats[table_id].seated

    def leaving(self, table_id: UUID) -> bool:
        return table_id in self._seats and self._seats[table_id].leaving

    async def stay(self, table_id: UUID) -> None:
        """Take the chair back that is being given up. Raises CommandRefused."""
        await self._seats[table_id].sit()

    async def leave(self, table_id: UUID) -> None:
        """Give the chair up once the running hand has ended."""
        await self._seats[table_id].leave()

    async def forget(self, table_id: UUID) -> None:
        """Stop following a table whose chair is given up."""
        seat = self._seats.pop(table_id, None)
        playing = self._playing.pop(table_id, None)
        if playing is not None:
            playing.cancel()
        if seat is not None:
            await seat.unwatch()

    async def _think(self) -> None:
        low, high = self._think_ms
        if high > 0:
            await asyncio.sleep(random.uniform(low, high) / 1000)

    def _hear(self, message: ServerMessage) -> None:
        if isinstance(message, Balances) and message.balances["PT"].available < _LOW_PRACTICE_UNITS:
            self._top_up()
        if isinstance(message, Welcome):
            self._seated_before = tuple(message.seated_at)
        for seat in tuple(self._seats.values()):
            seat.hear(message)
        self._on_message(message)

    def _top_up(self) -> None:
        if self._topping_up is None or self._topping_up.done():
            self._topping_up = self._tasks.create_task(top_up_practice(self._http, self.account))
