"""Every table of this node: owns their actors, watches over them, and leads each command to its table."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final
from uuid import UUID

import structlog

from fairness.commitment import RandomSource
from fairness.signing import SigningKeys
from server.protocol.commands import TableCommand
from server.protocol.messages import Error, ErrorCode, TableSummary
from server.tables.assembly import TableServices
from server.tables.inbox import ConnectionLost, PlayerCommand, VoidHand
from server.tables.lobby import Lobby, SeatedIndex
from server.tables.ports import Clock, Connection, Journal, StoredTable
from server.tables.supervision import SupervisedTable
from server.tables.timing import TableTiming

SWEEP_MS: Final = 5_000
"""How often deadlines are looked for that passed and struck nobody."""

STOP_SECONDS: Final = 20.0
"""A table that can't end by then is cut off: what it had not stored, nobody was shown."""

_log = structlog.get_logger(__name__)


class House:
    """on_tokens_moved hears the ids of players whose tokens were held, settled or released."""

    def __init__(
        self,
        journal: Journal,
        clock: Clock,
        random: RandomSource,
        signing_keys: SigningKeys,
        timing: TableTiming,
        on_tokens_moved: Callable[[Iterable[UUID]], None],
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._stopping = asyncio.Event()
        self._lobby = Lobby()
        self._seated = SeatedIndex()
        self._services = TableServices(
            journal=journal,
            clock=clock,
            random=random,
            keys=signing_keys,
            timing=timing,
            stopping=self._stopping,
            tokens_moved=on_tokens_moved,
            on_summary=self._lobby.show,
            on_seated=self._seated.set,
            on_gone=self._forget,
        )
        self._tables: dict[UUID, SupervisedTable] = {}
        self._known: dict[Connection, set[UUID]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take over every open table and go on where each one stood. Raises JournalUnavailable."""
        for stored in await self._journal.load_tables():
            await self.add_table(stored)
        self._sweeper = asyncio.create_task(self._sweep(), name="table sweeper")

    async def stop(self) -> None:
        """Open no hand and take no command any more; returns when every table has ended at a durable point."""
        self._stopping.set()
        for table in self._tables.values():
            table.stop()
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.gather(*(table.ended(STOP_SECONDS) for table in tuple(self._tables.values())))

    async def add_table(self, stored: StoredTable) -> None:
        """Serve one more table."""
        table = SupervisedTable(stored, self._services)
        self._tables[stored.config.table_id] = table
        await table.start()

    def post(self, connection: Connection, command: TableCommand) -> None:
        """Put a command into its table's inbox; the answer comes through the connection once it is durable."""
        table = self._tables.get(command.table_id)
        if table is None:
            _refuse(connection, command, ErrorCode.UNKNOWN_TABLE, "No such table is open.")
        elif self._stopping.is_set():
            _refuse(connection, command, ErrorCode.BUSY, "The house restarts: ask again in a moment.")
        elif not table.inbox.offer(PlayerCommand(connection, command)):
            _refuse(connection, command, ErrorCode.BUSY, "Too many commands wait at this table: ask again in a moment.")
        else:
            self._known.setdefault(connection, set()).add(command.table_id)
            if table.is_paused:
                connection.send(table.pause_notice().model_dump_json())

    def watch_lobby(self, connection: Connection) -> None:
        self._lobby.watch(connection)

    def unwatch_lobby(self, connection: Connection) -> None:
        self._lobby.unwatch(connection)

    def disconnected(self, connection: Connection) -> None:
        """The socket is gone: every table that it spoke to hears of it, behind what it had asked before."""
        self._lobby.unwatch(connection)
        for table_id in self._known.pop(connection, ()):
            table = self._tables.get(table_id)
            if table is not None:
                table.inbox.insist(ConnectionLost(connection))

    def void_hand(self, table_id: UUID) -> bool:
        """End the running hand of a table without a result, as the operator; False for an unknown table."""
        table = self._tables.get(table_id)
        if table is None:
            return False
        table.inbox.insist(VoidHand())
        return True

    def summaries(self) -> list[TableSummary]:
        return self._lobby.summaries()

    def seated_at(self, player_id: UUID) -> list[UUID]:
        return self._seated.tables_of(player_id)

    def _forget(self, table_id: UUID) -> None:
        """A table that another owner has taken, or that is no longer open."""
        self._tables.pop(table_id, None)
        self._seated.set(table_id, frozenset())
        self._lobby.close(table_id)

    async def _sweep(self) -> None:
        """Strike the clock of tables whose own alarm did not: a deadline is never silently lost."""
        while True:
            await self._clock.sleep_until(self._clock.now_ms() + SWEEP_MS)
            self._sweep_now()

    def _sweep_now(self) -> None:
        for table in self._tables.values():
            if table.strike_if_overdue():
                _log.warning("overdue_deadline", table_id=str(table.table_id))


def _refuse(connection: Connection, command: TableCommand, code: ErrorCode, words: str) -> None:
    connection.send(Error(id=command.id, code=code, message=words).model_dump_json())
