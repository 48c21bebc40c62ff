"""The waiting list of a table: its order, its offers and their deadlines."""

from server.protocol.lobby_messages import WaitingPlace
from server.protocol.messages import Ack, Error, ErrorCode
from server.tables.waiting import MOST_WAITING
from server.tables.waiting_room import MOST_LINES_OF_A_PLAYER
from tests.server.tables.doubles import Asker, World


async def full_table(world: World, waiting: int, seats: int = 4) -> tuple[list[Asker], list[Asker]]:
    """A table with every chair taken that has not begun to play, and so many people in line."""
    table_id = world.new_table(seats)
    await world.start()
    seated = await world.seat(table_id, seats)
    line = [world.new_player(table_id) for _ in range(waiting)]
    for position, asker in enumerate(line, start=1):
        answer = await asker.ask("join_waiting")
        assert isinstance(answer, Ack)
        assert answer.result == {"position": position}
    return seated, line


def place(asker: Asker) -> WaitingPlace:
    return asker.connection.last(WaitingPlace)


def refused(answer: Ack | Error, code: ErrorCode) -> None:
    assert isinstance(answer, Error)
    assert answer.code is code


async def test_nobody_waits_while_a_chair_is_free() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    answer = await world.new_player(table_id).ask("join_waiting")
    refused(answer, ErrorCode.NOT_NOW)
    assert isinstance(answer, Error)
    assert answer.allowed == ["sit"]


async def test_a_free_chair_is_kept_for_the_first_until_the_deadline_then_for_the_next() -> None:
    world = World()
    seated, (first, second) = await full_table(world, waiting=2)
    await seated[0].ask("leave_table")
    deadline = world.clock.ms + world.timing.offer_ms
    assert (place(first).position, place(first).offer_until_ms) == (1, deadline)
    assert (place(second).position, place(second).offer_until_ms) == (2, None)
    stranger = world.new_player(first.table_id)
    refused(await stranger.ask("sit"), ErrorCode.TABLE_FULL)
    refused(await second.ask("sit"), ErrorCode.TABLE_FULL)

    await world.pass_ms(world.timing.offer_ms)
    assert (place(first).position, place(first).ended) == (None, "offer_expired")
    assert (place(second).position, place(second).offer_until_ms) == (1, world.clock.ms + world.timing.offer_ms)
    answer = await second.ask("sit")
    assert isinstance(answer, Ack)
    assert answer.result == {"seat": 0}
    assert place(second).ended == "seated"
    assert second.table.public.table.waiting == 0


async def test_the_line_is_shown_to_everyone_at_the_table_and_in_the_lobby() -> None:
    world = World()
    seated, line = await full_table(world, waiting=2)
    public = seated[0].table.public
    assert [waiter.player for waiter in public.waiting] == [asker.player for asker in line]
    assert (public.table.waiting, public.table.free) == (2, 0)
    await line[0].ask("leave_waiting")
    assert place(line[0]).ended == "left"
    assert place(line[1]).position == 1
    assert world.house.waiting_at(line[0].player.player_id) == []
    assert world.house.waiting_at(line[1].player.player_id) == [line[1].table_id]


async def test_the_chair_of_one_who_leaves_in_mid_hand_is_offered_when_the_hand_has_ended() -> None:
    world = World()
    seated, (first,) = await full_table(world, waiting=1)
    await world.pass_ms(world.timing.countdown_ms)
    await world.contribute_all(seated)
    await seated[3].ask("leave_table")
    assert place(first).offer_until_ms is None
    for leaver in seated[:2]:
        await leaver.ask("leave_table", after_hand=True)
    await seated[2].ask("leave_table")
    await seated[0].ask("leave_table")
    assert place(first).offer_until_ms is not None


async def test_who_is_away_is_passed_over_keeps_the_place_for_a_while_and_then_loses_it() -> None:
    world = World()
    seated, (first, second) = await full_table(world, waiting=2)
    world.house.disconnected(first.connection)
    await seated[0].ask("leave_table")
    assert place(second).offer_until_ms is not None

    back = world.other_tab(first)
    answer = await back.ask("join_waiting")
    assert isinstance(answer, Ack)
    assert answer.result == {"position": 1}
    world.house.disconnected(back.connection)
    await world.settle()
    await world.pass_ms(world.timing.absent_ms)
    assert world.house.waiting_at(first.player.player_id) == []


async def test_the_line_and_a_players_lines_have_an_end() -> None:
    world = World()
    await full_table(world, waiting=0)
    tables = [world.new_table(4) for _ in range(MOST_LINES_OF_A_PLAYER + 1)]
    await world.restart()
    patient = world.new_player(tables[0])
    for table_id in tables:
        await world.seat(table_id, 4)
        patient.table_id = table_id
        answer = await patient.ask("join_waiting")
        assert isinstance(answer, Ack) == (table_id != tables[-1])
    refused(answer, ErrorCode.TOO_MANY_TABLES)
    for _ in range(MOST_WAITING - 1):
        assert isinstance(await world.new_player(tables[0]).ask("join_waiting"), Ack)
    refused(await world.new_player(tables[0]).ask("join_waiting"), ErrorCode.WAITING_LIST_FULL)


async def test_an_outage_of_ours_is_not_charged_to_who_was_offered_a_chair() -> None:
    world = World()
    seated, (first,) = await full_table(world, waiting=1)
    await seated[0].ask("leave_table")
    offered = place(first).offer_until_ms
    assert offered is not None
    world.journal.slow_ms = 1_000
    await seated[1].ask("sit_out", on=True)
    world.journal.slow_ms = 0
    assert place(first).offer_until_ms == offered + 1_000


async def test_a_restart_of_the_house_empties_the_line_as_the_protocol_says() -> None:
    world = World()
    _, (first,) = await full_table(world, waiting=1)
    await world.restart()
    assert world.house.waiting_at(first.player.player_id) == []
    answer = await world.other_tab(first).ask("join_waiting")
    assert isinstance(answer, Ack)
    assert answer.result == {"position": 1}
