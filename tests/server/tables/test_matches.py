"""Matches at a table: who plays, who comes back, who leaves, and what is stored (docs/formats.md)."""

import pytest

from fairness.match_terms import match_terms
from rummy.formats.kinds import FormatName
from server.protocol.messages import Ack, Error, ErrorCode, MatchView
from server.tables.timing import TableTiming
from tests.server.tables.doubles import Asker, MemoryMatch, World, on_turn
from tests.server.tables.test_outages import wait_out

POOL = FormatName.POOL_101
DEALS = FormatName.DEALS_2


async def in_match(world: World, format_: FormatName, count: int = 3, buy_in: int = 1000) -> list[Asker]:
    """The first hand of a match, its cards dealt."""
    table_id = world.new_match_table(format_, buy_in=buy_in)
    await world.start()
    players = await world.seat(table_id, count)
    await world.pass_ms(world.timing.match_countdown_ms)
    await world.contribute_all(players)
    return players


def view(player: Asker) -> MatchView:
    match = player.table.public.match
    assert match is not None
    return match


def scores(player: Asker) -> list[tuple[int, str]]:
    return [(one.score, one.standing) for one in view(player).players]


def stored(world: World, player: Asker) -> MemoryMatch:
    return world.stored(player.table_id).matches[-1]


async def declare_wrongly(player: Asker) -> None:
    """80 points, by whoever is on turn."""
    await player.move("draw", source="stock")
    you = player.table.you
    assert you is not None
    assert isinstance(await player.move("declare", finish_card=you.cards[0]), Ack)


async def end_hand(players: list[Asker], wrong: tuple[Asker, ...] = (), winner: Asker | None = None) -> None:
    """Everybody gives up in turn: those named with a wrong declare, the others with a drop; the winner draws on."""
    while players[0].table.public.phase == "playing":
        player = on_turn(players)
        if player in wrong:
            await declare_wrongly(player)
        elif player is winner:
            await player.move("draw", source="stock")
            you = player.table.you
            assert you is not None
            await player.move("discard", card=you.drawn_card)
        else:
            await player.move("drop")


async def next_hand(world: World, players: list[Asker]) -> None:
    for player in players:
        await player.ask("ready")
    assert players[0].table.public.phase == "seeds"
    await world.contribute_all(players)


async def fallen(world: World) -> list[Asker]:
    """A pool of three in which the first has just reached 160 points and may rejoin."""
    players = await in_match(world, POOL)
    await end_hand(players, wrong=(players[0],), winner=players[2])
    await next_hand(world, players)
    await end_hand(players, wrong=(players[0],), winner=players[2])
    return players


async def test_a_match_holds_one_buy_in_and_its_hands_are_bound_to_it() -> None:
    world = World()
    players = await in_match(world, POOL, buy_in=700)
    match, hand = stored(world, players[0]), world.stored(players[0].table_id).hands[-1]
    assert match.held == {player.player.player_id: 700 for player in players}
    assert hand.opening.terms.rate == 0
    terms = match_terms(hand.opening.terms)
    assert terms is not None
    assert (terms.format_name, terms.buy_in, terms.hand) == (POOL, 700, 1)
    assert terms.match_id == match.start.match_id.bytes
    assert terms.standing == ((0, 0), (1, 0), (2, 0))
    shown = players[0].table.public
    assert (shown.table.buy_in, shown.table.rate, shown.table.match_running) == (700, 0, True)
    assert shown.table.rules.format == "pool_101"
    assert shown.table.rules.match is not None
    assert shown.table.rules.match.limit == 101
    assert (view(players[0]).pot, view(players[0]).hand) == (2100, 1)


async def test_points_add_up_and_each_hand_starts_from_the_standing() -> None:
    world = World()
    players = await in_match(world, POOL)
    await end_hand(players, wrong=(players[1],), winner=players[2])
    assert scores(players[0]) == [(20, "in"), (80, "in"), (0, "in")]
    result = players[0].table.public.result
    assert result is not None
    assert [(line.points, line.match_points, line.delta) for line in result.lines] == [
        (20, 20, 0),
        (80, 80, 0),
        (0, 0, 0),
    ]
    await next_hand(world, players)
    terms = match_terms(world.stored(players[0].table_id).hands[-1].opening.terms)
    assert terms is not None
    assert (terms.hand, terms.standing) == (2, ((0, 20), (1, 80), (2, 0)))
    assert world.stored(players[0].table_id).hands[-1].opening.hold_units == 0


async def test_pool_201_counts_its_own_drops_and_shows_their_price() -> None:
    world = World()
    players = await in_match(world, FormatName.POOL_201)
    you = on_turn(players).table.you
    assert you is not None
    assert (you.drop_points, you.drop_cost) == (25, None)
    await end_hand(players, winner=players[0])
    assert scores(players[0]) == [(0, "in"), (25, "in"), (25, "in")]


async def test_whoever_comes_later_waits_for_the_next_match_and_players_cannot_sit_out() -> None:
    world = World()
    players = await in_match(world, POOL, count=2)
    late = (await world.seat(players[0].table_id, 1))[0]
    assert late.table.public.seats[late.seat].why_waiting == "next_match"
    refused = await players[0].ask("sit_out", on=True)
    assert isinstance(refused, Error)
    assert refused.code is ErrorCode.NOT_NOW
    assert players[0].table.you is not None
    assert "sit_out" not in players[0].table.you.allowed
    await end_hand(players)
    await next_hand(world, players)
    assert late.table.public.hand is not None
    assert late.seat not in late.table.public.hand.players


async def test_an_offer_to_rejoin_holds_the_next_hand_up_and_is_taken() -> None:
    world = World()
    players = await fallen(world)
    first, *others = players
    assert scores(first) == [(160, "out"), (40, "in"), (0, "in")]
    assert (view(first).offers, view(first).offer_points) == ([0], 41)
    assert first.table.you is not None
    assert "rejoin" in first.table.you.allowed
    for player in others:
        await player.ask("ready")
    assert first.table.public.phase == "result"
    match_id = str(view(first).match_id)
    assert isinstance(await first.ask("rejoin", match_id=match_id, accept=True), Ack)
    assert scores(first) == [(41, "in"), (40, "in"), (0, "in")]
    assert view(first).pot == 4000
    assert stored(world, first).held[first.player.player_id] == 2000
    await first.ask("ready")
    hand = first.table.public.hand
    assert hand is not None
    assert (hand.stage, hand.players) == ("hashes", [0, 1, 2])


async def test_an_offer_declined_or_left_until_its_deadline_is_over() -> None:
    for answers in (True, False):
        world = World()
        first, *others = await fallen(world)
        if answers:
            await first.ask("rejoin", match_id=str(view(first).match_id), accept=False)
            for player in others:
                await player.ask("ready")
        else:
            deadline_ms = first.table.public.phase_deadline_ms
            assert deadline_ms is not None
            assert deadline_ms == world.clock.ms + max(world.timing.rejoin_ms, world.timing.result_pause_ms)
            await world.pass_ms(deadline_ms - world.clock.ms)
        hand = first.table.public.hand
        assert hand is not None
        assert (hand.stage, hand.players) == ("hashes", [1, 2])
        late = await first.ask("rejoin", match_id=str(view(first).match_id), accept=True)
        assert isinstance(late, Error)
        assert late.code is ErrorCode.NO_OFFER


@pytest.mark.parametrize(("who", "code"), [(1, ErrorCode.NO_OFFER), (0, ErrorCode.NOT_ENOUGH_TOKENS)])
async def test_a_rejoin_that_cannot_be_is_refused(who: int, code: ErrorCode) -> None:
    world = World()
    players = await fallen(world)
    world.journal.cannot_cover = {players[0].player.player_id}
    refused = await players[who].ask("rejoin", match_id=str(view(players[0]).match_id), accept=True)
    assert isinstance(refused, Error)
    assert refused.code is code
    other = await players[0].ask("rejoin", match_id=str(players[0].table_id), accept=True)
    assert isinstance(other, Error)
    assert other.code is ErrorCode.STALE_MATCH
    assert scores(players[0])[0] == (160, "out")


async def test_the_last_one_in_is_paid_with_the_last_hand() -> None:
    world = World()
    players = await in_match(world, POOL, count=2)
    await end_hand(players, wrong=(players[0],), winner=players[1])
    await next_hand(world, players)
    world.moved.clear()
    await end_hand(players, wrong=(players[0],), winner=players[1])
    result = view(players[0]).result
    assert result is not None
    assert (result.outcome, result.winners, result.pot, result.commission) == ("won", [1], 2000, 50)
    assert [(line.staked, line.delta) for line in result.lines] == [(1000, -1000), (1000, 950)]
    closing = world.stored(players[0].table_id).hands[-1].closing
    assert closing is not None
    assert closing.match is not None
    assert closing.match.end is not None
    assert closing.match.end.commission == 50
    assert {player.player.player_id for player in players} <= set(world.moved)
    assert not players[0].table.public.table.match_running
    # Whoever stays plays the next match.
    await world.pass_ms(world.timing.result_pause_ms)
    assert players[0].table.public.phase == "seeds"
    assert scores(players[0]) == [(0, "in"), (0, "in")]
    assert len(world.stored(players[0].table_id).matches) == 2


@pytest.mark.parametrize("after_hand", [True, False])
async def test_leaving_in_a_hand_forfeits_the_match(after_hand: bool) -> None:
    world = World()
    players = await in_match(world, POOL)
    first, *others = players
    await first.ask("leave_table", after_hand=after_hand)
    await end_hand(players if after_hand else others, winner=others[1])
    assert scores(others[0])[0] == (20 if after_hand else 40, "left")
    await next_hand(world, others)
    hand = others[0].table.public.hand
    assert hand is not None
    assert hand.players == [1, 2]


async def test_leaving_between_hands_forfeits_and_may_end_the_match() -> None:
    world = World()
    first, second = await in_match(world, POOL, count=2)
    await end_hand([first, second])
    await first.ask("leave_table")
    result = view(second).result
    assert result is not None
    assert (result.winners, [line.delta for line in result.lines]) == ([1], [-1000, 950])
    end = stored(world, second).end
    assert end is not None
    assert [line.standing for line in end.lines] == ["left", "in"]
    assert second.table.public.phase_deadline_ms == world.clock.ms + world.timing.result_pause_ms
    await world.pass_ms(world.timing.result_pause_ms)
    assert second.table.public.phase == "waiting"


async def test_all_who_leave_before_the_deal_share_the_pot() -> None:
    world = World()
    table_id = world.new_match_table(POOL)
    await world.start()
    players = await world.seat(table_id, 2)
    await world.pass_ms(world.timing.match_countdown_ms)
    for player in players:
        player.post("leave_table")
    await world.settle()
    end = stored(world, players[0]).end
    assert end is not None
    assert end.outcome == "shared"
    assert [line.delta for line in end.lines] == [0, 0]


async def test_a_void_hand_is_played_again_and_counts_for_nothing() -> None:
    world = World()
    players = await in_match(world, POOL)
    world.house.void_hand(players[0].table_id)
    await world.settle()
    assert scores(players[0]) == [(0, "in")] * 3
    assert (view(players[0]).hand, view(players[0]).counted) == (2, 0)
    await next_hand(world, players)
    await end_hand(players, winner=players[0])
    assert view(players[0]).counted == 1


@pytest.mark.parametrize("in_hand", [True, False])
async def test_the_operator_voids_a_match_and_every_buy_in_goes_back(in_hand: bool) -> None:
    world = World()
    players = await fallen(world)
    await players[0].ask("rejoin", match_id=str(view(players[0]).match_id), accept=True)
    if in_hand:
        await next_hand(world, players)
    world.house.void_match(players[0].table_id)
    await world.settle()
    end = stored(world, players[0]).end
    assert end is not None
    assert (end.outcome, end.commission, [line.delta for line in end.lines]) == ("void", 0, [0, 0, 0])
    assert [line.staked for line in end.lines] == [2000, 1000, 1000]
    result = view(players[0]).result
    assert result is not None
    assert result.outcome == "void"


async def test_deals_end_after_the_last_deal_and_equals_play_one_more() -> None:
    world = World()
    players = await in_match(world, DEALS)
    await end_hand(players, wrong=(players[2],), winner=players[0])
    assert scores(players[0]) == [(260, "in"), (140, "in"), (80, "in")]
    await next_hand(world, players)
    await end_hand(players, wrong=(players[0],), winner=players[1])
    assert scores(players[0]) == [(180, "out"), (240, "in"), (60, "out")]
    result = view(players[0]).result
    assert result is not None
    assert (result.winners, result.commission) == ([1], 100)


async def test_who_cannot_pay_the_buy_in_sits_out_and_the_others_begin() -> None:
    world = World()
    table_id = world.new_match_table(POOL)
    await world.start()
    players = await world.seat(table_id, 3)
    world.journal.cannot_cover = {players[1].player.player_id}
    await world.pass_ms(world.timing.match_countdown_ms)
    assert players[1].table.public.seats[1].why_waiting == "not_enough_tokens"
    assert players[1].table.public.seats[1].sitting_out
    assert [player.seat for player in view(players[0]).players] == [0, 2]


async def test_who_fell_out_by_missed_turns_in_an_earlier_hand_is_not_bought_into_the_next_match() -> None:
    world = World()
    table_id = world.new_match_table(POOL, missed_turns_to_drop=1)
    await world.start()
    idle, *others = await world.seat(table_id, 3)
    await world.pass_ms(world.timing.match_countdown_ms)
    await world.contribute_all([idle, *others])

    async def idle_hand() -> None:
        while idle.table.public.phase == "playing":
            player = on_turn([idle, *others])
            if player is idle:
                await world.pass_ms(world.timing.grace_ms + 60_000)
            elif others[0].table.public.seats[idle.seat].out is None or player is others[1]:
                await player.move("draw", source="stock")
                you = player.table.you
                assert you is not None
                await player.move("discard", card=you.drawn_card)
            else:
                await player.move("drop")

    async def open_hand() -> None:
        await world.pass_ms(world.timing.rejoin_ms)
        await world.contribute_all([player for player in (idle, *others) if player.seat in _dealt_in(idle)])

    while scores(idle)[idle.seat][1] == "in":
        await idle_hand()
        await open_hand()
    await end_hand(others, wrong=(others[0],), winner=others[1])
    while stored(world, idle).end is None:
        await open_hand()
        await end_hand(others, wrong=(others[0],), winner=others[1])
    await world.pass_ms(world.timing.result_pause_ms + world.timing.match_countdown_ms)
    assert len(world.stored(table_id).matches) == 2
    assert set(stored(world, idle).held) == {player.player.player_id for player in others}
    assert idle.table.public.seats[idle.seat].sitting_out
    await idle.ask("sit_out", on=False)
    assert not idle.table.public.seats[idle.seat].sitting_out


def _dealt_in(player: Asker) -> list[int]:
    hand = player.table.public.hand
    assert hand is not None
    return hand.players


async def test_a_match_of_players_who_are_away_ends_by_the_clock() -> None:
    world = World(timing=TableTiming(absent_ms=1))
    players = await in_match(world, POOL, count=2)
    for player in players:
        world.house.disconnected(player.connection)
    table = world.stored(players[0].table_id)
    for _ in range(60):
        if table.matches[-1].end is not None:
            break
        await world.pass_ms(120_000)
    end = table.matches[-1].end
    assert end is not None
    assert end.outcome == "won"
    assert len(table.hands) <= 6


async def test_a_chair_is_kept_for_who_is_in_a_match_and_given_up_after_it() -> None:
    world = World(timing=TableTiming(chair_kept_ms=1))
    gone, other, late = await in_match(world, POOL)
    world.house.disconnected(gone.connection)
    await world.settle()
    await world.pass_ms(world.timing.grace_ms)
    world.house.void_hand(gone.table_id)
    await world.settle()
    assert other.table.public.seats[gone.seat].player == gone.player
    for player in (other, late):
        await player.ask("leave_table")
    assert stored(world, gone).end is not None
    assert world.house.seated_at(gone.player.player_id) == []


async def test_a_restart_at_every_step_finds_the_match_as_it_stood() -> None:
    world = World()
    table_id = world.new_match_table(POOL)
    await world.start()
    players = await world.seat(table_id, 3)
    await world.pass_ms(world.timing.match_countdown_ms)

    async def restarted() -> None:
        before = view(players[0])
        await world.restart()
        for player in players:
            await player.ask("watch_table")
        assert view(players[0]) == before

    await restarted()
    await world.contribute_all(players)
    await restarted()
    await end_hand(players, wrong=(players[0],), winner=players[2])
    await restarted()
    assert players[0].table.public.result is not None
    assert players[0].table.public.result.lines[0].match_points == 80
    await next_hand(world, players)
    await end_hand(players, wrong=(players[0],), winner=players[2])
    await restarted()
    assert view(players[0]).offers == [0]
    assert players[0].table.public.phase_deadline_ms == world.clock.ms + world.timing.grace_ms + world.timing.rejoin_ms
    await players[0].ask("rejoin", match_id=str(view(players[0]).match_id), accept=True)
    await restarted()
    assert scores(players[0])[0] == (41, "in")
    await players[0].ask("leave_table")
    await restarted_without(world, players)
    assert scores(players[1])[0] == (41, "left")


async def restarted_without(world: World, players: list[Asker]) -> None:
    """The first has left for good."""
    await world.restart()
    for player in players[1:]:
        await player.ask("watch_table")


@pytest.mark.parametrize("stored_anyway", [True, False])
async def test_a_rejoin_whose_answer_is_lost_is_paid_once(stored_anyway: bool) -> None:
    world = World()
    players = await fallen(world)
    world.journal.fail, world.journal.stores_failing = 2, stored_anyway
    command = players[0].post("rejoin", match_id=str(view(players[0]).match_id), accept=True)
    await wait_out(world)
    assert any(isinstance(one, Ack) and one.id == command.id for one in players[0].connection.messages())
    assert stored(world, players[0]).held[players[0].player.player_id] == 2000
    assert scores(players[0])[0] == (41, "in")
