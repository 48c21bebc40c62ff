"""Taking, leaving and resting a chair: stored first, then so."""

from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from typing import Generic
from uuid import UUID

from server.protocol.messages import Notice, Player
from server.tables.durable import DurableJournal
from server.tables.game import State
from server.tables.ports import BREAKS, Chair, HoldReason
from server.tables.publisher import Publisher
from server.tables.refused_holds import SHORT_OF_TOKENS, WHY_SAT_OUT
from server.tables.seating import Seating
from server.tables.table import Table


class Chairs(Generic[State]):
    """on_seated hears the ids of everyone who has a chair, whenever that changed.

    claim holds a player's right to one more chair in this house while it is being stored; raises Refused.
    """

    def __init__(
        self,
        table: Table[State],
        publisher: Publisher[State],
        journal: DurableJournal,
        on_seated: Callable[[frozenset[UUID]], None],
        claim: Callable[[UUID], AbstractContextManager[None]],
    ) -> None:
        self._table = table
        self._publisher = publisher
        self._journal = journal
        self._on_seated = on_seated
        self._claim = claim
        self._stored = (table.seating, table.dealer)

    async def sit(self, player: Player, seat: int | None, kept: int = 0) -> int:
        """Seat a player; returns the seat. kept: free chairs that are kept for others. Raises Refused."""
        is_back = self._table.seating.in_name_of(player.player_id) is not None
        seating, taken = self._table.seating.sit(player, seat, kept)
        with nullcontext() if is_back else self._claim(player.player_id):
            await self._adopt(seating)
        return taken

    async def leave(self, chair: Chair, after_hand: bool) -> None:
        """Give the chair up: now, or with the end of the hand that runs if `after_hand`.

        Whoever was dealt into that hand keeps the chair in name until it ends, and `gone` takes them out of it.
        """
        seating = self._table.seating
        if self._table.running is None or self._table.seat_in_hand(chair) is None:
            await self._adopt(seating.without(chair.seat))
        elif after_hand:
            await self._adopt(seating.changed(replace(chair, leaving=True)))
        else:
            await self._adopt(seating.changed(replace(chair, gone=True)))

    async def sit_out(self, chair: Chair, on: bool) -> None:
        """Skip coming hands, or play again from the next one on."""
        notes = self._table.notes.of(chair.player.player_id)
        if not on:
            notes.refused = False
            notes.hands_sat_out = 0
        if chair.sitting_out != on:
            await self._adopt(self._table.seating.changed(replace(chair, sitting_out=on)))

    async def rename(self, player: Player) -> None:
        """Show whoever sits here under the name that they have now; nothing for somebody who does not."""
        chair = self._table.seating.in_name_of(player.player_id)
        if chair is not None and chair.player != player:
            await self._adopt(self._table.seating.changed(replace(chair, player=player)))

    async def refuse(self, reasons: Mapping[UUID, HoldReason]) -> None:
        """Sit out those who can't cover the next hand or may not play it, and tell each why (rules section 1).

        Whoever has chosen not to play for days keeps the chair from nobody.
        """
        table = self._table
        refused = frozenset(reasons) & {chair.player.player_id for chair in table.seating.playing_on}
        assert refused, "a hand was refused for players who are not in it"
        for player_id in refused:
            table.notes.of(player_id).refused = reasons[player_id] in SHORT_OF_TOKENS
        seating = table.seating.sat_out(refused)
        for chair in seating.present:
            if reasons.get(chair.player.player_id) in BREAKS:
                seating = seating.without(chair.seat)
        await self._adopt(seating)
        for player_id in refused:
            why = WHY_SAT_OUT[reasons[player_id]]
            self._publisher.tell(player_id, Notice(code=why.code, table_id=table.id, message=why.words))

    async def rest(self, idle: Collection[UUID], absent: Collection[UUID]) -> None:
        """Sit out those who do nothing and those who are not here, and free the chairs that sat out too many hands."""
        notes, timing = self._table.notes, self._table.timing
        seating = self._table.seating.sat_out((*idle, *absent))
        for chair in seating.present:
            player_id = chair.player.player_id
            limit = timing.hands_absent if player_id in absent else timing.hands_sitting_out
            if chair.sitting_out and notes.of(player_id).hands_sat_out >= limit:
                seating = seating.without(chair.seat)
        await self._adopt(seating)

    async def free(self, player_ids: Collection[UUID]) -> None:
        """Take the chairs of these players back, between hands."""
        seating = self._table.seating
        for chair in seating.chairs:
            if chair.player.player_id in player_ids:
                seating = seating.without(chair.seat)
        await self._adopt(seating)

    async def hand_ended(self) -> None:
        """Free the chairs of those who left during the hand or wanted to leave after it, and store the button."""
        await self._adopt(self._table.seating.after_hand())

    async def _adopt(self, seating: Seating) -> None:
        table = self._table
        if (seating, table.dealer) == self._stored:
            return
        await self._journal.call(
            lambda journal: journal.save_chairs(table.id, table.epoch, seating.chairs, table.dealer)
        )
        self._stored = (seating, table.dealer)
        if seating == table.seating:
            return
        table.seating = seating
        seated = frozenset(chair.player.player_id for chair in seating.present)
        table.notes.keep_only(frozenset(chair.player.player_id for chair in seating.chairs))
        self._on_seated(seated)
        self._publisher.publish()
