"""Bots at a real house who remember what it acknowledged, and the proofs that none of it was lost."""

import asyncio
import contextlib
import io
import json
import random
from collections import Counter
from uuid import UUID

import httpx
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from clients.python.account import sign_in_as_guest
from clients.python.client import HouseClient
from clients.python.seat_player import SeatPlayer
from clients.python.strategies import Sensible
from fairness.match_checks import verify_match
from fairness.verify import verify_hand
from server.protocol.commands import Command, Declare, Discard, Draw, Drop
from server.protocol.messages import Notice, ServerMessage
from tests.live_house import LiveHouse
from wallet.__main__ import main as wallet_command

LONGEST_HAND_SECONDS = 180
MOVE_SECONDS = 60

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
        self.notices: Counter[str] = Counter()
        """How often each code was heard by anybody."""

    async def fill(self, tables: int | None = None) -> None:
        """Sit down at so many tables, the smallest first; None: at all for practice up to six chairs, matches too."""
        http = await self._stack.enter_async_context(httpx.AsyncClient(timeout=30, trust_env=False))
        found = (await http.get(f"{self._house.url}/api/tables")).json()
        some = [table for table in found if table["practice"] and table["seat_count"] <= 6]
        for table in sorted(some, key=lambda each: each["seat_count"])[:tables]:
            for number in range(table["seat_count"]):
                account = await sign_in_as_guest(http, self._house.url, f"Bot {number}", bot=True)
                await self._seat(account, UUID(table["table_id"]))

    async def _seat(self, account: object, table_id: UUID) -> None:
        seats: list[SeatPlayer] = []

        def hear(message: ServerMessage) -> None:
            if isinstance(message, Notice):
                self.notices[message.code] += 1
            for seat in seats:
                seat.hear(message)

        witness = await self._stack.enter_async_context(Witness(account, hear))
        seats.append(SeatPlayer(witness, table_id, Sensible(), _think))
        await seats[0].sit()
        playing = asyncio.create_task(seats[0].play())
        self._stack.push_async_callback(_cancel, playing)
        self.witnesses.append(witness)

    async def until_moves_are_acknowledged(self, count: int = 1) -> None:
        enough = len(self.acknowledged()) + count
        async with asyncio.timeout(MOVE_SECONDS):
            while len(self.acknowledged()) < enough:
                await asyncio.sleep(0.05)

    async def until_everybody_heard(self, code: str, times: int = 1) -> None:
        async with asyncio.timeout(MOVE_SECONDS):
            while self.notices[code] < times * len(self.witnesses):
                await asyncio.sleep(0.05)

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
    """`python -m wallet check`, in this process: starting another one each time takes longer than the check."""
    with contextlib.redirect_stdout(io.StringIO()) as told:
        code = wallet_command(["--database-url", database_url, "check"])
    assert code == 0, told.getvalue()


async def until_every_running_hand_ended(engine: AsyncEngine) -> None:
    running = await hands(engine, "open")
    async with asyncio.timeout(LONGEST_HAND_SECONDS):
        while running & await hands(engine, "open"):
            await asyncio.sleep(0.2)


async def hands(engine: AsyncEngine, status: str) -> set[UUID]:
    async with engine.connect() as database:
        found = await database.execute(text("SELECT hand_id FROM hands WHERE status = :status"), {"status": status})
        return set(found.scalars())


async def matches(database: AsyncConnection) -> set[UUID]:
    """Those that have ended."""
    return set((await database.execute(text("SELECT match_id FROM matches WHERE status = 'closed'"))).scalars())


async def prove_that_nothing_was_lost(engine: AsyncEngine, url: str, acknowledged: set[Done]) -> int:
    """Every closed hand verifies and ended once in the ledger, and has all that was acknowledged; how much that was."""
    files = await closed_hands(engine, url)
    for file in files:
        report = verify_hand(file)
        assert report.ok, report
    recorded = set().union(*(_moves_of(file) for file in files))
    known = {UUID(file["input"]["terms"]["hand_id"]) for file in files}  # type: ignore[index]
    await _prove_matches(engine, url, files)
    of_closed_hands = {move for move in acknowledged if move[0] in known}
    lost = of_closed_hands - recorded
    assert not lost, f"acknowledged and yet not in the record: {lost}"
    return len(of_closed_hands)


async def _prove_matches(engine: AsyncEngine, url: str, files: list[dict[str, object]]) -> None:
    by_id = {file["input"]["terms"]["hand_id"]: file for file in files}  # type: ignore[index]
    async with engine.connect() as database, httpx.AsyncClient(timeout=30, trust_env=False) as http:
        for match_id in await matches(database):
            match = (await http.get(f"{url}/api/matches/{match_id}")).json()
            report = verify_match(match, [by_id[hand_id] for hand_id in match["hands"]])
            assert report.ok, report


async def closed_hands(engine: AsyncEngine, url: str) -> list[dict[str, object]]:
    closed = await hands(engine, "closed")
    async with engine.connect() as database:
        ends = await database.execute(
            text(
                "SELECT coalesce(hand_id, match_id), count(*) FROM wallet.entries WHERE kind IN ('settle', 'release')"
                " GROUP BY coalesce(hand_id, match_id)"
            )
        )
        in_matches = await database.execute(text("SELECT hand_id FROM hands WHERE rules ? 'match'"))
        paid = closed - set(in_matches.scalars()) | await matches(database)
        assert dict(map(tuple, ends)) == dict.fromkeys(paid, 1)
    async with httpx.AsyncClient(timeout=30, trust_env=False) as http:
        return [json.loads((await http.get(f"{url}/api/hands/{hand_id}")).text) for hand_id in closed]


def _moves_of(file: dict[str, object]) -> set[Done]:
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
