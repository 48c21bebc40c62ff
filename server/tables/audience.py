"""Who watches a table, through which connections, and which of a player's connections holds the controls."""

from collections.abc import Collection, Iterator
from typing import Final
from uuid import UUID

from server.tables.ports import Connection

MOST_SPECTATORS: Final = 200
"""Connections per table beyond which nobody without a chair is let in. Whoever plays is never turned away."""

SMALL_AUDIENCE: Final = 20
"""Up to here everybody is told at once how many watch; a larger audience hears it with the next thing that happens."""

MOST_CONNECTIONS_OF_A_PLAYER: Final = 8
"""Windows and devices of one player at one table; one more, and the oldest is let go."""


class Audience:
    """Several connections of one player see the same; the newest that watched or sat holds the controls."""

    def __init__(self) -> None:
        self._by_player: dict[UUID, list[Connection]] = {}
        self._absent_since: dict[UUID, int] = {}

    def __iter__(self) -> Iterator[Connection]:
        for connections in self._by_player.values():
            yield from connections

    def __contains__(self, connection: Connection) -> bool:
        return connection in self.of(connection.player.player_id)

    def __len__(self) -> int:
        return sum(len(connections) for connections in self._by_player.values())

    def spectators_are_many(self) -> bool:
        return len(self) >= MOST_SPECTATORS

    def is_small(self) -> bool:
        return len(self) <= SMALL_AUDIENCE

    def people_besides(self, player_ids: Collection[UUID]) -> int:
        """How many people watch, however many windows each has open, besides these."""
        return sum(player_id not in player_ids for player_id in self._by_player)

    def players(self) -> tuple[UUID, ...]:
        """Everybody who watches, each once."""
        return tuple(self._by_player)

    def of(self, player_id: UUID) -> tuple[Connection, ...]:
        """A player's connections, the one with the controls last."""
        return tuple(self._by_player.get(player_id, ()))

    def is_connected(self, player_id: UUID) -> bool:
        return player_id in self._by_player

    def controls(self, player_id: UUID) -> Connection | None:
        connections = self._by_player.get(player_id)
        return connections[-1] if connections else None

    def may_act(self, connection: Connection) -> bool:
        """A connection that does not watch may act as long as no other one does."""
        holder = self.controls(connection.player.player_id)
        return holder is None or holder is connection

    def take_controls(self, connection: Connection) -> Connection | None:
        """Watch through this connection, with the controls; returns the one that held them before, if another."""
        player_id = connection.player.player_id
        before = self.controls(player_id)
        connections = self._by_player.setdefault(player_id, [])
        if connection in connections:
            connections.remove(connection)
        connections.append(connection)
        self._absent_since.pop(player_id, None)
        return before if before is not connection else None

    def remove(self, connection: Connection) -> None:
        """No longer watch through this connection; nothing happens when it did not."""
        player_id = connection.player.player_id
        connections = self._by_player.get(player_id, [])
        if connection in connections:
            connections.remove(connection)
            if not connections:
                del self._by_player[player_id]

    def note_absence(self, player_id: UUID, now_ms: int) -> None:
        """A player with a chair has lost the last connection."""
        self._absent_since[player_id] = now_ms

    def absent_ms(self, player_id: UUID, now_ms: int) -> int:
        """For how long a player has had no connection here; counted from the first question when never seen."""
        if self.is_connected(player_id):
            return 0
        return now_ms - self._absent_since.setdefault(player_id, now_ms)

    def forget_absences(self, but: frozenset[UUID]) -> None:
        """Nobody asks any more about those who gave up their chairs."""
        self._absent_since = {player_id: ms for player_id, ms in self._absent_since.items() if player_id in but}
