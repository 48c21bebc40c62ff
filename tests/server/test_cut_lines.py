"""Many tables while every connection is cut again and again: every hand ends, none is stuck, all settle.

RUMMY_CUT_HANDS and RUMMY_CUT_TABLES say how much is played.
"""

import asyncio
import contextlib
import os
import random
from dataclasses import replace
from typing import Final
from uuid import UUID, uuid4

import httpx
from sqlalchemy.ext.asyncio import AsyncEngine

from clients.python.account import sign_in_as_guest
from clients.python.client import HouseClient
from clients.python.seat_player import SeatPlayer
from clients.python.strategies import Sensible
from fairness.verify import verify_hand
from rummy.rules import TableRules
from server.database import create_engine
from server.eventlog import queries
from server.protocol.messages import ServerMessage
from server.tables.ports import TableConfig
from tests.line import bad_line
from tests.live_house import OpenHouse
from tests.server.witnesses import check_wallet, closed_hands, hands

HANDS: Final = int(os.environ.get("RUMMY_CUT_HANDS", "6"))
TABLES: Final = int(os.environ.get("RUMMY_CUT_TABLES", "3"))
SECONDS_OF_A_CONNECTION: Final = (0.5, 4.0)
SECONDS_A_HAND: Final = 60
"""Of quiet, in which no hand ends: then something is stuck. A turn that nobody plays takes ten."""
VERIFIED: Final = 20


def quick_table(number: int) -> TableConfig:
    rules = TableRules(4, turn_seconds=5, time_bank_seconds=5)
    return TableConfig(uuid4(), f"Table {number}", "PT", True, 100, 500, rules)


class Crowd:
    """Three bots at every table, each on a line of its own that breaks every few seconds."""

    def __init__(self, stack: contextlib.AsyncExitStack, house_url: str, line_url: str) -> None:
        self._stack = stack
        self._house_url = house_url
        self._line_url = line_url
        self._seats: list[SeatPlayer] = []

    async def sit(self, table_id: UUID) -> None:
        for number in range(3):
            async with httpx.AsyncClient(timeout=30, trust_env=False) as http:
                signed_in = await sign_in_as_guest(http, self._house_url, f"Bot {number}", bot=True)
            account = replace(signed_in, url=self._line_url)
            heard: list[SeatPlayer] = []

            def hear(message: ServerMessage, heard: list[SeatPlayer] = heard) -> None:
                for seat in heard:
                    seat.hear(message)

            client = await self._stack.enter_async_context(HouseClient(account, hear))
            seat = SeatPlayer(client, table_id, Sensible(), _think)
            heard.append(seat)
            await seat.sit()
            playing = asyncio.create_task(seat.play())
            self._stack.push_async_callback(_cancel, playing)
            self._seats.append(seat)

    async def leave(self) -> None:
        await asyncio.gather(*(seat.leave() for seat in self._seats))


async def _think() -> None:
    await asyncio.sleep(0.02)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def until_ended(engine: AsyncEngine, wanted: int) -> None:
    """Until so many hands have ended; fails when none has for too long."""
    loop = asyncio.get_running_loop()
    ended, quiet_since = 0, loop.time()
    while ended < wanted:
        now = len(await hands(engine, "closed"))
        if now > ended:
            ended, quiet_since = now, loop.time()
        assert loop.time() - quiet_since < SECONDS_A_HAND, f"{ended} hands ended, then none for {SECONDS_A_HAND} s"
        await asyncio.sleep(0.2)


async def until_nothing_runs(engine: AsyncEngine) -> None:
    async with asyncio.timeout(2 * SECONDS_A_HAND):
        while await hands(engine, "open"):
            await asyncio.sleep(0.2)


async def test_every_hand_ends_and_settles_while_all_lines_break(open_house: OpenHouse, database_url: str) -> None:
    engine = create_engine(database_url)
    tables = [quick_table(number) for number in range(TABLES)]
    async with engine.begin() as connection:
        for table in tables:
            await queries.create_table(connection, table, 1)
    house = await asyncio.to_thread(open_house)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(engine.dispose)
        line = await stack.enter_async_context(bad_line(house.port, lambda: random.uniform(*SECONDS_OF_A_CONNECTION)))
        crowd = Crowd(stack, house.url, line.url)
        for table in tables:
            await crowd.sit(table.table_id)
        await until_ended(engine, HANDS)
        await crowd.leave()
        await until_nothing_runs(engine)

        await asyncio.to_thread(check_wallet, database_url)
        files = await closed_hands(engine, house.url)
        print(f"{len(files)} hands on {TABLES} tables ended while {line.cuts} connections were cut")
        assert len(files) >= HANDS
        assert line.cuts >= HANDS
        for file in random.sample(files, min(VERIFIED, len(files))):
            report = verify_hand(file)
            assert report.ok, report
