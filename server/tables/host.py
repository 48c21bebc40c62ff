"""What may change about an open table besides its game: by its host, or by an operator."""

from dataclasses import replace
from typing import Generic

from server.protocol.lobby_commands import HostTable
from server.tables.chat import ChatRoom
from server.tables.durable import DurableJournal
from server.tables.game import State
from server.tables.ports import Customs
from server.tables.publisher import Publisher
from server.tables.table import Table


class TableHost(Generic[State]):
    """Also keeps the chat room's rule true: the room knows nothing of the table."""

    def __init__(
        self, table: Table[State], publisher: Publisher[State], journal: DurableJournal, chat: ChatRoom
    ) -> None:
        self._table = table
        self._publisher = publisher
        self._journal = journal
        self._chat = chat
        chat.rule = table.customs.chat

    async def change(self, wish: HostTable) -> None:
        """As the host. What the wish leaves out stays as it is."""
        now = self._table.customs
        await self.adopt(
            replace(
                now,
                joining=now.joining if wish.joining is None else wish.joining,
                watching=wish.watching or now.watching,
                chat=wish.chat or now.chat,
            )
        )

    async def adopt(self, customs: Customs) -> None:
        """Stored first, then so."""
        table = self._table
        if customs == table.customs:
            return
        await self._journal.call(lambda journal: journal.save_customs(table.id, table.epoch, customs))
        table.customs = customs
        self._chat.rule = customs.chat
        self._publisher.publish()
