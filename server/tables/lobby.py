"""The list of open tables, and who follows it."""

from uuid import UUID

from server.protocol.messages import Lobby as LobbyMessage
from server.protocol.messages import LobbyTable, LobbyTableClosed, TableSummary
from server.tables.ports import Connection


class Lobby:
    """Each change is encoded once and sent to everyone who watches."""

    def __init__(self) -> None:
        self._tables: dict[UUID, TableSummary] = {}
        self._watchers: dict[Connection, None] = {}

    def watch(self, connection: Connection) -> None:
        self._watchers[connection] = None
        connection.send(LobbyMessage(tables=self.summaries()).model_dump_json())

    def unwatch(self, connection: Connection) -> None:
        self._watchers.pop(connection, None)

    def summaries(self) -> list[TableSummary]:
        return list(self._tables.values())

    def show(self, summary: TableSummary) -> None:
        self._tables[summary.table_id] = summary
        self._tell(LobbyTable(table=summary).model_dump_json())

    def close(self, table_id: UUID) -> None:
        if self._tables.pop(table_id, None) is not None:
            self._tell(LobbyTableClosed(table_id=table_id).model_dump_json())

    def _tell(self, text: str) -> None:
        for connection in tuple(self._watchers):
            connection.send(text)


class SeatedIndex:
    """Who sits at which tables."""

    def __init__(self) -> None:
        self._by_table: dict[UUID, frozenset[UUID]] = {}
        self._by_player: dict[UUID, set[UUID]] = {}

    def tables_of(self, player_id: UUID) -> list[UUID]:
        return sorted(self._by_player.get(player_id, ()))

    def set(self, table_id: UUID, players: frozenset[UUID]) -> None:
        before = self._by_table.get(table_id, frozenset())
        self._by_table[table_id] = players
        for player_id in players - before:
            self._by_player.setdefault(player_id, set()).add(table_id)
        for player_id in before - players:
            tables = self._by_player[player_id]
            tables.discard(table_id)
            if not tables:
                del self._by_player[player_id]
