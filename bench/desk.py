"""How long the desk's pages take on a house with a past: each page's own query, five times, the slowest counts.

    python -m bench.desk --hands 100000                    # seeds a house of its own first, which takes some minutes
    RUMMY_DATA_DIR=data python -m bench.desk               # on the house in that folder, which must not run

A page as it opens has 500 ms; exits 1 when one takes longer. Figures over a whole history are shown beside, without a
limit: they read all of it.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.database import create_engine, migrate
from server.house_folder import database_of, only_house_of
from server.operator.acts import newest_acts
from server.operator.figures import DAY_MS, FigureFilter, StepLength
from server.operator.hand_page import hand_page
from server.operator.integrity.cases import cases_page
from server.operator.integrity.counting import count_next
from server.operator.integrity.reading import SignalFilter, signals_page
from server.operator.integrity.signals import assess
from server.operator.players import player_page, players_page
from server.operator.reading import reading
from server.operator.reports import day_report
from server.operator.settlements import HandCursor, HandFilter, settlements
from server.operator.today import live_now, today
from server.seeding.history import seed_history, tidy
from server.seeding.plan import HistoryPlan
from server.settings import Settings
from wallet import verbs
from wallet.accounts import Asset

MOST_MS: Final = 500
TIMES: Final = 5
PAGE: Final = 50
_WHOLE: Final = "whole history"

Page = Callable[[AsyncConnection], Awaitable[Any]]


async def pages(engine: AsyncEngine) -> dict[str, Page]:
    """Every page as it opens, and its heaviest filters."""
    async with reading(engine) as connection:
        row = (
            await connection.execute(
                text("SELECT count(*), min(closed_ms), max(closed_ms) FROM hands WHERE status = 'closed'")
            )
        ).one()
        hands, first_ms, last_ms = row
        middle = HandCursor((first_ms + last_ms) // 2, (await _any(connection, "hand_id", "hands")))
        busiest = (
            await connection.execute(
                text("SELECT player_id FROM hand_players GROUP BY player_id ORDER BY count(*) DESC LIMIT 1")
            )
        ).scalar_one()
        table_id = await _any(connection, "table_id", "hands")
    print(f"{hands:,} hands in {(last_ms - first_ms) / DAY_MS:.0f} days")
    now_ms = last_ms + 1
    whole = FigureFilter(first_ms, now_ms, Asset.HT)
    one_day = FigureFilter(now_ms - DAY_MS, now_ms, Asset.HT)
    day = datetime.fromtimestamp((first_ms + DAY_MS) / 1000, UTC).date()

    def found(wanted: HandFilter, before: HandCursor | None = None) -> Page:
        return lambda connection: settlements(connection, wanted, before, PAGE)

    def figures(wanted: FigureFilter, step: StepLength) -> Page:
        async def ask(connection: AsyncConnection) -> None:
            await today(connection, await live_now(connection, now_ms, [], [], 0, False), wanted, step, 330)

        return ask

    return {
        "today": figures(one_day, StepLength.HOUR),
        "today, one table": figures(
            FigureFilter(now_ms - DAY_MS, now_ms, Asset.HT, table_id=table_id), StepLength.HOUR
        ),
        "seven days by the hour": figures(FigureFilter(now_ms - 7 * DAY_MS, now_ms, Asset.HT), StepLength.HOUR),
        "whole history by the day": figures(whole, StepLength.DAY),
        "whole history at one rate": figures(FigureFilter(first_ms, now_ms, Asset.HT, rate=100), StepLength.DAY),
        "settlements": found(HandFilter()),
        "settlements, a page in the middle": found(HandFilter(), middle),
        "settlements of the busiest player": found(HandFilter(player=str(busiest))),
        "settlements by a name": found(HandFilter(player="asha")),
        "settlements of a table": found(HandFilter(table=str(table_id))),
        "settlements by a rare amount": found(HandFilter(least_units=12_345, most_units=12_346)),
        "settlements of one day": found(HandFilter(from_ms=first_ms + DAY_MS, to_ms=first_ms + 2 * DAY_MS)),
        "settlements, void": found(HandFilter(outcome="void")),
        "a hand": lambda connection: hand_page(connection, middle.hand_id),
        "players": lambda connection: players_page(connection, None, None, PAGE, now_ms),
        "players by a name": lambda connection: players_page(connection, "pri", None, PAGE, now_ms),
        "a player": lambda connection: player_page(connection, busiest, now_ms),
        "a player's statement": lambda connection: verbs.statement(connection, busiest, Asset.HT),
        "an old day's report": lambda connection: day_report(connection, day, 330, now_ms),
        "signals": lambda connection: signals_page(connection, SignalFilter(), 0, PAGE),
        "cases": lambda connection: cases_page(connection, None, 0, PAGE),
        "audit log": lambda connection: newest_acts(connection, 2**62, PAGE),
    }


async def measure(engine: AsyncEngine) -> dict[str, float]:
    """The slowest of each page, in milliseconds."""
    slowest: dict[str, float] = {}
    for name, ask in (await pages(engine)).items():
        took = []
        for _ in range(TIMES):
            began = time.perf_counter()
            async with reading(engine) as connection:
                await ask(connection)
            took.append((time.perf_counter() - began) * 1000)
        slowest[name] = max(took[1:])
        print(f"{name:36} {sorted(took)[TIMES // 2]:7.1f} ms, slowest {slowest[name]:7.1f}, first {took[0]:7.1f}")
    return slowest


async def _any(connection: AsyncConnection, column: str, table: str) -> Any:
    return (await connection.execute(text(f"SELECT {column} FROM {table} OFFSET 7 LIMIT 1"))).scalar_one()


async def run(url: str, seeded: HistoryPlan | None, keys_path: Path) -> int:
    await migrate(url)
    engine = create_engine(url, connections=2)
    try:
        if seeded is not None:
            await _seed(engine, url, seeded, keys_path)
        measured = await measure(engine)
    finally:
        await engine.dispose()
    slow = {name: ms for name, ms in measured.items() if ms > MOST_MS and not name.startswith(_WHOLE)}
    for name, ms in slow.items():
        print(f"{name}: {ms:.0f} ms, more than {MOST_MS}", file=sys.stderr)
    print(json.dumps({"pages": len(measured), "slowest_ms": round(max(measured.values())), "over": len(slow)}))
    return 1 if slow else 0


async def _seed(engine: AsyncEngine, url: str, plan: HistoryPlan, keys_path: Path) -> None:
    began = time.monotonic()
    seeded = await seed_history(engine, plan, keys_path)
    print(
        f"seeded {seeded.hands:,} hands with {seeded.events:,} events in {time.monotonic() - began:.0f} s", flush=True
    )
    began = time.monotonic()
    async with engine.begin() as connection:
        while (await count_next(connection, plan.from_ms)).hands:
            pass
        await assess(connection, plan.from_ms)
    print(f"looked through all of it for integrity in {time.monotonic() - began:.0f} s", flush=True)
    await tidy(url)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.desk", description="Time the desk's pages.")
    parser.add_argument(
        "--hands", type=int, help="seed a house of its own with so many; else measure the settings' one"
    )
    hands: int | None = parser.parse_args().hands
    if hands is None:
        return _measure(Settings(), None)
    plan = HistoryPlan(hands, min(2_000, max(200, hands // 20)), 30, 1_800_000_000_000, 1)
    with tempfile.TemporaryDirectory(prefix="rummy-desk-", ignore_cleanup_errors=True) as folder:
        own = {"data_dir": Path(folder), "keys_dir": None, "database_url": None}
        return _measure(Settings().model_copy(update=own), plan)


def _measure(settings: Settings, seeded: HistoryPlan | None) -> int:
    with only_house_of(settings.data_dir), database_of(settings) as url:
        return asyncio.run(run(url, seeded, settings.keys_path))


if __name__ == "__main__":
    sys.exit(main())
