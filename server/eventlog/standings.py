"""What a node knows of its running hands, so that the next event of a hand needs no look-up.

It may be believed as long as the node's fence number stands (`fence`): nobody else writes for these tables. Whatever
is not the plain next step of a known hand is looked up and judged.
"""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from server.eventlog.judge import is_gapless
from server.eventlog.units import AppendEvents, TableUnit


class Standing(NamedTuple):
    epoch: int
    hand_id: UUID
    next_k: int


class Standings:
    """By table. After each transaction say `keep` or `forget`."""

    def __init__(self) -> None:
        self._known: dict[UUID, Standing] = {}
        self._fence_no: int | None = None
        self._next_fence_no: int | None = None
        self._moved: list[AppendEvents] = []

    def begin(self, fence_no: int) -> None:
        """A transaction holds the node's row and has read its fence number."""
        if fence_no != self._fence_no:
            self._known.clear()
        self._next_fence_no = fence_no

    def vouch_for(self, unit: TableUnit) -> bool:
        """Whether the unit is the plain next step of a hand that is known to run."""
        if not isinstance(unit, AppendEvents) or unit.closing is not None:
            return False
        return self._known.get(unit.table_id) == (unit.epoch, unit.hand_id, unit.rows[0].k) and is_gapless(unit)

    def note(self, units: Sequence[AppendEvents]) -> None:
        """These were stored in the transaction."""
        self._moved.extend(units)

    def keep(self) -> None:
        """The transaction was committed."""
        self._fence_no = self._next_fence_no
        for unit in self._moved:
            if unit.closing is None:
                self._known[unit.table_id] = Standing(unit.epoch, unit.hand_id, unit.rows[-1].k + 1)
            else:
                self._known.pop(unit.table_id, None)
        self._moved.clear()

    def forget(self) -> None:
        """The transaction failed, or nobody knows."""
        self._known.clear()
        self._moved.clear()
        self._fence_no = None
