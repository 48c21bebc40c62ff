"""One bot in one chair: hears the table, decides with its strategy, acts once per turn."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID

from clients.python.client import CommandRefused, HouseClient
from clients.python.fair_seat import SeatContribution
from clients.python.strategies import BeforeDraw, SeatKnowledge, Strategy, Taken
from rummy.cards import Card, Rank
from rummy.rules import MIDDLE_DROP_POINTS, decks_for
from server.protocol.commands import (
    Command,
    Contribute,
    Declare,
    Discard,
    Draw,
    Drop,
    LeaveTable,
    Ready,
    Rejoin,
    Reveal,
    Sit,
    UnwatchTable,
    WatchTable,
)
from server.protocol.messages import Receipt, SeatPrivate, SeatView, ServerMessage, Table, TurnView


class SeatPlayer:
    """Give it every message of its client through `hear`; `play` goes on until it is cancelled."""

    def __init__(
        self,
        client: HouseClient,
        table_id: UUID,
        strategy: Strategy,
        think: Callable[[], Awaitable[None]],
        on_table: Callable[[Table], None] = lambda table: None,
        wants_more: Callable[[], bool] = lambda: True,
    ) -> None:
        self.table_id = table_id
        self._client = client
        self._strategy = strategy
        self._think = think
        self._on_table = on_table
        self._wants_more = wants_more
        self._table: Table | None = None
        self._commitment: Receipt | None = None
        self._hashes: Receipt | None = None
        self._contribution: SeatContribution | None = None
        self._revealed: UUID | None = None
        self._ready_after: UUID | None = None
        self._answered: tuple[UUID, int] | None = None
        self._news = asyncio.Event()

    def hear(self, message: ServerMessage) -> None:
        match message:
            case Table() if message.table_id == self.table_id:
                self._table = message
                self._on_table(message)
                self._news.set()
            case Receipt(kind="commit") if message.table_id == self.table_id:
                self._commitment = message
                self._news.set()
            case Receipt(kind="hashes") if message.table_id == self.table_id:
                self._hashes = message
                self._news.set()
            case _:
                return

    @property
    def seated(self) -> bool:
        """Whether the table, as last heard, still has a chair for us."""
        return self._table is not None and self._table.you is not None

    @property
    def leaving(self) -> bool:
        """Whether the chair is given up once the running hand has ended."""
        table = self._table
        return table is not None and table.you is not None and table.public.seats[table.you.seat].leaving

    async def watch(self) -> None:
        """Hear the table from now on. Raises CommandRefused."""
        await self._client.ask(WatchTable(type="watch_table", id=self._client.new_id(), table_id=self.table_id))

    async def sit(self) -> None:
        """Take the first free chair, or the own one back while it is being given up. Raises CommandRefused."""
        await self._client.ask(Sit(type="sit", id=self._client.new_id(), table_id=self.table_id))

    async def unwatch(self) -> None:
        await self._try(UnwatchTable(type="unwatch_table", id=self._client.new_id(), table_id=self.table_id))

    async def leave(self) -> None:
        leave = LeaveTable(type="leave_table", id=self._client.new_id(), table_id=self.table_id, after_hand=True)
        await self._try(leave)

    async def play(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            await self._contribute()
            await self._reveal()
            await self._answer_offer()
            await self._say_ready()
            await self._take_turn()

    async def _contribute(self) -> None:
        commitment = self._commitment
        if commitment is None or not _is_awaited(self._table, commitment.hand_id):
            return
        if self._contribution is not None and self._contribution.hand_id == commitment.hand_id:
            return
        self._contribution = SeatContribution.for_commitment(commitment.receipt, self._client.account.player_id)
        await self._try(
            Contribute(
                type="contribute",
                id=self._client.new_id(),
                table_id=self.table_id,
                hand_id=commitment.hand_id,
                hash=self._contribution.hash.hex(),
            )
        )

    async def _reveal(self) -> None:
        own, hashes = self._contribution, self._hashes
        if own is None or hashes is None or hashes.hand_id != own.hand_id or self._revealed == own.hand_id:
            return
        own.check_hashes(hashes.receipt)
        self._revealed = own.hand_id
        await self._try(
            Reveal(
                type="reveal",
                id=self._client.new_id(),
                table_id=self.table_id,
                hand_id=own.hand_id,
                nonce=own.nonce.hex(),
                text=own.text,
            )
        )

    async def _say_ready(self) -> None:
        table = self._table
        if table is None or table.you is None or table.public.phase != "result" or table.public.result is None:
            return
        hand_id = table.public.result.hand_id
        if self._ready_after != hand_id and self._wants_more():
            self._ready_after = hand_id
            await self._try(Ready(type="ready", id=self._client.new_id(), table_id=self.table_id))

    async def _answer_offer(self) -> None:
        """Come back into a pool match when that leaves room below the limit."""
        table = self._table
        if table is None or table.you is None or "rejoin" not in table.you.allowed:
            return
        match, rules = table.public.match, table.public.table.rules.match
        if match is None or rules is None or rules.limit is None or match.offer_points is None:
            return
        offer = (match.match_id, match.counted)
        if offer == self._answered:
            return
        self._answered = offer
        accept = self._wants_more() and match.offer_points * 2 <= rules.limit
        new_id = self._client.new_id()
        await self._try(
            Rejoin(type="rejoin", id=new_id, table_id=self.table_id, match_id=match.match_id, accept=accept)
        )

    async def _take_turn(self) -> None:
        turn = _own_turn(self._table)
        if turn is None:
            return
        await self._think()
        # Thinking took time: decide on what is true now.
        table = self._table
        now = _own_turn(table)
        if table is None or table.you is None or table.public.hand is None or now is None:
            return
        known = knowledge_of(table, table.you)
        hand_id = table.public.hand.hand_id
        common = {"id": self._client.new_id(), "table_id": self.table_id, "hand_id": hand_id, "turn": now.number}
        await self._try(self._decide(known, now, common))

    def _decide(self, known: SeatKnowledge, turn: TurnView, common: dict[str, object]) -> Command:
        if turn.stage == "draw":
            match self._strategy.before_draw(known):
                case BeforeDraw.DROP:
                    return Drop.model_validate({"type": "drop", **common})
                case source:
                    return Draw.model_validate({"type": "draw", "source": source.value, **common})
        finish = self._strategy.after_draw(known)
        if finish.declare:
            return Declare.model_validate({"type": "declare", "finish_card": finish.card, **common})
        return Discard.model_validate({"type": "discard", "card": finish.card, **common})

    async def _try(self, command: Command) -> None:
        try:
            await self._client.ask(command)
        except CommandRefused:
            # Late or overtaken by the clock: the next table message says where we stand.
            return


def _is_awaited(table: Table | None, hand_id: UUID) -> bool:
    """Whether the house still waits for our hash: it may hold one already, of a life of ours before this one."""
    if table is None or table.you is None or table.public.hand is None or table.public.hand.hand_id != hand_id:
        return False
    return table.public.hand.stage == "hashes" and table.public.seats[table.you.seat].contribution == "waiting"


def _own_turn(table: Table | None) -> TurnView | None:
    if table is None or table.you is None or not table.you.may_act or table.public.hand is None:
        return None
    turn = table.public.hand.turn
    return turn if turn is not None and turn.seat == table.you.seat else None


def knowledge_of(table: Table, you: SeatPrivate) -> SeatKnowledge:
    """What this seat knows on its turn, from the newest table message."""
    hand = table.public.hand
    assert hand is not None, "a seat on turn has a hand"
    assert hand.wild_card is not None, "a turn comes after the wild card"
    forbidden = table.public.table.rules.return_taken_card == "forbidden"
    took_last = [taken.card for taken in hand.taken if taken.seat == you.seat and taken.card == you.drawn_card]
    players = [seat for seat in table.public.seats if seat.seat in hand.players]
    still_in = [player.seat for player in players if player.in_hand and player.out is None]
    after = [seat for seat in still_in if seat > you.seat] + [seat for seat in still_in if seat < you.seat]
    return SeatKnowledge(
        cards=tuple(Card(card) for card in you.cards),
        wild_rank=None if hand.wild_rank is None else Rank(hand.wild_rank),
        pile=tuple(Card(card) for card in hand.discard_pile),
        may_draw_pile="draw_pile" in you.allowed,
        drop_points=you.drop_points if "drop" in you.allowed else None,
        not_returnable=Card(took_last[0]) if took_last and forbidden else None,
        decks=decks_for(table.public.table.seat_count),
        turned=Card(hand.wild_card),
        turn_number=0 if hand.turn is None else hand.turn.number,
        player_count=len(hand.players),
        opponents=tuple(after),
        owed_points=sum(_owed(player) for player in players if player.seat not in still_in),
        taken=tuple(Taken(taken.seat, Card(taken.card)) for taken in hand.taken if taken.seat != you.seat),
    )


def _owed(player: SeatView) -> int:
    """What a seat that is out has left for; a player whose chair is free again left the table in mid-hand."""
    return MIDDLE_DROP_POINTS if player.points is None else player.points
