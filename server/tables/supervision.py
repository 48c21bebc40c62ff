"""One table's actor, kept running: a table that breaks begins again from the journal, and the node lives on."""

import asyncio
import traceback
from typing import Final, assert_never
from uuid import UUID

import structlog

from server.protocol.lobby_messages import WaitingPlace
from server.protocol.messages import Error, ErrorCode, Message, Notice, TableGone
from server.tables.actor import TableActor
from server.tables.assembly import TableServices, assemble
from server.tables.audience import Audience
from server.tables.chat import ChatRoom
from server.tables.closing import Closed
from server.tables.damaged import DamagedHand, end_of_damaged
from server.tables.durable import DurableJournal, Stopped
from server.tables.inbox import ClockStruck, FromPlayer, GuestAdmitted, Inbox, PlayerCommand, SeatRequest, Stop
from server.tables.ports import Fenced, StoredTable
from server.tables.refusal import Refused
from server.tables.rummy_game import RummyHand
from server.tables.table_match import TableMatch
from server.tables.waiting import WaitingList

CRASHES_OF_A_HAND: Final = 3
"""A hand during which its table breaks so often is voided: nobody's tokens stay held behind a fault of ours."""

FIRST_RESTART_MS: Final = 500
LONGEST_RESTART_MS: Final = 60_000

OVERDUE_MS: Final = 1_000
"""A deadline that passed so long ago has had its alarm fail."""

_log = structlog.get_logger(__name__)


class SupervisedTable:
    """Inbox and audience outlive the actor, so nobody has to reconnect when a table begins again."""

    def __init__(self, stored: StoredTable, services: TableServices) -> None:
        self.table_id: Final = stored.config.table_id
        self.inbox: Final = Inbox()
        self._stored = stored
        self._services = services
        self._audience = Audience()
        self._waiting = WaitingList()
        self._admitted: set[UUID] = set()
        self.chat: Final = ChatRoom(self.table_id, self._audience, services.voices, services.clock)
        self._journal = DurableJournal(
            self.table_id, services.journal, services.clock, services.stopping, self._tell_everyone
        )
        self._actor: TableActor[RummyHand] | None = None
        self._task: asyncio.Task[None] | None = None
        self._begun = asyncio.Event()

    async def start(self) -> None:
        """Begin to serve; returns once the table is listed and shows who sits there."""
        self._task = asyncio.create_task(self._supervise(), name=f"table {self.table_id}")
        await self._begun.wait()

    def stop(self) -> None:
        """Ask the actor to end behind what waits already; `ended` tells when it has."""
        words = "The house restarts: the table goes on in a moment, and no clock runs meanwhile."
        self._tell_everyone(Notice(code="draining", table_id=self.table_id, message=words))
        self.inbox.insist(Stop())

    async def ended(self, patience_seconds: float) -> None:
        """Return when the actor has ended, by itself or cut off."""
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=patience_seconds)
            if not self._task.done():
                _log.error("table_cut_off", table_id=str(self.table_id))
                self._task.cancel()

    def admit(self, player_id: UUID) -> None:
        """Somebody was let in to this private table, as is stored already."""
        self._admitted.add(player_id)
        self.inbox.insist(GuestAdmitted(player_id))

    def is_open_to(self, player_id: UUID) -> bool:
        """Whether it is a table of the house, or a private one whose host or guest this is."""
        host = self._stored.config.host
        if host is None or host.player_id == player_id:
            return True
        return player_id in self._admitted or player_id in self._stored.guests

    def is_watched_by(self, player_id: UUID) -> bool:
        return self._audience.is_connected(player_id)

    @property
    def is_paused(self) -> bool:
        """Whether nothing can be stored, or played, right now."""
        return self._actor is None or self._journal.is_paused

    def strike_if_overdue(self) -> bool:
        """Look after the alarm: True when a deadline had passed unnoticed and is struck now."""
        overdue = not self.is_paused and self._actor is not None and self._actor.is_overdue(OVERDUE_MS)
        if overdue:
            self.inbox.insist(ClockStruck())
        return overdue

    async def _supervise(self) -> None:
        broken_hand: bytes | None = None
        crashes = 0
        is_damaged = False
        while True:
            try:
                begins_again = crashes > 0
                void_hand = crashes >= CRASHES_OF_A_HAND
                # A hand that can't be read, or breaks the table even when it should be voided, is not played at all.
                if crashes > CRASHES_OF_A_HAND or (void_hand and is_damaged):
                    crashes = await self._end_damaged(crashes)
                self._actor = self._assemble()
                self._begun.set()
                if begins_again:
                    self._tell_everyone(self._journal.resumed_notice())
                await self._actor.run(void_hand)
                return
            except Stopped:
                return
            except (Fenced, Closed):
                self._give_up()
                return
            except Exception as fault:
                self._actor = None
                self._begun.set()
                is_damaged = isinstance(fault, DamagedHand)
                _log.error("table_broke", table_id=str(self.table_id), kind=type(fault).__name__, at=_frames(fault))
            self._tell_everyone(self._journal.paused_notice())
            try:
                self._stored = await self._load_again(crashes)
            except Stopped:
                return
            except LookupError:
                self._give_up()
                return
            live = self._stored.live_hand
            hand_id = None if live is None else live.terms.hand_id
            crashes = crashes + 1 if hand_id == broken_hand else 1
            broken_hand = hand_id

    def _assemble(self) -> TableActor[RummyHand]:
        return assemble(
            self._stored, self._services, self.inbox, self._audience, self._waiting, self.chat, self._journal
        )

    async def _load_again(self, crashes: int) -> StoredTable:
        """How the table stands in the journal, after a wait that grows with each crash."""
        await self._journal.wait(min(FIRST_RESTART_MS << min(crashes, 10), LONGEST_RESTART_MS))
        return await self._journal.call(lambda journal: journal.load_table(self.table_id))

    async def _end_damaged(self, crashes: int) -> int:
        """End the running hand from what is stored, and load the table without it; returns the crashes that count."""
        live = self._stored.live_hand
        if live is None:
            return crashes
        match = None if self._stored.match is None else TableMatch.restore(self._stored.match)
        rows, closing = end_of_damaged(live, match, self._services.clock.now_ms())
        epoch, hand_id = self._stored.epoch, live.terms.hand_id
        await self._journal.call(lambda journal: journal.append(self.table_id, epoch, hand_id, rows, closing))
        _log.error("damaged_hand_voided", table_id=str(self.table_id), hand_id=str(UUID(bytes=hand_id)))
        self._services.tokens_moved(UUID(bytes=player_id) for _, player_id in live.terms.players)
        self._stored = await self._journal.call(lambda journal: journal.load_table(self.table_id))
        return 0

    def _give_up(self) -> None:
        """Another node owns the table now, or it was closed."""
        self._actor = None
        self._tell_everyone(TableGone(table_id=self.table_id, reason="closed"))
        self._end_waiting()
        self._services.on_gone(self.table_id)
        for item in self.inbox.drain():
            _refuse_closed(item)
        _log.info("table_given_up", table_id=str(self.table_id))

    def _end_waiting(self) -> None:
        ended = WaitingPlace(table_id=self.table_id, position=None, waiting=0, ended="closed").model_dump_json()
        for waiter in self._waiting:
            self._waiting.remove(waiter.player.player_id)
            for connection in waiter.connections:
                connection.send(ended)

    def pause_notice(self) -> Notice:
        return self._journal.paused_notice()

    def _tell_everyone(self, message: Message) -> None:
        text = message.model_dump_json()
        for connection in self._audience:
            connection.send(text)


def _refuse_closed(item: FromPlayer) -> None:
    """Nobody waits for an answer from a table that has ended."""
    words = "This table is closed."
    match item:
        case PlayerCommand(connection, command):
            error = Error(id=command.id, code=ErrorCode.TABLE_CLOSED, message=words)
            connection.send(error.model_dump_json())
        case SeatRequest():
            item.refused(Refused(ErrorCode.TABLE_CLOSED, words))
        case _:
            assert_never(item)


def _frames(fault: BaseException) -> list[str]:
    """Where it broke: files, lines and functions. What it says may name cards, so that stays out of the log."""
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(fault.__traceback__)]
