"""Playing and storing a whole history: worker processes play, one transaction after the other is stored."""

import os
import secrets
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from fairness.signing import SigningKeys
from server.eventlog.keys import HouseKeys, load_keys
from server.seeding.plan import HistoryPlan
from server.seeding.playing import HandPlan, PlayedHand, play
from server.seeding.storing import HistoryWriter
from wallet.database_url import asyncpg_url

COMMIT_EVERY: Final = 20
"""Batches a transaction."""
_AHEAD: Final = 8
"""Batches that workers play while others are stored."""
_WATCHED_SHARE: Final = 0.05
_CUT_OFF_SHARE: Final = 0.01
_PLAYED: Final = text("SELECT EXISTS (SELECT FROM hands)")
_ANALYZED: Final = (
    "hands, hand_players, hand_events, hand_contributions, hand_watchers, hand_disconnects, players, sessions, tables,"
    " log_leaves, log_nodes, wallet.entries, wallet.postings, wallet.accounts"
)


class HasHistory(Exception):
    """Hands were played here already: nothing is mixed with what is real."""


class KeysTooYoung(Exception):
    """The house's signing key is not yet valid when the history would begin."""


@dataclass(frozen=True, slots=True)
class Seeded:
    hands: int
    events: int


async def seed_history(
    engine: AsyncEngine, plan: HistoryPlan, keys_path: Path, tell: Callable[[int], None] = lambda hands: None
) -> Seeded:
    """Play and store a history; `tell` hears how many hands are stored. Raises HasHistory, KeysTooYoung, ValueError.

    In a house without keys they are made, valid from the history's first day on.
    """
    async with engine.connect() as connection:
        if (await connection.execute(_PLAYED)).scalar_one():
            raise HasHistory("hands were played in this house already: seed a database without any")
    keys = load_keys(keys_path, secrets.token_bytes, plan.from_ms)
    try:
        keys.signing.at(plan.from_ms)
    except LookupError:
        raise KeysTooYoung("the house's signing key is younger than the history: seed a new data folder") from None
    hands = events = 0
    async with engine.connect() as connection:
        writer = await HistoryWriter.on(connection, keys, secrets.token_bytes)
        await writer.begin(plan)
        await connection.commit()
        for number, batch in enumerate(_played_batches(plan, keys, keys_path), 1):
            if number % COMMIT_EVERY == 1:
                writer = await HistoryWriter.on(connection, keys, secrets.token_bytes)
            await writer.write(batch)
            await writer.note_presence(*_presence(batch, plan))
            hands += len(batch)
            events += sum(len(hand.events) for hand in batch)
            if number % COMMIT_EVERY == 0:
                await connection.commit()
                tell(hands)
        await connection.commit()
    tell(hands)
    return Seeded(hands, events)


async def tidy(database_url: str) -> None:
    """What a running PostgreSQL does by and by: note what the tables hold, and which of their pages all may see."""
    engine = create_async_engine(asyncpg_url(database_url), poolclass=NullPool, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.exec_driver_sql(f"VACUUM (ANALYZE) {_ANALYZED}")
    finally:
        await engine.dispose()


def _played_batches(plan: HistoryPlan, keys: HouseKeys, keys_path: Path) -> Iterator[list[PlayedHand]]:
    """In order. Few hands are played here; more by a process a core, a few batches ahead."""
    if plan.hands < 2_000:
        for batch in plan.batches():
            yield [play(each, keys.signing) for each in batch]
        return
    workers = max(1, os.cpu_count() or 1)
    with ProcessPoolExecutor(workers, get_context("spawn"), _load, (keys_path, plan.from_ms)) as pool:
        waiting: deque[Future[list[PlayedHand]]] = deque()
        for batch in plan.batches():
            waiting.append(pool.submit(_play_batch, batch))
            if len(waiting) > _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


_keys: dict[str, SigningKeys] = {}
"""A worker's own, loaded once: a key does not travel between processes."""


def _load(keys_path: Path, at_ms: int) -> None:
    _keys["signing"] = load_keys(keys_path, secrets.token_bytes, at_ms).signing


def _play_batch(batch: tuple[HandPlan, ...]) -> list[PlayedHand]:
    return [play(each, _keys["signing"]) for each in batch]


def _presence(
    batch: list[PlayedHand], plan: HistoryPlan
) -> tuple[list[tuple[UUID, UUID, int]], list[tuple[UUID, UUID, int]]]:
    """A few of the hands were watched, and a few seats lost the line."""
    rng = Random(f"{plan.seed} {batch[0].plan.seed}")  # noqa: S311
    watchers, disconnects = [], []
    everybody = [player_id for hand in batch for _, player_id in hand.plan.players]
    for hand in batch:
        hand_id, seated = UUID(bytes=hand.plan.hand_id), {player_id for _, player_id in hand.plan.players}
        if rng.random() < _WATCHED_SHARE:
            watcher = rng.choice(everybody)
            if watcher not in seated:
                watchers.append((hand_id, UUID(bytes=watcher), hand.plan.opened_ms))
        for player_id in sorted(seated):
            if rng.random() < _CUT_OFF_SHARE:
                at_ms = rng.randint(hand.plan.opened_ms, hand.closed_ms)
                disconnects.append((hand_id, UUID(bytes=player_id), at_ms))
    return watchers, disconnects
