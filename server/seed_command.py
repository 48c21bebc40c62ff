"""`python -m server seed-history`: a house with a past, to see the desk's pages full and to measure them.

Every hand of it is really played, and stored with its events, its proof and its tokens as a house stores them: `wallet
check` and the verifier find nothing wrong. Only for a house in which nothing was played yet.
"""

import argparse
import asyncio
import time

from server.database import create_engine, migrate
from server.house_folder import database_of, only_house_of
from server.seeding.history import HasHistory, KeysTooYoung, Seeded, seed_history, tidy
from server.seeding.plan import DAY_MS, HOUR_MS, HistoryPlan
from server.settings import Settings


class CannotSeed(Exception):
    """The message is one line that says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--hands", type=_count, default=100_000)
    parser.add_argument("--players", type=_count, default=2_000)
    parser.add_argument("--days", type=_count, default=30, help="how many days back the history begins")
    parser.add_argument("--seed", type=int, default=1)


def run(arguments: argparse.Namespace, settings: Settings) -> str:
    """Seed the house of these settings; returns what to print. Raises CannotSeed, FolderInUse, NoDatabase."""
    now_ms = time.time_ns() // 1_000_000
    # Up to now, so that the desk's own day is not empty.
    from_ms = now_ms // HOUR_MS * HOUR_MS - arguments.days * DAY_MS
    plan = HistoryPlan(arguments.hands, arguments.players, arguments.days, from_ms, arguments.seed)
    began = time.monotonic()
    with only_house_of(settings.data_dir), database_of(settings) as url:
        try:
            seeded = asyncio.run(_seed(url, plan, settings))
        except (HasHistory, KeysTooYoung, ValueError) as reason:
            raise CannotSeed(str(reason)) from None
    seconds = time.monotonic() - began
    return f"{seeded.hands:,} hands with {seeded.events:,} events in {seconds:.0f} s"


async def _seed(url: str, plan: HistoryPlan, settings: Settings) -> Seeded:
    await migrate(url)
    engine = create_engine(url, connections=2)
    try:
        seeded = await seed_history(
            engine, plan, settings.keys_path, lambda hands: print(f"\r{hands:,} hands", end="", flush=True)
        )
    finally:
        await engine.dispose()
    print()
    await tidy(url)
    return seeded


def _count(written: str) -> int:
    count = int(written)
    if count < 1:
        raise argparse.ArgumentTypeError("1 or more")
    return count
