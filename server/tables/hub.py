"""Every table of this node: owns their actors, watches over them, and leads each command to its table."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final
from uuid import UUID

import structlog

from fairness.commitment import RandomSource
from fairness.signing import SigningKeys
from server.protocol.chat_commands import Say, SayPhrase
from server.protocol.chat_messages import ChatLine
from server.protocol.commands import TableCommand
from server.protocol.lobby_commands import QuickSeat
from server.protocol.messages import Error, ErrorCode, Player, TableSummary
from server.tables.assembly import TableServices
from server.tables.inbox import (
    BreakTaken,
    ClockStruck,
    ConnectionLost,
    CustomsSet,
    Inbox,
    OrdersGiven,
    PlayerCommand,
    PlayerRenamed,
    SeatRequest,
    VoidHand,
    VoidMatch,
)
from server.tables.lobby import Lobby
from server.tables.places import Claims, PlayerIndex
from server.tables.ports import (
    Clock,
    Connection,
    Customs,
    Journal,
    Measures,
    NoMeasures,
    NoOnlookers,
    Onlookers,
    StoredTable,
    TableOrders,
)
from server.tables.quick_seat import QuickSeats
from server.tables.refusal import Refused
from server.tables.supervision import SupervisedTable
from server.tables.timing import TableTiming
from server.tables.voices import Voices

SWEEP_MS: Final = 5_000
"""How often deadlines are looked for that passed and struck nobody."""

DRAIN_LOOK_MS: Final = 100
"""How often a house that drains looks whether hands still run."""

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
        measures: Measures | None = None,
        onlookers: Onlookers | None = None,
    ) -> None:
        self._journal = journal
        self._clock = clock
        self._stopping = asyncio.Event()
        self._draining = False
        self._measures = measures or NoMeasures()
        self._lobby = Lobby()
        self._seated = PlayerIndex()
        self._waiting = PlayerIndex()
        self.voices: Final = Voices(clock)
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
            on_waiting=self._waiting.set,
            on_gone=self._forget,
            voices=self.voices,
            measures=self._measures,
            onlookers=onlookers or NoOnlookers(),
            may_open=lambda: not self._draining,
            claim=Claims(self._seated).claim,
            lines_of=self._waiting.tables_of,
        )
        self._quick_seats = QuickSeats(self._offer, self._lobby.summaries, self._seated.tables_of)
        self._tables: dict[UUID, SupervisedTable] = {}
        self._known: dict[Connection, set[UUID]] = {}
        self._sweeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take over every open table and go on where each one stood. Raises JournalUnavailable."""
        for stored in await self._journal.load_tables():
            await self.add_table(stored)
        self._sweeper = asyncio.create_task(self._sweep(), name="table sweeper")

    async def drain(self, until_ms: int) -> None:
        """Open no more hands; returns when none runs any more, or at that time at the latest."""
        self._draining = True
        for table in self._tables.values():
            table.inbox.insist(ClockStruck())
        while self.hands_running() and self._clock.now_ms() < until_ms:
            await self._clock.sleep_until(min(self._clock.now_ms() + DRAIN_LOOK_MS, until_ms))

    @property
    def is_draining(self) -> bool:
        return self._draining

    def hands_running(self) -> int:
        return sum(table.hand_running for table in (*self._lobby.summaries(), *self._lobby.private_tables()))

    async def stop(self) -> None:
        """Open no hand and take no command any more; returns when every table has ended at a durable point.

        To ask again is to wait again.
        """
        was_stopping = self._stopping.is_set()
        self._stopping.set()
        for table in () if was_stopping else tuple(self._tables.values()):
            table.stop()
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.gather(*(table.ended(STOP_SECONDS) for table in tuple(self._tables.values())))

    async def add_table(self, stored: StoredTable) -> None:
        """Serve one more table; a house that stops leaves it to its next start."""
        if self._stopping.is_set():
            return
        table = SupervisedTable(stored, self._services)
        self._tables[stored.config.table_id] = table
        await table.start()

    def post(self, connection: Connection, command: TableCommand) -> None:
        """Put a command into its table's inbox; the answer comes through the connection once it is durable."""
        table = self._tables.get(command.table_id)
        if table is None or not self._is_there_for(connection.player.player_id, table):
            _refuse(connection, command, ErrorCode.UNKNOWN_TABLE, "No such table is open.")
        elif self._stopping.is_set():
            _refuse(connection, command, ErrorCode.BUSY, "The house restarts: ask again in a moment.")
        elif not table.inbox.offer(PlayerCommand(connection, command, self._measures.now())):
            _refuse(connection, command, ErrorCode.BUSY, "Too many commands wait at this table: ask again in a moment.")
        else:
            self._knows(connection, command.table_id)
            if table.is_paused:
                connection.send(table.pause_notice().model_dump_json())

    def quick_seat(self, connection: Connection, command: QuickSeat) -> None:
        """Look for the best chair; the answer comes through the connection once it is durable."""
        self._quick_seats.ask(connection, command)

    def say(self, connection: Connection, command: Say | SayPhrase) -> None:
        """Chat, past the table's inbox: it holds up nothing and nothing holds it up."""
        player = connection.player
        table = self._tables.get(command.table_id)
        is_seated = command.table_id in self._seated.tables_of(player.player_id)
        if table is None or not (is_seated or table.is_watched_by(player.player_id)):
            _refuse(connection, command, ErrorCode.UNKNOWN_TABLE, "You are at no such table.")
            return
        try:
            connection.send(table.chat.say(player, is_seated, command))
        except Refused as refusal:
            _refuse(connection, command, refusal.code, refusal.words, refusal.allowed)

    def chat_evidence(self, table_id: UUID, reporter_id: UUID, speaker_id: UUID) -> list[ChatLine]:
        """A table's last lines, for somebody there who reports one who spoke; none when that is not so."""
        table = self._tables.get(table_id)
        if table is None or not (table.is_watched_by(reporter_id) or table_id in self._seated.tables_of(reporter_id)):
            return []
        return table.chat.evidence(speaker_id)

    def show_chat_again(self, player_id: UUID) -> None:
        """A player hears others than before: show anew what was said wherever they watch."""
        for table in self._tables.values():
            table.chat.show_again(player_id)

    def admit(self, table_id: UUID, player_id: UUID) -> TableSummary | None:
        """Let somebody in to a private table, as is stored already; returns how it stands, None when it is gone."""
        table = self._tables.get(table_id)
        if table is not None and not self._stopping.is_set():
            table.admit(player_id)
        return self._lobby.summary(table_id)

    def rename(self, player: Player) -> None:
        """Show a player under another name wherever they sit, as is stored already."""
        for table_id in self.seated_at(player.player_id):
            inbox = self._inbox_of(table_id)
            if inbox is not None:
                inbox.insist(PlayerRenamed(player))

    def take_break(self, player_id: UUID) -> None:
        """A player has chosen not to play for a while, as is stored already: their chairs are for others."""
        for table_id in self.seated_at(player_id):
            inbox = self._inbox_of(table_id)
            if inbox is not None:
                inbox.insist(BreakTaken(player_id))

    def set_customs(self, table_id: UUID, change: Callable[[Customs], Customs]) -> bool:
        """Change what may be watched and said at a table, as the operator; False for an unknown table."""
        inbox = self._inbox_of(table_id)
        if inbox is not None:
            inbox.insist(CustomsSet(change))
        return inbox is not None

    def give_orders(self, table_id: UUID, orders: TableOrders) -> bool:
        """What an operator wants of a table, as is stored already; False for an unknown table."""
        inbox = self._inbox_of(table_id)
        if inbox is not None:
            inbox.insist(OrdersGiven(orders))
        return inbox is not None

    def watch_lobby(self, connection: Connection) -> None:
        self._lobby.watch(connection)

    def unwatch_lobby(self, connection: Connection) -> None:
        self._lobby.unwatch(connection)

    def disconnected(self, connection: Connection) -> None:
        """The socket is gone: every table that it spoke to hears of it, behind what it had asked before."""
        self._lobby.unwatch(connection)
        self._quick_seats.lost(connection)
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

    def void_match(self, table_id: UUID) -> bool:
        """End the match of a table, and its running hand, without a result; False for an unknown table."""
        table = self._tables.get(table_id)
        if table is None:
            return False
        table.inbox.insist(VoidMatch())
        return True

    def summaries(self) -> list[TableSummary]:
        """The tables of the lobby."""
        return self._lobby.summaries()

    def private_tables(self) -> list[TableSummary]:
        return self._lobby.private_tables()

    def summary(self, table_id: UUID) -> TableSummary | None:
        """Any open table, private ones too; None when there is no such table."""
        return self._lobby.summary(table_id)

    def seated_at(self, player_id: UUID) -> list[UUID]:
        return self._seated.tables_of(player_id)

    def waiting_at(self, player_id: UUID) -> list[UUID]:
        return self._waiting.tables_of(player_id)

    def hosted_by(self, player_id: UUID) -> list[UUID]:
        tables = self._lobby.private_tables()
        return [table.table_id for table in tables if table.host is not None and table.host.player_id == player_id]

    def _offer(self, table_id: UUID, request: SeatRequest) -> bool:
        inbox = self._inbox_of(table_id)
        if inbox is None or not inbox.offer(request):
            return False
        self._knows(request.connection, table_id)
        return True

    def _is_there_for(self, player_id: UUID, table: SupervisedTable) -> bool:
        """To whoever was not let in, a private table answers nothing, not even that it is busy or paused."""
        return table.is_open_to(player_id) or table.table_id in self._seated.tables_of(player_id)

    def _knows(self, connection: Connection, table_id: UUID) -> None:
        """This table will have to hear when the connection is lost."""
        self._known.setdefault(connection, set()).add(table_id)

    def _inbox_of(self, table_id: UUID) -> Inbox | None:
        table = self._tables.get(table_id)
        return None if table is None or self._stopping.is_set() else table.inbox

    def _forget(self, table_id: UUID) -> None:
        """A table that another owner has taken, or that is no longer open."""
        self._tables.pop(table_id, None)
        self._seated.set(table_id, frozenset())
        self._waiting.set(table_id, frozenset())
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


def _refuse(
    connection: Connection, command: TableCommand, code: ErrorCode, words: str, allowed: Iterable[str] = ()
) -> None:
    connection.send(Error(id=command.id, code=code, message=words, allowed=list(allowed)).model_dump_json())
