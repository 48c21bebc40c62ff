"""Who may come to a table: sit down, wait, or watch. What follows once they may is for others to do."""

from collections import OrderedDict, deque
from typing import Final, Generic
from uuid import UUID

from server.protocol.messages import ErrorCode
from server.tables.game import State
from server.tables.ports import Clock
from server.tables.refusal import Refused
from server.tables.table import Table

LEAVES_FORGIVEN: Final = 3
LEAVES_WINDOW_MS: Final = 60_000
"""Whoever leaves more often than that within this time waits until it has passed before sitting down again."""

_MOST_LEAVERS: Final = 64


class Door(Generic[State]):
    def __init__(self, table: Table[State], clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._leaves: OrderedDict[UUID, deque[int]] = OrderedDict()

    def check_sit(self, player_id: UUID) -> None:
        """Raises Refused. Whoever still has a chair here, in name at least, needs nobody's leave to take it back."""
        if self._table.seating.in_name_of(player_id) is not None:
            return
        self.check_wait(player_id)
        wait_ms = self._wait_ms(player_id)
        if wait_ms > 0:
            words = f"You sat down and left several times: sit again in {-(-wait_ms // 1000)} s."
            raise Refused(ErrorCode.WAIT_BEFORE_SITTING, words, ("watch_table",))

    def check_wait(self, player_id: UUID) -> None:
        """Whether somebody may come to have a chair here some time. Raises Refused."""
        self.check_known(player_id)
        if not self._table.customs.joining and not self._is_host(player_id):
            raise Refused(ErrorCode.JOINING_CLOSED, "The host lets nobody else sit down here.", ("watch_table",))

    def check_known(self, player_id: UUID) -> None:
        """A private table is not there for anyone who was not let in. Raises Refused."""
        if not self._knows(player_id):
            raise Refused(ErrorCode.UNKNOWN_TABLE, "No such table is open.")

    def check_watch(self, player_id: UUID) -> None:
        """Raises Refused for somebody who has no chair and may not watch."""
        self.check_known(player_id)
        if not self.may_watch(player_id):
            words = "Nobody may watch this table without a chair."
            raise Refused(ErrorCode.SPECTATORS_FORBIDDEN, words, ("sit", "join_waiting"))

    def check_host(self, player_id: UUID) -> None:
        """Raises Refused."""
        self.check_known(player_id)
        if not self._is_host(player_id):
            raise Refused(ErrorCode.NOT_HOST, "Only the host of this table may do that.")

    def may_watch(self, player_id: UUID) -> bool:
        if self._table.seating.of(player_id) is not None:
            return True
        return self._table.customs.watching == "anyone" and self._knows(player_id)

    def note_leave(self, player_id: UUID) -> None:
        """Somebody gave up their chair, at once and not for want of another hand."""
        leaves = self._leaves.setdefault(player_id, deque(maxlen=LEAVES_FORGIVEN + 1))
        leaves.append(self._clock.now_ms())
        self._leaves.move_to_end(player_id)
        if len(self._leaves) > _MOST_LEAVERS:
            self._leaves.popitem(last=False)

    def _wait_ms(self, player_id: UUID) -> int:
        leaves = self._leaves.get(player_id)
        if leaves is None or len(leaves) <= LEAVES_FORGIVEN:
            return 0
        return leaves[0] + LEAVES_WINDOW_MS - self._clock.now_ms()

    def _is_host(self, player_id: UUID) -> bool:
        host = self._table.config.host
        return host is not None and host.player_id == player_id

    def _knows(self, player_id: UUID) -> bool:
        table = self._table
        if table.config.host is None or self._is_host(player_id) or player_id in table.guests:
            return True
        return table.seating.in_name_of(player_id) is not None
