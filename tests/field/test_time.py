"""Field reports of clocks, absence and clean-up, each by its number, at real tables."""

from random import Random

from rummy.hand import apply, start
from rummy.notation import card_text, parse_action
from rummy.scoring import settle_points
from rummy.script import read_script
from server.protocol.messages import Ack, Notice
from tests.server.tables.doubles import Asker, World, on_turn
from tests.server.tables.test_with_postgres import play_hand

COMPLETE = "2S 3S 4S 5S 9H 10H JH QC QD QS KC KD KH"
ALSO_COMPLETE = "2D 3D 4D 5D 6H 7H 8H 9C 9D 9S JC JD JS"


async def test_a_slow_seat_is_not_charged_a_miss_for_the_deal_that_reached_it_late_b19() -> None:
    """The deal comes 5 s late to one seat: the first clock has a grace, and its own clock is far from over."""
    world = World()
    _, players = await world.dealt()
    slow = on_turn(players)
    await world.pass_ms(5_000)
    assert slow.table.public.seats[slow.seat].misses == 0
    assert slow.table.public.hand is not None
    assert slow.table.public.hand.turn is not None
    assert slow.table.public.hand.turn.clock_ms - world.clock.ms >= 25_000
    assert isinstance(await slow.move("draw", source="stock"), Ack)
    assert slow.table.public.seats[slow.seat].misses == 0
    assert slow.table.public.seats[slow.seat].bank_ms == 30_000


async def test_who_is_out_watches_or_rests_gets_no_call_to_act_b20() -> None:
    world = World()
    table_id, players = await world.dealt(count=3)
    dropped = on_turn(players)
    await dropped.move("drop")
    watcher = world.new_player(table_id)
    await watcher.ask("watch_table")
    late = world.new_player(table_id)
    await late.ask("watch_table")
    await late.ask("sit")
    idle = (dropped, watcher, late)
    for asker in idle:
        asker.connection.forget()
    for _ in range(3):
        await world.pass_ms(62_000)
    for asker in idle:
        assert asker.connection.all(Notice) == []
        for table in (asker.table,):
            assert table.you is None or not {"draw_stock", "discard", "declare", "drop"} & set(table.you.allowed)
            assert table.you is None or table.you.away is None


def test_a_complete_hand_of_an_absent_player_counts_nothing_when_another_declares_b21() -> None:
    """No cap and no fee for absence: the fewest points of the cards held, as for anybody."""
    setup = read_script(f"players 0 1\ndealer 1\ncards 0 {COMPLETE}\ncards 1 {ALSO_COMPLETE}\nwild AC\nopen 2C").setup
    state, _ = start(setup)
    for line in ("0 draw stock",):
        state, _ = apply(state, parse_action(line))
    drawn = state.drawn
    assert drawn is not None
    state, _ = apply(state, parse_action(f"0 declare {card_text(drawn.card)}"))
    assert state.ended is not None
    assert dict(state.ended.points) == {0: 0, 1: 0}
    assert settle_points(state.ended, 100, 500).commission == 0


async def test_what_an_absent_player_pays_is_the_formula_and_stands_in_the_result_b21() -> None:
    world = World(seed=5)
    _, players = await world.dealt(count=2, missed_turns_to_drop=10)
    absent = players[1]
    world.house.disconnected(absent.connection)
    here = players[0]
    for _ in range(40):
        if here.table.public.phase != "playing":
            break
        hand = here.table.public.hand
        assert hand is not None
        assert hand.turn is not None
        if hand.turn.seat == here.seat:
            await play_hand([here], Random(1), turns=2)
        else:
            await world.pass_ms(hand.turn.deadline_ms - world.clock.ms)
    result = here.table.public.result
    assert result is not None
    paid = next(line for line in result.lines if line.player == absent.player)
    assert paid.delta == -paid.points * here.table.public.table.rate
    expected = 40 if paid.out == "missed_turns" else paid.arrangement.points if paid.arrangement is not None else None
    assert paid.points == expected


async def test_everybody_is_gone_in_mid_hand_and_it_ends_by_the_rules_and_settles_b30() -> None:
    world = World()
    table_id, players = await world.dealt(count=3)
    watcher = world.new_player(table_id)
    await watcher.ask("watch_table")
    for asker in (*players, watcher):
        world.house.disconnected(asker.connection)
    await world.pass_ms(20 * 60_000)
    hand = world.stored(table_id).hands[0]
    assert hand.closing is not None
    assert hand.closing.outcome == "last_in"
    assert sorted(delta for _, delta in hand.closing.deltas) == [-400, -400, 800 - 40]
    assert hand.closing.commission == 40
    # Nobody is dealt into another hand: the table waits, and stays open.
    assert len(world.stored(table_id).hands) == 1
    assert [summary.table_id for summary in world.house.summaries()] == [table_id]
    back = Asker(world, table_id, players[0].player)
    assert isinstance(await back.ask("watch_table"), Ack)
