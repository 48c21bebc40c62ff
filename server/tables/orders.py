"""What an operator wants of a table, carried out between hands: other stakes for coming hands, and the table's end.

Nobody plays on under terms they have not seen: with new stakes the countdown begins anew, and who was ready says so
again.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Generic

from server.protocol.messages import Notice
from server.tables.closing import Closed
from server.tables.durable import DurableJournal
from server.tables.game import Game, State
from server.tables.lineup import running_match
from server.tables.phases import Countdown, Result, Waiting
from server.tables.ports import NO_ORDERS, TableConfig, TableOrders
from server.tables.publisher import Publisher
from server.tables.table import Table

_CLOSING: Final = "This table closes when the running hand or match has ended."
_STAKES: Final = "The rate or the commission of this table is another one from the next hand on."


class StandingOrders(Generic[State]):
    """game_of: the same game by another config."""

    def __init__(
        self,
        table: Table[State],
        publisher: Publisher[State],
        journal: DurableJournal,
        game_of: Callable[[TableConfig], Game[State]],
    ) -> None:
        self._table = table
        self._publisher = publisher
        self._journal = journal
        self._game_of = game_of

    def adopt(self, orders: TableOrders) -> None:
        """An operator has ordered so, as is stored already."""
        if orders.closing and not self._table.orders.closing:
            self._publisher.announce(Notice(code="table_closing", table_id=self._table.id, message=_CLOSING))
        self._table.orders = orders

    async def change_stakes(self) -> None:
        """Adopt other stakes when nothing runs, before the next hand can open. Stored first, then so."""
        table, orders = self._table, self._table.orders
        if not self._is_idle() or not orders.names_stakes:
            return
        is_news = orders.changes(table.config)
        rate = table.config.rate if orders.rate is None else orders.rate
        commission_bp = table.config.commission_bp if orders.commission_bp is None else orders.commission_bp
        await self._journal.call(lambda journal: journal.set_stakes(table.id, table.epoch, rate, commission_bp))
        table.config = replace(table.config, rate=rate, commission_bp=commission_bp)
        table.game = self._game_of(table.config)
        table.orders = replace(NO_ORDERS, closing=orders.closing)
        if not is_news:
            return
        if isinstance(table.phase, Countdown):
            table.phase = Waiting()
        for chair in table.seating.chairs:
            table.notes.of(chair.player.player_id).ready = False
        self._publisher.publish()
        self._publisher.announce(Notice(code="stakes_changed", table_id=table.id, message=_STAKES))

    async def close(self) -> None:
        """Close the table when that was ordered and its last result has been seen. Raises Closed."""
        table = self._table
        if table.orders.closing and self._is_idle() and not isinstance(table.phase, Result):
            await self._journal.call(lambda journal: journal.close_table(table.id, table.epoch))
            raise Closed

    def _is_idle(self) -> bool:
        return self._table.running is None and running_match(self._table) is None
