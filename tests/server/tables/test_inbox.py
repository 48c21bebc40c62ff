import asyncio
from uuid import UUID

import pytest

from server.protocol.commands import Ready
from server.protocol.messages import Player
from server.tables.inbox import (
    MOST_COMMANDS,
    MOST_COMMANDS_OF_A_PLAYER,
    Alarm,
    ClockStruck,
    ConnectionLost,
    Inbox,
    Item,
    PlayerCommand,
)
from tests.server.tables.doubles import START_MS, JumpingClock, ScriptedConnection


def command(player: int, number: int = 0) -> PlayerCommand:
    connection = ScriptedConnection(Player(player_id=UUID(int=player), name="p"))
    return PlayerCommand(connection, Ready(id=f"c{number}", type="ready", table_id=UUID(int=1)))


async def test_first_in_first_out_whatever_it_is() -> None:
    inbox = Inbox()
    lost = ConnectionLost(ScriptedConnection(Player(player_id=UUID(int=9), name="p")))
    items: list[Item] = [command(1), ClockStruck(), command(2), lost]
    for item in items:
        if isinstance(item, PlayerCommand):
            assert inbox.offer(item)
        else:
            inbox.insist(item)
    assert [await inbox.take() for _ in items] == items


async def test_one_player_can_fill_only_their_part() -> None:
    inbox = Inbox()
    taken = [inbox.offer(command(1, number)) for number in range(MOST_COMMANDS_OF_A_PLAYER + 5)]
    assert taken.count(True) == MOST_COMMANDS_OF_A_PLAYER
    assert inbox.offer(command(2))
    await inbox.take()
    assert inbox.offer(command(1))


async def test_the_line_has_an_end_for_commands_and_none_for_the_clock() -> None:
    inbox = Inbox()
    taken = [inbox.offer(command(player)) for player in range(MOST_COMMANDS + 5)]
    assert taken.count(True) == MOST_COMMANDS
    inbox.insist(ClockStruck())


async def test_all_done_waits_for_what_is_being_dealt_with() -> None:
    inbox = Inbox()
    inbox.insist(ClockStruck())
    await inbox.take()
    waiting = asyncio.create_task(inbox.all_done())
    await asyncio.sleep(0)
    assert not waiting.done()
    inbox.done()
    await waiting


async def spin() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_an_alarm_strikes_once_at_its_deadline() -> None:
    clock, struck = JumpingClock(), []
    alarm = Alarm(clock, lambda: struck.append(clock.ms))
    alarm.set(START_MS + 10)
    await spin()
    clock.jump_to(START_MS + 9)
    await spin()
    assert struck == []
    clock.jump_to(START_MS + 10)
    await spin()
    assert struck == [START_MS + 10]


async def test_a_later_deadline_keeps_the_alarm_and_an_earlier_one_moves_it() -> None:
    clock, struck = JumpingClock(), []
    alarm = Alarm(clock, lambda: struck.append(clock.ms))
    alarm.set(START_MS + 10)
    alarm.set(START_MS + 50)
    await spin()
    clock.jump_to(START_MS + 10)
    await spin()
    assert struck == [START_MS + 10]
    alarm.set(START_MS + 50)
    alarm.set(START_MS + 20)
    await spin()
    clock.jump_to(START_MS + 20)
    await spin()
    assert struck == [START_MS + 10, START_MS + 20]
    alarm.set(None)
    alarm.cancel()


async def test_an_alarm_that_broke_is_seen_when_it_is_set_again() -> None:
    class BrokenClock(JumpingClock):
        async def sleep_until(self, deadline_ms: int) -> None:
            raise OSError("no clock")

    alarm = Alarm(BrokenClock(), lambda: None)
    alarm.set(START_MS + 10)
    await spin()
    with pytest.raises(OSError, match="no clock"):
        alarm.set(START_MS + 20)
