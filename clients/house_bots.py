"""The house's practice bots: they fill the practice tables where a person sits, and leave when no person is left.

    python -m clients.house_bots --url http://127.0.0.1:8000 --bots 12 --accounts data/bots.json

One chair stays free at tables of more than four, so that a second person can always join. They play in three
strengths, and each wears its own in its name.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import UUID

import httpx

from clients.python.account import Account, sign_in_as_guest
from clients.python.bot import Bot
from clients.python.client import CommandRefused, HouseClient
from clients.python.strategies import Strength, strategy_of
from server.protocol.commands import WatchLobby
from server.protocol.messages import Lobby, LobbyTable, LobbyTableClosed, ServerMessage, Table, TableSummary

_NAMES: Final = (
    "Asha", "Bimal", "Chitra", "Dipak", "Esha", "Faiz", "Gita", "Hari", "Indu", "Jatin", "Kavya", "Lalit",
    "Mira", "Naren", "Ojas", "Piya", "Rafi", "Sona", "Tara", "Uday", "Vani", "Waris", "Yash", "Zoya",
)  # fmt: skip
_SETTLE_SECONDS: Final = 0.4


def wanted_bots(table: TableSummary) -> int:
    """How many bots a table should have now, for the people who sit there."""
    people = table.seated - table.bots
    if not table.practice or people == 0:
        return 0
    spare = 1 if table.seat_count > 4 else 0
    return max(0, table.seat_count - people - spare)


class Hosts:
    """Keeps every practice table at the number of bots it wants, one change at a time."""

    def __init__(self) -> None:
        self._tables: dict[UUID, TableSummary] = {}
        self._bots: list[Bot] = []
        self._changed = asyncio.Event()

    def hear(self, message: ServerMessage) -> None:
        """News of the lobby, and of the tables where bots sit."""
        match message:
            case Lobby():
                self._tables = {table.table_id: table for table in message.tables}
            case LobbyTable():
                self._tables[message.table.table_id] = message.table
            case LobbyTableClosed():
                self._tables.pop(message.table_id, None)
            case Table():
                pass
            case _:
                return
        self._changed.set()

    async def run(self, bots: list[Bot]) -> None:
        self._bots = bots
        while True:
            await self._changed.wait()
            self._changed.clear()
            for table in tuple(self._tables.values()):
                await self._adjust(table)

    async def _adjust(self, table: TableSummary) -> None:
        table_id = table.table_id
        for bot in [bot for bot in self._bots if table_id in bot.tables and not bot.seated(table_id)]:
            await bot.forget(table_id)
        seated = [bot for bot in self._bots if bot.seated(table_id)]
        staying = [bot for bot in seated if not bot.leaving(table_id)]
        wanted = wanted_bots(table)
        if wanted == 0:
            for bot in staying:
                await bot.leave(table_id)
            return
        for bot in _first(wanted - len(staying), iter([bot for bot in seated if bot.leaving(table_id)])):
            with contextlib.suppress(CommandRefused):
                await bot.stay(table_id)
        idle = iter([bot for bot in self._bots if not bot.tables])
        for bot in _first(wanted - len(seated), idle):
            # People see chairs fill one by one, as they would with people.
            await asyncio.sleep(_SETTLE_SECONDS)
            with contextlib.suppress(CommandRefused):
                await bot.sit(table_id)


def _first(count: int, bots: Iterator[Bot]) -> Iterator[Bot]:
    for _, bot in zip(range(count), bots, strict=False):
        yield bot


@dataclass(frozen=True, slots=True)
class PracticeBot:
    account: Account
    strength: Strength


async def load_bots(http: httpx.AsyncClient, url: str, count: int, file: Path) -> list[PracticeBot]:
    """The bots of earlier runs that the house still knows, and new ones for the rest; kept in `file`.

    A bot whose strength was not written down is from the time when all of them played the middle one.
    """
    stored = json.loads(file.read_text()) if file.exists() else []
    bots = [
        PracticeBot(
            Account(url, UUID(each["player_id"]), each["name"], each["token"]),
            Strength(each.get("strength", Strength.MIDDLE)),
        )
        for each in stored
    ]
    known = [bot for bot in bots[:count] if await _still_known(http, bot.account)]
    for number in range(len(known), count):
        known.append(await _new_bot(http, url, number))
    kept = [
        {
            "player_id": str(bot.account.player_id),
            "name": bot.account.name,
            "token": bot.account.token,
            "strength": bot.strength,
        }
        for bot in known
    ]
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as out:
        json.dump(kept, out)
    return known


async def _new_bot(http: httpx.AsyncClient, url: str, number: int) -> PracticeBot:
    strength = list(Strength)[number % len(Strength)]
    name = f"{_NAMES[number % len(_NAMES)]} {strength} (bot)"
    return PracticeBot(await sign_in_as_guest(http, url, name, bot=True), strength)


async def _still_known(http: httpx.AsyncClient, account: Account) -> bool:
    response = await http.get(f"{account.url}/api/me", headers=account.headers)
    return response.status_code == httpx.codes.OK


async def run(url: str, count: int, file: Path, think_ms: tuple[int, int]) -> None:
    async with httpx.AsyncClient(timeout=30, trust_env=False) as http, contextlib.AsyncExitStack() as stack:
        practice = await load_bots(http, url, count, file)
        hosts = Hosts()
        bots = [
            await stack.enter_async_context(
                Bot(http, each.account, strategy_of(each.strength, number), think_ms, hosts.hear)
            )
            for number, each in enumerate(practice)
        ]
        scout = await stack.enter_async_context(HouseClient(practice[0].account, hosts.hear))
        await scout.ask(WatchLobby(type="watch_lobby", id=scout.new_id()))
        await hosts.run(bots)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m clients.house_bots")
    parser.add_argument("--url", default="http://127.0.0.1:8000")
    parser.add_argument("--bots", type=int, default=12)
    parser.add_argument("--accounts", type=Path, default=Path("data/bots.json"))
    parser.add_argument("--think-ms", type=int, nargs=2, default=(700, 2_200), metavar=("FROM", "TO"))
    parser.add_argument("--until-stdin-closes", action="store_true", help="end with the process that started this one")
    options = parser.parse_args()
    if options.until_stdin_closes:
        # Whoever started us says when to stop; a signal to all its processes is not meant for us.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    low, high = options.think_ms
    playing = run(options.url.rstrip("/"), options.bots, options.accounts, (low, high))
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_main(playing, options.until_stdin_closes))


async def _main(playing: Coroutine[None, None, None], until_stdin_closes: bool) -> None:
    tasks = {asyncio.create_task(playing)}
    if until_stdin_closes:
        tasks.add(asyncio.create_task(_stdin_closed()))
    done, running = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    for task in done:
        task.result()


async def _stdin_closed() -> None:
    reader = asyncio.StreamReader()
    protocol = asyncio.StreamReaderProtocol(reader)
    await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
    await reader.read()


if __name__ == "__main__":
    main()
