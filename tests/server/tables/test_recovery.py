"""The house stops and starts again: every hand goes on where it stood (FIELD_LOG B01, B05, B06, B07)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from server.protocol.messages import Ack, Error, ErrorCode, Receipt, Table
from tests.server.tables.doubles import Asker, MemoryHand, World, on_turn

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


@pytest.mark.parametrize("end", ["drop", "operator", "operator before the deal"])
async def test_a_result_is_shown_again_after_a_restart_for_the_time_it_had_left_b06(end: str) -> None:
    world = World()
    table_id = world.new_table()
    await world.start()
    players = await world.seat(table_id, 2)
    await world.pass_ms(world.timing.countdown_ms)
    if end != "operator before the deal":
        await world.contribute_all(players)
    if end == "drop":
        await on_turn(players).move("drop")
    else:
        world.house.void_hand(table_id)
        await world.settle()
    before = [comparable(player.table) for player in players]
    assert players[0].table.public.result is not None
    await world.pass_ms(5_000)
    players = await restart(world, players)
    assert [comparable(player.table) for player in players] == before
    left_ms = world.timing.result_pause_ms - 5_000 + world.timing.grace_ms
    assert players[0].table.public.phase_deadline_ms == world.clock.ms + left_ms
    await world.pass_ms(left_ms)
    assert players[0].table.public.hand is not None
    assert players[0].table.public.hand.hand_no == 2
    assert players[0].table.public.dealer == 1


async def test_a_result_that_had_its_time_is_not_shown_again() -> None:
    world = World()
    table_id, players = await world.dealt()
    await on_turn(players).move("drop")
    await players[1].ask("leave_table")
    await world.pass_ms(world.timing.result_pause_ms)
    assert players[0].table.public.phase == "waiting"
    players = await restart(world, [players[0]])
    assert players[0].table.public.phase == "waiting"
    assert len(world.stored(table_id).hands) == 1


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


@pytest.mark.parametrize("move", ["draw", "discard", "declare", "drop", "drop_next"])
async def test_a_command_that_was_done_is_answered_the_same_after_a_restart_and_done_once_b01(move: str) -> None:
    """The answer may have been lost with the server: the page sends the command again."""
    world = World()
    table_id, players = await world.dealt(count=3)
    player = on_turn(players)
    turn = player.turn_fields()
    if move in ("discard", "declare"):
        await player.move("draw", source="stock")
    assert player.table.you is not None
    card = player.table.you.cards[0]
    fields: dict[str, dict[str, Any]] = {
        "draw": turn | {"source": "stock"},
        "discard": turn | {"card": card},
        "declare": turn | {"finish_card": card},
        "drop": turn,
        "drop_next": {"hand_id": turn["hand_id"], "on": True},
    }
    command = player.command(move, **fields[move])
    answer = await player.ask_command(command)
    assert isinstance(answer, Ack)
    rows = list(world.stored(table_id).hands[0].rows)
    players = await restart(world, players)
    back = next(each for each in players if each.player == player.player)
    assert await back.ask_command(command) == answer
    assert world.stored(table_id).hands[0].rows == rows
    other = await back.ask_command(command.model_copy(update={"hand_id": table_id}))
    assert isinstance(other, Error)
    assert other.code is ErrorCode.SAME_ID_OTHER_COMMAND


async def test_a_move_that_ended_the_hand_is_answered_the_same_after_a_restart_b01() -> None:
    world = World()
    table_id, players = await world.dealt()
    player = on_turn(players)
    command = player.command("drop", **player.turn_fields())
    answer = await player.ask_command(command)
    players = await restart(world, players)
    back = next(each for each in players if each.player == player.player)
    assert await back.ask_command(command) == answer
    assert len(world.stored(table_id).hands) == 1


async def test_a_chair_that_was_taken_is_answered_the_same_after_a_restart() -> None:
    world = World()
    table_id = world.new_table()
    await world.start()
    player = world.new_player(table_id)
    command = player.command("sit", seat=2)
    answer = await player.ask_command(command)
    (player,) = await restart(world, [player])
    assert await player.ask_command(command) == answer


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


def wrong_head(hand: MemoryHand) -> None:
    hand.rows[-1] = replace(hand.rows[-1], head=bytes(32))


def unreadable_event(hand: MemoryHand) -> None:
    hand.rows[5] = replace(hand.rows[5], data=b"\xff")


def another_card(hand: MemoryHand) -> None:
    *body, last = hand.rows[-1].data
    hand.rows[-1] = replace(hand.rows[-1], data=bytes([*body, last ^ 1]))


def no_clock(hand: MemoryHand) -> None:
    hand.rows[-1] = replace(hand.rows[-1], clock={})


def unreadable_list_of_hashes(hand: MemoryHand) -> None:
    hand.hashes_receipt = {}


@pytest.mark.parametrize("damage", [wrong_head, unreadable_event, another_card, no_clock, unreadable_list_of_hashes])
async def test_a_damaged_hand_is_void_by_the_recovery_and_the_other_tables_live(
    damage: Callable[[MemoryHand], None],
) -> None:
    world = World()
    table_id, players = await world.dealt()
    other = world.new_table()
    await draw_and_discard(players)
    await world.house.stop()
    hand = world.stored(table_id).hands[0]
    damage(hand)
    chained = list(hand.rows)
    world.house = world.new_house()
    await world.house.start()
    assert [summary.table_id for summary in world.house.summaries()] == [other]
    assert len(await world.seat(other, 2)) == 2
    await world.pass_ms(10_000)
    assert hand.rows[: len(chained)] == chained
    assert hand.closing is not None
    assert (hand.closing.outcome, hand.closing.void_reason) == ("void", "server_failure")
    assert hand.closing.server_seed == hand.opening.server_seed
    assert {delta for _, delta in hand.closing.deltas} == {0}
    players = await come_back(world, players)
    result = players[0].table.public.result
    assert result is not None
    assert (result.hand_id.bytes, result.void_reason) == (hand.opening.terms.hand_id, "server_failure")
    await world.pass_ms(world.timing.result_pause_ms)
    assert players[0].table.public.hand is not None
    assert players[0].table.public.hand.hand_no == 2
    assert set(world.moved) >= {player.player.player_id for player in players}


async def test_spectators_and_players_reconnect_to_any_phase_without_receipts_of_others() -> None:
    world = World()
    table_id, players = await world.dealt()
    watcher = world.new_player(table_id)
    await watcher.ask("watch_table")
    assert watcher.connection.all(Receipt) == []
    assert players[0].connection.all(Receipt) != []
