"""Countdown, ready, the button, empty purses and empty chairs."""

import pytest

from server.protocol.messages import Ack, Notice
from server.tables.ports import BREAKS, HoldReason
from server.tables.refused_holds import SHORT_OF_TOKENS
from tests.server.tables.doubles import Asker, World, on_turn


async def finish(players: list[Asker]) -> None:
    while players[0].table.public.phase == "playing":
        await on_turn(players).move("drop")


async def next_hand(world: World, players: list[Asker]) -> None:
    for player in players:
        await player.ask("ready")
    await world.contribute_all(players)


def phase(player: Asker) -> str:
    return player.table.public.phase


async def test_a_countdown_begins_with_enough_players_and_opens_a_hand() -> None:
    world = World()
    table_id = world.new_table(4, min_players=3)
    await world.start()
    players = await world.seat(table_id, 2)
    assert phase(players[0]) == "waiting"
    players += await world.seat(table_id, 1)
    assert phase(players[0]) == "countdown"
    assert players[0].table.public.phase_deadline_ms == world.clock.ms + world.timing.countdown_ms
    await world.pass_ms(world.timing.countdown_ms)
    assert phase(players[0]) == "seeds"


async def test_the_countdown_goes_on_while_people_come_and_go_b28() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    players = await world.seat(table_id, 2)
    troll = world.new_player(table_id)
    for _ in range(10):
        await world.pass_ms(world.timing.countdown_ms // 10)
        await troll.ask("sit")
        await troll.ask("leave_table")
    assert phase(players[0]) == "seeds"


async def test_the_countdown_stops_when_too_few_are_left() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    players = await world.seat(table_id, 2)
    await players[1].ask("leave_table")
    assert phase(players[0]) == "waiting"


async def test_everyone_is_ready_and_nobody_waits_any_longer() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    players = await world.seat(table_id, 2)
    await players[0].ask("ready")
    assert players[1].table.public.seats[0].ready
    assert phase(players[0]) == "countdown"
    await players[1].ask("ready")
    assert phase(players[0]) == "seeds"
    assert not players[0].table.public.seats[0].ready


async def test_a_result_stands_for_the_pause_or_until_all_who_are_here_are_ready() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    await finish(players)
    assert phase(players[0]) == "result"
    world.house.disconnected(players[2].connection)
    await world.settle()
    await players[0].ask("ready")
    assert phase(players[0]) == "result"
    await players[1].ask("ready")
    assert phase(players[0]) == "seeds"


async def test_the_button_moves_one_occupied_seat_each_hand() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    dealers = []
    for _ in range(4):
        await finish(players)
        dealers.append(players[0].table.public.dealer)
        await next_hand(world, players)
    assert dealers == [0, 1, 2, 0]
    assert world.stored(players[0].table_id).dealer == 0
    assert [hand.opening.terms.hand_no for hand in world.stored(players[0].table_id).hands] == [1, 2, 3, 4, 5]


async def test_who_cannot_cover_the_hand_sits_out_with_the_reason_and_the_rest_play() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    players = await world.seat(table_id, 3)
    world.journal.cannot_cover = {players[1].player.player_id}
    await world.pass_ms(world.timing.countdown_ms)
    hand = players[0].table.public.hand
    assert hand is not None
    assert hand.players == [0, 2]
    poor = players[0].table.public.seats[1]
    assert (poor.sitting_out, poor.why_waiting) == (True, "not_enough_tokens")
    assert players[1].connection.last(Notice).code == "sat_out_no_tokens"
    world.journal.cannot_cover = set()
    await players[1].ask("sit_out", on=False)
    assert players[0].table.public.seats[1].why_waiting == "next_hand"


@pytest.mark.parametrize("why", [reason for reason in HoldReason if reason not in SHORT_OF_TOKENS])
async def test_who_may_not_play_by_their_own_limit_alone_is_told_which(why: HoldReason) -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    players = await world.seat(table_id, 3)
    world.journal.cannot_cover, world.journal.why_not = {players[1].player.player_id}, why
    await world.pass_ms(world.timing.countdown_ms)
    seat = players[0].table.public.seats[1]
    if why in BREAKS:
        assert seat.player is None
    else:
        assert (seat.sitting_out, seat.why_waiting) == (True, "sitting_out")
    assert players[1].connection.last(Notice).code == f"sat_out_{why}"
    assert not players[0].connection.all(Notice)


async def test_too_few_can_cover_the_hand_and_the_table_waits() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    players = await world.seat(table_id, 2)
    world.journal.cannot_cover = {players[1].player.player_id}
    await world.pass_ms(world.timing.countdown_ms)
    assert phase(players[0]) == "waiting"
    assert world.stored(table_id).hands == []


async def test_who_was_dropped_by_the_clock_and_is_gone_is_not_dealt_in_again() -> None:
    world = World()
    table_id, players = await world.dealt(count=3, missed_turns_to_drop=1)
    gone = on_turn(players)
    world.house.disconnected(gone.connection)
    await world.pass_ms(world.timing.grace_ms + 60_000)
    here = [player for player in players if player is not gone]
    assert here[0].table.public.seats[gone.seat].out == "missed_turns"
    await finish(here)
    assert not here[0].table.public.seats[gone.seat].sitting_out
    await next_hand(world, here)
    assert here[0].table.public.seats[gone.seat].sitting_out
    hand = here[0].table.public.hand
    assert hand is not None
    assert gone.seat not in hand.players
    assert any(chair.sitting_out for chair in world.stored(table_id).chairs)


async def test_who_was_dropped_by_the_clock_and_came_back_plays_on() -> None:
    world = World()
    _, players = await world.dealt(count=2, missed_turns_to_drop=1)
    idle = on_turn(players)
    await world.pass_ms(world.timing.grace_ms + 60_000)
    assert idle.table.public.phase == "result"
    await next_hand(world, players)
    assert phase(players[0]) == "playing"


async def test_a_chair_that_sits_out_too_many_hands_is_free_again() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    await players[0].ask("sit_out", on=True)
    await finish(players)
    for number in range(world.timing.hands_sitting_out + 1):
        assert players[1].table.public.seats[0].player is not None, number
        await next_hand(world, players[1:])
        await finish(players[1:])
    assert players[1].table.public.seats[0].player is None
    assert world.house.seated_at(players[0].player.player_id) == []


async def test_a_player_long_without_a_connection_is_not_dealt_in() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    players = await world.seat(table_id, 1)
    world.house.disconnected(players[0].connection)
    await world.settle()
    await world.pass_ms(world.timing.absent_ms)
    others = await world.seat(table_id, 2)
    await world.pass_ms(world.timing.countdown_ms)
    hand = others[0].table.public.hand
    assert hand is not None
    assert hand.players == [1, 2]
    assert others[0].table.public.seats[0].sitting_out


async def test_a_hand_frozen_at_its_opening_does_not_change_with_the_chairs_b27() -> None:
    world = World()
    table_id, players = await world.dealt(seat_count=6, count=3)
    late = await world.seat(table_id, 2)
    await late[0].ask("leave_table")
    await players[0].ask("leave_table")
    hand = players[1].table.public.hand
    assert hand is not None
    assert hand.players == [0, 1, 2]
    await finish(players[1:])
    result = players[1].table.public.result
    assert result is not None
    assert [line.seat for line in result.lines] == [0, 1, 2]
    assert result.lines[0].player == players[0].player


async def test_an_operator_voids_a_hand_before_or_after_the_deal() -> None:
    world = World()
    table_id, players = await world.dealt()
    assert world.house.void_hand(table_id)
    await world.settle()
    result = players[0].table.public.result
    assert result is not None
    assert (result.outcome, result.void_reason, result.winner) == ("void", "operator", None)
    for player in players:
        assert isinstance(await player.ask("ready"), Ack)
    assert phase(players[0]) == "seeds"
    world.house.void_hand(table_id)
    await world.settle()
    assert players[0].table.public.result is not None
    assert players[0].table.public.result.hand_no == 2
    assert not world.house.void_hand(players[0].player.player_id)
