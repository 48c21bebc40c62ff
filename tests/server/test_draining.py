"""SIGTERM under a real house: no new hand, running ones end or stand still, sockets hear why and close with 1012."""

import asyncio
import json
import time
from typing import Any
from uuid import UUID

import httpx

from clients.python.account import sign_in_as_guest
from clients.python.bot import Bot
from clients.python.strategies import Strength, strategy_of
from server.protocol.messages import Notice, ServerMessage, Table
from tests.live_house import LiveHouse, OpenHouse
from tests.server.test_socket import close_code, greeted

NEVER_ENDS_MS = 600_000


class Seat:
    """A bot that keeps what it hears, and waits for it."""

    def __init__(self) -> None:
        self.heard: list[ServerMessage] = []
        self._news = asyncio.Event()

    def hear(self, message: ServerMessage) -> None:
        self.heard.append(message)
        self._news.set()

    async def until_phase(self, phase: str) -> Table:
        async with asyncio.timeout(30):
            while True:
                tables = [message for message in self.heard if isinstance(message, Table)]
                if tables and tables[-1].public.phase == phase:
                    return tables[-1]
                self._news.clear()
                await self._news.wait()


def first_table(house: LiveHouse) -> UUID:
    return UUID(httpx.get(f"{house.url}/api/tables", trust_env=False).json()[0]["table_id"])


def ready(house: LiveHouse) -> tuple[int, Any]:
    answer = httpx.get(f"{house.url}/readyz", trust_env=False)
    return answer.status_code, answer.json()


def scrape(house: LiveHouse, bearer: str) -> int:
    headers = {"authorization": bearer, "x-forwarded-for": "192.0.2.1"}
    return httpx.get(f"{house.url}/metrics", headers=headers, trust_env=False).status_code


async def test_a_running_hand_may_end_and_no_new_one_begins(open_house: OpenHouse) -> None:
    house = open_house(RUMMY_DRAIN_MS="30000", RUMMY_METRICS_TOKEN="scrape-me", RUMMY_PRACTICE_BOTS="1")
    assert [scrape(house, bearer) for bearer in ("", "Bearer wrong", "Bearer scrape-me")] == [404, 404, 200]
    table_id = first_table(house)
    seat = Seat()
    async with httpx.AsyncClient(trust_env=False) as http, greeted(house) as bystander:
        accounts = [await sign_in_as_guest(http, house.url, f"Bot {number}", bot=True) for number in range(2)]
        strategy = strategy_of(Strength.WEAK, 1)
        async with (
            Bot(http, accounts[0], strategy, on_message=seat.hear) as one,
            Bot(http, accounts[1], strategy) as two,
        ):
            await one.sit(table_id)
            await two.sit(table_id)
            hand = (await seat.until_phase("playing")).public.hand
            assert hand is not None
            house.ask_to_stop()
            result = (await seat.until_phase("result")).public.result
            assert result is not None
            assert result.hand_id == hand.hand_id
            assert house.wait() == 0
    notices = [message for message in seat.heard if isinstance(message, Notice) and message.code == "draining"]
    assert notices[0].table_id is None
    assert notices[0].until_ms is not None
    assert await close_code(bystander) == 1012
    assert "ended with" not in house.log.read_text()


async def test_what_still_runs_stands_still_and_a_second_signal_ends_the_wait(open_house: OpenHouse) -> None:
    house = open_house(RUMMY_DRAIN_MS=str(NEVER_ENDS_MS))
    table_id = first_table(house)
    async with asyncio.timeout(60), greeted(house) as one, greeted(house) as two:
        for player in (one, two):
            await player.send(json.dumps({"type": "sit", "id": "s", "table_id": str(table_id)}))
        hand_id = None
        while hand_id is None:
            message = json.loads(await one.recv())
            hand = message["public"]["hand"] if message["type"] == "table" else None
            hand_id = None if hand is None else hand["hand_id"]
        house.ask_to_stop()
        while message["type"] != "notice":
            message = json.loads(await one.recv())
        assert (message["code"], message["until_ms"] > time.time_ns() // 1_000_000) == ("draining", True)
        assert ready(house)[0] == 503
        assert ready(house)[1]["error"]["code"] == "draining"
        house.ask_to_stop()
        assert await close_code(one) == 1012
        assert house.wait() == 0
    house.start()
    async with asyncio.timeout(30), greeted(house) as watcher:
        await watcher.send(json.dumps({"type": "watch_table", "id": "w", "table_id": str(table_id)}))
        table = json.loads(await watcher.recv())
        assert (table["public"]["hand"]["hand_id"], table["epoch"] > 1) == (hand_id, True)
    house.kill()
