"""Private tables close by themselves: one at which nobody has sat for a while is nobody's any more."""

from typing import Generic

from server.tables.durable import DurableJournal
from server.tables.game import State
from server.tables.ports import Clock
from server.tables.table import Table


class Closed(Exception):
    """The table is closed for good; whoever serves it lets go of it."""


class Closing(Generic[State]):
    """Counts from the last chair given up, or from the start of the table's owner if that was later."""

    def __init__(self, table: Table[State], journal: DurableJournal, clock: Clock) -> None:
        self._table = table
        self._journal = journal
        self._clock = clock
        self._empty_since_ms: int | None = None

    @property
    def deadline_ms(self) -> int | None:
        if self._empty_since_ms is None:
            return None
        return self._empty_since_ms + self._table.timing.private_empty_ms

    async def consider(self) -> None:
        """Close the table when its time has come. Raises Closed."""
        table = self._table
        if table.config.host is None:
            return
        if table.seating.chairs or table.running is not None:
            self._empty_since_ms = None
            return
        if self._empty_since_ms is None:
            self._empty_since_ms = self._clock.now_ms()
        deadline_ms = self.deadline_ms
        assert deadline_ms is not None
        if self._clock.now_ms() >= deadline_ms:
            await self._journal.call(lambda journal: journal.close_table(table.id, table.epoch))
            raise Closed
