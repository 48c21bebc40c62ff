"""A new owner finds every table as it stood, and nothing that should not be there."""

import secrets
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from fairness.sealing import SealBroken, SealRing
from rummy.rules import ReturnTakenCard, TableRules, TakeWildFromPile
from server.eventlog import queries
from server.eventlog.journal import PostgresJournal
from server.eventlog.keys import HouseKeys
from server.eventlog.units import Beat
from server.tables.ports import Chair, LiveHand, StoredContribution, StoredTable, TableConfig
from wallet import verbs
from wallet.accounts import Asset
from wallet.contests import of_hand, of_match
from wallet.open_holds import open_holds
from wallet.requests import HoldRequest

OPEN_MATCH = (
    "INSERT INTO matches (match_id, table_id, asset, format, buy_in, commission_bp, opened_ms)"
    " VALUES (:match_id, :table_id, 'HT', 'pool_101', 700, 500, :opened_ms)"
)
STRANGE_RULES = TableRules(
    8,
    min_players=3,
    turn_seconds=15,
    time_bank_seconds=0,
    missed_turns_to_drop=1,
    take_wild_from_pile=TakeWildFromPile.NEVER,
    return_taken_card=ReturnTakenCard.ALLOWED,
    reshuffles_allowed=10,
)


def events_upto(hand, upto: int) -> tuple:
    return tuple(row for batch in hand.batches[:upto] for row in batch)


@pytest.mark.parametrize("upto", [0, 1, 2])
async def test_a_live_hand_is_loaded_as_it_was_stored(world, upto) -> None:
    async with world.journal() as journal:
        players = await world.players(3)
        table = await world.table(journal)
        chairs = tuple(Chair(seat, player) for seat, player in enumerate(players))
        await journal.save_chairs(table.config.table_id, table.epoch, chairs, 0)
        hand = world.hand(table, players, silent=(1,))
        receipt = await journal.open_hand(hand.epoch, hand.opening)
        await hand.contribute(journal)
        for number in range(upto):
            await hand.append(journal, number)
    async with world.journal() as successor:
        (stored,) = await successor.load_tables()
    contributions = tuple(
        StoredContribution(seat, hand.hashes[seat], *hand.nonces[seat]) for seat in sorted(hand.hashes)
    )
    live = LiveHand(
        hand.opening.terms,
        hand.opening.commitment,
        receipt,
        True,
        contributions,
        events_upto(hand, upto),
        hand.opening.server_seed,
        hand.hashes_receipt,
    )
    assert stored == StoredTable(table.config, table.epoch + 1, chairs, 1, 0, live, stored.last_alive_ms)


async def test_a_hand_in_its_first_window_is_loaded_with_what_came_so_far(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(3))
        await journal.open_hand(hand.epoch, hand.opening)
        await journal.record_hash(hand.table_id, hand.epoch, hand.id, 2, hand.hashes[2])
        live = (await journal.load_table(hand.table_id)).live_hand
    assert (live.hashes_closed, live.hashes_receipt, live.rows) == (False, None, ())
    assert live.contributions == (StoredContribution(2, hand.hashes[2]),)


async def test_between_hands_a_table_has_its_number_and_no_live_hand(world) -> None:
    async with world.journal() as journal:
        table, players = await world.table(journal), await world.players(2)
        for number in (1, 2):
            await world.hand(table, players, hand_no=number).play(journal)
        stored = await journal.load_table(table.config.table_id)
        assert (stored.last_hand_no, stored.live_hand) == (2, None)
        third = world.hand(stored, players, hand_no=3)
        await third.play(journal)


async def test_a_table_keeps_every_rule(world) -> None:
    config = TableConfig(uuid4(), "Étoile ★", "PT", True, 250, 1_000, STRANGE_RULES)
    async with world.journal() as journal:
        async with world.engine.begin() as connection:
            await queries.create_table(connection, config, world.now_ms())
        assert (await journal.load_table(config.table_id)).config == config


async def test_closed_and_unknown_tables_are_not_loaded(world) -> None:
    async with world.journal() as journal:
        open_table, closed_table = await world.tables(journal, 2)
        async with world.engine.begin() as connection:
            assert await queries.close_table(connection, closed_table.config.table_id, world.now_ms())
        assert [table.config for table in await journal.load_tables()] == [open_table.config]
        for table_id in (closed_table.config.table_id, uuid4()):
            with pytest.raises(LookupError):
                await journal.load_table(table_id)


async def test_the_last_sign_of_life_is_the_former_owners(world) -> None:
    now_ms = world.now_ms()
    world.now_ms = lambda: now_ms
    async with world.journal() as journal:
        table = await world.table(journal)
        assert table.last_alive_ms == now_ms  # nobody owned it before: since it was made
        now_ms += 5_000
        await journal.committer.submit(Beat())
        last_ms = now_ms
    now_ms += 3_600_000
    async with world.journal() as successor:
        (stored,) = await successor.load_tables()
    assert stored.last_alive_ms == last_ms


async def test_tokens_held_for_no_hand_and_no_match_are_given_back(world) -> None:
    async with world.journal() as journal:
        table = await world.table(journal)
        hand = world.hand(table, await world.players(2))
        await hand.play(journal, upto=1)
        (player,) = await world.players(1)
        running = of_match(uuid4())
        requests = [
            HoldRequest(contest, table.config.table_id, Asset.HT, ((player.player_id, 700),), world.now_ms())
            for contest in (of_hand(uuid4()), of_match(uuid4()), running)
        ]
        async with world.engine.begin() as connection:
            await verbs.hold_many(connection, requests)
            await connection.execute(
                text(OPEN_MATCH), {"match_id": running.id, "table_id": table.config.table_id, "opened_ms": 1}
            )
        await journal.load_tables()
        async with world.engine.connect() as connection:
            left = {hold.contest for hold in await open_holds(connection)}
            balance = (await verbs.balances(connection, player.player_id))[Asset.HT]
    assert left == {of_hand(UUID(bytes=hand.id)), running}
    assert balance.held == 700


async def test_seeds_do_not_open_with_another_key(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2))
        await hand.play(journal, upto=1)
    stranger = HouseKeys(world.keys.signing, SealRing.generate(secrets.token_bytes))
    async with world.engine.begin() as connection:
        epoch = (await connection.execute(text("SELECT epoch FROM tables"))).scalar()
    wrong = PostgresJournal(world.engine, stranger, world.now_ms, secrets.token_bytes)
    async with wrong.running():
        with pytest.raises(SealBroken):
            await wrong.load_tables()
    assert await world.scalar("SELECT epoch FROM tables") == epoch  # and nothing was taken over


async def test_after_a_rotation_old_seeds_still_open(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2))
        await hand.play(journal, upto=1)
    world.keys = replace(world.keys, seals=world.keys.seals.rotated(secrets.token_bytes))
    async with world.journal() as journal:
        (stored,) = await journal.load_tables()
    assert stored.live_hand.server_seed == hand.opening.server_seed
