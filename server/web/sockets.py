"""Every open socket, findable by player, session and address."""

import contextlib
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final
from uuid import UUID

from server.protocol.messages import Player
from server.web.connection import CLOSE_REPLACED, CLOSE_SIGNED_OUT, SocketConnection

MOST_OF_PLAYER: Final = 16
"""Windows and devices of one player; with one more the oldest is let go, as it may be one that died unnoticed."""


class Sockets:
    def __init__(self) -> None:
        self._by_player: dict[UUID, dict[SocketConnection, None]] = {}
        self._of_address: Counter[str] = Counter()

    def __iter__(self) -> Iterator[SocketConnection]:
        for connections in tuple(self._by_player.values()):
            yield from tuple(connections)

    def add(self, connection: SocketConnection) -> None:
        connections = self._by_player.setdefault(connection.player.player_id, {})
        connections[connection] = None
        for oldest in tuple(connections)[:-MOST_OF_PLAYER]:
            oldest.close(CLOSE_REPLACED, f"only the newest {MOST_OF_PLAYER} connections of a player stay open")

    def remove(self, connection: SocketConnection) -> None:
        """The connection has ended; it was added before."""
        player_id = connection.player.player_id
        connections = self._by_player[player_id]
        del connections[connection]
        if not connections:
            del self._by_player[player_id]

    def of_player(self, player_id: UUID) -> tuple[SocketConnection, ...]:
        return tuple(self._by_player.get(player_id, ()))

    def players(self) -> list[UUID]:
        """Everybody who has a socket open."""
        return list(self._by_player)

    @contextlib.contextmanager
    def arrived(self, address: str) -> Iterator[int]:
        """Counts one more socket from this address while it lasts, signed in or not; gives how many there are now."""
        self._of_address[address] += 1
        try:
            yield self._of_address[address]
        finally:
            self._of_address[address] -= 1
            if not self._of_address[address]:
                del self._of_address[address]

    def sessions_of(self, player_id: UUID) -> frozenset[UUID]:
        """A player's sessions that have a socket open."""
        return frozenset(connection.session.session_id for connection in self.of_player(player_id))

    def rename(self, player: Player) -> None:
        for connection in self.of_player(player.player_id):
            connection.rename(player)

    def end_sessions(self, player_id: UUID, session_ids: Collection[UUID], reason: str) -> None:
        """These sessions opened their last door: what they had open is closed."""
        for connection in self.of_player(player_id):
            if connection.session.session_id in session_ids:
                connection.close(CLOSE_SIGNED_OUT, reason)

    def close_all(self, code: int, reason: str) -> None:
        for connection in self:
            connection.close(code, reason)
