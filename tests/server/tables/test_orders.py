"""What an operator wants of a table is done between hands; who looks on and who is cut off is told of."""

from uuid import UUID

from server.protocol.messages import Notice, TableGone
from server.tables.hub import House
from server.tables.ports import TableOrders
from tests.server.tables.doubles import KEYS, Asker, World
from tests.server.tables.test_between_hands import finish, next_hand, phase


def codes(player: Asker) -> list[str]:
    return [notice.code for notice in player.connection.all(Notice)]


async def order(world: World, table_id: UUID, orders: TableOrders) -> None:
    assert world.house.give_orders(table_id, orders)
    await world.settle()


async def test_other_stakes_wait_for_the_end_of_the_hand_and_are_shown_before_the_next() -> None:
    world = World()
    table_id, players = await world.dealt(count=2)
    await order(world, table_id, TableOrders(rate=20, commission_bp=300))
    assert players[0].table.public.table.rate == 10
    assert codes(players[0]) == []
    await finish(players)
    shown = players[0].table.public.table
    assert (shown.rate, shown.commission_bp, phase(players[0])) == (20, 300, "result")
    assert codes(players[0]) == codes(players[1]) == ["stakes_changed"]
    await next_hand(world, players)
    first, second = (hand.opening for hand in world.stored(table_id).hands)
    assert (first.terms.rate, second.terms.rate, second.terms.commission_bp) == (10, 20, 300)
    assert second.hold_units == 2 * first.hold_units


async def test_at_a_table_in_its_countdown_it_begins_anew_and_so_does_being_ready() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    players = await world.seat(table_id, 2)
    await players[0].ask("ready")
    await world.pass_ms(world.timing.countdown_ms - 1)
    await order(world, table_id, TableOrders(rate=20))
    public = players[0].table.public
    assert (public.phase, public.phase_deadline_ms) == ("countdown", world.clock.ms + world.timing.countdown_ms)
    assert not public.seats[0].ready


async def test_an_order_that_changes_nothing_is_done_with_and_nobody_is_told() -> None:
    world = World()
    table_id = world.new_table(4, rate=10)
    await world.start()
    players = await world.seat(table_id, 2)
    await order(world, table_id, TableOrders(rate=10))
    assert "set_stakes" in world.journal.calls
    assert codes(players[0]) == []
    assert phase(players[0]) == "countdown"


async def test_a_table_closes_after_its_hand_once_the_result_was_seen() -> None:
    world = World()
    table_id, players = await world.dealt(count=2)
    await order(world, table_id, TableOrders(closing=True))
    assert codes(players[0]) == ["table_closing"]
    await finish(players)
    for player in players:
        await player.ask("ready")
    assert phase(players[0]) == "result"
    await world.pass_ms(world.timing.result_pause_ms)
    assert players[0].connection.last(TableGone).reason == "closed"
    assert world.house.summary(table_id) is None
    assert len(world.stored(table_id).hands) == 1
    assert not world.house.give_orders(table_id, TableOrders())


async def test_an_empty_table_closes_at_once() -> None:
    world = World()
    table_id = world.new_table(4)
    await world.start()
    await order(world, table_id, TableOrders(closing=True))
    assert world.house.summary(table_id) is None


class Onlookers:
    def __init__(self) -> None:
        self.told: list[tuple[str, UUID, UUID]] = []

    def watched(self, hand_id: UUID, player_id: UUID, at_ms: int) -> None:
        self.told.append(("watched", hand_id, player_id))

    def cut_off(self, hand_id: UUID, player_id: UUID, at_ms: int) -> None:
        self.told.append(("cut_off", hand_id, player_id))


async def test_onlookers_are_told_of_once_a_hand_and_so_is_whose_line_is_lost() -> None:
    world, onlookers = World(), Onlookers()
    world.house = House(
        world.journal, world.clock, world.random, KEYS, world.timing, lambda players: None, onlookers=onlookers
    )
    table_id = world.new_table(4)
    await world.start()
    early = world.new_player(table_id)
    await early.ask("watch_table")
    players = await world.seat(table_id, 2)
    await next_hand(world, players)
    late = world.new_player(table_id)
    for player in (late, late, players[0]):
        await player.ask("watch_table")
    for player in (late, players[0]):
        world.house.disconnected(player.connection)
    await world.settle()
    hand_id = UUID(bytes=world.stored(table_id).hands[-1].opening.terms.hand_id)
    assert onlookers.told == [
        ("watched", hand_id, early.player.player_id),
        ("watched", hand_id, late.player.player_id),
        ("cut_off", hand_id, players[0].player.player_id),
    ]
