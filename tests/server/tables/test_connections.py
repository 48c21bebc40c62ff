"""Several windows of one player, coming back, and what a connection is told (FIELD_LOG B01, B08, B12, B13)."""

import json

from server.protocol.messages import Ack, Error, ErrorCode, Notice, Receipt, Table, TableGone
from server.tables.audience import MOST_CONNECTIONS_OF_A_PLAYER
from server.tables.publisher import KEPT_MESSAGES
from tests.server.tables.doubles import Asker, World, on_turn


def code(answer: Ack | Error) -> ErrorCode | None:
    return answer.code if isinstance(answer, Error) else None


def resume_of(table: Table) -> dict[str, int]:
    return {"epoch": table.epoch, "seq": table.seq}


def may_act(player: Asker) -> bool:
    assert player.table.you is not None
    return player.table.you.may_act


async def test_two_windows_see_the_same_and_the_newest_acts() -> None:
    world = World()
    _, players = await world.dealt()
    first = on_turn(players)
    second = world.other_tab(first)
    assert code(await second.ask("watch_table")) is None
    assert first.connection.last(Notice).code == "acting_elsewhere"
    assert (may_act(first), may_act(second)) == (False, True)
    assert first.table.you is not None
    assert second.table.you is not None
    assert first.table.you.cards == second.table.you.cards
    assert first.table.you.allowed == []
    refused = await first.move("draw", source="stock")
    assert code(refused) is ErrorCode.ACTING_ELSEWHERE
    assert isinstance(refused, Error)
    assert refused.allowed == ["watch_table"]
    assert code(await second.move("draw", source="stock")) is None
    assert len(first.table.you.cards) == 14


async def test_watching_again_takes_the_controls_back() -> None:
    world = World()
    _, players = await world.dealt()
    first = on_turn(players)
    second = world.other_tab(first)
    await second.ask("watch_table")
    await first.ask("watch_table")
    assert (may_act(first), may_act(second)) == (True, False)
    assert second.connection.last(Notice).code == "acting_elsewhere"
    assert code(await first.move("draw", source="stock")) is None


async def test_the_other_window_inherits_the_controls_of_one_that_is_closed() -> None:
    world = World()
    _, players = await world.dealt()
    first = on_turn(players)
    second = world.other_tab(first)
    await second.ask("watch_table")
    world.house.disconnected(second.connection)
    await world.settle()
    assert may_act(first)
    assert first.table.public.seats[first.seat].connected
    assert code(await first.move("draw", source="stock")) is None


async def test_a_seat_without_a_connection_shows_as_away_until_it_is_back() -> None:
    world = World()
    _, players = await world.dealt()
    world.house.disconnected(players[0].connection)
    await world.settle()
    assert not players[1].table.public.seats[0].connected
    back = world.other_tab(players[0])
    await back.ask("watch_table")
    assert players[1].table.public.seats[0].connected


async def test_another_device_gets_the_whole_hand_with_its_receipts_b08() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    await player.move("draw", source="stock")
    device = world.other_tab(player)
    await device.ask("watch_table")
    first = device.connection.all(Table)[0]
    assert first.snapshot
    assert first.public == player.table.public
    assert first.you is not None
    assert player.table.you is not None
    assert first.you.model_copy(update={"may_act": False, "allowed": []}) == player.table.you
    assert [event["k"] for event in first.events] == [0, 1, 2, 3, 4]
    assert [receipt.kind for receipt in device.connection.all(Receipt)] == ["commit", "hashes", "state"]


async def test_who_comes_back_gets_what_was_missed_and_no_snapshot() -> None:
    world = World()
    _, players = await world.dealt()
    player, other = on_turn(players), next(each for each in players if each is not on_turn(players))
    point = resume_of(other.table)
    world.house.disconnected(other.connection)
    await player.move("draw", source="stock")
    assert player.table.you is not None
    await player.move("discard", card=player.table.you.cards[-1])
    back = world.other_tab(other)
    await back.ask("watch_table", resume=point)
    message = back.connection.all(Table)[0]
    assert not message.snapshot
    assert [event["type"] for event in message.events] == ["draw_stock", "discard"]
    # Everyone else saw the seat go away; this message also carries that.
    assert message.seq == point["seq"] + 3


async def test_nothing_missed_another_epoch_or_too_long_ago_gives_a_snapshot() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    now = resume_of(player.table)
    for point in (now, now | {"epoch": now["epoch"] + 1}, now | {"seq": now["seq"] + 5}):
        await player.ask("watch_table", resume=point)
        assert player.table.snapshot
    for _ in range(KEPT_MESSAGES // 2 + 1):
        for on in (True, False):
            await player.ask("sit_out", on=on)
    await player.ask("watch_table", resume=now)
    assert player.table.snapshot


async def test_messages_are_numbered_without_gaps_and_every_text_is_the_document_it_claims() -> None:
    world = World()
    _, players = await world.dealt()
    for player in players:
        tables = player.connection.all(Table)
        told = [table.seq for table in tables if not table.snapshot]
        assert told == list(range(told[0], told[0] + len(told)))
        for text in player.connection.texts:
            document = json.loads(text)
            if document["type"] == "table":
                assert Table.model_validate(document).model_dump(mode="json") == document


async def test_unwatching_ends_the_messages_and_keeps_the_chair() -> None:
    world = World()
    _, players = await world.dealt()
    quitter = next(player for player in players if player is not on_turn(players))
    await quitter.ask("unwatch_table")
    assert quitter.connection.last(TableGone).reason == "unwatched"
    count = len(quitter.connection.texts)
    await on_turn([player for player in players if player is not quitter]).move("draw", source="stock")
    assert len(quitter.connection.texts) == count
    assert world.house.seated_at(quitter.player.player_id) == [quitter.table_id]


async def test_one_window_too_many_lets_the_oldest_go() -> None:
    world = World()
    _, players = await world.dealt()
    windows = [players[0], *(world.other_tab(players[0]) for _ in range(MOST_CONNECTIONS_OF_A_PLAYER))]
    for window in windows[1:]:
        await window.ask("watch_table")
    assert windows[0].connection.last(TableGone).reason == "unwatched"
    assert may_act(windows[-1])


async def test_a_connection_that_never_watched_may_act_for_its_player() -> None:
    """A page may sit and leave from the lobby; it takes nobody's controls for that."""
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    lobby_page = world.other_tab(player)
    assert code(await lobby_page.ask("leave_table")) is ErrorCode.ACTING_ELSEWHERE
    world.house.disconnected(player.connection)
    assert code(await lobby_page.ask("leave_table")) is None


async def test_the_lobby_follows_every_table() -> None:
    world = World()
    tables = [world.new_table(seats) for seats in (4, 6)]
    await world.start()
    watcher = world.new_player(tables[0])
    world.house.watch_lobby(watcher.connection)
    first = json.loads(watcher.connection.texts[0])
    assert [table["seat_count"] for table in first["tables"]] == [4, 6]
    await world.seat(tables[0], 2)
    await world.pass_ms(world.timing.countdown_ms)
    lines = [json.loads(text)["table"] for text in watcher.connection.texts[1:]]
    assert [(line["seated"], line["hand_running"]) for line in lines] == [(1, False), (2, False), (2, True)]
    assert world.house.summaries()[0].hand_running
    world.house.unwatch_lobby(watcher.connection)
    count = len(watcher.connection.texts)
    await world.seat(tables[1], 1)
    assert len(watcher.connection.texts) == count


async def test_whoever_takes_another_name_keeps_the_chair_and_is_shown_so() -> None:
    world = World()
    table_id, (player, other) = await world.dealt()
    renamed = player.player.model_copy(update={"name": "Asha for good"})
    world.house.rename(renamed)
    await world.settle()
    for watcher in (player, other):
        assert watcher.table.public.seats[player.seat].player == renamed
    assert player.table.public.hand is not None
    assert len(player.table.you.cards if player.table.you else ()) == 13
    assert world.house.seated_at(renamed.player_id) == [table_id]
