"""What lobby, players and operators read of tables and hands."""

import json

from server.eventlog import queries
from server.eventlog.history import hands_of_player

LAST = 2**62


async def read(world, what, *arguments):
    async with world.engine.connect() as connection:
        return await what(connection, *arguments)


async def test_hands_are_listed_newest_first_and_ready_for_json(world) -> None:
    async with world.journal() as journal:
        anna, bela, cora = await world.players(3)
        tables = await world.tables(journal, 2)
        first = world.hand(tables[0], (anna, bela))
        await first.play(journal)
        second = world.hand(tables[1], (bela, cora))
        await second.play(journal)
        running = world.hand(tables[0], (anna, cora), hand_no=2)
        await running.play(journal, upto=1)
    listed = await read(world, queries.recent_hands, 10)
    assert [hand["hand_id"].replace("-", "") for hand in listed] == [hand.id.hex() for hand in (running, second, first)]
    assert json.loads(json.dumps(listed)) == listed
    assert (listed[0]["status"], listed[0]["players"][0]["delta"]) == ("open", None)
    assert [player["delta"] for player in listed[2]["players"]] == [delta for _, delta in first.closing.deltas]
    mine = await read(world, hands_of_player, anna.player_id, LAST, 10)
    assert [hand.hand_no for hand in mine] == [1]  # her running hand is not shown as one that ended
    assert len(await read(world, hands_of_player, bela.player_id, LAST, 10)) == 2
    newest, oldest = await read(world, hands_of_player, bela.player_id, LAST, 2)
    assert await read(world, hands_of_player, bela.player_id, LAST, 1) == (newest,)
    assert await read(world, hands_of_player, bela.player_id, newest.position, 10) == (oldest,)
    assert len(await read(world, queries.recent_hands, 2)) == 2


async def test_a_table_closes_only_between_hands(world) -> None:
    async with world.journal() as journal:
        table = await world.table(journal)
        hand = world.hand(table, await world.players(2))
        await hand.play(journal, upto=2)
        async with world.engine.begin() as connection:
            assert not await queries.close_table(connection, hand.table_id, world.now_ms())
        for number in range(2, len(hand.batches)):
            await hand.append(journal, number)
        async with world.engine.begin() as connection:
            assert await queries.close_table(connection, hand.table_id, world.now_ms())
            assert not await queries.close_table(connection, hand.table_id, world.now_ms())
    assert await read(world, queries.table_count) == 1


async def test_a_played_hand_is_told_as_it_was_settled(world) -> None:
    async with world.journal() as journal:
        players = await world.players(3)
        hand = world.hand(await world.table(journal), players)
        await hand.play(journal)
    (played,) = await read(world, hands_of_player, players[0].player_id, LAST, 10)
    deltas = dict(hand.closing.deltas)
    assert {line.player_id: line.delta for line in played.lines} == deltas
    assert played.commission == hand.closing.commission == -sum(deltas.values())
    assert played.outcome == hand.closing.outcome
    (winner,) = (line for line in played.lines if line.seat == played.winner)
    assert winner.delta == max(deltas.values())
    assert (played.format, played.table_name) == ("points", "Test")
