"""Many tables share a transaction, and what one of them may not do does not touch the others."""

import asyncio
import secrets
from uuid import uuid4

import pytest
from sqlalchemy import text

from server.eventlog.batch import BatchWriter
from server.eventlog.committer import MAX_WAITING, Committer
from server.eventlog.errors import JournalConflict
from server.eventlog.journal import PostgresJournal
from server.eventlog.units import Beat
from server.tables.ports import EventRow, Fenced, HoldsRefused, JournalUnavailable

TABLES = 24


async def opened_hands(world, journal, count: int) -> list:
    tables = await world.tables(journal, count)
    hands = [world.hand(table, await world.players(2), seed=number) for number, table in enumerate(tables)]
    await asyncio.gather(*(journal.open_hand(hand.epoch, hand.opening) for hand in hands))
    return hands


async def test_tables_that_wait_together_are_committed_together(world) -> None:
    async with world.journal() as journal:
        hands = await opened_hands(world, journal, TABLES)
        await asyncio.gather(*(hand.contribute(journal) for hand in hands))
        before = journal.committer.batches
        await asyncio.gather(*(hand.append(journal, 0) for hand in hands))
        # The first may go alone while the others arrive; they then go as one.
        assert journal.committer.batches - before <= 3
        whole = [asyncio.create_task(play_on(journal, hand)) for hand in hands]
        await asyncio.gather(*whole)
        assert journal.committer.units / journal.committer.batches > 2
    for hand in hands:
        assert await world.stored_events(hand) == hand.events


async def play_on(journal, hand) -> None:
    for number in range(1, len(hand.batches)):
        await hand.append(journal, number)


async def test_a_unit_that_the_database_refuses_does_not_spoil_its_neighbours(world) -> None:
    async with world.journal() as journal:
        hands = await opened_hands(world, journal, 8)
        row = hands[3].batches[0][0]
        bad = EventRow(0, row.data, b"short", row.clock)
        calls = [hand.append(journal, 0) for hand in hands]
        calls[3].close()
        calls[3] = journal.append(hands[3].table_id, hands[3].epoch, hands[3].id, [bad])
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(answer) for number, answer in enumerate(answers) if number != 3] == [type(None)] * 7
        assert isinstance(answers[3], JournalConflict)
        assert await world.scalar("SELECT count(*) FROM hand_events") == 7
        await hands[3].append(journal, 0)


async def test_refusals_of_all_kinds_in_one_batch(world) -> None:
    async with world.journal() as journal, world.journal() as other_node:
        rich = await world.players(2)
        poor = await world.players(1, units=1)
        tables = await world.tables(journal, 4)
        good = world.hand(tables[0], rich)
        broke = world.hand(tables[1], (rich[0], *poor))
        fenced = world.hand(tables[2], rich)
        wrong_number = world.hand(tables[3], rich, hand_no=7)
        await other_node.load_table(fenced.table_id)
        answers = await asyncio.gather(
            *(journal.open_hand(hand.epoch, hand.opening) for hand in (good, broke, fenced, wrong_number)),
            return_exceptions=True,
        )
        assert [type(answer) for answer in answers] == [dict, HoldsRefused, Fenced, JournalConflict]
        assert await world.scalar("SELECT count(*) FROM hands") == 1


async def test_one_player_cannot_cover_two_hands_of_a_batch_with_the_same_tokens(world) -> None:
    async with world.journal() as journal:
        players = await world.players(2, units=1_300)
        hands = [world.hand(table, players) for table in await world.tables(journal, 2)]
        answers = await asyncio.gather(
            *(journal.open_hand(hand.epoch, hand.opening) for hand in hands), return_exceptions=True
        )
        assert sorted(type(answer).__name__ for answer in answers) == ["HoldsRefused", "dict"]


async def test_calls_of_one_table_are_stored_in_the_order_they_came(world) -> None:
    async with world.journal() as journal:
        (hand,) = await opened_hands(world, journal, 1)
        await asyncio.gather(*(hand.append(journal, number) for number in range(len(hand.batches))))
    assert await world.stored_events(hand) == hand.events


async def test_a_caller_that_goes_away_takes_nobody_along(world) -> None:
    async with world.journal() as journal:
        hands = await opened_hands(world, journal, 4)
        calls = [asyncio.create_task(hand.append(journal, 0)) for hand in hands]
        await asyncio.sleep(0)
        calls[1].cancel()
        answers = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(answers[1], asyncio.CancelledError)
        await hands[1].append(journal, 0)  # stored or not, it can be asked for again
    assert await world.scalar("SELECT count(*) FROM hand_events") == 4


async def test_what_was_submitted_before_the_stop_is_committed_and_nothing_after(world) -> None:
    async with world.journal() as journal:
        hands = await opened_hands(world, journal, 6)
        calls = [asyncio.create_task(hand.append(journal, 0)) for hand in hands]
        await asyncio.sleep(0)
    assert await asyncio.gather(*calls) == [None] * 6
    with pytest.raises(JournalUnavailable):
        await hands[0].append(journal, 1)


async def test_nobody_is_left_waiting_for_a_committer_that_was_cancelled(world) -> None:
    journal = PostgresJournal(world.engine, world.keys, world.now_ms, secrets.token_bytes)
    async with world.engine.begin() as blocker:
        async with journal.running():
            pass  # registers the node
        committer = Committer(world.engine, BatchWriter(journal.node_id, world.keys, world.now_ms, secrets.token_bytes))
        running = asyncio.create_task(committer.run())
        hold = text("SELECT FROM journal_nodes WHERE node_id = :node FOR UPDATE")
        await blocker.execute(hold, {"node": journal.node_id})
        in_flight = committer.submit(Beat())
        await asyncio.sleep(0.05)
        behind = committer.submit(Beat())
        running.cancel()
        for answer in (in_flight, behind):
            with pytest.raises(JournalUnavailable):
                await answer


async def test_a_journal_that_is_overrun_says_so_at_once(world) -> None:
    committer = Committer(world.engine, BatchWriter(uuid4(), world.keys, world.now_ms, secrets.token_bytes))
    for _ in range(MAX_WAITING):
        committer.submit(Beat())
    with pytest.raises(JournalUnavailable, match="keep up"):
        committer.submit(Beat())
