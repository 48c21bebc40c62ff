"""Fill tables with bots, play whole hands, and print one JSON line per hand.

python -m clients.bot --url http://127.0.0.1:8000 --tables 3 --hands 5
python -m clients.bot --strength mixed
python -m clients.bot --tables 1 --format pool_101 --matches 2
"""

import argparse
import asyncio
import contextlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, get_args
from uuid import UUID

import httpx

from clients.match_counter import MatchCounter, match_line
from clients.python.account import SignInRefused, sign_in_as_guest
from clients.python.bot import Bot
from clients.python.client import CommandRefused, SignedOut
from clients.python.fair_seat import HouseBrokeItsWord
from clients.python.strategies import Strength, strategy_of
from server.protocol.messages import ErrorCode, FormatWord, ResultView, Table, TableSummary

_LIST: Final = "/api/tables"

POINTS: Final = "points"
FORMATS: Final = get_args(FormatWord)

MIXED: Final = "mixed"
"""Every strength in turn along the chairs of a table."""

Report = Callable[[TableSummary, ResultView], None]


def summary_line(table: TableSummary, result: ResultView) -> dict[str, Any]:
    """One ended hand: who won, what each seat counted and got, and how it ended."""
    return {
        "hand_id": str(result.hand_id),
        "table": table.name,
        "seats": table.seat_count,
        "hand_no": result.hand_no,
        "ended": result.outcome,
        "void_reason": result.void_reason,
        "winner": result.winner,
        "points": {str(line.seat): line.points for line in result.lines},
        "tokens": {str(line.seat): line.delta for line in result.lines},
        "commission": result.commission,
        "asset": table.asset,
    }


def _ignore(_: Table) -> None:
    """Only one of a table's bots reports its hands."""


class HandCounter:
    """Reports each ended hand of one table once, and knows when enough were played."""

    def __init__(self, hands: int, report: Report) -> None:
        self._hands = hands
        self._report = report
        self._seen: set[UUID] = set()
        self._old: UUID | None = None
        self._first = True
        self.enough = asyncio.Event()

    def wants_more(self) -> bool:
        return not self.enough.is_set()

    def hear(self, table: Table) -> None:
        result = table.public.result
        if self._first:
            # The result of a hand that ended before we came is not ours to report.
            self._first = False
            self._old = None if result is None else result.hand_id
        if result is None or result.hand_id == self._old or result.hand_id in self._seen or self.enough.is_set():
            return
        self._seen.add(result.hand_id)
        self._report(table.public.table, result)
        if len(self._seen) == self._hands:
            self.enough.set()


def choose_tables(tables: list[TableSummary], count: int, format_: str = POINTS) -> list[TableSummary]:
    """The emptiest practice tables of this format with room for two, as many different sizes as there are."""
    open_tables = sorted(
        (
            table
            for table in tables
            if table.practice and table.rules.format == format_ and table.seat_count - table.seated >= 2
        ),
        key=lambda table: (table.seated, table.seat_count),
    )
    chosen: list[TableSummary] = []
    while open_tables and len(chosen) < count:
        sizes = {table.seat_count for table in chosen[len(chosen) // 3 * 3 :]}
        pick = next((table for table in open_tables if table.seat_count not in sizes), open_tables[0])
        open_tables.remove(pick)
        chosen.append(pick)
    return chosen


async def play_table(
    http: httpx.AsyncClient,
    url: str,
    table: TableSummary,
    counter: HandCounter | MatchCounter,
    strengths: Sequence[Strength],
) -> None:
    """Seat a bot on every free chair, of one strength after the other, and stay until enough was played."""
    async with contextlib.AsyncExitStack() as stack:
        bots = [
            await stack.enter_async_context(await _bot(http, url, table, number, strengths[number % len(strengths)]))
            for number in range(table.seat_count - table.seated)
        ]
        for bot in bots:
            try:
                await bot.sit(table.table_id, counter.hear if bot is bots[0] else _ignore, counter.wants_more)
            except CommandRefused as refusal:
                if refusal.code is not ErrorCode.TABLE_FULL:
                    raise
        await counter.enough.wait()
        for bot in bots:
            if table.table_id in bot.tables:
                await bot.leave(table.table_id)


async def _bot(http: httpx.AsyncClient, url: str, table: TableSummary, number: int, strength: Strength) -> Bot:
    account = await sign_in_as_guest(http, url, f"Bot {table.seat_count}-{number + 1} ({strength})", bot=True)
    return Bot(http, account, strategy_of(strength, seed=number))


async def run(
    url: str, tables: int, hands: int, strengths: Sequence[Strength], format_: str = POINTS, matches: int = 1
) -> int:
    async with httpx.AsyncClient(timeout=30, trust_env=False) as http:
        response = await http.get(url + _LIST)
        response.raise_for_status()
        chosen = choose_tables([TableSummary.model_validate(each) for each in response.json()], tables, format_)
        if len(chosen) < tables:
            print(f"{url} has room on {len(chosen)} practice tables; {tables} were asked for", file=sys.stderr)
            return 1

        def counter() -> HandCounter | MatchCounter:
            if format_ == POINTS:
                return HandCounter(hands, lambda table, result: _print(summary_line(table, result)))
            return MatchCounter(matches, lambda table, match: _print(match_line(table, match)))

        async with asyncio.TaskGroup() as group:
            for table in chosen:
                group.create_task(play_table(http, url, table, counter(), strengths))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m clients.bot", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the house is (default: %(default)s)")
    parser.add_argument("--tables", type=_positive, default=3, help="how many tables to fill (default: %(default)s)")
    parser.add_argument("--hands", type=_positive, default=5, help="whole hands per table (default: %(default)s)")
    parser.add_argument("--format", choices=FORMATS, default=POINTS, help="of the tables (default: %(default)s)")
    parser.add_argument("--matches", type=_positive, default=1, help="of another format than points (default: 1)")
    parser.add_argument(
        "--strength",
        choices=[*Strength, MIXED],
        default=Strength.MIDDLE.value,
        help="how well the bots play (default: %(default)s)",
    )
    options = parser.parse_args()
    strengths = tuple(Strength) if options.strength == MIXED else (Strength(options.strength),)
    try:
        return asyncio.run(
            run(options.url.rstrip("/"), options.tables, options.hands, strengths, options.format, options.matches)
        )
    except* (httpx.HTTPError, SignInRefused, SignedOut, CommandRefused, HouseBrokeItsWord) as faults:
        for words in dict.fromkeys(str(fault) for fault in _leaves(faults)):
            print(f"{options.url}: {words}", file=sys.stderr)
    return 1


def _print(line: dict[str, Any]) -> None:
    print(json.dumps(line), flush=True)


def _leaves(group: BaseExceptionGroup[BaseException]) -> Iterator[BaseException]:
    for fault in group.exceptions:
        if isinstance(fault, BaseExceptionGroup):
            yield from _leaves(fault)
        else:
            yield fault


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


if __name__ == "__main__":
    sys.exit(main())
