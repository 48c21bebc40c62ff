"""Quick seat: one command, one answer, the best table for the wishes."""

from typing import Any
from uuid import UUID

import pytest

from server.protocol.lobby_commands import QuickSeat
from server.protocol.messages import Ack, Error, ErrorCode, Table
from server.tables.quick_seat import suits
from tests.server.tables.doubles import ScriptedConnection, World
from tests.server.tables.test_lobby import summary


def wish(id: str = "q1", **wishes: Any) -> QuickSeat:
    return QuickSeat.model_validate({"type": "quick_seat", "id": id} | wishes)


async def ask(world: World, connection: ScriptedConnection, command: QuickSeat) -> Ack | Error:
    world.house.quick_seat(connection, command)
    await world.settle()
    answers = [each for each in connection.messages() if isinstance(each, Ack | Error) and each.id == command.id]
    return answers[-1]


def connection_of(world: World) -> ScriptedConnection:
    return world.new_player(UUID(int=0)).connection


async def test_the_table_where_most_people_wait_for_one_more_is_best_and_the_chair_is_shown() -> None:
    world = World()
    tables = [world.new_table(4) for _ in range(3)]
    await world.start()
    await world.seat(tables[0], 1)
    await world.seat(tables[1], 2)
    await world.seat(tables[2], 4)
    seeker = connection_of(world)
    answer = await ask(world, seeker, wish())
    assert isinstance(answer, Ack)
    assert answer.result == {"table_id": str(tables[1]), "seat": 2}
    assert seeker.last(Table).you is not None
    again = await ask(world, seeker, wish("q2"))
    assert isinstance(again, Ack)
    assert again.result is not None
    assert again.result["table_id"] == str(tables[0])


async def test_the_same_command_twice_takes_one_chair() -> None:
    world = World()
    tables = [world.new_table(4) for _ in range(2)]
    await world.start()
    seeker = connection_of(world)
    newer = ScriptedConnection(seeker.player)
    world.house.quick_seat(seeker, wish())
    answer = await ask(world, newer, wish())
    assert isinstance(answer, Ack)
    assert await ask(world, newer, wish()) == answer
    assert len(world.house.seated_at(seeker.player.player_id)) == 1
    other = await ask(world, newer, wish(seat_count=4))
    assert isinstance(other, Error)
    assert other.code is ErrorCode.SAME_ID_OTHER_COMMAND
    assert len(tables) == 2


async def test_a_chair_that_was_taken_meanwhile_leads_to_the_next_table() -> None:
    world = World()
    tables = [world.new_table(4) for _ in range(2)]
    await world.start()
    await world.seat(tables[0], 3)
    world.new_player(tables[0]).post("sit")
    answer = await ask(world, connection_of(world), wish())
    assert isinstance(answer, Ack)
    assert answer.result == {"table_id": str(tables[1]), "seat": 0}


async def test_without_a_table_that_suits_the_answer_says_what_else_can_be_done() -> None:
    world = World()
    world.new_table(4, rate=10)
    await world.start()
    answer = await ask(world, connection_of(world), wish(min_rate=11))
    assert isinstance(answer, Error)
    assert (answer.code, answer.allowed) == (
        ErrorCode.NO_TABLE_FITS,
        ["watch_lobby", "join_waiting", "open_table"],
    )


async def test_a_lost_connection_is_given_no_chair_at_another_table() -> None:
    world = World()
    tables = [world.new_table(4) for _ in range(2)]
    await world.start()
    await world.seat(tables[0], 3)
    world.new_player(tables[0]).post("sit")
    seeker = connection_of(world)
    world.house.quick_seat(seeker, wish())
    world.house.disconnected(seeker)
    await world.settle()
    assert world.house.seated_at(seeker.player.player_id) == []


@pytest.mark.parametrize(
    ("wishes", "suited"),
    [
        ({}, True),
        ({"format": "pool"}, False),
        ({"asset": "HT"}, True),
        ({"asset": "PT"}, False),
        ({"practice": True}, False),
        ({"seat_count": 4}, True),
        ({"seat_count": 6}, False),
        ({"min_rate": 10, "max_rate": 10}, True),
        ({"max_rate": 9}, False),
    ],
)
def test_wishes(wishes: dict[str, Any], suited: bool) -> None:
    table = summary(1).model_copy(update={"free": 1})
    assert suits(table, wish(**wishes)) is suited
    assert not suits(table.model_copy(update={"free": 0}), wish(**wishes))
