"""Group commit: everything that waits is written in one transaction, and only then are its callers answered.

One transaction at a time per node. While one is being committed the next one's units gather, so throughput rises
with load. A unit that the database refuses does not spoil its neighbours: the batch is halved until it stands alone.

A connection that dies during COMMIT leaves open whether the batch was stored. Nobody is answered then: the same batch
is written again, and each unit is recognised if it is there already (`judge`). The first statement locks the node's
row, so it waits for the lost transaction to end before it looks.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from server.eventlog.batch import BatchWriter, Result
from server.eventlog.errors import JournalConflict
from server.eventlog.failure import Failure, failure_of, quotes_rows, words_for
from server.eventlog.session import Session
from server.eventlog.units import Answer, Beat, Unit
from server.tables.ports import JournalUnavailable

MAX_WAITING: Final = 4_096
"""Units that wait to be written; more are turned away. A table has one or two of them, a node hundreds."""
MAX_BATCH: Final = 256
"""Units of one transaction, each of another table."""
MAX_CONFLICTS: Final = 10
PATIENCE_SECONDS: Final = 1.0
"""How long a unit waits for a database that can't be reached before its caller, and so the players, hear of it."""
TRANSACTION_SECONDS: Final = 30.0
FIRST_WAIT_SECONDS: Final = 0.02
LONGEST_WAIT_SECONDS: Final = 1.0

log = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Pending:
    unit: Unit
    answer: asyncio.Future[Answer] = field(repr=False)
    asked_at: float

    def settle(self, result: Result) -> None:
        if self.answer.done():  # the caller has gone
            return
        if isinstance(result, Exception):
            self.answer.set_exception(result)
        else:
            self.answer.set_result(result)

    def fail(self, error: Exception) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


class Committer:
    """Hand units to `submit`; somebody must own `run`.

    on_commit hears of each transaction: how many units it stored, and how many seconds that took.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        writer: BatchWriter,
        patience_seconds: float = PATIENCE_SECONDS,
        on_commit: Callable[[int, float], None] = lambda units, seconds: None,
    ) -> None:
        self._on_commit = on_commit
        self._engine = engine
        self._writer = writer
        self._patience = patience_seconds
        self._waiting: deque[_Pending] = deque()
        self._in_flight: list[_Pending] = []
        self._arrived = asyncio.Event()
        self._session: Session | None = None
        self._stopping = False
        self.batches = 0
        """Transactions committed so far."""
        self.units = 0
        """Units in them."""

    def submit(self, unit: Unit) -> asyncio.Future[Answer]:
        """The future is done once the unit can't be lost.

        It raises Fenced, HoldsRefused, JournalConflict: nothing was stored. JournalUnavailable: ask again; this also
        comes at once, from a journal that has stopped or is overrun.
        """
        if self._stopping:
            raise JournalUnavailable("the journal has stopped")
        if len(self._waiting) >= MAX_WAITING:
            raise JournalUnavailable("more waits to be stored than the database can keep up with")
        loop = asyncio.get_running_loop()
        pending = _Pending(unit, loop.create_future(), loop.time())
        self._waiting.append(pending)
        self._arrived.set()
        return pending.answer

    async def run(self) -> None:
        """Commit until `stop`, and what was submitted before it to the end."""
        try:
            while True:
                await self._arrived.wait()
                self._in_flight = self._gather()
                if self._in_flight:
                    await self._commit(self._in_flight)
                elif self._stopping:
                    return
                else:
                    self._arrived.clear()
        finally:
            self._stopping = True
            self._turn_away()
            await self._drop_session()

    @property
    def waiting(self) -> int:
        """Units that wait to be written."""
        return len(self._waiting)

    def stop(self) -> None:
        """Take nothing more; `run` ends when the rest is committed."""
        self._stopping = True
        self._arrived.set()

    def _gather(self) -> list[_Pending]:
        """The next batch in order of arrival: at most one unit a table, so that each sees the one before it stored."""
        batch: list[_Pending] = []
        left: deque[_Pending] = deque()
        tables = set()
        while self._waiting and len(batch) < MAX_BATCH:
            pending = self._waiting.popleft()
            if pending.answer.done():
                continue
            if isinstance(pending.unit, Beat):
                batch.append(pending)
            elif pending.unit.table_id in tables:
                left.append(pending)
            else:
                tables.add(pending.unit.table_id)
                batch.append(pending)
        self._waiting.extendleft(reversed(left))
        return batch

    async def _commit(self, batch: Sequence[_Pending]) -> None:
        """Answer every unit of the batch."""
        began = time.perf_counter()
        try:
            results = await self._store(batch)
        except JournalUnavailable as error:
            for pending in batch:
                pending.fail(error)
        except Exception as error:
            await self._commit_apart(batch, error)
        else:
            self.batches += 1
            self.units += len(batch)
            self._on_commit(len(batch), time.perf_counter() - began)
            for pending, result in zip(batch, results, strict=True):
                pending.settle(result)

    async def _commit_apart(self, batch: Sequence[_Pending], error: Exception) -> None:
        if len(batch) > 1:
            middle = len(batch) // 2
            await self._commit(batch[:middle])
            await self._commit(batch[middle:])
            return
        conflict = JournalConflict(f"{type(batch[0].unit).__name__} was refused: {words_for(error)}")
        if not quotes_rows(error):
            conflict.__cause__ = error
        batch[0].fail(conflict)

    async def _store(self, batch: Sequence[_Pending]) -> list[Result]:
        """Write and commit, again and again while it may still succeed. Raises when nothing was stored.

        Raises JournalUnavailable when patience has run out: then whether it was stored may be open.
        """
        loop = asyncio.get_running_loop()
        give_up_at = min(pending.asked_at for pending in batch) + self._patience
        wait = FIRST_WAIT_SECONDS
        conflicts = 0
        while True:
            try:
                return await self._transaction([pending.unit for pending in batch])
            except Exception as error:
                match await self._after(error):
                    case Failure.REFUSED:
                        raise
                    case Failure.CONFLICT if (conflicts := conflicts + 1) < MAX_CONFLICTS:
                        continue
                    case Failure.CONFLICT:
                        raise JournalUnavailable("other transactions were in the way every time") from error
                    case Failure.UNAVAILABLE if loop.time() >= give_up_at:
                        raise JournalUnavailable("the database can't be reached") from error
                    case Failure.UNAVAILABLE:
                        log.warning("journal_waits_for_database", error=type(error).__name__, units=len(batch))
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)

    async def _transaction(self, units: Sequence[Unit]) -> list[Result]:
        async with asyncio.timeout(TRANSACTION_SECONDS):
            if self._session is None:
                self._session = await Session.open(self._engine)
            results = await self._writer.write(self._session, units)
            await self._session.commit()
        self._writer.keep()
        return results

    async def _after(self, error: Exception) -> Failure:
        """Clean up after a failed transaction, and say what its failure means."""
        self._writer.forget()
        session = self._session
        failure = failure_of(error, session is not None and session.is_lost)
        if failure is Failure.UNAVAILABLE or session is None:
            await self._drop_session()
            return failure
        try:
            await session.rollback()
        except Exception:
            # A session that can't even roll back is of no use; the first error still says what happened to the batch.
            await self._drop_session()
        return failure

    async def _drop_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.drop()

    def _turn_away(self) -> None:
        """Nobody may wait for a committer that runs no more."""
        for pending in (*self._in_flight, *self._waiting):
            pending.fail(JournalUnavailable("the journal has stopped"))
        self._waiting.clear()
