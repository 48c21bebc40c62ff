"""The storage goes away, a table breaks, another owner appears: nothing is lost, doubled or charged."""

import asyncio

import pytest

from server.protocol.messages import Ack, Error, ErrorCode, Notice, TableGone
from server.tables.supervision import CRASHES_OF_A_HAND
from tests.server.tables.doubles import Asker, World, on_turn


async def spin() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


async def wait_out(world: World) -> None:
    """Let the retries go on until the storage is back and no table is paused."""
    await spin()
    while world.journal.fail > 0 or any(table.is_paused for table in world.house._tables.values()):
        deadline = world.clock.next_deadline()
        assert deadline is not None
        world.clock.jump_to(deadline)
        await spin()
    await world.settle()


def notices(player: Asker) -> list[str]:
    return [notice.code for notice in player.connection.all(Notice)]


@pytest.mark.parametrize("stores_failing", [False, True])
async def test_a_move_made_during_an_outage_is_done_once_when_it_is_over(stores_failing: bool) -> None:
    world = World()
    table_id, players = await world.dealt()
    player = on_turn(players)
    rows = len(world.stored(table_id).hands[0].rows)
    world.journal.fail, world.journal.stores_failing = 6, stores_failing
    command = player.post("draw", source="stock", **player.turn_fields())
    await spin()
    assert notices(player) == ["paused"]
    assert all(each.table.you is not None and len(each.table.you.cards) == 13 for each in players)
    assert player.connection.last(Ack).id != command.id
    await wait_out(world)
    assert notices(player) == ["paused", "resumed"]
    assert player.connection.last(Ack).id == command.id
    assert player.table.you is not None
    assert len(player.table.you.cards) == 14
    assert len(world.stored(table_id).hands[0].rows) == rows + 1


async def test_clocks_do_not_run_while_the_table_is_paused() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    hand = player.table.public.hand
    assert hand is not None
    assert hand.turn is not None
    left_ms = hand.turn.deadline_ms - world.clock.ms
    world.journal.fail = 30
    player.post("draw", source="stock", **player.turn_fields())
    await wait_out(world)
    assert world.clock.ms - player.table.now_ms == 0
    hand = player.table.public.hand
    assert hand is not None
    assert hand.turn is not None
    assert hand.turn.deadline_ms - world.clock.ms == left_ms
    assert hand.turn.number == 1


async def test_commands_wait_in_order_through_an_outage_and_the_asker_is_told() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    player = on_turn(players)
    other = next(each for each in players if each is not player)
    world.journal.fail = 3
    player.post("draw", source="stock", **player.turn_fields())
    await spin()
    late = world.new_player(player.table_id)
    late.post("watch_table")
    assert notices(late) == ["paused"]
    other.post("sit_out", on=True)
    await wait_out(world)
    assert late.table.public.seats[other.seat].sitting_out
    assert other.table.public.seats[other.seat].sitting_out
    assert player.table.you is not None
    assert len(player.table.you.cards) == 14


@pytest.mark.parametrize("stores_failing", [False, True])
async def test_an_outage_at_the_end_of_a_hand_settles_it_once(stores_failing: bool) -> None:
    world = World()
    table_id, players = await world.dealt()
    world.journal.fail, world.journal.stores_failing = 4, stores_failing
    world.moved.clear()
    player = on_turn(players)
    player.post("drop", **player.turn_fields())
    await wait_out(world)
    assert player.table.public.result is not None
    assert world.stored(table_id).hands[0].closing is not None
    assert sorted(world.moved) == sorted(each.player.player_id for each in players)


async def test_the_house_can_stop_in_the_middle_of_an_outage() -> None:
    world = World()
    table_id, players = await world.dealt()
    player = on_turn(players)
    world.journal.fail = 1_000_000
    command = player.post("draw", source="stock", **player.turn_fields())
    await spin()
    await asyncio.wait_for(world.house.stop(), 5)
    answers = [a.id for a in player.connection.messages() if isinstance(a, Ack | Error)]
    assert command.id not in answers
    world.journal.fail = 0
    world.house = world.new_house()
    await world.start()
    assert len(world.stored(table_id).hands[0].rows) == 4


async def test_a_table_that_cannot_end_is_cut_off() -> None:
    world = World()
    table_id, players = await world.dealt()

    async def hangs(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    world.journal.append = hangs  # type: ignore[method-assign]
    player = on_turn(players)
    player.post("draw", source="stock", **player.turn_fields())
    await spin()
    table = world.house._tables[table_id]
    table.stop()
    await asyncio.wait_for(table.ended(0.01), 5)
    assert player.table.you is not None
    assert len(player.table.you.cards) == 13


async def test_another_owner_of_the_table_ends_ours_without_a_word_to_the_journal() -> None:
    world = World()
    table_id, players = await world.dealt()
    player = on_turn(players)
    world.stored(table_id).epoch += 1
    rows = len(world.stored(table_id).hands[0].rows)
    player.post("draw", source="stock", **player.turn_fields())
    await spin()
    assert player.connection.last(TableGone).reason == "closed"
    assert len(world.stored(table_id).hands[0].rows) == rows
    assert world.house.summaries() == []
    assert world.house.seated_at(player.player.player_id) == []
    player.post("draw", source="stock", **player.turn_fields())
    assert player.connection.last(Error).code is ErrorCode.UNKNOWN_TABLE


async def break_once(world: World, player: Asker) -> None:
    """A fault of ours in the middle of a move, after which the table begins again."""
    append = world.journal.append

    async def broken(*_: object, **__: object) -> None:
        world.journal.append = append  # type: ignore[method-assign]
        raise RuntimeError("card 17 of seat 2")

    world.journal.append = broken  # type: ignore[method-assign]
    player.post("draw", source="stock", **player.turn_fields())
    await spin()
    await wait_out(world)


async def test_a_table_that_breaks_begins_again_from_the_journal_with_everyone_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    cards = player.table.you.cards if player.table.you is not None else []
    epoch = player.table.epoch
    await break_once(world, player)
    errors = [error.code for error in player.connection.all(Error)]
    assert errors == [ErrorCode.INTERNAL]
    assert notices(player) == ["paused", "resumed"]
    assert player.table.epoch == epoch + 1
    assert player.table.you is not None
    assert player.table.you.cards == cards
    assert isinstance(await player.move("draw", source="stock"), Ack)
    logged = capsys.readouterr()
    assert "table_broke" in logged.out + logged.err
    assert "card 17" not in logged.out + logged.err


async def test_a_hand_that_breaks_its_table_again_and_again_is_voided() -> None:
    world = World()
    table_id, players = await world.dealt()
    for _ in range(CRASHES_OF_A_HAND):
        await break_once(world, on_turn(players))
    result = players[0].table.public.result
    assert result is not None
    assert (result.outcome, result.void_reason) == ("void", "server_failure")
    closing = world.stored(table_id).hands[0].closing
    assert closing is not None
    assert closing.void_reason == "server_failure"
