"""Who may sit down, wait and watch: private tables, spectators, repeated leavers, and how many chairs one may have."""

from typing import Any
from uuid import UUID

from server.protocol.lobby_messages import WaitingPlace
from server.protocol.messages import Ack, Error, ErrorCode, Lobby, Notice, Player, TableGone
from server.tables.door import LEAVES_FORGIVEN, LEAVES_WINDOW_MS
from server.tables.places import MOST_TABLES_OF_A_PLAYER
from server.tables.ports import Customs, HoldReason, OwnBreak
from tests.server.tables.doubles import Asker, ScriptedConnection, World
from tests.server.tables.test_outages import spin, wait_out

HOST = Player(player_id=UUID(int=77), name="Asha")


def code_of(answer: Ack | Error) -> ErrorCode | None:
    return answer.code if isinstance(answer, Error) else None


async def private_table(world: World, customs: Customs | None = None) -> Asker:
    """A started house with one private table; returns its host, who has a chair."""
    table_id = world.new_table(4, host=HOST, customs=customs)
    await world.start()
    host = Asker(world, table_id, HOST)
    assert isinstance(await host.ask("sit"), Ack)
    return host


async def guest_of(world: World, host: Asker) -> Asker:
    guest = world.new_player(host.table_id)
    assert world.house.admit(host.table_id, guest.player.player_id) is not None
    return guest


async def test_a_private_table_is_in_no_lobby_and_there_for_nobody_who_was_not_let_in() -> None:
    world = World()
    host = await private_table(world)
    looker = ScriptedConnection(world.new_player(host.table_id).player)
    world.house.watch_lobby(looker)
    assert looker.last(Lobby).tables == []
    stranger = world.new_player(host.table_id)
    turn = {"hand_id": str(UUID(int=1)), "turn": 1}
    seed = {"hand_id": str(UUID(int=1)), "nonce": "00" * 32}
    asked: dict[str, dict[str, Any]] = {
        **{name: {} for name in ("watch_table", "unwatch_table", "sit", "leave_table", "ready")},
        **{name: {} for name in ("join_waiting", "leave_waiting", "host_table")},
        "sit_out": {"on": True},
        "remove_waiting": {"player_id": str(HOST.player_id)},
        "draw": {**turn, "source": "stock"},
        "arrange": {"hand_id": str(UUID(int=1))},
        "reveal": seed,
        "rejoin": {"match_id": str(UUID(int=1)), "accept": True},
    }
    for is_paused in (False, True):
        world.journal.fail = 1 if is_paused else 0
        if is_paused:
            host.post("leave_table")
            await spin()
            assert host.connection.last(Notice).code == "paused"
        for type_, fields in asked.items():
            answers = []
            for table_id in (host.table_id, UUID(int=9)):
                stranger.connection.texts.clear()
                stranger.table_id = table_id
                world.house.post(stranger.connection, stranger.command(type_, **fields).model_copy(update={"id": "x"}))
                answers.append(list(stranger.connection.texts))
            assert answers[0] == answers[1], type_
            assert ErrorCode.UNKNOWN_TABLE in answers[0][0]
    await wait_out(world)
    assert isinstance(await host.ask("sit"), Ack)
    guest = await guest_of(world, host)
    assert isinstance(await guest.ask("watch_table"), Ack)
    assert isinstance(await guest.ask("sit"), Ack)
    assert guest.table.public.table.host == HOST
    assert len(looker.texts) == 1


async def test_a_seated_player_of_a_private_table_comes_back_without_the_code_b09() -> None:
    world = World()
    host = await private_table(world)
    guest = await guest_of(world, host)
    await guest.ask("sit")
    await host.ask("host_table", joining=False)
    world.house.disconnected(guest.connection)
    back = world.other_tab(guest)
    assert isinstance(await back.ask("watch_table"), Ack)
    assert back.seat == guest.seat


async def test_who_has_chosen_not_to_play_gets_no_chair_and_no_place_in_a_line() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    player = world.new_player(table_id)
    world.journal.breaks[player.player.player_id] = OwnBreak(HoldReason.SELF_EXCLUSION, world.clock.ms)
    for type_ in ("sit", "join_waiting"):
        answer = await player.ask(type_)
        assert isinstance(answer, Error)
        assert (answer.code, answer.allowed) == (ErrorCode.OWN_BREAK, ["watch_table"])
        assert "2027-01-15 08:00 UTC" in answer.message
    assert isinstance(await player.ask("watch_table"), Ack)
    world.journal.breaks.clear()
    assert isinstance(await player.ask("sit"), Ack)


async def test_a_break_frees_the_chair_between_hands_and_after_the_hand_that_runs() -> None:
    world = World()
    table_id, players = await world.dealt(count=2)
    (idle,) = await world.seat(table_id, 1)
    for player in (idle, players[0]):
        world.house.take_break(player.player.player_id)
    await world.settle()
    assert world.house.seated_at(idle.player.player_id) == []
    assert world.house.seated_at(players[0].player.player_id) == [table_id]
    world.house.void_hand(table_id)
    await world.settle()
    assert world.house.seated_at(players[0].player.player_id) == []


async def test_joining_closed_keeps_everybody_out_but_who_has_a_chair() -> None:
    world = World()
    host = await private_table(world)
    guest = await guest_of(world, host)
    await host.ask("host_table", joining=False)
    assert code_of(await guest.ask("sit")) is ErrorCode.JOINING_CLOSED
    assert world.stored(host.table_id).customs == Customs(joining=False)
    await host.ask("host_table", joining=True)
    assert isinstance(await guest.ask("sit"), Ack)
    await host.ask("host_table", joining=False)
    await world.pass_ms(world.timing.countdown_ms)
    await guest.ask("leave_table")
    assert isinstance(await guest.ask("sit"), Ack)


async def test_only_the_host_runs_the_table_and_may_remove_who_waits() -> None:
    world = World()
    host = await private_table(world)
    guests = [await guest_of(world, host) for _ in range(4)]
    for guest in guests[:3]:
        await guest.ask("sit")
    await guests[3].ask("join_waiting")
    waiting_id = str(guests[3].player.player_id)
    assert code_of(await guests[0].ask("host_table", joining=False)) is ErrorCode.NOT_HOST
    assert code_of(await guests[0].ask("remove_waiting", player_id=waiting_id)) is ErrorCode.NOT_HOST
    assert isinstance(await host.ask("remove_waiting", player_id=waiting_id), Ack)
    assert guests[3].connection.last(WaitingPlace).ended == "removed"
    assert code_of(await host.ask("remove_waiting", player_id=waiting_id)) is ErrorCode.NOT_WAITING


async def test_spectators_can_be_forbidden_and_are_shown_out() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    (seated,) = await world.seat(table_id, 1)
    spectator, other = world.new_player(table_id), world.new_player(table_id)
    await spectator.ask("watch_table")
    assert (await other.ask("watch_table")).type == "ack"
    assert seated.table.public.spectators == 2
    await other.ask("unwatch_table")
    assert seated.table.public.spectators == 1

    assert world.house.set_customs(table_id, lambda customs: Customs("nobody", customs.chat, customs.joining))
    await world.settle()
    assert spectator.connection.last(TableGone).reason == "forbidden"
    assert (seated.table.public.spectators, seated.table.public.table.watching) == (0, "nobody")
    answer = await spectator.ask("watch_table")
    assert code_of(answer) is ErrorCode.SPECTATORS_FORBIDDEN
    assert isinstance(await spectator.ask("sit"), Ack)
    await spectator.ask("leave_table")
    assert len(spectator.connection.all(TableGone)) == 2


async def test_an_empty_private_table_closes_by_itself_and_a_house_table_never() -> None:
    world = World()
    house_table = world.new_table(4)
    host = await private_table(world)
    watcher = await guest_of(world, host)
    await watcher.ask("watch_table")
    await world.pass_ms(world.timing.private_empty_ms)
    assert world.stored(host.table_id).is_open
    await host.ask("leave_table")
    await world.pass_ms(world.timing.private_empty_ms - 1)
    assert world.house.hosted_by(HOST.player_id) == [host.table_id]
    await world.pass_ms(1)
    assert not world.stored(host.table_id).is_open
    assert watcher.connection.last(TableGone).reason == "closed"
    assert world.house.hosted_by(HOST.player_id) == []
    assert code_of(await host.ask("sit")) is ErrorCode.UNKNOWN_TABLE
    assert world.stored(house_table).is_open


async def test_a_private_table_whose_people_have_all_gone_frees_their_chairs_and_closes() -> None:
    world = World()
    host = await private_table(world)
    guest = await guest_of(world, host)
    await guest.ask("sit")
    await guest.ask("sit_out", on=True)
    world.house.disconnected(guest.connection)
    await world.settle()
    await world.pass_ms(world.timing.chair_kept_ms - 1)
    assert world.house.seated_at(guest.player.player_id) == [host.table_id]
    await world.pass_ms(1)
    assert world.house.seated_at(guest.player.player_id) == []
    assert host.table.public.seats[guest.seat].player is None
    await world.restart()
    await world.pass_ms(world.timing.chair_kept_ms)
    assert world.house.seated_at(HOST.player_id) == []
    await world.pass_ms(world.timing.private_empty_ms)
    assert not world.stored(host.table_id).is_open


async def test_whoever_sits_just_in_time_keeps_the_table_and_whoever_is_late_is_told() -> None:
    world = World()
    host = await private_table(world)
    await host.ask("leave_table")
    await world.pass_ms(world.timing.private_empty_ms - 1)
    assert isinstance(await host.ask("sit"), Ack)
    await world.pass_ms(10)
    await host.ask("leave_table")
    world.clock.jump_to(world.clock.ms + world.timing.private_empty_ms)
    for type_ in ("ready", "sit"):
        late = host.post(type_)
    await world.settle()
    answers = [message for message in host.connection.all(Error) if message.id == late.id]
    assert [answer.code for answer in answers] == [ErrorCode.TABLE_CLOSED]


async def test_repeated_leavers_wait_before_they_sit_again_b28() -> None:
    world = World()
    table_id = world.new_table(4, min_players=3)
    await world.start()
    await world.seat(table_id, 2)
    troll = world.new_player(table_id)
    for _ in range(LEAVES_FORGIVEN + 1):
        assert isinstance(await troll.ask("sit"), Ack)
        await troll.ask("leave_table")
    assert code_of(await troll.ask("sit")) is ErrorCode.WAIT_BEFORE_SITTING
    await world.seat(table_id, 1)
    await world.pass_ms(world.timing.countdown_ms)
    assert world.house.summaries()[0].hand_running
    await world.pass_ms(LEAVES_WINDOW_MS)
    assert isinstance(await troll.ask("sit"), Ack)


async def test_one_player_sits_at_several_tables_but_not_at_any_number_of_them() -> None:
    world = World()
    tables = [world.new_table(4) for _ in range(MOST_TABLES_OF_A_PLAYER + 2)]
    await world.start()
    player = world.new_player(tables[0])
    commands = []
    for table_id in tables:
        player.table_id = table_id
        commands.append(player.post("sit"))
    await world.settle()
    await world.settle()
    answers = [message for message in player.connection.messages() if isinstance(message, Ack | Error)]
    assert [code_of(answer) for answer in answers].count(None) == MOST_TABLES_OF_A_PLAYER
    assert [code_of(answer) for answer in answers].count(ErrorCode.TOO_MANY_TABLES) == 2
    taken = world.house.seated_at(player.player.player_id)
    player.table_id = taken[0]
    await player.ask("leave_table")
    player.table_id = next(table_id for table_id in tables if table_id not in taken)
    assert isinstance(await player.ask("sit"), Ack)
