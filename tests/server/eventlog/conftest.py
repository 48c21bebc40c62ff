"""Real hands for the journal: played by the rules, committed to and chained as a table does it."""

import itertools
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from fairness.commitment import commitment
from fairness.contributions import ContributionRound, Roster, contribution_hash
from fairness.deck import hand_key
from fairness.encoding import Id
from fairness.event_codec import encode_event
from fairness.events import Event as RecordEvent
from fairness.events import RosterClosed, SeedRevealed, Settled, Voided, VoidReason
from fairness.receipts import HashesReceipt
from fairness.replay import hand_setup, rules_map, to_record
from fairness.terms import Terms
from fairness.transcript import Transcript
from rummy.actions import Void
from rummy.actions import VoidReason as GameVoidReason
from rummy.hand import apply, start
from rummy.random_play import RESTLESS, random_action
from rummy.rules import TableRules
from server.database import create_engine
from server.eventlog import queries
from server.eventlog.journal import PostgresJournal
from server.eventlog.keys import HouseKeys, load_keys
from server.identity.accounts import Identity, Kind, Role, create_player
from server.protocol.messages import Player
from server.tables.ports import EventRow, HandClosing, HandOpening, StoredTable, TableConfig
from wallet import verbs
from wallet.accounts import Asset

RATE = 10
HOLD_UNITS = 130 * RATE
START_MS = 1_800_000_000_000


class Clock:
    """Moves on by a millisecond whenever somebody looks."""

    def __init__(self) -> None:
        self._ticks = itertools.count(START_MS)

    def __call__(self) -> int:
        return next(self._ticks)


@dataclass
class Hand:
    """One hand as its table would hand it to the journal, step by step."""

    table: StoredTable
    opening: HandOpening
    nonces: dict[int, tuple[bytes, bytes]]
    hashes: dict[int, bytes]
    batches: list[tuple[EventRow, ...]]
    """The events, one batch per action; the last one ends the hand."""
    closing: HandClosing
    hand_key: bytes
    deck: tuple[int, ...]
    hashes_receipt: dict[str, Any]

    @property
    def events(self) -> list[tuple[int, bytes, bytes]]:
        """(k, bytes, head) of every event."""
        return [(row.k, row.data, row.head) for batch in self.batches for row in batch]

    @property
    def table_id(self) -> UUID:
        return self.table.config.table_id

    @property
    def epoch(self) -> int:
        return self.table.epoch

    @property
    def id(self) -> bytes:
        return self.opening.terms.hand_id

    async def contribute(self, journal: PostgresJournal) -> None:
        for seat, hashed in self.hashes.items():
            await journal.record_hash(self.table_id, self.epoch, self.id, seat, hashed)
        await journal.close_hashes(self.table_id, self.epoch, self.id, self.hashes_receipt)
        for seat, (nonce, words) in self.nonces.items():
            await journal.record_reveal(self.table_id, self.epoch, self.id, seat, nonce, words)

    async def append(self, journal: PostgresJournal, number: int) -> None:
        closing = self.closing if number == len(self.batches) - 1 else None
        await journal.append(self.table_id, self.epoch, self.id, self.batches[number], closing)

    async def play(self, journal: PostgresJournal, upto: int | None = None) -> None:
        """From the opening to the end, or through the first `upto` batches."""
        await journal.open_hand(self.epoch, self.opening)
        await self.contribute(journal)
        for number in range(len(self.batches) if upto is None else upto):
            await self.append(journal, number)


@dataclass
class World:
    """A migrated database with players who have tokens, and the house's keys."""

    engine: AsyncEngine
    keys: HouseKeys
    now_ms: Callable[[], int]
    url: str
    hand_numbers: Iterator[int] = field(default_factory=itertools.count)

    @asynccontextmanager
    async def journal(self) -> AsyncIterator[PostgresJournal]:
        journal = PostgresJournal(self.engine, self.keys, self.now_ms, secrets.token_bytes)
        async with journal.running():
            yield journal

    async def players(self, count: int, units: int = 1_000_000) -> tuple[Player, ...]:
        made = tuple(Player(player_id=uuid4(), name=f"Player {number}") for number in range(count))
        async with self.engine.begin() as connection:
            for player in made:
                identity = Identity(player.player_id, player.name, Kind.GUEST, Role.PLAYER)
                await create_player(connection, identity, START_MS)
                await verbs.open_accounts(connection, player.player_id)
                if units:
                    await verbs.grant(connection, str(player.player_id), player.player_id, Asset.HT, units, "start")
        return made

    async def table(self, journal: PostgresJournal, seat_count: int = 4, rate: int = RATE) -> StoredTable:
        config = TableConfig(uuid4(), "Test", "HT", False, rate, 500, TableRules(seat_count))
        async with self.engine.begin() as connection:
            await queries.create_table(connection, config, self.now_ms())
        return await journal.load_table(config.table_id)

    async def tables(self, journal: PostgresJournal, count: int) -> tuple[StoredTable, ...]:
        return tuple([await self.table(journal) for _ in range(count)])

    def hand(
        self,
        table: StoredTable,
        players: tuple[Player, ...],
        seed: int = 1,
        hand_no: int = 1,
        moves: int = 400,
        silent: tuple[int, ...] = (),
    ) -> Hand:
        """A random hand by the rules, of the same kind in every run; voided after `moves` actions.

        silent: seats that contribute nothing.
        """
        rng = Random(f"{seed} {next(self.hand_numbers)}")
        terms = self._terms(table, players, hand_no)
        th = terms.hash()
        server_seed = rng.randbytes(32)
        promised = commitment(th, server_seed)
        nonces = {seat: (rng.randbytes(32), b"luck") for seat in terms.occupied if seat not in silent}
        hashes = {seat: contribution_hash(th, seat, *given) for seat, given in nonces.items()}
        roster, listed = _contribute(terms, hashes, nonces)
        hk = hand_key(server_seed, th, roster.hash())
        setup = hand_setup(terms, hk)
        transcript = Transcript(th, promised)
        batches = [self._rows(transcript, [RosterClosed(self.now_ms(), roster)])]
        state, events = start(setup)
        batches.append(self._rows(transcript, [to_record(event, self.now_ms(), terms) for event in events]))
        while not state.is_over:
            moves -= 1
            action = random_action(state, RESTLESS, rng) if moves > 0 else Void(GameVoidReason.OPERATOR)
            state, events = apply(state, action)
            batches.append(self._rows(transcript, [to_record(event, self.now_ms(), terms) for event in events]))
        batches[-1] += self._rows(transcript, [SeedRevealed(self.now_ms(), server_seed)])
        opening = HandOpening(terms, promised, server_seed, "HT", 130 * table.config.rate)
        receipt = HashesReceipt.sign(self.keys.signing.at(START_MS), th, listed, self.now_ms())
        return Hand(
            table,
            opening,
            nonces,
            hashes,
            batches,
            _closing(terms, server_seed, transcript.events),
            hk,
            tuple(setup.deck),
            dict(receipt.to_json()),
        )

    async def stored_events(self, hand: Hand) -> list[tuple[int, bytes, bytes]]:
        query = "SELECT k, data, head FROM hand_events WHERE hand_id = :hand_id ORDER BY k"
        return [tuple(row) for row in await self.fetch(query, hand_id=UUID(bytes=hand.id))]

    async def fetch(self, query: str, **values: Any) -> list[Any]:
        async with self.engine.connect() as connection:
            return list(await connection.execute(text(query), values))

    async def scalar(self, query: str, **values: Any) -> Any:
        async with self.engine.connect() as connection:
            return (await connection.execute(text(query), values)).scalar()

    def _rows(self, transcript: Transcript, events: list[RecordEvent]) -> tuple[EventRow, ...]:
        first = transcript.next_index
        return tuple(
            EventRow(k, encode_event(event), transcript.append(event), {"deadline_ms": event.at_ms + 30_000})
            for k, event in enumerate(events, start=first)
        )

    def _terms(self, table: StoredTable, players: tuple[Player, ...], hand_no: int) -> Terms:
        config = table.config
        return Terms(
            hand_id=Id(uuid4().bytes),
            table_id=Id(config.table_id.bytes),
            hand_no=hand_no,
            seats=config.rules.seat_count,
            decks=config.rules.decks,
            dealer=0,
            rate=config.rate,
            commission_bp=config.commission_bp,
            rules=rules_map(config.rules),
            opened_ms=self.now_ms(),
            players=tuple((seat, Id(player.player_id.bytes)) for seat, player in enumerate(players)),
        )


def _contribute(terms: Terms, hashes: dict[int, bytes], nonces: dict[int, tuple[bytes, bytes]]) -> tuple[Roster, bytes]:
    contributions = ContributionRound(terms.hash(), terms.occupied)
    for seat, hashed in hashes.items():
        contributions.submit_hash(seat, hashed)
    listed = contributions.close_hashes()
    for seat, given in nonces.items():
        contributions.reveal(seat, *given)
    return contributions.close(), listed


def _closing(terms: Terms, server_seed: bytes, events: tuple[RecordEvent, ...]) -> HandClosing:
    settled = events[-2]
    assert isinstance(settled, Settled)
    reason: VoidReason | None = next((event.reason for event in events if isinstance(event, Voided)), None)
    return HandClosing(
        settled.outcome.word,
        None if reason is None else reason.word,
        server_seed,
        tuple((UUID(bytes=terms.player_at(line.seat)), line.delta) for line in settled.lines),
        settled.commission,
    )


@pytest.fixture
def keys(tmp_path: Path) -> HouseKeys:
    return load_keys(tmp_path / "keys", secrets.token_bytes, START_MS)


@pytest.fixture
async def world(database_url: str, keys: HouseKeys) -> AsyncIterator[World]:
    engine = create_engine(database_url)
    try:
        yield World(engine, keys, Clock(), database_url)
    finally:
        await engine.dispose()
