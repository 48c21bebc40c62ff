"""The house's practice bots come when a person sits down, and stay through a restart."""

import asyncio
import contextlib
from collections.abc import Callable
from uuid import UUID

import httpx

from clients.python.account import sign_in_as_guest
from clients.python.bot import Bot
from clients.python.strategies import Sensible
from server.protocol.messages import Table
from tests.live_house import LiveHouse, OpenHouse


class Watched:
    """The newest message of one table."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self._news = asyncio.Event()

    def hear(self, table: Table) -> None:
        self.table = table
        self._news.set()

    async def until(self, true: Callable[[Table], bool]) -> Table:
        async with asyncio.timeout(60):
            while self.table is None or not true(self.table):
                self._news.clear()
                await self._news.wait()
            return self.table


def bots_seated(table: Table) -> int:
    return table.public.table.bots


def bots_played(table: Table) -> bool:
    """Whether a bot, and not the clock, has moved in this message."""
    names = {seat.seat for seat in table.public.seats if seat.player is not None and seat.player.bot}
    return any(event.get("seat") in names and event.get("auto") == 0 for event in table.events)


async def four_seats(http: httpx.AsyncClient, house: LiveHouse) -> UUID:
    tables = (await http.get(f"{house.url}/api/tables")).json()
    return UUID(next(table["table_id"] for table in tables if table["seat_count"] == 4))


async def test_bots_come_and_stay_through_a_kill(open_house: OpenHouse) -> None:
    house = await asyncio.to_thread(open_house, RUMMY_PRACTICE_BOTS="3")
    async with contextlib.AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx.AsyncClient(trust_env=False))
        table_id = await four_seats(http, house)
        account = await sign_in_as_guest(http, house.url, "Asha", bot=False)
        asha = await stack.enter_async_context(Bot(http, account, Sensible()))
        watched = Watched()
        await asha.sit(table_id, watched.hear)
        await watched.until(lambda table: bots_seated(table) == 3)
        before = await watched.until(bots_played)

        await asyncio.to_thread(house.kill)
        await asyncio.to_thread(house.start)
        await watched.until(lambda table: table.epoch > before.epoch and bots_played(table))

        # Somebody who goes and comes back in the same hand does not find the bots gone after it.
        await asha.leave(table_id)
        await asha.stay(table_id)
        ended = await watched.until(lambda table: table.public.result is not None)
        assert ended.public.result is not None
        hand_no = ended.public.result.hand_no
        await watched.until(lambda table: table.public.hand is not None and table.public.hand.hand_no > hand_no)
        assert watched.table is not None
        assert bots_seated(watched.table) >= 1
