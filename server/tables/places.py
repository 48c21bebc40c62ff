"""Who is at which tables of the house: where players have chairs, and where they wait for one."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from server.protocol.messages import ErrorCode
from server.tables.refusal import Refused

MOST_TABLES_OF_A_PLAYER: Final = 8
"""Chairs that one player may have at the same time."""


class PlayerIndex:
    """Which players are at each table, and at which tables each player is."""

    def __init__(self) -> None:
        self._by_table: dict[UUID, frozenset[UUID]] = {}
        self._by_player: dict[UUID, set[UUID]] = {}

    def tables_of(self, player_id: UUID) -> list[UUID]:
        return sorted(self._by_player.get(player_id, ()))

    def set(self, table_id: UUID, players: frozenset[UUID]) -> None:
        before = self._by_table.get(table_id, frozenset())
        if players:
            self._by_table[table_id] = players
        else:
            self._by_table.pop(table_id, None)
        for player_id in players - before:
            self._by_player.setdefault(player_id, set()).add(table_id)
        for player_id in before - players:
            tables = self._by_player[player_id]
            tables.discard(table_id)
            if not tables:
                del self._by_player[player_id]

    def __len__(self) -> int:
        """How many players there are, each once."""
        return len(self._by_player)


class Claims:
    """Keeps a player to MOST_TABLES_OF_A_PLAYER chairs, those included that are just being stored."""

    def __init__(self, seated: PlayerIndex) -> None:
        self._seated = seated
        self._claimed: Counter[UUID] = Counter()

    @contextmanager
    def claim(self, player_id: UUID) -> Iterator[None]:
        """Hold the right to one more chair. Raises Refused."""
        if len(self._seated.tables_of(player_id)) + self._claimed[player_id] >= MOST_TABLES_OF_A_PLAYER:
            words = f"You sit at {MOST_TABLES_OF_A_PLAYER} tables already: leave one of them first."
            raise Refused(ErrorCode.TOO_MANY_TABLES, words, ("leave_table",))
        self._claimed[player_id] += 1
        try:
            yield
        finally:
            self._claimed[player_id] -= 1
            if not self._claimed[player_id]:
                del self._claimed[player_id]
