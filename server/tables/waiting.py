"""The line of those who wait for a chair at one table: in memory, and so empty again after a restart of the house."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from server.protocol.lobby_messages import WaitingPlace
from server.protocol.message_base import Player
from server.tables.ports import Connection

MOST_WAITING: Final = 16
"""Per table: twice the chairs of the largest one."""


@dataclass(slots=True)
class Waiter:
    """connections: where they asked from. away_since_ms: when the last of those was lost. told: the place last told."""

    player: Player
    connections: list[Connection] = field(default_factory=list)
    away_since_ms: int | None = None
    offer_until_ms: int | None = None
    told: WaitingPlace | None = None


class WaitingList:
    """First come, first offered."""

    def __init__(self) -> None:
        self._line: dict[UUID, Waiter] = {}

    def __len__(self) -> int:
        return len(self._line)

    def __iter__(self) -> Iterator[Waiter]:
        return iter(tuple(self._line.values()))

    def of(self, player_id: UUID) -> Waiter | None:
        return self._line.get(player_id)

    def position(self, player_id: UUID) -> int:
        """1 for the first. Raises ValueError for somebody who does not wait."""
        return 1 + list(self._line).index(player_id)

    @property
    def player_ids(self) -> frozenset[UUID]:
        return frozenset(self._line)

    @property
    def kept(self) -> int:
        """How many chairs are kept for those who were offered one."""
        return sum(waiter.offer_until_ms is not None for waiter in self._line.values())

    def add(self, waiter: Waiter) -> None:
        self._line[waiter.player.player_id] = waiter

    def remove(self, player_id: UUID) -> Waiter | None:
        return self._line.pop(player_id, None)
