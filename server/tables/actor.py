"""The one writer of one table: takes what waits in the inbox, one thing after the other, each handled to its end.

It knows no rules and no cards. It owns the clock: deadlines are part of the table, and only here is the time compared
with them. Whether a move or a timeout came first is decided by their order in the inbox, once.
"""

from typing import Any, Final, Generic, assert_never

from fairness.events import VoidReason
from server.protocol.commands import (
    Arrange,
    Contribute,
    DropNext,
    HandCommand,
    LeaveTable,
    Ready,
    Rejoin,
    Reveal,
    Sit,
    SitOut,
    TableCommand,
    TurnCommand,
    UnwatchTable,
    WatchTable,
)
from server.protocol.messages import Ack, Error, ErrorCode
from server.tables import views
from server.tables.audience import Audience
from server.tables.between_hands import BetweenHands
from server.tables.chairs import Chairs
from server.tables.closing import Closing
from server.tables.door import Door
from server.tables.durable import DurableJournal, Stopped
from server.tables.game import State
from server.tables.hand_life import HandLife
from server.tables.host import TableHost
from server.tables.inbox import (
    Alarm,
    BreakTaken,
    ClockStruck,
    ConnectionLost,
    CustomsSet,
    FromHouse,
    FromPlayer,
    GuestAdmitted,
    Inbox,
    OrdersGiven,
    PlayerCommand,
    PlayerRenamed,
    SeatRequest,
    Stop,
    VoidHand,
    VoidMatch,
)
from server.tables.match_life import MatchLife
from server.tables.orders import StandingOrders
from server.tables.phases import Playing, Seeds, deadline_of, later
from server.tables.ports import Chair, Clock, Connection, Fenced, Measures
from server.tables.publisher import Publisher
from server.tables.reception import AtReception, Reception
from server.tables.refusal import Refused
from server.tables.replies import Asked, Replies
from server.tables.table import Table
from server.tables.vacating import Vacating
from server.tables.waiting_room import WaitingRoom
from server.tables.watching import Watching

LATE_MS: Final = 2_000
"""A clock that is struck later than this was held up by us, not by the player: the turn gets its time back."""


class TableActor(Generic[State]):
    def __init__(
        self,
        table: Table[State],
        *,
        inbox: Inbox,
        audience: Audience,
        clock: Clock,
        journal: DurableJournal,
        publisher: Publisher[State],
        watching: Watching[State],
        chairs: Chairs[State],
        hands: HandLife[State],
        matches: MatchLife[State],
        vacating: Vacating[State],
        between: BetweenHands[State],
        replies: Replies,
        measures: Measures,
        reception: Reception[State],
        door: Door[State],
        waiting: WaitingRoom[State],
        host: TableHost[State],
        closing: Closing[State],
        orders: StandingOrders[State],
    ) -> None:
        self._table = table
        self._inbox = inbox
        self._audience = audience
        self._clock = clock
        self._journal = journal
        self._publisher = publisher
        self._watching = watching
        self._chairs = chairs
        self._hands = hands
        self._matches = matches
        self._vacating = vacating
        self._between = between
        self._replies = replies
        self._measures = measures
        self._reception = reception
        self._door = door
        self._waiting = waiting
        self._host = host
        self._closing = closing
        self._orders = orders
        self._alarm = Alarm(clock, lambda: inbox.insist(ClockStruck()))

    async def run(self, void_hand: bool = False) -> None:
        """Serve the table until Stop. Raises Fenced, Closed, and whatever broke; then nothing undurable was shown.

        void_hand: end the running hand at once, because it broke this table again and again.
        """
        try:
            if void_hand:
                await self._hands.void(VoidReason.SERVER_FAILURE)
            await self._hands.remove_gone()
            await self._carry_on()
            while True:
                item = await self._inbox.take()
                try:
                    if isinstance(item, Stop):
                        return
                    await self._handle(item)
                    await self._carry_on()
                finally:
                    self._inbox.done()
        except Stopped:
            return
        finally:
            self._alarm.cancel()

    def is_overdue(self, by_ms: int) -> bool:
        """Whether a deadline passed that long ago and nobody has acted on it."""
        deadline_ms = self._next_deadline()
        return deadline_ms is not None and self._clock.now_ms() > deadline_ms + by_ms

    def _next_deadline(self) -> int | None:
        deadlines = (
            deadline_of(self._table.phase),
            self._vacating.deadline_ms,
            self._waiting.deadline_ms,
            self._closing.deadline_ms,
        )
        return min((deadline_ms for deadline_ms in deadlines if deadline_ms is not None), default=None)

    async def _carry_on(self) -> None:
        """What follows by itself from where the table stands now."""
        await self._hands.close_windows()
        if self._table.running is None:
            await self._chairs.hand_ended()
            await self._vacating.consider()
            await self._orders.change_stakes()
            await self._between.consider()
        self._give_back(self._journal.take_lost_ms())
        self._waiting.consider()
        self._watching.show_out()
        self._watching.note_onlookers()
        await self._orders.close()
        await self._closing.consider()
        self._alarm.set(self._next_deadline())

    def _give_back(self, lost_ms: int) -> None:
        """An outage of ours is not charged to a player."""
        if lost_ms > 0:
            self._table.phase = later(self._table.phase, lost_ms)
            self._publisher.publish()
            self._waiting.later(lost_ms)

    async def _handle(self, item: FromPlayer | FromHouse) -> None:
        match item:
            case PlayerCommand(connection, command, began):
                outcome = await self._answer(connection, command)
                self._measures.answered(command.type, outcome, began)
            case SeatRequest():
                await self._reception.seat(item)
            case ConnectionLost(connection):
                self._watching.lost(connection)
                self._waiting.lost(connection)
            case ClockStruck():
                await self._clock_struck()
            case VoidHand():
                await self._hands.void(VoidReason.OPERATOR)
            case VoidMatch():
                await self._hands.void(VoidReason.OPERATOR, match_too=True)
                await self._matches.void()
            case GuestAdmitted(player_id):
                self._table.guests |= {player_id}
            case PlayerRenamed(player):
                await self._chairs.rename(player)
            case BreakTaken(player_id):
                await self._vacating.take_break(player_id)
            case CustomsSet(change):
                await self._host.adopt(change(self._table.customs))
            case OrdersGiven(orders):
                self._orders.adopt(orders)
            case _:
                assert_never(item)

    async def _clock_struck(self) -> None:
        """End the turn that has run out; the other deadlines are looked at in `_carry_on`."""
        phase = self._table.phase
        if not isinstance(phase, Playing):
            return
        late_ms = self._clock.now_ms() - phase.clock.deadline_ms
        if late_ms > LATE_MS:
            self._give_back(late_ms + self._table.timing.grace_ms)
        elif late_ms >= 0:
            await self._hands.time_out(phase)

    async def _answer(self, connection: Connection, command: TableCommand) -> str:
        """Do a command once, and answer it: with ack or error, and the same again when it is repeated.

        Returns how that went, in one word.
        """
        player_id = connection.player.player_id
        try:
            reply = self._replies.earlier(player_id, command)
        except Refused as refusal:
            connection.send(self._error(connection, command, refusal))
            return refusal.code.value
        outcome = "repeated"
        if reply is None:
            reply, outcome = await self._do_and_word(connection, command)
            if not isinstance(command, WatchTable | UnwatchTable | Arrange):
                self._replies.remember(player_id, command, reply)
        connection.send(reply)
        return outcome

    async def _do_and_word(self, connection: Connection, command: TableCommand) -> tuple[str, str]:
        """The answer, and how it went in one word."""
        try:
            result = await self._do(connection, command)
        except Refused as refusal:
            if refusal.shows_table and connection in self._audience:
                self._publisher.show(connection)
            return self._error(connection, command, refusal), refusal.code.value
        except (Stopped, Fenced):
            raise
        except Exception:
            # The table goes down with this; whoever asked learns that it was not their mistake.
            words = "Something broke at this table. Your command may have been done: look when the table is back."
            connection.send(Error(id=command.id, code=ErrorCode.INTERNAL, message=words).model_dump_json())
            raise
        return Ack(id=command.id, result=result).model_dump_json(), "ack"

    def _error(self, connection: Connection, command: TableCommand, refusal: Refused) -> str:
        chair = self._table.seating.of(connection.player.player_id)
        allowed = refusal.allowed or (views.allowed(self._table, chair) if chair is not None else ("sit",))
        error = Error(id=command.id, code=refusal.code, message=refusal.words, allowed=list(allowed))
        return error.model_dump_json()

    async def _do(self, connection: Connection, command: TableCommand) -> dict[str, Any] | None:
        """What the command asks for; returns what its ack carries. Raises Refused."""
        player_id = connection.player.player_id
        match command:
            case WatchTable():
                self._watching.watch(connection, command.resume)
                return None
            case UnwatchTable():
                self._watching.unwatch(connection)
                return None
            case Sit() if self._table.seating.of(player_id) is None:
                return {"seat": await self._reception.sit(connection, command.seat)}
        if isinstance(command, AtReception):
            return await self._reception.do(connection, command)
        chair = self._table.seating.chair_of(player_id)
        if isinstance(command, Arrange):
            return self._arrange(chair, command)
        if not self._audience.may_act(connection):
            raise Refused(
                ErrorCode.ACTING_ELSEWHERE,
                "You play this table from another window or device: watch it again here to take over.",
                ("watch_table",),
            )
        if isinstance(command, Sit):
            self._is_back(chair)
            return {"seat": await self._chairs.sit(connection.player, command.seat)}
        await self._act(chair, command)
        return None

    async def _act(self, chair: Chair, command: TableCommand) -> None:
        """A seated player's own doing. Seeds are sent by the page itself and say nothing of its person."""
        if not isinstance(command, Contribute | Reveal):
            self._is_back(chair)
        match command:
            case Contribute() | Reveal():
                await self._add_seed(chair, command)
            case LeaveTable():
                await self._leave(chair, command)
            case SitOut():
                if command.on:
                    self._matches.check_sitting_out(chair)
                await self._chairs.sit_out(chair, command.on)
            case Ready():
                self._ready(chair)
            case Rejoin():
                await self._matches.answer(chair, command)
            case DropNext():
                await self._drop_next(chair, command)
            case TurnCommand():
                await self._move(chair, command)
            case _:
                raise Refused(ErrorCode.NOT_NOW, "This table knows no such command.")

    async def _leave(self, chair: Chair, command: LeaveTable) -> None:
        if self._table.running is None:
            self._door.note_leave(chair.player.player_id)
        await self._chairs.leave(chair, command.after_hand)
        await self._hands.remove_gone()

    def _is_back(self, chair: Chair) -> None:
        """The player did something of their own: what was played for them is no longer news."""
        notes = self._table.notes.of(chair.player.player_id)
        notes.dropped_by_clock = False
        if notes.away is not None:
            notes.away = None
            self._publisher.show_player(chair.player.player_id)

    def _ready(self, chair: Chair) -> None:
        if not views.may_be_ready(self._table, chair):
            raise Refused(ErrorCode.NOT_NOW, "Ready is said between hands, by those who play the next one.")
        notes = self._table.notes.of(chair.player.player_id)
        if not notes.ready:
            notes.ready = True
            self._publisher.publish()

    async def _add_seed(self, chair: Chair, command: Contribute | Reveal) -> None:
        phase = self._running_hand(command)
        seat = self._seat_in_hand(chair)
        if not isinstance(phase, Seeds):
            raise Refused(ErrorCode.CONTRIBUTION_REFUSED, "The seeds of this hand are closed: the cards are dealt.")
        if isinstance(command, Contribute):
            await self._hands.contribute(phase, seat, command)
        else:
            await self._hands.reveal(phase, seat, command)

    async def _drop_next(self, chair: Chair, command: DropNext) -> None:
        """Remember the wish; on the own turn before drawing it comes true at once."""
        phase = self._played_hand(command)
        seat = self._seat_in_hand(chair)
        if seat not in self._table.game.seats_in(phase.state):
            raise Refused(ErrorCode.NOT_IN_HAND, "You are out of this hand.")
        turn = self._table.game.turn(phase.state)
        if command.on and turn is not None and turn.seat == seat and turn.may_drop:
            await self._hands.drop(phase, seat, Asked.of(chair.player.player_id, command))
            return
        notes = self._table.notes.of(chair.player.player_id)
        if notes.drop_next != command.on:
            notes.drop_next = command.on
            self._publisher.show_player(chair.player.player_id)

    async def _move(self, chair: Chair, command: TurnCommand) -> None:
        phase = self._played_hand(command)
        seat = self._seat_in_hand(chair)
        if command.turn != phase.clock.number:
            words = f"That was for turn {command.turn}; it is turn {phase.clock.number} now."
            raise Refused(ErrorCode.STALE_TURN, words, shows_table=True)
        await self._hands.move(phase, seat, command, Asked.of(chair.player.player_id, command))

    def _arrange(self, chair: Chair, command: Arrange) -> dict[str, Any]:
        phase = self._played_hand(command)
        return self._table.game.hint(phase.state, self._seat_in_hand(chair))

    def _running_hand(self, command: HandCommand) -> Seeds | Playing[State]:
        """The hand that the command is for. Raises Refused when it no longer runs."""
        running, record = self._table.running, self._table.record
        if record is None:
            raise Refused(ErrorCode.NO_HAND, "No hand runs at this table.", shows_table=True)
        if record.hand_id != command.hand_id:
            raise Refused(ErrorCode.STALE_HAND, "That was for an earlier hand.", shows_table=True)
        if running is None:
            raise Refused(ErrorCode.HAND_OVER, "This hand is over.", shows_table=True)
        return running

    def _played_hand(self, command: HandCommand) -> Playing[State]:
        running = self._running_hand(command)
        if not isinstance(running, Playing):
            raise Refused(ErrorCode.NOT_NOW, "The cards are not dealt yet.")
        return running

    def _seat_in_hand(self, chair: Chair) -> int:
        seat = self._table.seat_in_hand(chair)
        if seat is None:
            raise Refused(ErrorCode.NOT_IN_HAND, "You were not dealt into this hand: you play from the next one on.")
        return seat
