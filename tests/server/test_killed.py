"""SIGKILL at random moments while hands run: what was acknowledged stays, what was started ends, tokens add up.

RUMMY_KILLS says how often the house is killed; RUMMY_KILL_SEED repeats one run.
"""

import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
from uuid import UUID

import httpx
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from clients.python.account import sign_in_as_guest
from clients.python.client import HouseClient
from clients.python.seat_player import SeatPlayer
from clients.python.strategies import Sensible
from fairness.verify import verify_hand
from server.database import create_engine
from server.protocol.commands import Command, Declare, Discard, Draw, Drop
from server.protocol.messages import ServerMessage
from tests.live_house import LiveHouse, OpenHouse

KILLS = int(os.environ.get("RUMMY_KILLS", "3"))
SEED = int(os.environ.get("RUMMY_KILL_SEED", "0")) or random.randrange(1, 2**31)
LONGEST_HAND_SECONDS = 180

Done = tuple[UUID, int, str]


class Witness(HouseClient):
    """Remembers every move that the house acknowledged: hand, turn, and which kind of move."""

    def __init__(self, *given: object) -> None:
        super().__init__(*given)  # type: ignore[arg-type]
        self.acknowledged: list[Done] = []

    async def ask(self, command: Command) -> dict[str, object] | None:
        answer = await super().ask(command)
        if isinstance(command, Draw | Discard | Declare | Drop):
            self.acknowledged.append((command.hand_id, command.turn, command.type))
        return answer


class Seats:
    """Bots on every chair of the house's tables, and what they witnessed."""

    def __init__(self, house: LiveHouse, stack: contextlib.AsyncExitStack) -> None:
        self._house = house
        self._stack = stack
        self.witnesses: list[Witness] = []

    async def fill(self) -> None:
        http = await self._stack.enter_async_context(httpx.AsyncClient(timeout=30, trust_env=False))
        tables = (await http.get(f"{self._house.url}/api/tables")).json()
        for table in tables:
            for number in range(table["seat_count"]):
                account = await sign_in_as_guest(http, self._house.url, f"Bot {number}", bot=True)
                await self._seat(account, UUID(table["table_id"]))

    async def _seat(self, account: object, table_id: UUID) -> None:
        seats: list[SeatPlayer] = []

        def hear(message: ServerMessage) -> None:
            for seat in seats:
                seat.hear(message)

        witness = await self._stack.enter_async_context(Witness(account, hear))
        seats.append(SeatPlayer(witness, table_id, Sensible(), _think))
        await seats[0].sit()
        playing = asyncio.create_task(seats[0].play())
        self._stack.push_async_callback(_cancel, playing)
        self.witnesses.append(witness)

    def acknowledged(self) -> set[Done]:
        moves = [move for witness in self.witnesses for move in witness.acknowledged]
        assert len(moves) == len(set(moves)), "one turn's move was acknowledged twice"
        return set(moves)


async def _think() -> None:
    await asyncio.sleep(random.uniform(0, 0.05))


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def check_wallet(database_url: str) -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "wallet", "check"],
        env={**os.environ, "DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def moves_of(file: dict[str, object]) -> set[Done]:
    """The moves that people made in a hand file, each with its turn, as the bots' commands name them."""
    names = {"draw_stock": "draw", "draw_pile": "draw", "discard": "discard", "declare": "declare", "out": "drop"}
    hand_id = UUID(file["input"]["terms"]["hand_id"])  # type: ignore[index]
    moves: set[Done] = set()
    turn = 1
    for event in file["events"]:  # type: ignore[attr-defined]
        kind = names.get(event["type"])
        if kind is None or event.get("how") in ("left", "missed_turns"):
            continue
        if not event.get("auto"):
            moves.add((hand_id, turn, kind))
        if kind != "draw":
            turn += 1
    return moves


async def until_every_running_hand_ended(engine: AsyncEngine) -> None:
    running = await hands(engine, "open")
    async with asyncio.timeout(LONGEST_HAND_SECONDS):
        while running & await hands(engine, "open"):
            await asyncio.sleep(0.2)


async def hands(engine: AsyncEngine, status: str) -> set[UUID]:
    async with engine.connect() as database:
        found = await database.execute(text("SELECT hand_id FROM hands WHERE status = :status"), {"status": status})
        return set(found.scalars())


async def test_a_house_killed_at_random_moments_loses_nothing(open_house: OpenHouse, database_url: str) -> None:
    print(f"RUMMY_KILL_SEED={SEED}")
    moments = random.Random(SEED)
    house = await asyncio.to_thread(open_house)
    engine = create_engine(database_url)
    async with contextlib.AsyncExitStack() as stack:
        seats = Seats(house, stack)
        await seats.fill()
        for _ in range(KILLS):
            await asyncio.sleep(moments.uniform(0.2, 2.5))
            await asyncio.to_thread(house.kill)
            await asyncio.to_thread(house.start)
            await asyncio.to_thread(check_wallet, database_url)
        await until_every_running_hand_ended(engine)
        acknowledged = seats.acknowledged()

    await asyncio.to_thread(check_wallet, database_url)
    files = await closed_hands(engine, house.url)
    await engine.dispose()
    for file in files:
        report = verify_hand(file)
        assert report.ok, report
    recorded = set().union(*(moves_of(file) for file in files))
    known = {UUID(file["input"]["terms"]["hand_id"]) for file in files}  # type: ignore[index]
    lost = {move for move in acknowledged if move[0] in known} - recorded
    assert not lost, f"acknowledged and yet not in the record: {lost}"
    assert len([move for move in acknowledged if move[0] in known]) > 100


async def closed_hands(engine: AsyncEngine, url: str) -> list[dict[str, object]]:
    """The files of all closed hands; each hand ended once, in the ledger too."""
    closed = await hands(engine, "closed")
    async with engine.connect() as database:
        ends = await database.execute(
            text("SELECT hand_id, count(*) FROM wallet.entries WHERE kind IN ('settle', 'release') GROUP BY hand_id")
        )
        assert dict(map(tuple, ends)) == dict.fromkeys(closed, 1)
    async with httpx.AsyncClient(timeout=30, trust_env=False) as http:
        return [json.loads((await http.get(f"{url}/api/hands/{hand_id}")).text) for hand_id in closed]
