"""The best table for a player's wishes, and a chair there: one command, one answer, however many tables are tried."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from server.protocol.lobby_commands import QuickSeat
from server.protocol.messages import Ack, Error, ErrorCode, TableSummary
from server.tables.inbox import SeatRequest
from server.tables.ports import Connection
from server.tables.refusal import Refused
from server.tables.replies import REMEMBERED_PLAYERS_OF_THE_HOUSE, Replies

FINAL: Final = frozenset({ErrorCode.TOO_MANY_TABLES, ErrorCode.OWN_BREAK, ErrorCode.BUSY, ErrorCode.INTERNAL})
"""Refusals that no other table would answer differently."""


@dataclass(slots=True)
class _Search:
    """connection: the newest from which the same command came. left: the tables still to ask, best first."""

    connection: Connection
    command: QuickSeat
    left: list[UUID] = field(repr=False)


class QuickSeats:
    """offer puts a request into a table's inbox, if it takes it. tables: those in the lobby. seated_at: own chairs."""

    def __init__(
        self,
        offer: Callable[[UUID, SeatRequest], bool],
        tables: Callable[[], Sequence[TableSummary]],
        seated_at: Callable[[UUID], Sequence[UUID]],
    ) -> None:
        self._offer = offer
        self._tables = tables
        self._seated_at = seated_at
        self._replies = Replies(REMEMBERED_PLAYERS_OF_THE_HOUSE)
        self._searches: dict[UUID, _Search] = {}

    def ask(self, connection: Connection, command: QuickSeat) -> None:
        """Search; the answer comes through the connection once the chair is stored, or no table is left to ask."""
        player_id = connection.player.player_id
        try:
            earlier = self._replies.earlier(player_id, command)
        except Refused as refusal:
            connection.send(_error(command, refusal))
            return
        running = self._searches.get(player_id)
        if earlier is not None:
            connection.send(earlier)
        elif running is not None and running.command == command:
            running.connection = connection
        elif running is not None:
            words = "You look for a chair already: wait for that answer."
            connection.send(_error(command, Refused(ErrorCode.BUSY, words)))
        else:
            search = self._searches[player_id] = _Search(connection, command, self._suiting(player_id, command))
            self._try_next(search)

    def lost(self, connection: Connection) -> None:
        """The socket is gone: no other table is asked through it."""
        search = self._searches.get(connection.player.player_id)
        if search is not None and search.connection is connection:
            search.left.clear()

    def _suiting(self, player_id: UUID, wishes: QuickSeat) -> list[UUID]:
        own = set(self._seated_at(player_id))
        tables = [table for table in self._tables() if table.table_id not in own and suits(table, wishes)]
        return [table.table_id for table in sorted(tables, key=preference)]

    def _try_next(self, search: _Search) -> None:
        while search.left:
            table_id = search.left.pop(0)
            if self._offer(table_id, self._request(search, table_id)):
                return
        words = "No open table with a free chair suits these wishes."
        self._refuse(search, Refused(ErrorCode.NO_TABLE_FITS, words, ("watch_lobby", "join_waiting", "open_table")))

    def _request(self, search: _Search, table_id: UUID) -> SeatRequest:
        def seated(seat: int) -> None:
            result = {"table_id": str(table_id), "seat": seat}
            self._answer(search, Ack(id=search.command.id, result=result).model_dump_json())

        def refused(refusal: Refused | None) -> None:
            if refusal is None:
                words = "The table could not answer: look whether you have a chair now, and ask again."
                self._refuse(search, Refused(ErrorCode.BUSY, words))
            elif refusal.code in FINAL:
                self._refuse(search, refusal)
            else:
                self._try_next(search)

        return SeatRequest(search.connection, seated, refused)

    def _refuse(self, search: _Search, refusal: Refused) -> None:
        self._answer(search, _error(search.command, refusal))

    def _answer(self, search: _Search, reply: str) -> None:
        player_id = search.connection.player.player_id
        self._searches.pop(player_id, None)
        self._replies.remember(player_id, search.command, reply)
        search.connection.send(reply)


def suits(table: TableSummary, wishes: QuickSeat) -> bool:
    return (
        table.free > 0
        and wishes.format == ("points" if table.rules.match is None else table.rules.match.kind)
        and wishes.asset in (None, table.asset)
        and wishes.practice in (None, table.practice)
        and wishes.seat_count in (None, table.seat_count)
        and (wishes.min_rate is None or table.rate >= wishes.min_rate)
        and (wishes.max_rate is None or table.rate <= wishes.max_rate)
    )


def preference(table: TableSummary) -> tuple[int, int, bool, str]:
    """Where most people sit, where most sit at all, where no hand has to end first; then by name, so it is stable."""
    return (table.bots - table.seated, -table.seated, table.hand_running, table.name)


def _error(command: QuickSeat, refusal: Refused) -> str:
    error = Error(id=command.id, code=refusal.code, message=refusal.words, allowed=list(refusal.allowed))
    return error.model_dump_json()
