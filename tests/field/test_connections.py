"""Field reports of lost lines, second devices and several tables, each by its number, at real tables."""

import json

from server.protocol.messages import Ack, Table
from tests.server.tables.doubles import Asker, ScriptedConnection, World, on_turn

TURN_MS = 62_000


async def play_turn(player: Asker) -> None:
    assert isinstance(await player.move("draw", source="stock"), Ack)
    assert player.table.you is not None
    assert isinstance(await player.move("discard", card=player.table.you.cards[-1]), Ack)


def state(table: Table) -> tuple[str, str]:
    assert table.you is not None
    return table.public.model_dump_json(), table.you.model_dump_json()


async def test_a_message_that_is_lost_is_healed_by_the_next_and_seen_by_its_number_b03() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    watcher = players[0]
    for lost in range(1, 4):
        before = watcher.table.seq
        for _ in range(lost + 1):
            await play_turn(on_turn(players))
        newest = watcher.table
        assert newest.seq > before + lost
        # A client that heard nothing but the newest message stands where one stands that asks for all of it.
        await watcher.ask("watch_table")
        assert watcher.table.snapshot
        assert state(watcher.table) == state(newest)
        # And one that asks from what it had before the gap gets every event that it missed, once.
        epoch = newest.epoch
        await watcher.ask("watch_table", resume={"epoch": epoch, "seq": before})
        missed = [event["k"] for event in watcher.table.events]
        assert missed == list(range(missed[0], missed[0] + len(missed)))
        await watcher.ask("watch_table")
        assert watcher.table.events[-1]["k"] == missed[-1]


async def test_who_comes_back_as_somebody_new_to_the_page_gets_the_own_seat_b10() -> None:
    """Nothing but the account is needed: no page, no cookie of the table, no code."""
    world = World()
    table_id, players = await world.dealt(count=3)
    frozen = on_turn(players)
    await play_turn(frozen)
    assert frozen.table.you is not None
    cards = frozen.table.you.cards
    world.house.disconnected(frozen.connection)
    await world.settle()
    back = Asker(world, table_id, frozen.player)
    assert isinstance(await back.ask("watch_table"), Ack)
    assert back.table.you is not None
    assert (back.seat, back.table.you.cards) == (frozen.seat, cards)
    assert sum(seat.player is not None for seat in back.table.public.seats) == 3


async def test_an_absent_seat_never_holds_up_the_table_b10() -> None:
    world = World()
    table_id, players = await world.dealt(count=3)
    absent = on_turn(players)
    world.house.disconnected(absent.connection)
    here = [player for player in players if player is not absent]
    for _ in range(3):
        await world.pass_ms(TURN_MS)
        for _ in here:
            if here[0].table.public.phase == "playing" and on_turn(here) in here:
                await play_turn(on_turn(here))
    assert here[0].table.public.seats[absent.seat].out == "missed_turns"
    assert world.stored(table_id).hands[0].closing is None


async def test_a_dead_line_beside_the_new_one_is_the_same_player_once_b12() -> None:
    """The old socket is still open as far as the house knows: the new one takes over at once, and counts for one."""
    world = World()
    _, players = await world.dealt(count=3)
    player, other = on_turn(players), next(p for p in players if p is not on_turn(players))
    dead = player.connection
    player.connection = ScriptedConnection(player.player)
    await player.ask("watch_table")
    await play_turn(player)
    seats = other.table.public.seats
    assert [seat.player for seat in seats].count(player.player) == 1
    assert seats[player.seat].connected
    assert other.table.public.table.seated == 3
    world.house.disconnected(dead)
    await world.settle()
    assert other.table.public.seats[player.seat].connected
    assert isinstance(await player.ask("drop_next", hand_id=player.turn_fields()["hand_id"], on=True), Ack)


async def test_each_table_has_its_own_news_of_an_absence_and_its_own_return_b14() -> None:
    world = World()
    tables = [world.new_table(), world.new_table()]
    await world.start()
    players = {table_id: await world.seat(table_id, 2) for table_id in tables}
    away = players[tables[0]][0]
    there = Asker(world, tables[1], away.player)
    await there.ask("watch_table")
    await there.ask("sit")
    await world.pass_ms(world.timing.countdown_ms)
    for table_id in tables:
        at_table = [*players[table_id], *([there] if table_id == tables[1] else [])]
        await world.contribute_all(at_table)
    world.house.disconnected(away.connection)
    world.house.disconnected(there.connection)
    while not (_was_played_for(world, tables[0], away) and _was_played_for(world, tables[1], away)):
        await world.pass_ms(TURN_MS)
        for table_id in tables:
            others = players[table_id][1:] if table_id == tables[0] else players[table_id]
            if others[0].table.public.phase == "playing":
                hand = others[0].table.public.hand
                assert hand is not None
                assert hand.turn is not None
                for other in others:
                    if other.seat == hand.turn.seat:
                        await play_turn(other)
    # One page comes back to both tables: each says by itself what was played there.
    back = {table_id: Asker(world, table_id, away.player) for table_id in tables}
    for asker in back.values():
        await asker.ask("watch_table")
        assert asker.table.you is not None
        assert asker.table.you.away is not None
        assert asker.table.you.away.turns >= 1
    first, second = back[tables[0]], back[tables[1]]
    await first.ask("sit_out", on=False)
    assert first.table.you is not None
    assert first.table.you.away is None
    await second.ask("watch_table")
    assert second.table.you is not None
    assert second.table.you.away is not None


def _was_played_for(world: World, table_id: object, player: Asker) -> bool:
    actor = world.house._tables[table_id]._actor  # type: ignore[index]
    assert actor is not None
    return actor._table.notes.of(player.player.player_id).away is not None


async def test_who_lost_the_line_over_three_turns_is_told_the_state_and_nothing_of_the_way_b13() -> None:
    """A line that was away for long gets one snapshot: the pile, its order and the counts are the house's at once."""
    world = World()
    _, players = await world.dealt(count=4)
    away = players[0]
    world.house.disconnected(away.connection)
    here = players[1:]
    for _ in range(3):
        hand = here[0].table.public.hand
        assert hand is not None
        assert hand.turn is not None
        if hand.turn.seat == away.seat:
            await world.pass_ms(TURN_MS)
        else:
            await play_turn(next(player for player in here if player.seat == hand.turn.seat))
    away.connection = ScriptedConnection(away.player)
    await away.ask("watch_table")
    tables = [json.loads(text) for text in away.connection.texts if json.loads(text)["type"] == "table"]
    assert tables[0]["snapshot"]
    assert not any(table["events"] for table in tables[1:])
    mine, theirs = away.table.public.hand, here[0].table.public.hand
    assert mine is not None
    assert theirs is not None
    assert (mine.discard_pile, mine.stock_count, mine.turn) == (theirs.discard_pile, theirs.stock_count, theirs.turn)
