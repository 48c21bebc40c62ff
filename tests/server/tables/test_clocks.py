"""Turn clocks, time banks, turns played for a seat, and the table's own waits (rules section 6)."""

import gc

from server.protocol.messages import Ack, AutoPlayed, Error, ErrorCode
from server.tables.inbox import ClockStruck
from server.tables.timing import TableTiming
from tests.server.tables.doubles import Asker, ScriptedConnection, World, on_turn

GRACE_MS = 2_000
TURN_MS = 30_000
BANK_MS = 30_000


def turn_of(player: Asker) -> tuple[int, int]:
    """(seat, number) of the turn that is on."""
    hand = player.table.public.hand
    assert hand is not None
    assert hand.turn is not None
    return hand.turn.seat, hand.turn.number


def clocks_of(player: Asker) -> tuple[int, int]:
    """Milliseconds until the clock and until the bank run out."""
    hand = player.table.public.hand
    assert hand is not None
    assert hand.turn is not None
    now_ms = player.world.clock.ms
    return hand.turn.clock_ms - now_ms, hand.turn.deadline_ms - now_ms


async def play_turn(player: Asker) -> None:
    assert isinstance(await player.move("draw", source="stock"), Ack)
    assert player.table.you is not None
    assert isinstance(await player.move("discard", card=player.table.you.cards[-1]), Ack)


async def test_the_first_turn_begins_after_the_deal_with_a_grace_b19() -> None:
    world = World()
    _, players = await world.dealt()
    assert clocks_of(players[0]) == (GRACE_MS + TURN_MS, GRACE_MS + TURN_MS + BANK_MS)
    await play_turn(on_turn(players))
    assert clocks_of(players[0]) == (TURN_MS, TURN_MS + BANK_MS)


async def test_one_clock_covers_draw_and_discard() -> None:
    world = World()
    _, players = await world.dealt()
    await world.pass_ms(10_000)
    await on_turn(players).move("draw", source="stock")
    assert clocks_of(players[0]) == (GRACE_MS + TURN_MS - 10_000, GRACE_MS + TURN_MS + BANK_MS - 10_000)


async def test_the_bank_pays_what_goes_beyond_the_clock_and_lasts_for_the_hand() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    await world.pass_ms(GRACE_MS + TURN_MS + 10_000)
    await play_turn(player)
    assert player.table.public.seats[player.seat].bank_ms == BANK_MS - 10_000
    await play_turn(on_turn(players))
    assert clocks_of(player) == (TURN_MS, TURN_MS + BANK_MS - 10_000)


async def test_who_lets_clock_and_bank_run_out_has_the_turn_played() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    await world.pass_ms(GRACE_MS + TURN_MS + BANK_MS - 1)
    assert turn_of(player) == (player.seat, 1)
    await world.pass_ms(1)
    assert turn_of(player) == (1 - player.seat, 2)
    assert [(event["type"], event["auto"]) for event in player.table.events] == [("draw_stock", 1), ("discard", 1)]
    seat = player.table.public.seats[player.seat]
    assert (seat.misses, seat.bank_ms) == (1, 0)
    assert player.table.you is not None
    assert player.table.you.away is not None
    assert (player.table.you.away.turns, player.table.you.away.last_card) == (1, player.table.events[-1]["card"])


async def test_after_a_draw_only_the_discard_is_played() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    await player.move("draw", source="stock")
    await world.pass_ms(GRACE_MS + TURN_MS + BANK_MS)
    assert [(event["type"], event["auto"]) for event in player.table.events] == [("discard", 1)]
    assert player.table.public.seats[player.seat].misses == 1


async def test_three_turns_in_a_row_played_for_a_seat_drop_it_for_40() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    idle = on_turn(players)
    for _ in range(2):
        await world.pass_ms(GRACE_MS + TURN_MS + BANK_MS)
        for _ in range(2):
            await play_turn(on_turn(players))
    assert idle.table.public.seats[idle.seat].misses == 2
    await world.pass_ms(TURN_MS)
    seat = idle.table.public.seats[idle.seat]
    assert (seat.out, seat.points) == ("missed_turns", 40)
    assert idle.table.public.phase == "playing"


async def test_who_was_away_is_told_hand_by_hand_what_was_played_and_what_it_cost() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    idle = on_turn(players)
    for _ in range(3):
        await world.pass_ms(GRACE_MS + TURN_MS + BANK_MS)
        if on_turn(players) is idle:
            continue
        for _ in range(2):
            await play_turn(on_turn(players))
    told = away_of(idle)
    assert (told.turns, len(told.hands[0].discards), told.hands[0].dropped) == (3, 3, True)
    assert (told.hands[0].points, told.hands[0].delta) == (None, None)

    await world.restart()
    back = world.other_tab(idle)
    await back.ask("watch_table")
    assert away_of(back) == told
    others = [world.other_tab(player) for player in players if player is not idle]
    for other in others:
        await other.ask("watch_table")
    await on_turn(others).move("drop")
    hand = away_of(back).hands[0]
    assert (hand.points, hand.delta) == (40, -40 * 10)
    await back.ask("ready")
    assert back.table.you is not None
    assert back.table.you.away is None


def away_of(player: Asker) -> AutoPlayed:
    assert player.table.you is not None
    assert player.table.you.away is not None
    return player.table.you.away


async def test_two_tables_tell_apart_what_was_played_at_each_b14() -> None:
    world = World()
    tables = [world.new_table(4) for _ in range(2)]
    await world.start()
    for table_id in tables:
        await world.seat(table_id, 1)
    absent = [Asker(world, table_id, world.new_player(table_id).player) for table_id in tables]
    absent[1].player = absent[0].player
    absent[1].connection = ScriptedConnection(absent[0].player)
    for asker in absent:
        assert isinstance(await asker.ask("sit"), Ack)
    await world.pass_ms(world.timing.countdown_ms + 2 * world.timing.seeds_window_ms)
    await world.pass_ms(GRACE_MS + 2 * (TURN_MS + BANK_MS))
    assert [away_of(asker).turns for asker in absent] == [1, 1]
    hand = absent[0].table.public.hand
    assert hand is not None
    assert isinstance(await absent[0].ask("drop_next", hand_id=str(hand.hand_id), on=True), Ack)
    assert absent[0].table.you is not None
    assert absent[0].table.you.away is None
    assert away_of(absent[1]).turns == 1


async def test_an_own_action_forgets_the_misses_and_what_was_played_meanwhile() -> None:
    world = World()
    _, players = await world.dealt()
    idle = on_turn(players)
    await world.pass_ms(GRACE_MS + TURN_MS + BANK_MS)
    await play_turn(on_turn(players))
    assert idle.table.you is not None
    assert idle.table.you.away is not None
    await idle.move("draw", source="stock")
    assert idle.table.you.away is None
    assert idle.table.public.seats[idle.seat].misses == 0


async def test_nobody_acts_and_the_hand_ends_by_itself_b15() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    await world.pass_ms(GRACE_MS + 3 * BANK_MS + 8 * TURN_MS)
    result = players[0].table.public.result
    assert result is not None
    assert result.outcome == "last_in"
    assert sorted(line.points for line in result.lines) == [0, 40, 40]


async def test_a_move_before_the_clock_struck_counts_and_one_behind_it_does_not() -> None:
    """The order in the inbox decides, once."""
    world = World()
    table_id, players = await world.dealt()
    player = on_turn(players)
    world.clock.ms += clocks_of(player)[1]
    inbox = world.house._tables[table_id].inbox
    first = player.post("draw", source="stock", **player.turn_fields())
    inbox.insist(ClockStruck())
    second = player.post("discard", card=0, **player.turn_fields())
    await world.settle()
    answers = {a.id: a for a in player.connection.messages() if isinstance(a, Ack | Error)}
    assert isinstance(answers[first.id], Ack)
    late = answers[second.id]
    assert isinstance(late, Error)
    assert late.code is ErrorCode.STALE_TURN
    assert turn_of(player) == (1 - player.seat, 2)


async def test_seats_that_are_out_get_no_turn_b20() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    player = on_turn(players)
    await player.move("drop")
    for _ in range(4):
        assert on_turn(players) is not player
        await play_turn(on_turn(players))


async def test_a_house_that_slept_gives_the_turn_its_time_back() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    world.clock.jump_to(world.clock.ms + 3_600_000)
    await world.settle()
    assert turn_of(player) == (player.seat, 1)
    assert clocks_of(player)[1] == GRACE_MS
    await world.pass_ms(GRACE_MS)
    assert turn_of(player) == (1 - player.seat, 2)


async def test_a_slow_storage_is_not_charged_to_the_players() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    world.journal.slow_ms = 7_000
    await player.move("draw", source="stock")
    world.journal.slow_ms = 0
    assert clocks_of(player) == (GRACE_MS + TURN_MS, GRACE_MS + TURN_MS + BANK_MS)


async def test_a_deadline_whose_alarm_failed_is_found_by_the_sweeper_b18() -> None:
    world = World()
    table_id, players = await world.dealt()
    player = on_turn(players)
    actor = world.house._tables[table_id]._actor
    assert actor is not None
    actor._alarm.cancel()
    hand = player.table.public.hand
    assert hand is not None
    assert hand.turn is not None
    world.clock.jump_to(hand.turn.deadline_ms)
    await world.settle()
    assert turn_of(player) == (player.seat, 1)
    await world.pass_ms(1_500)
    world.house._sweep_now()
    await world.settle()
    assert turn_of(player) == (1 - player.seat, 2)


async def test_a_thousand_turns_nobody_plays_all_end_b18() -> None:
    """Whatever the garbage collector finds, no clock is lost: no deadline is ever in the past."""
    world = World(seed=5, timing=TableTiming(grace_ms=0))
    table_id, players = await world.dealt(count=2, missed_turns_to_drop=10, turn_seconds=5, time_bank_seconds=0)
    player = players[0]
    while (played := sum(len(hand.rows) // 2 for hand in world.stored(table_id).hands)) < 1_000:
        if played % 50 == 0:
            gc.collect()
        await world.pass_ms(5_000)
        deadline_ms = player.table.public.phase_deadline_ms
        assert deadline_ms is None or deadline_ms > world.clock.ms
        for each in players:
            each.connection.forget()
            if player.table.public.phase != "playing":
                await each.ask("sit_out", on=False)
