"""Tables on the real journal: whole hands that settle in the ledger and verify to the last byte, restarts included."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from uuid import UUID

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from clients.python.seat_player import knowledge_of
from clients.python.strategies import BeforeDraw, Sensible
from fairness.verify import verify_hand
from rummy.rules import TableRules
from server.database import create_engine
from server.eventlog import export, queries
from server.eventlog.journal import PostgresJournal
from server.eventlog.keys import HouseKeys, load_keys
from server.identity.accounts import Identity, Kind, Role, create_player
from server.protocol.messages import Ack, Error, ErrorCode, Notice
from server.tables.ports import TableConfig
from tests.server.tables.doubles import START_MS, Asker, World, on_turn
from wallet import verbs
from wallet.accounts import Asset
from wallet.check import check
from wallet.limits import DAY_MS, cool_off, set_loss_limit

RATE = 10
GRANT_UNITS = 100_000


class RealHouse:
    """A world whose house stands on PostgreSQL; its clock still jumps."""

    def __init__(self, engine: AsyncEngine, keys: HouseKeys) -> None:
        self.engine = engine
        self.keys = keys
        self.world = World(seed=42)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[World]:
        """One run of the server; the next one finds everything again."""
        journal = PostgresJournal(self.engine, self.keys, self.world.clock.now_ms, secrets.token_bytes)
        async with journal.running():
            self.world.house = self.world.new_house(journal, self.keys.signing)
            await self.world.start()
            try:
                yield self.world
            finally:
                await self.world.house.stop()

    async def new_table(self, seat_count: int) -> UUID:
        config = TableConfig(UUID(bytes=self.world.random(16)), "Test", "HT", False, RATE, 500, TableRules(seat_count))
        async with self.engine.begin() as connection:
            await queries.create_table(connection, config, START_MS)
        return config.table_id

    async def new_player(self, table_id: UUID, units: int = GRANT_UNITS) -> Asker:
        player = self.world.new_player(table_id)
        async with self.engine.begin() as connection:
            identity = Identity(player.player.player_id, player.player.name, Kind.GUEST, Role.PLAYER)
            await create_player(connection, identity, START_MS)
            await verbs.open_accounts(connection, player.player.player_id)
            if units:
                grant_id = str(player.player.player_id)
                await verbs.grant(connection, grant_id, player.player.player_id, Asset.HT, units, "start")
        return player

    async def hand_ids(self, table_id: UUID) -> list[UUID]:
        async with self.engine.connect() as connection:
            query = text("SELECT hand_id FROM hands WHERE table_id = :table_id ORDER BY hand_no")
            return [row.hand_id for row in await connection.execute(query, {"table_id": table_id})]

    async def balance(self, player: Asker) -> tuple[int, int]:
        """(available, held) in token units."""
        async with self.engine.connect() as connection:
            balances = await verbs.balances(connection, player.player.player_id)
        return balances[Asset.HT]

    async def check(self, table_id: UUID, hands: int) -> None:
        """The ledger balances, and every hand verifies with the house's published keys."""
        async with self.engine.connect() as connection:
            assert (await check(connection)).findings == ()
            hand_ids = await self.hand_ids(table_id)
            assert len(hand_ids) >= hands
            for hand_id in hand_ids[:hands]:
                file = await export.hand_file(connection, hand_id.bytes)
                report = verify_hand(file, self.keys.signing.ring)
                assert report.ok, report.first_failure


@pytest.fixture
async def real_house(database_url: str, tmp_path: Path) -> AsyncIterator[RealHouse]:
    engine = create_engine(database_url)
    try:
        yield RealHouse(engine, load_keys(tmp_path / "keys", secrets.token_bytes, START_MS))
    finally:
        await engine.dispose()


async def sit_down(world: World, players: list[Asker]) -> None:
    for player in players:
        await player.ask("watch_table")
        assert isinstance(await player.ask("sit"), Ack)
    await world.pass_ms(world.timing.countdown_ms)


async def play_turn(player: Asker, rng: Random) -> None:
    assert player.table.you is not None
    known = knowledge_of(player.table, player.table.you)
    if player.table.you.drawn_card is not None:
        finish = Sensible().after_draw(known)
        if finish.declare:
            await player.move("declare", finish_card=finish.card)
        else:
            await player.move("discard", card=finish.card)
    elif rng.random() < 0.02:
        await player.world.pass_ms(62_000)
    else:
        choice = Sensible().before_draw(known)
        source = "pile" if choice is BeforeDraw.PILE else "stock"
        await player.move("draw", source=source)


async def play_hand(players: list[Asker], rng: Random, turns: int = 1_000) -> None:
    """Up to so many half turns of the hand that has been dealt."""
    for _ in range(turns):
        if players[0].table.public.phase != "playing":
            return
        await play_turn(on_turn(players), rng)


async def test_whole_hands_settle_in_the_ledger_and_verify(real_house: RealHouse) -> None:
    rng = Random(7)
    table_id = await real_house.new_table(4)
    players = [await real_house.new_player(table_id) for _ in range(3)]
    async with real_house.running() as world:
        await sit_down(world, players)
        on_hold = (GRANT_UNITS - 130 * RATE, 130 * RATE)
        assert [await real_house.balance(player) for player in players] == [on_hold] * 3
        for number in range(1, 4):
            await world.contribute_all(players)
            await play_hand(players, rng)
            result = players[0].table.public.result
            assert result is not None
            assert result.hand_no == number
            for player in players:
                await player.ask("ready")
        for player in players:
            await player.ask("leave_table")
    await real_house.check(table_id, hands=3)


async def test_a_hand_goes_on_through_restarts_and_verifies(real_house: RealHouse) -> None:
    rng = Random(8)
    table_id = await real_house.new_table(6)
    players = [await real_house.new_player(table_id) for _ in range(4)]
    async with real_house.running() as world:
        await sit_down(world, players)
        for player in players[:3]:
            await player.ask("contribute", **player.hash_fields())
    async with real_house.running():
        for player in players:
            await player.ask("watch_table")
        await players[3].ask("contribute", **players[3].hash_fields())
        for player in players[:2]:
            await player.ask("reveal", **player.reveal_fields())
    for run in range(6):
        async with real_house.running() as world:
            for player in players:
                await player.ask("watch_table")
            for player in players[2:] if run == 0 else ():
                await player.ask("reveal", **player.reveal_fields())
            cards = [player.table.you.cards for player in players if player.table.you is not None]
            assert len(cards) == 4
            await play_hand(players, rng, turns=9 if run < 5 else 1_000)
    assert players[0].table.public.result is not None
    await real_house.check(table_id, hands=1)
    assert len(await real_house.hand_ids(table_id)) == 1


async def test_who_has_too_few_tokens_sits_out_and_the_others_play(real_house: RealHouse) -> None:
    table_id = await real_house.new_table(4)
    players = [await real_house.new_player(table_id, units) for units in (GRANT_UNITS, 100, GRANT_UNITS)]
    async with real_house.running() as world:
        await sit_down(world, players)
        hand = players[0].table.public.hand
        assert hand is not None
        assert hand.players == [0, 2]
        assert players[0].table.public.seats[1].why_waiting == "not_enough_tokens"
        assert await real_house.balance(players[1]) == (100, 0)


async def test_whom_a_limit_of_their_own_keeps_out_hears_which_and_the_others_play(real_house: RealHouse) -> None:
    table_id = await real_house.new_table(4)
    players = [await real_house.new_player(table_id) for _ in range(3)]
    limited, now_ms = players[1].player.player_id, real_house.world.clock.now_ms()
    async with real_house.engine.begin() as connection:
        await set_loss_limit(connection, limited, Asset.HT, 130 * RATE - 1, now_ms)
    async with real_house.running() as world:
        await sit_down(world, players)
        hand = players[0].table.public.hand
        assert hand is not None
        assert hand.players == [0, 2]
        assert players[1].connection.last(Notice).code == "sat_out_loss_limit"


async def test_whoever_takes_a_break_gives_up_the_chair_and_takes_no_other(real_house: RealHouse) -> None:
    table_id = await real_house.new_table(4)
    players = [await real_house.new_player(table_id) for _ in range(3)]
    async with real_house.running() as world:
        for player in players:
            assert isinstance(await player.ask("sit"), Ack)
        async with real_house.engine.begin() as connection:
            now_ms = world.clock.now_ms()
            await cool_off(connection, players[1].player.player_id, now_ms + DAY_MS, now_ms)
        await world.pass_ms(world.timing.countdown_ms)
        assert players[0].table.public.seats[1].player is None
        assert players[1].connection.last(Notice).code == "sat_out_cool_off"
        answer = await players[1].ask("sit")
        assert isinstance(answer, Error)
        assert answer.code is ErrorCode.OWN_BREAK


async def test_a_hand_left_by_all_before_the_deal_is_void_and_verifies(real_house: RealHouse) -> None:
    table_id = await real_house.new_table(4)
    players = [await real_house.new_player(table_id) for _ in range(2)]
    async with real_house.running() as world:
        await sit_down(world, players)
        await players[0].ask("contribute", **players[0].hash_fields())
        for player in players:
            await player.ask("leave_table")
    await real_house.check(table_id, hands=1)
    assert [await real_house.balance(player) for player in players] == [(GRANT_UNITS, 0)] * 2


WRONG_HEAD = "UPDATE hand_events SET head = decode(repeat('00', 32), 'hex') WHERE k = 5"
UNREADABLE = r"UPDATE hand_events SET data = '\xff' WHERE k = 5"


@pytest.mark.parametrize("damage", [WRONG_HEAD, UNREADABLE])
async def test_a_hand_whose_stored_row_was_damaged_is_void_with_its_tokens_back_and_others_go_on(
    real_house: RealHouse, database_url: str, damage: str
) -> None:
    table_id, other_id = [await real_house.new_table(4) for _ in range(2)]
    players = [await real_house.new_player(table_id) for _ in range(2)]
    others = [await real_house.new_player(other_id) for _ in range(2)]
    async with real_house.running() as world:
        await sit_down(world, players)
        await world.contribute_all(players)
        await play_hand(players, Random(3), turns=6)
    (damaged_id,) = await real_house.hand_ids(table_id)
    await by_force(database_url, damage)
    async with real_house.running() as world:
        await sit_down(world, others)
        await world.contribute_all(others)
        for player in players:
            player.post("watch_table")
        async with asyncio.timeout(30):
            while players[0].table.public.result is None:
                await world.pass_ms(1_000)
                await asyncio.sleep(0.02)
        assert [await real_house.balance(player) for player in players] == [(GRANT_UNITS, 0)] * 2
        result = players[0].table.public.result
        assert result is not None
        assert (result.hand_id, result.void_reason) == (damaged_id, "server_failure")
        await play_hand(others, Random(4))
        assert others[0].table.public.result is not None
        for player in others:
            await player.ask("leave_table")
        # What the jumping clock took from the database's answers is given back to the table: how much is open.
        async with asyncio.timeout(30):
            while players[0].table.public.hand is None or players[0].table.public.hand.hand_no != 2:
                await world.pass_ms(5_000)
    await real_house.check(other_id, hands=1)
    async with real_house.engine.connect() as connection:
        if damage is UNREADABLE:
            with pytest.raises(export.DamagedRecord):
                await export.hand_file(connection, damaged_id.bytes)
        else:
            # Its events are whole, so what is on file is true: up to its void.
            report = verify_hand(await export.hand_file(connection, damaged_id.bytes), real_house.keys.signing.ring)
            assert report.ok, report.first_failure


async def by_force(database_url: str, statement: str) -> None:
    """As somebody who may do anything, and the record's own guards off."""
    engine = create_async_engine(database_url)
    try:
        async with engine.begin() as connection:
            await connection.execute(text("SET session_replication_role = replica"))
            await connection.execute(text(statement))
    finally:
        await engine.dispose()
