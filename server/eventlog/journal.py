"""The journal of a node: what its tables store, and what they find again (`server.tables.ports.Journal`)."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from fairness.commitment import RandomSource
from server.eventlog.batch import BatchWriter
from server.eventlog.committer import Committer
from server.eventlog.customs import close_owned, store_customs
from server.eventlog.keys import HouseKeys, publish_keys
from server.eventlog.orders import store_stakes
from server.eventlog.orphans import release_orphaned_holds
from server.eventlog.own_breaks import running_break
from server.eventlog.recovery import take_over
from server.eventlog.units import (
    AppendEvents,
    Beat,
    CloseHashes,
    OpenHand,
    RecordHash,
    RecordReveal,
    SaveChairs,
    StepMatch,
)
from server.tables.match_ports import MatchStep
from server.tables.ports import (
    Chair,
    Customs,
    EventRow,
    HandClosing,
    HandOpening,
    JournalUnavailable,
    OwnBreak,
    StoredTable,
)
from wallet.transactions import in_transaction

BEAT_SECONDS: Final = 1.0
"""How exactly we know afterwards until when the tables' owner was alive."""

_REGISTER: Final = "INSERT INTO journal_nodes (node_id, started_ms, last_alive_ms) VALUES ($1, $2, $2)"


class PostgresJournal:
    """One per running node. Everything else than `running` needs it to run."""

    def __init__(
        self,
        engine: AsyncEngine,
        keys: HouseKeys,
        now_ms: Callable[[], int],
        random: RandomSource,
        on_commit: Callable[[int, float], None] = lambda units, seconds: None,
    ) -> None:
        self._engine = engine
        self._keys = keys
        self._now_ms = now_ms
        self.node_id: Final = UUID(bytes=random(16), version=4)
        """New with every start, so that a process which only slept cannot pass for its successor."""
        writer = BatchWriter(self.node_id, keys, now_ms, random)
        self.committer: Final = Committer(engine, writer, on_commit=on_commit)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Register the node and commit for as long as the block lasts; on leaving, what was submitted is committed.

        A committer that fails cancels the block and its error comes out here: a node must not go on without it.
        """
        async with self._engine.begin() as connection:
            await connection.exec_driver_sql(_REGISTER, (self.node_id, self._now_ms()))
            await publish_keys(connection, self._keys.signing)
        committing = asyncio.create_task(self.committer.run(), name="journal committer")
        beating = asyncio.create_task(self._beat(), name="journal heartbeat")
        block = asyncio.current_task()
        assert block is not None, "a context is entered by a task"
        for task in (committing, beating):
            task.add_done_callback(lambda done: _cancel_on_failure(done, block))
        try:
            yield
        finally:
            beating.cancel()
            self.committer.stop()
            await asyncio.wait((committing, beating))
            for task in (committing, beating):
                if not task.cancelled():
                    task.result()

    async def open_hand(self, epoch: int, opening: HandOpening) -> Mapping[str, Any]:
        receipt = await self.committer.submit(OpenHand(epoch, opening))
        assert receipt is not None, "an opened hand is answered with its receipt"
        return receipt

    async def record_hash(
        self, table_id: UUID, epoch: int, hand_id: bytes, seat: int, contribution_hash: bytes
    ) -> None:
        await self.committer.submit(RecordHash(table_id, epoch, UUID(bytes=hand_id), seat, contribution_hash))

    async def close_hashes(self, table_id: UUID, epoch: int, hand_id: bytes, hashes_receipt: Mapping[str, Any]) -> None:
        await self.committer.submit(CloseHashes(table_id, epoch, UUID(bytes=hand_id), hashes_receipt))

    async def record_reveal(
        self, table_id: UUID, epoch: int, hand_id: bytes, seat: int, nonce: bytes, text: bytes
    ) -> None:
        await self.committer.submit(RecordReveal(table_id, epoch, UUID(bytes=hand_id), seat, nonce, text))

    async def append(
        self, table_id: UUID, epoch: int, hand_id: bytes, rows: Sequence[EventRow], closing: HandClosing | None = None
    ) -> None:
        await self.committer.submit(AppendEvents(table_id, epoch, UUID(bytes=hand_id), tuple(rows), closing))

    async def step_match(self, table_id: UUID, epoch: int, step: MatchStep) -> None:
        await self.committer.submit(StepMatch(table_id, epoch, step))

    async def save_chairs(self, table_id: UUID, epoch: int, chairs: Sequence[Chair], dealer: int | None) -> None:
        await self.committer.submit(SaveChairs(table_id, epoch, tuple(chairs), dealer))

    async def own_break(self, player_id: UUID) -> OwnBreak | None:
        return await running_break(self._engine, player_id, self._now_ms())

    async def save_customs(self, table_id: UUID, epoch: int, customs: Customs) -> None:
        await store_customs(self._engine, table_id, epoch, customs)

    async def set_stakes(self, table_id: UUID, epoch: int, rate: int, commission_bp: int) -> None:
        await store_stakes(self._engine, table_id, epoch, rate, commission_bp)

    async def close_table(self, table_id: UUID, epoch: int) -> None:
        await close_owned(self._engine, table_id, epoch, self._now_ms())

    async def load_tables(self) -> Sequence[StoredTable]:
        """Also gives back what is held for no running hand, and reports it: there should be none."""
        tables = await take_over(self._engine, self.node_id, self._keys.seals, None)
        await in_transaction(self._engine, lambda connection: release_orphaned_holds(connection, self._now_ms()))
        return tables

    async def load_table(self, table_id: UUID) -> StoredTable:
        """Raises LookupError when there is no such open table."""
        tables = await take_over(self._engine, self.node_id, self._keys.seals, table_id)
        if not tables:
            raise LookupError(f"table {table_id} is not open")
        return tables[0]

    async def _beat(self) -> None:
        """Say every second that this node is alive; the tree head is signed along with it when it is due."""
        while True:
            # An unreachable database is the committer's to report; the next beat says what this one could not.
            with suppress(JournalUnavailable):
                await self.committer.submit(Beat())
            await asyncio.sleep(BEAT_SECONDS)


def _cancel_on_failure(done: asyncio.Task[None], block: asyncio.Task[Any]) -> None:
    if not done.cancelled() and done.exception() is not None:
        block.cancel()
