"""Thirty-two connections settle hands of overlapping players at once, against a real PostgreSQL.

No deadlock surfaces, and afterwards every balance equals what the hand results alone say it must be. The whole storm
of the acceptance test is RUMMY_STORM_HANDS=10000; the tests run a shorter one.
"""

import asyncio
import os
import random
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.database import create_engine
from wallet.accounts import Asset
from wallet.check import FindingCode, check
from wallet.contests import of_hand
from wallet.transactions import in_transaction
from wallet.verbs import (
    HoldRequest,
    Release,
    Settlement,
    balances,
    grant,
    hold_many,
    lock_contests,
    open_accounts,
    open_holds,
    release_many,
    settle_many,
    trial_balance,
)

HANDS = int(os.environ.get("RUMMY_STORM_HANDS", "1500"))
CONNECTIONS = 32
PLAYERS = 60
SEATS = 6
HELD = 13_000
START = 10**9
LARGEST_GROUP = 8


@dataclass(frozen=True, slots=True)
class Hand:
    hold: HoldRequest
    end: Settlement | Release


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(database_url, CONNECTIONS)
    yield engine
    await engine.dispose()


def deal(players: list[UUID], rng: random.Random) -> Hand:
    """A hand with its result: nineteen of twenty are won, the others are void."""
    hand_id, table_id = UUID(int=rng.getrandbits(128)), UUID(int=rng.getrandbits(128))
    winner, *losers = rng.sample(players, SEATS)
    hold = HoldRequest(of_hand(hand_id), table_id, Asset.HT, tuple((player, HELD) for player in (winner, *losers)), 1)
    if rng.random() < 0.05:
        return Hand(hold, Release(of_hand(hand_id), "void", 2))
    lost = [(player, -100 * rng.randint(0, 130)) for player in losers]
    win = -sum(delta for _, delta in lost)
    commission = win * 500 // 10_000
    return Hand(
        hold, Settlement(of_hand(hand_id), table_id, Asset.HT, ((winner, win - commission), *lost), commission, 2)
    )


async def play(engine: AsyncEngine, hands: list[Hand], rng: random.Random) -> None:
    """Hold for a group and end it; now and then do the same again, as a server does that never heard the answer."""
    settlements = [hand.end for hand in hands if isinstance(hand.end, Settlement)]
    releases = [hand.end for hand in hands if isinstance(hand.end, Release)]

    async def end(connection: AsyncConnection) -> None:
        await lock_contests(connection, [*settlements, *releases])
        await settle_many(connection, settlements)
        await release_many(connection, releases)

    for _ in range(2 if rng.random() < 0.1 else 1):
        await in_transaction(engine, lambda c: hold_many(c, [hand.hold for hand in hands]))
    for _ in range(2 if rng.random() < 0.1 else 1):
        await in_transaction(engine, end)


async def test_a_storm_of_settlements_leaves_the_ledger_true(engine: AsyncEngine, admin: AsyncEngine) -> None:
    rng = random.Random(20)
    players = [UUID(int=rng.getrandbits(128)) for _ in range(PLAYERS)]

    async def arrive(connection: AsyncConnection) -> None:
        for player in players:
            await open_accounts(connection, player)
            await grant(connection, str(player), player, Asset.HT, START, "start", 0)

    await in_transaction(engine, arrive)
    hands = [deal(players, rng) for _ in range(HANDS)]
    waiting = list(reversed(hands))

    async def worker(own: random.Random) -> None:
        while waiting:
            group = [waiting.pop() for _ in range(min(own.randint(1, LARGEST_GROUP), len(waiting)))]
            await play(engine, group, own)

    async with asyncio.TaskGroup() as workers:
        for number in range(CONNECTIONS):
            workers.create_task(worker(random.Random(number)))
        while waiting:  # an auditor looks in while it blows
            async with admin.connect() as connection:
                found = {finding.code for finding in (await check(connection)).findings}
            assert found <= {FindingCode.HOLD_OUTLIVED}
            await asyncio.sleep(1)

    expected = Counter(dict.fromkeys(players, START))
    commission = 0
    for hand in hands:
        if isinstance(hand.end, Settlement):
            expected.update(dict(hand.end.deltas))
            commission += hand.end.commission
    async with engine.connect() as connection:
        for player in players:
            assert (await balances(connection, player))[Asset.HT] == (expected[player], 0)
        totals = {row.side: row.balance for row in await trial_balance(connection) if row.asset is Asset.HT}
        assert await open_holds(connection) == ()
    assert totals["commission"] == commission
    assert sum(totals.values()) == 0
    async with admin.connect() as connection:
        report = await check(connection)
    assert report.findings == ()
    assert report.entries == PLAYERS + 2 * HANDS
