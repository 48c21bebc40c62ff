"""Chairs of people who have gone away or chosen not to play: free again, also where no hand opens to count it."""

from collections.abc import Iterator
from typing import Generic
from uuid import UUID

from server.tables.audience import Audience
from server.tables.chairs import Chairs
from server.tables.game import State
from server.tables.lineup import running_match
from server.tables.ports import Clock
from server.tables.table import Table


class Vacating(Generic[State]):
    """Chairs are freed between hands. Whoever is in a match, or may come back to it, keeps the chair in it."""

    def __init__(self, table: Table[State], chairs: Chairs[State], audience: Audience, clock: Clock) -> None:
        self._table = table
        self._chairs = chairs
        self._audience = audience
        self._clock = clock

    @property
    def deadline_ms(self) -> int | None:
        """When the next chair is given up; None while a hand runs and while everybody is here."""
        return min((until_ms for _, until_ms in self._absent()), default=None)

    async def take_break(self, player_id: UUID) -> None:
        """Somebody has chosen not to play: the chair is given up now, or when the hand that runs has ended."""
        chair = self._table.seating.of(player_id)
        if chair is not None and not self._is_in_match(player_id):
            await self._chairs.leave(chair, after_hand=True)

    async def consider(self) -> None:
        now_ms = self._clock.now_ms()
        await self._chairs.free([player_id for player_id, until_ms in self._absent() if now_ms >= until_ms])

    def _absent(self) -> Iterator[tuple[UUID, int]]:
        """Who is not connected to the table, and how long their chair is kept."""
        if self._table.running is not None:
            return
        now_ms = self._clock.now_ms()
        for chair in self._table.seating.present:
            player_id = chair.player.player_id
            if not self._is_in_match(player_id) and not self._audience.is_connected(player_id):
                absent_ms = self._audience.absent_ms(player_id, now_ms)
                yield player_id, now_ms - absent_ms + self._table.timing.chair_kept_ms

    def _is_in_match(self, player_id: UUID) -> bool:
        match = running_match(self._table)
        return match is not None and (match.seat_in(player_id) is not None or match.offer_to(player_id) is not None)
