"""Connections that come to a table and go: who sees it, who holds a player's controls, and what they are told."""

from collections.abc import Callable
from typing import Final, Generic, Literal
from uuid import UUID

from server.protocol.commands import ResumePoint
from server.protocol.messages import ErrorCode, Notice, TableGone
from server.tables.audience import MOST_CONNECTIONS_OF_A_PLAYER, MOST_SPECTATORS, Audience
from server.tables.door import Door
from server.tables.game import State
from server.tables.ports import Connection, Onlookers
from server.tables.publisher import Publisher
from server.tables.refusal import Refused
from server.tables.table import Table

_ELSEWHERE: Final = "This table is now played from another window or device. Watch it again here to take over."


class Watching(Generic[State]):
    """greet shows a connection that comes what was said here before."""

    def __init__(
        self,
        table: Table[State],
        audience: Audience,
        publisher: Publisher[State],
        door: Door[State],
        greet: Callable[[Connection], None],
        onlookers: Onlookers,
    ) -> None:
        self._onlookers = onlookers
        self._noted: set[tuple[bytes, UUID]] = set()
        self._table = table
        self._greet = greet
        self._door = door
        self._audience = audience
        self._publisher = publisher

    def watch(self, connection: Connection, resume: ResumePoint | None) -> None:
        """Follow the table through this connection, which takes its player's controls. Raises Refused."""
        player_id = connection.player.player_id
        is_seated = self._table.seating.of(player_id) is not None
        if not is_seated:
            self._door.check_watch(player_id)
        if not is_seated and connection not in self._audience and self._audience.spectators_are_many():
            raise Refused(ErrorCode.BUSY, f"{MOST_SPECTATORS} people watch this table already: take a chair or wait.")
        was_connected = self._audience.is_connected(player_id)
        before = self._audience.take_controls(connection)
        if before is not None and is_seated:
            before.send(Notice(code="acting_elsewhere", table_id=self._table.id, message=_ELSEWHERE).model_dump_json())
            self._publisher.show(before)
        self._let_go_of_oldest(connection)
        self._publisher.show(connection, resume)
        self._show_receipts(connection)
        self._greet(connection)
        if not was_connected and (is_seated or self._audience.is_small()):
            self._publisher.publish()

    def note_onlookers(self) -> None:
        """Whoever looks on while a hand runs, without being dealt into it, is told of once."""
        table = self._table
        if table.running is None:
            self._noted.clear()
            return
        record = table.running.record
        for player_id in self._audience.players():
            if record.seat_of(player_id) is None and (record.id_bytes, player_id) not in self._noted:
                self._noted.add((record.id_bytes, player_id))
                self._onlookers.watched(UUID(bytes=record.id_bytes), player_id, self._publisher.now_ms())

    def unwatch(self, connection: Connection) -> None:
        if connection in self._audience:
            self._let_go(connection, "unwatched")

    def lost(self, connection: Connection) -> None:
        if connection in self._audience:
            self._remove(connection)

    def show_out(self) -> None:
        """Let go of spectators who may no longer watch: the table was closed to them, or they gave up their chair."""
        if self._table.customs.watching == "anyone" and self._table.config.host is None:
            return
        for connection in tuple(self._audience):
            if not self._door.may_watch(connection.player.player_id):
                self._let_go(connection, "forbidden")

    def _let_go(self, connection: Connection, reason: Literal["unwatched", "forbidden"]) -> None:
        self._remove(connection)
        connection.send(TableGone(table_id=self._table.id, reason=reason).model_dump_json())

    def _remove(self, connection: Connection) -> None:
        """The newest of a player's other connections gets the controls; without one the seat shows as away."""
        player_id = connection.player.player_id
        had_controls = self._audience.may_act(connection)
        self._audience.remove(connection)
        heir = self._audience.controls(player_id)
        if self._table.seating.of(player_id) is None:
            if heir is None and self._audience.is_small():
                self._publisher.publish()
            return
        if heir is None:
            self._audience.note_absence(player_id, self._publisher.now_ms())
            running = self._table.running
            if running is not None and running.record.seat_of(player_id) is not None:
                hand_id = UUID(bytes=running.record.id_bytes)
                self._onlookers.cut_off(hand_id, player_id, self._publisher.now_ms())
            self._publisher.publish()
        elif had_controls:
            self._publisher.show(heir)

    def _let_go_of_oldest(self, newest: Connection) -> None:
        connections = self._audience.of(newest.player.player_id)
        if len(connections) > MOST_CONNECTIONS_OF_A_PLAYER:
            self.unwatch(connections[0])

    def _show_receipts(self, connection: Connection) -> None:
        """What a player of the hand was given in it, for a page that may have lost it."""
        record = self._table.record
        seat = None if record is None else record.seat_of(connection.player.player_id)
        if record is None or seat is None:
            return
        receipts = [record.commit_receipt(self._table.id), *record.hashes_receipts(self._table.id)]
        if record.events:
            receipts.append(record.sign_state(self._table.id, seat, self._publisher.now_ms()))
        for receipt in receipts:
            connection.send(receipt.model_dump_json())
