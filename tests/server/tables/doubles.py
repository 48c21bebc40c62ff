"""What a table needs from the world, for tests: a clock that jumps, a journal that remembers and fails on demand,
connections that keep what they were sent, and a whole house around them."""

import asyncio
import heapq
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from random import Random
from typing import Any, TypeVar
from uuid import UUID

from fairness.contributions import contribution_hash
from fairness.leaves import OpenLeaf
from fairness.merkle import leaf_hash, root_of
from fairness.receipts import CommitReceipt
from fairness.signing import SigningKey, SigningKeys
from fairness.terms import Terms
from rummy.formats.kinds import FormatName
from rummy.rules import TableRules
from server.protocol.commands import COMMAND, TableCommand
from server.protocol.messages import SERVER_MESSAGE, Ack, Error, Player, Receipt, ServerMessage, Table
from server.tables.hub import House
from server.tables.match_ports import MatchEnd, MatchStart, MatchStep, StoredMatch
from server.tables.ports import (
    Chair,
    Customs,
    EndedHand,
    EventRow,
    Fenced,
    HandClosing,
    HandOpening,
    HoldReason,
    HoldsRefused,
    Journal,
    JournalUnavailable,
    LiveHand,
    OwnBreak,
    StoredContribution,
    StoredTable,
    TableConfig,
)
from server.tables.timing import TableTiming

START_MS = 1_800_000_000_000
M = TypeVar("M", bound=ServerMessage)

_key = SigningKey.from_secret(b"\x07" * 32, date(2026, 1, 1), date(2036, 1, 1))
KEYS = SigningKeys((_key.published,), (_key,))


class JumpingClock:
    """Stands still until a test moves it; whoever sleeps wakes when it has passed their deadline, in order."""

    def __init__(self) -> None:
        self.ms = START_MS
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = itertools.count()

    def now_ms(self) -> int:
        return self.ms

    async def sleep_until(self, deadline_ms: int) -> None:
        if deadline_ms <= self.ms:
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (deadline_ms, next(self._order), waiting))
        await waiting

    def next_deadline(self) -> int | None:
        while self._sleepers and self._sleepers[0][2].done():
            heapq.heappop(self._sleepers)
        return self._sleepers[0][0] if self._sleepers else None

    def jump_to(self, ms: int) -> None:
        self.ms = max(self.ms, ms)
        while self._sleepers and self._sleepers[0][0] <= self.ms:
            waiting = heapq.heappop(self._sleepers)[2]
            if not waiting.done():
                waiting.set_result(None)


class ScriptedConnection:
    """Keeps every message, and can be asked for the newest of a kind."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.texts: list[str] = []
        self._messages: list[ServerMessage] = []

    @property
    def player(self) -> Player:
        return self._player

    def send(self, text: str) -> None:
        self.texts.append(text)

    def messages(self) -> list[ServerMessage]:
        for text in self.texts[len(self._messages) :]:
            self._messages.append(SERVER_MESSAGE.validate_json(text))
        return self._messages

    def forget(self) -> None:
        """Drop all but the newest messages, in tests that run long."""
        self.messages()
        del self.texts[:-20]
        del self._messages[:-20]

    def all(self, kind: type[M]) -> list[M]:
        return [message for message in self.messages() if isinstance(message, kind)]

    def last(self, kind: type[M]) -> M:
        for message in reversed(self.messages()):
            if isinstance(message, kind):
                return message
        raise AssertionError(f"no {kind.__name__} was sent")

    def receipt(self, kind: str) -> Receipt:
        return [receipt for receipt in self.all(Receipt) if receipt.kind == kind][-1]

    @property
    def table(self) -> Table:
        return self.last(Table)


@dataclass
class MemoryHand:
    opening: HandOpening
    receipt: Mapping[str, Any]
    hashes: dict[int, bytes] = field(default_factory=dict)
    reveals: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    hashes_receipt: Mapping[str, Any] | None = None
    rows: list[EventRow] = field(default_factory=list)
    closing: HandClosing | None = None
    closed_ms: int = 0


@dataclass
class MemoryTable:
    config: TableConfig
    epoch: int = 0
    chairs: tuple[Chair, ...] = ()
    dealer: int | None = None
    hands: list[MemoryHand] = field(default_factory=list)
    customs: Customs = field(default_factory=Customs)
    guests: frozenset[UUID] = frozenset()
    is_open: bool = True
    matches: list["MemoryMatch"] = field(default_factory=list)


@dataclass
class MemoryMatch:
    """held: token units per player, from the match's beginning and from rejoins."""

    start: MatchStart
    players: Mapping[int, Player]
    held: dict[UUID, int]
    steps: list[MatchStep] = field(default_factory=list)

    @property
    def end(self) -> MatchEnd | None:
        return self.steps[-1].end if self.steps else None

    def take(self, step: MatchStep) -> None:
        if self.steps and self.steps[-1] == step:
            return
        assert step.match_id == self.start.match_id
        assert step.number == len(self.steps)
        assert self.end is None
        if step.rejoin is not None:
            self.held[step.rejoin.player_id] += step.rejoin.units
        self.steps.append(step)
        if step.end is not None:
            assert sum(line.delta for line in step.end.lines) + step.end.commission == 0
            assert {line.player_id: line.staked for line in step.end.lines} == self.held


class MemoryJournal:
    """Records what the port promises. `fail`: how many calls fail; `stores_failing`: whether those were stored."""

    def __init__(self, clock: JumpingClock) -> None:
        self.tables: dict[UUID, MemoryTable] = {}
        self.cannot_cover: set[UUID] = set()
        self.why_not = HoldReason.INSUFFICIENT_FUNDS
        self.breaks: dict[UUID, OwnBreak] = {}
        self.fail = 0
        self.stores_failing = False
        self.slow_ms = 0
        self.calls: list[str] = []
        self.names: dict[bytes, Player] = {}
        self._clock = clock
        self._leaves: list[bytes] = []

    async def _arrive(self, name: str) -> None:
        """What every call goes through before it is stored."""
        await asyncio.sleep(0)
        self.calls.append(name)
        if self.slow_ms:
            self._clock.jump_to(self._clock.ms + self.slow_ms)
        if self.fail > 0 and not self.stores_failing:
            self.fail -= 1
            raise JournalUnavailable("the storage is away")

    def _left(self) -> None:
        """What every call goes through after it was stored: the answer may be lost on the way."""
        if self.fail > 0:
            self.fail -= 1
            raise JournalUnavailable("the answer is lost")

    def _table(self, table_id: UUID, epoch: int) -> MemoryTable:
        table = self.tables[table_id]
        if table.epoch != epoch:
            raise Fenced
        return table

    def _hand(self, table_id: UUID, epoch: int, hand_id: bytes) -> MemoryHand:
        hand = self._table(table_id, epoch).hands[-1]
        assert hand.opening.terms.hand_id == hand_id
        return hand

    async def open_hand(self, epoch: int, opening: HandOpening) -> Mapping[str, Any]:
        await self._arrive("open_hand")
        terms = opening.terms
        table = self._table(UUID(bytes=terms.table_id), epoch)
        if table.hands and table.hands[-1].opening.terms.hand_id == terms.hand_id:
            return table.hands[-1].receipt
        assert not table.hands or table.hands[-1].closing is not None, "two hands at once"
        assert terms.hand_no == len(table.hands) + 1
        refused = {UUID(bytes=player) for _, player in terms.players} & self.cannot_cover
        if refused:
            raise HoldsRefused(dict.fromkeys(refused, self.why_not))
        leaf = OpenLeaf(terms.hand_id, terms.table_id, terms.hand_no, terms.hash(), opening.commitment)  # type: ignore[arg-type]
        self._leaves.append(leaf_hash(leaf.encode()))
        receipt = CommitReceipt.sign(
            KEYS.at(self._clock.ms),
            terms.hash(),
            opening.commitment,
            leaf_index=len(self._leaves) - 1,
            tree_size=len(self._leaves),
            root=root_of([leaf.encode()]),
            inclusion=(),
            at_ms=self._clock.ms,
        ).to_json()
        table.hands.append(MemoryHand(opening, receipt))
        if opening.match is not None:
            assert not table.matches or table.matches[-1].end is not None, "two matches at once"
            seated = {chair.seat: chair.player for chair in table.chairs}
            held = {UUID(bytes=player_id): opening.hold_units for _, player_id in terms.players}
            players = {seat: seated[seat] for seat in terms.occupied}
            table.matches.append(MemoryMatch(opening.match, players, held))
        self._left()
        return receipt

    async def record_hash(
        self, table_id: UUID, epoch: int, hand_id: bytes, seat: int, contribution_hash: bytes
    ) -> None:
        await self._arrive("record_hash")
        hand = self._hand(table_id, epoch, hand_id)
        assert hand.hashes_receipt is None
        assert hand.hashes.setdefault(seat, contribution_hash) == contribution_hash
        self._left()

    async def close_hashes(self, table_id: UUID, epoch: int, hand_id: bytes, hashes_receipt: Mapping[str, Any]) -> None:
        await self._arrive("close_hashes")
        hand = self._hand(table_id, epoch, hand_id)
        assert hand.hashes_receipt in (None, hashes_receipt)
        hand.hashes_receipt = hashes_receipt
        self._left()

    async def record_reveal(
        self, table_id: UUID, epoch: int, hand_id: bytes, seat: int, nonce: bytes, text: bytes
    ) -> None:
        await self._arrive("record_reveal")
        hand = self._hand(table_id, epoch, hand_id)
        assert hand.hashes_receipt is not None
        assert hand.reveals.setdefault(seat, (nonce, text)) == (nonce, text)
        self._left()

    async def append(
        self, table_id: UUID, epoch: int, hand_id: bytes, rows: Sequence[EventRow], closing: HandClosing | None = None
    ) -> None:
        await self._arrive("append" if closing is None else "close")
        hand = self._hand(table_id, epoch, hand_id)
        if list(rows) != hand.rows[rows[0].k : rows[0].k + len(rows)]:
            assert hand.closing is None
            assert [row.k for row in rows] == list(range(len(hand.rows), len(hand.rows) + len(rows)))
            hand.rows += rows
            hand.closing = closing
            hand.closed_ms = self._clock.ms
            if closing is not None and closing.match is not None:
                assert all(delta == 0 for _, delta in closing.deltas)
                self.tables[table_id].matches[-1].take(closing.match)
        self._left()

    async def step_match(self, table_id: UUID, epoch: int, step: MatchStep) -> None:
        await self._arrive("step_match")
        match = self._table(table_id, epoch).matches[-1]
        if step.rejoin is not None and step.rejoin.player_id in self.cannot_cover:
            raise HoldsRefused({step.rejoin.player_id: HoldReason.INSUFFICIENT_FUNDS})
        match.take(step)
        self._left()

    async def save_chairs(self, table_id: UUID, epoch: int, chairs: Sequence[Chair], dealer: int | None) -> None:
        await self._arrive("save_chairs")
        table = self._table(table_id, epoch)
        assert len({chair.player.player_id for chair in chairs}) == len(chairs)
        table.chairs, table.dealer = tuple(chairs), dealer
        self.names |= {chair.player.player_id.bytes: chair.player for chair in chairs}
        self._left()

    async def own_break(self, player_id: UUID) -> OwnBreak | None:
        return self.breaks.get(player_id)

    async def save_customs(self, table_id: UUID, epoch: int, customs: Customs) -> None:
        await self._arrive("save_customs")
        self._table(table_id, epoch).customs = customs
        self._left()

    async def set_stakes(self, table_id: UUID, epoch: int, rate: int, commission_bp: int) -> None:
        await self._arrive("set_stakes")
        table = self._table(table_id, epoch)
        table.config = replace(table.config, rate=rate, commission_bp=commission_bp)
        self._left()

    async def close_table(self, table_id: UUID, epoch: int) -> None:
        await self._arrive("close_table")
        self._table(table_id, epoch).is_open = False
        self._left()

    async def load_tables(self) -> Sequence[StoredTable]:
        await self._arrive("load_tables")
        return [self._take_over(table) for table in self.tables.values() if table.is_open]

    async def load_table(self, table_id: UUID) -> StoredTable:
        await self._arrive("load_table")
        return self._take_over(self.tables[table_id])

    def _take_over(self, table: MemoryTable) -> StoredTable:
        table.epoch += 1
        last = table.hands[-1] if table.hands else None
        live = last if last is not None and last.closing is None else None
        match = table.matches[-1] if table.matches else None
        return StoredTable(
            table.config,
            table.epoch,
            table.chairs,
            len(table.hands),
            table.dealer,
            None if live is None else _live_hand(live),
            self._clock.ms,
            None if last is None or live is not None else self._ended_hand(last),
            table.customs,
            table.guests,
            None if match is None else _stored_match(match),
        )

    def _ended_hand(self, hand: MemoryHand) -> EndedHand:
        opening = hand.opening
        return EndedHand(
            opening.terms,
            opening.commitment,
            hand.receipt,
            hand.hashes_receipt,
            tuple(hand.rows),
            opening.server_seed,
            hand.closed_ms,
            {seat: self.names[player_id] for seat, player_id in opening.terms.players},
        )


def _stored_match(match: MemoryMatch) -> StoredMatch:
    # Through JSON and back, as a database keeps it.
    steps = json.loads(json.dumps([step.events for step in match.steps]))
    return StoredMatch(match.start, match.players, tuple(tuple(step) for step in steps))


def _live_hand(hand: MemoryHand) -> LiveHand:
    contributions = tuple(
        StoredContribution(seat, K, *hand.reveals.get(seat, (None, None))) for seat, K in sorted(hand.hashes.items())
    )
    return LiveHand(
        hand.opening.terms,
        hand.opening.commitment,
        hand.receipt,
        hand.hashes_receipt is not None,
        contributions,
        tuple(hand.rows),
        hand.opening.server_seed,
        hand.hashes_receipt,
    )


class Asker:
    """One player at one connection: asks, and remembers the answers."""

    def __init__(self, world: "World", table_id: UUID, player: Player) -> None:
        self.world = world
        self.table_id = table_id
        self.player = player
        self.connection = ScriptedConnection(player)
        self._nonces: dict[UUID, bytes] = {}

    @property
    def table(self) -> Table:
        return self.connection.table

    @property
    def seat(self) -> int:
        assert self.table.you is not None
        return self.table.you.seat

    def command(self, type_: str, **fields: Any) -> TableCommand:
        content = {"id": self.world.new_id(), "table_id": str(self.table_id), "type": type_} | fields
        command = COMMAND.validate_python(content)
        assert isinstance(command, TableCommand)
        return command

    def post(self, type_: str, **fields: Any) -> TableCommand:
        command = self.command(type_, **fields)
        self.world.house.post(self.connection, command)
        return command

    async def ask(self, type_: str, **fields: Any) -> Ack | Error:
        return await self.ask_command(self.command(type_, **fields))

    async def ask_command(self, command: TableCommand) -> Ack | Error:
        self.world.house.post(self.connection, command)
        await self.world.settle()
        for message in reversed(self.connection.messages()):
            if isinstance(message, Ack | Error) and message.id == command.id:
                return message
        raise AssertionError(f"{command.id} was not answered")

    def turn_fields(self) -> dict[str, Any]:
        hand = self.table.public.hand
        assert hand is not None
        assert hand.turn is not None
        return {"hand_id": str(hand.hand_id), "turn": hand.turn.number}

    async def move(self, type_: str, **fields: Any) -> Ack | Error:
        return await self.ask(type_, **(self.turn_fields() | fields))

    def hash_fields(self) -> dict[str, Any]:
        """This player's contribution to the hand whose commitment it was shown."""
        receipt = self.connection.receipt("commit")
        terms = Terms.from_json(receipt.receipt["terms"])
        nonce = self._nonces.setdefault(receipt.hand_id, self.world.random(32))
        K = contribution_hash(terms.hash(), self.seat, nonce, b"")
        return {"hand_id": str(receipt.hand_id), "hash": K.hex()}

    def reveal_fields(self) -> dict[str, Any]:
        hand_id = self.connection.receipt("commit").hand_id
        return {"hand_id": str(hand_id), "nonce": self._nonces[hand_id].hex()}


class World:
    """A house, its clock and journal, and the people in it."""

    def __init__(self, seed: int = 1, timing: TableTiming | None = None) -> None:
        self._rng = Random(seed)
        self._ids = itertools.count(1)
        self.clock = JumpingClock()
        self.journal = MemoryJournal(self.clock)
        self.timing = timing or TableTiming()
        self.moved: list[UUID] = []
        self.house = self.new_house()

    def new_house(self, journal: Journal | None = None, keys: SigningKeys = KEYS) -> House:
        return House(journal or self.journal, self.clock, self.random, keys, self.timing, self._tokens_moved)

    def _tokens_moved(self, players: Iterable[UUID]) -> None:
        self.moved += players

    def random(self, count: int) -> bytes:
        return self._rng.randbytes(count)

    def new_id(self) -> str:
        return f"c{next(self._ids)}"

    def new_table(
        self,
        seat_count: int = 4,
        rate: int = 10,
        commission_bp: int = 500,
        host: Player | None = None,
        customs: Customs | None = None,
        **rules: Any,
    ) -> UUID:
        """A table for the house to find when it starts."""
        table_id = UUID(bytes=self.random(16))
        config = TableConfig(
            table_id,
            f"table {len(self.journal.tables)}",
            "HT",
            False,
            rate,
            commission_bp,
            TableRules(seat_count, **rules),
            host,
        )
        self.journal.tables[table_id] = MemoryTable(config, customs=customs or Customs())
        return table_id

    def new_match_table(self, format_: FormatName, seat_count: int = 4, buy_in: int = 1000, **rules: Any) -> UUID:
        """A table that plays matches, for the house to find when it starts."""
        table_id = UUID(bytes=self.random(16))
        name = f"match {len(self.journal.tables)}"
        table_rules = TableRules(seat_count, **rules)
        config = TableConfig(table_id, name, "HT", False, 0, 500, table_rules, format=format_, buy_in=buy_in)
        self.journal.tables[table_id] = MemoryTable(config)
        return table_id

    def new_player(self, table_id: UUID, name: str = "") -> Asker:
        player = Player(player_id=UUID(bytes=self.random(16)), name=name or f"player {next(self._ids)}")
        return Asker(self, table_id, player)

    def other_tab(self, asker: Asker) -> Asker:
        """The same player at one more connection."""
        return Asker(self, asker.table_id, asker.player)

    async def start(self) -> None:
        await self.house.start()
        await self.settle()

    async def restart(self) -> None:
        """Stop the house as a deploy does, and start another from the journal. Connections are lost."""
        await self.house.stop()
        self.house = self.new_house()
        await self.start()

    async def settle(self) -> None:
        """Return when no table has anything to do before the clock moves."""
        for _ in range(3):
            for _ in range(5):
                await asyncio.sleep(0)
            for table in tuple(self.house._tables.values()):
                if not table.is_paused:
                    await table.inbox.all_done()

    async def pass_ms(self, ms: int) -> None:
        """Let time pass, stopping at every deadline on the way."""
        until = self.clock.ms + ms
        while (deadline := self.clock.next_deadline()) is not None and deadline <= until:
            self.clock.jump_to(deadline)
            await self.settle()
        self.clock.jump_to(until)
        await self.settle()

    async def seat(self, table_id: UUID, count: int) -> list[Asker]:
        """So many new players, watching and seated."""
        players = [self.new_player(table_id) for _ in range(count)]
        for player in players:
            await player.ask("watch_table")
            assert isinstance(await player.ask("sit"), Ack)
        return players

    async def contribute_all(self, players: Sequence[Asker]) -> None:
        for player in players:
            assert isinstance(await player.ask("contribute", **player.hash_fields()), Ack)
        for player in players:
            assert isinstance(await player.ask("reveal", **player.reveal_fields()), Ack)

    async def dealt(self, seat_count: int = 4, count: int = 2, **rules: Any) -> tuple[UUID, list[Asker]]:
        """A started house with one table, so many players at it, and the cards dealt."""
        table_id = self.new_table(seat_count, **rules)
        await self.start()
        players = await self.seat(table_id, count)
        await self.pass_ms(self.timing.countdown_ms)
        await self.contribute_all(players)
        assert players[0].table.public.phase == "playing"
        return table_id, players

    def stored(self, table_id: UUID) -> MemoryTable:
        return self.journal.tables[table_id]

    def rechair(self, table_id: UUID, player: Player, **changes: Any) -> None:
        """Change a stored chair, as another run of the house may have left it."""
        table = self.journal.tables[table_id]
        table.chairs = tuple(
            replace(chair, **changes) if chair.player.player_id == player.player_id else chair for chair in table.chairs
        )


def on_turn(players: Sequence[Asker]) -> Asker:
    """The player whose turn it is."""
    hand = players[0].table.public.hand
    assert hand is not None
    assert hand.turn is not None
    return next(player for player in players if player.seat == hand.turn.seat)


def public_bytes(table: Table) -> str:
    return table.public.model_dump_json()
