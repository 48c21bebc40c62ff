"""The house stops and starts again: every hand goes on where it stood (FIELD_LOG B01, B05, B06, B07)."""

from dataclasses import replace
from typing import Any

import pytest

from server.protocol.messages import Ack, Error, ErrorCode, Receipt, Table
from tests.server.tables.doubles import Asker, World, on_turn

OUTAGE_MS = 90_000


async def come_back(world: World, players: list[Asker]) -> list[Asker]:
    """The same players from new connections after a restart."""
    back = [world.other_tab(player) for player in players]
    for old, new in zip(players, back, strict=True):
        new._nonces = old._nonces
        await new.ask("watch_table")
    return back


async def restart(world: World, players: list[Asker], outage_ms: int = OUTAGE_MS) -> list[Asker]:
    await world.house.stop()
    alive_ms = world.clock.ms
    world.clock.jump_to(alive_ms + outage_ms)
    take_over = world.journal._take_over
    world.journal._take_over = lambda table: replace(take_over(table), last_alive_ms=alive_ms)  # type: ignore[method-assign]
    world.house = world.new_house()
    await world.start()
    world.journal._take_over = take_over  # type: ignore[method-assign]
    return await come_back(world, players)


def comparable(table: Table) -> dict[str, Any]:
    """What a restart must not change: everything but clocks and who is connected."""
    document = table.model_dump(mode="json")
    public = document["public"]
    for seat in public["seats"]:
        seat.pop("connected")
        seat.pop("ready")
    public.pop("phase_deadline_ms")
    public["hand"].pop("stage_deadline_ms")
    if public["hand"]["turn"] is not None:
        public["hand"]["turn"] = {k: v for k, v in public["hand"]["turn"].items() if not k.endswith("_ms")}
    you = document["you"]
    return {"public": public, "cards": you["cards"], "drawn": you["drawn_card"], "allowed": you["allowed"]}


async def draw(players: list[Asker]) -> None:
    assert isinstance(await on_turn(players).move("draw", source="stock"), Ack)


async def draw_and_discard(players: list[Asker]) -> None:
    player = on_turn(players)
    await draw(players)
    assert player.table.you is not None
    assert isinstance(await player.move("discard", card=player.table.you.cards[3]), Ack)


async def take_from_pile(players: list[Asker]) -> None:
    assert isinstance(await on_turn(players).move("draw", source="pile"), Ack)


async def miss_a_turn(players: list[Asker]) -> None:
    await players[0].world.pass_ms(62_000)


async def declare_wrongly(players: list[Asker]) -> None:
    player = on_turn(players)
    await draw(players)
    assert player.table.you is not None
    assert isinstance(await player.move("declare", finish_card=player.table.you.cards[0]), Ack)


@pytest.mark.parametrize(
    "steps",
    [
        (),
        (draw,),
        (take_from_pile,),
        (draw_and_discard, draw_and_discard, draw),
        (miss_a_turn, draw_and_discard),
        (declare_wrongly, draw),
    ],
)
async def test_the_same_hand_goes_on_after_a_restart_b06(steps: tuple[Any, ...]) -> None:
    world = World(seed=11)
    _, players = await world.dealt(count=3)
    for step in steps:
        await step(players)
    before = [comparable(player.table) for player in players]
    epoch = players[0].table.epoch
    heads = [row.head for row in world.stored(players[0].table_id).hands[0].rows]
    players = await restart(world, players)
    assert [comparable(player.table) for player in players] == before
    assert players[0].table.epoch == epoch + 1
    while players[0].table.public.phase == "playing":
        player = on_turn(players)
        if player.table.you is not None and player.table.you.drawn_card is not None:
            await player.move("discard", card=player.table.you.cards[0])
        else:
            await player.move("drop")
    rows = world.stored(players[0].table_id).hands[0].rows
    assert [row.head for row in rows[: len(heads)]] == heads
    assert world.stored(players[0].table_id).hands[0].closing is not None


async def test_clocks_are_extended_by_the_outage_and_a_grace_b07() -> None:
    world = World()
    _, players = await world.dealt()
    await draw_and_discard(players)
    hand = players[0].table.public.hand
    assert hand is not None
    assert hand.turn is not None
    await world.pass_ms(57_000)
    left_ms = hand.turn.deadline_ms - world.clock.ms
    assert left_ms == 3_000
    players = await restart(world, players)
    hand = players[0].table.public.hand
    assert hand is not None
    assert hand.turn is not None
    assert hand.turn.deadline_ms - world.clock.ms == left_ms + world.timing.grace_ms
    assert hand.turn.number == 2
    await world.pass_ms(left_ms + world.timing.grace_ms)
    assert players[0].table.public.hand is not None
    assert players[0].table.public.hand.turn is not None
    assert players[0].table.public.hand.turn.number == 3


async def test_a_restart_in_the_first_window_keeps_the_hashes_that_were_given() -> None:
    world = World()
    table_id = world.new_table()
    await world.start()
    players = await world.seat(table_id, 2)
    await world.pass_ms(world.timing.countdown_ms)
    given = players[0].hash_fields()
    await players[0].ask("contribute", **given)
    commit = players[0].connection.receipt("commit")
    players = await restart(world, players)
    assert players[0].connection.receipt("commit") == commit
    assert [seat.contribution for seat in players[0].table.public.seats[:2]] == ["hashed", "waiting"]
    other = await players[0].ask("contribute", **(given | {"hash": "00" * 32}))
    assert isinstance(other, Error)
    assert other.code is ErrorCode.CONTRIBUTION_REFUSED
    assert isinstance(await players[0].ask("contribute", **given), Ack)
    await players[1].ask("contribute", **players[1].hash_fields())
    for player in players:
        await player.ask("reveal", **player.reveal_fields())
    assert players[0].table.public.phase == "playing"


async def test_a_restart_in_the_second_window_shows_the_very_same_signed_list() -> None:
    world = World()
    table_id = world.new_table()
    await world.start()
    players = await world.seat(table_id, 2)
    await world.pass_ms(world.timing.countdown_ms)
    for player in players:
        await player.ask("contribute", **player.hash_fields())
    await players[0].ask("reveal", **players[0].reveal_fields())
    hashes = players[0].connection.receipt("hashes")
    players = await restart(world, players)
    assert players[0].connection.receipt("hashes") == hashes
    assert [seat.contribution for seat in players[0].table.public.seats[:2]] == ["given", "hashed"]
    await players[1].ask("reveal", **players[1].reveal_fields())
    assert players[0].table.public.phase == "playing"
    assert [seat.contribution for seat in players[0].table.public.seats[:2]] == ["given", "given"]


async def test_a_restart_while_a_result_is_shown_goes_on_to_the_next_hand() -> None:
    world = World()
    _, players = await world.dealt()
    await on_turn(players).move("drop")
    players = await restart(world, players)
    assert players[0].table.public.phase == "countdown"
    await world.pass_ms(world.timing.countdown_ms)
    assert players[0].table.public.hand is not None
    assert players[0].table.public.hand.hand_no == 2
    assert players[0].table.public.dealer == 1


async def test_somebody_gone_whose_leave_was_not_stored_leaves_after_the_restart() -> None:
    """The chair is marked first; a crash before the hand's event must not keep them in."""
    world = World()
    table_id, players = await world.dealt(count=3)
    leaver = next(player for player in players if player is not on_turn(players))
    seat = leaver.seat
    await world.house.stop()
    world.rechair(table_id, leaver.player, gone=True)
    world.house = world.new_house()
    await world.start()
    players = await come_back(world, [player for player in players if player is not leaver])
    assert players[0].table.public.seats[seat].out == "left"


async def test_chairs_left_behind_by_an_ended_hand_are_freed_after_the_restart() -> None:
    world = World()
    table_id, players = await world.dealt(count=3)
    while players[0].table.public.phase == "playing":
        await on_turn(players).move("drop")
    await world.house.stop()
    world.rechair(table_id, players[0].player, leaving=True)
    world.rechair(table_id, players[1].player, gone=True)
    world.house = world.new_house()
    await world.start()
    assert [chair.seat for chair in world.stored(table_id).chairs] == [2]


async def test_a_command_repeated_after_the_restart_is_refused_with_the_state_or_done_b01() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    turn = player.turn_fields()
    command = player.command("draw", source="stock", **turn)
    await player.ask_command(command)
    players = await restart(world, players)
    again = await next(each for each in players if each.player == player.player).ask_command(command)
    assert isinstance(again, Error)
    assert again.code is ErrorCode.ALREADY_DRAWN


async def test_state_receipts_after_a_restart_continue_the_same_chains() -> None:
    world = World()
    _, players = await world.dealt()
    await draw_and_discard(players)
    before = [player.connection.receipt("state").receipt["seat_head"] for player in players]
    players = await restart(world, players)
    after = [player.connection.receipt("state").receipt["seat_head"] for player in players]
    assert after == before


async def test_no_new_hand_and_no_command_while_the_house_stops() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    last = player.post("draw", source="stock", **player.turn_fields())
    await world.house.stop()
    assert player.connection.last(Ack).id == last.id
    player.post("discard", card=0, **player.turn_fields())
    assert player.connection.last(Error).code is ErrorCode.BUSY


async def test_a_damaged_hand_is_not_played_on_and_the_other_tables_live() -> None:
    world = World()
    table_id, players = await world.dealt()
    other = world.new_table()
    await draw_and_discard(players)
    await world.house.stop()
    rows = world.stored(table_id).hands[0].rows
    rows[-1] = replace(rows[-1], head=bytes(32))
    world.house = world.new_house()
    await world.house.start()
    await world.settle()
    assert [summary.table_id for summary in world.house.summaries()] == [other]
    assert len(await world.seat(other, 2)) == 2
    await world.house.stop()


async def test_spectators_and_players_reconnect_to_any_phase_without_receipts_of_others() -> None:
    world = World()
    table_id, players = await world.dealt()
    watcher = world.new_player(table_id)
    await watcher.ask("watch_table")
    assert watcher.connection.all(Receipt) == []
    assert players[0].connection.all(Receipt) != []
