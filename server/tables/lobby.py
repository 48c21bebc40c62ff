"""The list of open tables, and who follows it. Private tables are kept in mind, and shown to nobody here."""

from uuid import UUID

from server.protocol.messages import Lobby as LobbyMessage
from server.protocol.messages import LobbyTable, LobbyTableClosed, TableSummary
from server.tables.ports import Connection


class Lobby:
    """Each change is encoded once and sent to everyone who watches."""

    def __init__(self) -> None:
        self._tables: dict[UUID, TableSummary] = {}
        self._private: dict[UUID, TableSummary] = {}
        self._watchers: dict[Connection, None] = {}

    def watch(self, connection: Connection) -> None:
        self._watchers[connection] = None
        connection.send(LobbyMessage(tables=self.summaries()).model_dump_json())

    def unwatch(self, connection: Connection) -> None:
        self._watchers.pop(connection, None)

    def summaries(self) -> list[TableSummary]:
        return list(self._tables.values())

    def private_tables(self) -> list[TableSummary]:
        return list(self._private.values())

    def summary(self, table_id: UUID) -> TableSummary | None:
        return self._tables.get(table_id) or self._private.get(table_id)

    def show(self, summary: TableSummary) -> None:
        if summary.host is not None:
            self._private[summary.table_id] = summary
            return
        self._tables[summary.table_id] = summary
        self._tell(LobbyTable(table=summary).model_dump_json())

    def close(self, table_id: UUID) -> None:
        self._private.pop(table_id, None)
        if self._tables.pop(table_id, None) is not None:
            self._tell(LobbyTableClosed(table_id=table_id).model_dump_json())

    def _tell(self, text: str) -> None:
        for connection in tuple(self._watchers):
            connection.send(text)
