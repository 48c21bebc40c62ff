"""Offers free chairs to those who wait, one after the other, each with a deadline."""

from collections.abc import Callable, Iterable
from typing import Final, Generic, Literal
from uuid import UUID

from server.protocol.lobby_messages import WaitingPlace
from server.protocol.messages import ErrorCode
from server.tables.game import State
from server.tables.ports import Clock, Connection
from server.tables.publisher import Publisher
from server.tables.refusal import Refused
from server.tables.table import Table
from server.tables.waiting import MOST_WAITING, Waiter

WhyEnded = Literal["seated", "left", "offer_expired", "removed", "away", "closed"]

MOST_LINES_OF_A_PLAYER: Final = 8
"""Tables at which one player may wait: each offer keeps a chair from others for a while."""


class WaitingRoom(Generic[State]):
    """on_waiting hears the ids of all who wait, whenever that changed; lines_of says where else a player waits."""

    def __init__(
        self,
        table: Table[State],
        publisher: Publisher[State],
        clock: Clock,
        on_waiting: Callable[[frozenset[UUID]], None],
        lines_of: Callable[[UUID], Iterable[UUID]],
    ) -> None:
        self._table = table
        self._list = table.waiting
        self._publisher = publisher
        self._clock = clock
        self._on_waiting = on_waiting
        self._lines_of = lines_of

    def join(self, connection: Connection) -> int:
        """Wait from this connection, or be told on it, too; returns the position. Raises Refused."""
        player = connection.player
        waiter = self._list.of(player.player_id)
        if waiter is None:
            self._check_join(player.player_id)
            waiter = Waiter(player)
            self._list.add(waiter)
            self._on_waiting(self._list.player_ids)
        if connection not in waiter.connections:
            waiter.connections.append(connection)
        waiter.away_since_ms = None
        waiter.told = None
        self._changed()
        return self._list.position(player.player_id)

    def leave(self, player_id: UUID) -> None:
        """Raises Refused when the player does not wait."""
        self._end_known(player_id, "left", "You do not wait at this table.")

    def remove(self, player_id: UUID) -> None:
        """As the host. Raises Refused when the player does not wait."""
        self._end_known(player_id, "removed", "This player does not wait here.")

    def took_chair(self, player_id: UUID) -> None:
        if self._list.of(player_id) is not None:
            self._end(player_id, "seated")
            self._changed()

    def lost(self, connection: Connection) -> None:
        waiter = self._list.of(connection.player.player_id)
        if waiter is not None and connection in waiter.connections:
            waiter.connections.remove(connection)
            if not waiter.connections:
                waiter.away_since_ms = self._clock.now_ms()

    def kept_for_others(self, player_id: UUID) -> int:
        """How many free chairs are kept for somebody else."""
        own = self._list.of(player_id)
        return self._list.kept - (own is not None and own.offer_until_ms is not None)

    def consider(self) -> None:
        """Let offers run out, forget who went away, and offer what is free, as far as that changed."""
        ended = self._end_overdue()
        offered = self._offer_free_chairs()
        if ended or offered:
            self._changed()

    @property
    def deadline_ms(self) -> int | None:
        """When an offer runs out or somebody has been away for too long."""
        deadlines = [waiter.offer_until_ms for waiter in self._list if waiter.offer_until_ms is not None]
        deadlines += [self._away_until(since) for w in self._list if (since := w.away_since_ms) is not None]
        return min(deadlines, default=None)

    def later(self, by_ms: int) -> None:
        """An outage of ours is not charged to whoever was offered a chair."""
        for waiter in self._list:
            if waiter.offer_until_ms is not None:
                waiter.offer_until_ms += by_ms
        self._tell_places()

    def _check_join(self, player_id: UUID) -> None:
        if self._table.seating.in_name_of(player_id) is not None:
            raise Refused(ErrorCode.ALREADY_SEATED, "You have a chair at this table.")
        if self._table.free_chairs > 0:
            raise Refused(ErrorCode.NOT_NOW, "A chair is free: take it.", ("sit",))
        if len(self._list) >= MOST_WAITING:
            raise Refused(ErrorCode.WAITING_LIST_FULL, f"{MOST_WAITING} people wait here already.")
        if len(tuple(self._lines_of(player_id))) >= MOST_LINES_OF_A_PLAYER:
            words = f"You wait at {MOST_LINES_OF_A_PLAYER} tables already: leave one of those lines first."
            raise Refused(ErrorCode.TOO_MANY_TABLES, words, ("leave_waiting",))

    def _end_overdue(self) -> bool:
        now_ms = self._clock.now_ms()
        before = len(self._list)
        for waiter in self._list:
            if waiter.offer_until_ms is not None and now_ms >= waiter.offer_until_ms:
                self._end(waiter.player.player_id, "offer_expired")
            elif waiter.away_since_ms is not None and now_ms >= self._away_until(waiter.away_since_ms):
                self._end(waiter.player.player_id, "away")
        return len(self._list) < before

    def _offer_free_chairs(self) -> bool:
        """Whoever is not here to answer keeps their place and is passed over."""
        free = self._table.free_chairs if self._table.customs.joining else 0
        here = [waiter for waiter in self._list if waiter.offer_until_ms is None and waiter.connections]
        for waiter in here[:free]:
            waiter.offer_until_ms = self._clock.now_ms() + self._table.timing.offer_ms
        return bool(here[:free])

    def _away_until(self, since_ms: int) -> int:
        return since_ms + self._table.timing.absent_ms

    def _end_known(self, player_id: UUID, why: WhyEnded, words: str) -> None:
        if self._list.of(player_id) is None:
            raise Refused(ErrorCode.NOT_WAITING, words, ("join_waiting",))
        self._end(player_id, why)
        self._changed()

    def _end(self, player_id: UUID, why: WhyEnded) -> None:
        waiter = self._list.remove(player_id)
        assert waiter is not None, "somebody who does not wait cannot stop waiting"
        place = WaitingPlace(table_id=self._table.id, position=None, waiting=len(self._list), ended=why)
        _tell(waiter, place)
        self._on_waiting(self._list.player_ids)

    def _changed(self) -> None:
        self._publisher.publish()
        self._tell_places()

    def _tell_places(self) -> None:
        for position, waiter in enumerate(self._list, start=1):
            place = WaitingPlace(
                table_id=self._table.id,
                position=position,
                waiting=len(self._list),
                offer_until_ms=waiter.offer_until_ms,
            )
            if place != waiter.told:
                waiter.told = place
                _tell(waiter, place)


def _tell(waiter: Waiter, place: WaitingPlace) -> None:
    text = place.model_dump_json()
    for connection in waiter.connections:
        connection.send(text)
