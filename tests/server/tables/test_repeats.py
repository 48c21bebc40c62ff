"""The same command twice, commands that come late, and lines that are too long (FIELD_LOG B01, B22)."""

from server.protocol.messages import Ack, Error, ErrorCode
from server.tables.inbox import MOST_COMMANDS_OF_A_PLAYER
from server.tables.replies import REMEMBERED_COMMANDS
from tests.server.tables.doubles import World, on_turn


def code(answer: Ack | Error) -> ErrorCode | None:
    return answer.code if isinstance(answer, Error) else None


async def test_the_same_command_five_times_is_done_once_and_answered_alike_b22() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    command = player.command("draw", source="stock", **player.turn_fields())
    for _ in range(5):
        world.house.post(player.connection, command)
    await world.settle()
    answers = [a for a in player.connection.messages() if isinstance(a, Ack | Error) and a.id == command.id]
    assert [type(answer) for answer in answers] == [Ack] * 5
    assert player.table.you is not None
    assert len(player.table.you.cards) == 14


async def test_a_refused_command_sent_again_is_refused_again_even_if_it_would_do_now() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    assert player.table.you is not None
    early = player.command("discard", card=player.table.you.cards[0], **player.turn_fields())
    assert code(await player.ask_command(early)) is ErrorCode.DRAW_FIRST
    await player.move("draw", source="stock")
    assert code(await player.ask_command(early)) is ErrorCode.DRAW_FIRST
    assert len(player.table.you.cards) == 14


async def test_two_draws_with_ids_of_their_own_draw_one_card_b22() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    fields = player.turn_fields()
    assert code(await player.ask("draw", source="stock", **fields)) is None
    assert code(await player.ask("draw", source="pile", **fields)) is ErrorCode.ALREADY_DRAWN


async def test_an_id_of_another_command_is_refused() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    first = player.command("draw", source="stock", **player.turn_fields())
    await player.ask_command(first)
    second = player.command("draw", source="pile", **player.turn_fields()).model_copy(update={"id": first.id})
    assert code(await player.ask_command(second)) is ErrorCode.SAME_ID_OTHER_COMMAND


async def test_ids_are_each_players_own() -> None:
    world = World()
    _, players = await world.dealt()
    command = players[0].command("sit_out", on=True)
    assert code(await players[0].ask_command(command)) is None
    assert code(await players[1].ask_command(command)) is None
    assert all(seat.sitting_out for seat in players[0].table.public.seats[:2])


async def test_an_answer_is_remembered_for_the_newest_commands_only() -> None:
    world = World()
    _, players = await world.dealt()
    command = players[0].command("sit_out", on=True)
    await players[0].ask_command(command)
    for _ in range(REMEMBERED_COMMANDS):
        await players[0].ask("sit_out", on=False)
    await players[0].ask_command(command)
    assert players[0].table.public.seats[0].sitting_out


async def test_a_command_for_an_earlier_turn_is_refused_and_the_table_shown_b01() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    old = player.turn_fields()
    await player.move("draw", source="stock")
    assert player.table.you is not None
    await player.move("discard", card=player.table.you.cards[-1])
    assert code(await player.ask("draw", source="stock", **old)) is ErrorCode.STALE_TURN
    assert player.table.snapshot


async def test_a_command_for_an_earlier_hand_is_refused_and_the_table_shown() -> None:
    world = World()
    _, players = await world.dealt()
    old = on_turn(players).turn_fields()
    await on_turn(players).move("drop")
    await world.pass_ms(world.timing.result_pause_ms)
    await world.contribute_all(players)
    player = on_turn(players)
    assert code(await player.ask("draw", source="stock", **old)) is ErrorCode.STALE_HAND
    assert player.table.snapshot
    assert code(await player.ask("drop_next", on=True, hand_id=old["hand_id"])) is ErrorCode.STALE_HAND


async def test_a_player_who_floods_a_table_keeps_nobody_else_from_it() -> None:
    world = World()
    _, players = await world.dealt()
    flooder = players[0]
    commands = [flooder.post("sit_out", on=bool(number % 2)) for number in range(10 * MOST_COMMANDS_OF_A_PLAYER)]
    other = players[1].post("sit_out", on=True)
    await world.settle()
    answers = {a.id: code(a) for a in flooder.connection.messages() if isinstance(a, Ack | Error)}
    refused = [command for command in commands if answers[command.id] is ErrorCode.BUSY]
    assert len(refused) == len(commands) - MOST_COMMANDS_OF_A_PLAYER
    assert players[1].connection.last(Ack).id == other.id
