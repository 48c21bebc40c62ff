"""Whole matches on the real journal: paid to the unit, restarts in between, every hand and the match verified."""

from random import Random
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text

from fairness.match_checks import MatchStep, verify_match
from rummy.formats.kinds import FormatName
from rummy.rules import TableRules
from server.eventlog import export, match_queries, queries
from server.protocol.messages import Ack, Error, ErrorCode, MatchResult
from server.tables.ports import TableConfig
from tests.server.tables.doubles import START_MS, Asker, World, on_turn
from tests.server.tables.test_matches import end_hand, view
from tests.server.tables.test_with_postgres import GRANT_UNITS, RealHouse, play_hand, real_house
from wallet import verbs
from wallet.accounts import Asset
from wallet.check import check
from wallet.contests import of_match
from wallet.requests import HoldRequest

BUY_IN = 1_000
TIMES = 8

__all__ = ["real_house"]


async def new_match_table(house: RealHouse, format_: FormatName, seat_count: int = 4) -> UUID:
    table_id = UUID(bytes=house.world.random(16))
    config = TableConfig(table_id, "Match", "HT", False, 0, 500, TableRules(seat_count), format=format_, buy_in=BUY_IN)
    async with house.engine.begin() as connection:
        await queries.create_table(connection, config, START_MS)
    return table_id


async def sit_down(world: World, players: list[Asker]) -> None:
    for player in players:
        await player.ask("watch_table")
        await player.ask("sit")


async def begin(house: RealHouse, world: World, players: list[Asker]) -> None:
    await sit_down(world, players)
    await world.pass_ms(world.timing.match_countdown_ms)
    assert [await house.balance(player) for player in players] == [(GRANT_UNITS - BUY_IN, BUY_IN)] * len(players)


async def go_on(world: World, players: list[Asker]) -> None:
    for player in players:
        await player.ask("ready")
    if players[0].table.public.phase != "seeds":
        await world.pass_ms(world.timing.rejoin_ms)
    await world.contribute_all([one for one in players if in_hand(one)])


def in_hand(player: Asker) -> bool:
    hand = player.table.public.hand
    return hand is not None and player.seat in hand.players


async def files_of(house: RealHouse, match_id: UUID) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    async with house.engine.connect() as connection:
        file = await match_queries.match_file(connection, match_id)
        assert file is not None
        hands = [await export.hand_file(connection, bytes.fromhex(one)) for one in file["hands"]]  # type: ignore[attr-defined]
    return file, [hand for hand in hands if hand is not None]


async def check_match(house: RealHouse, players: list[Asker], match_id: UUID, result: MatchResult) -> None:
    """The ledger, the stored result and the file say the same, and the file follows from its hands."""
    deltas = {line.seat: line.delta for line in result.lines}
    balances = {player.seat: await house.balance(player) for player in players}
    assert balances == {seat: (GRANT_UNITS + delta, 0) for seat, delta in deltas.items()}
    async with house.engine.connect() as connection:
        assert (await check(connection)).findings == ()
        kinds = await connection.execute(
            text("SELECT kind FROM wallet.entries WHERE match_id = :match_id ORDER BY entry_id"), {"match_id": match_id}
        )
        entries = [row.kind for row in kinds]
    assert entries[0] == "hold"
    assert entries[-1] == ("release" if result.outcome == "void" else "settle")
    assert set(entries[1:-1]) <= {"hold"}
    file, hands = await files_of(house, match_id)
    report = verify_match(file, hands, house.keys.signing.ring)
    assert report.ok, report
    assert {line["seat"]: line["delta"] for line in file["lines"]} == deltas


async def test_a_whole_pool_match_is_played_through_restarts_and_paid(real_house: RealHouse) -> None:
    rng = Random(5)
    table_id = await new_match_table(real_house, FormatName.POOL_101)
    players = [await real_house.new_player(table_id) for _ in range(3)]
    async with real_house.running() as world:
        await begin(real_house, world, players)
        await world.contribute_all(players)
        await play_hand(players, rng, turns=7)
        match_id = view(players[0]).match_id
    result = None
    for _ in range(TIMES):
        async with real_house.running() as world:
            await sit_down(world, players)
            assert view(players[0]).match_id == match_id
            await play_hand(players, rng)
            for player in players:
                assert player.table.you is not None
                if "rejoin" in player.table.you.allowed:
                    answer = await player.ask("rejoin", match_id=str(match_id), accept=True)
                    assert isinstance(answer, Ack)
            result = view(players[0]).result
            if result is not None:
                break
            await go_on(world, players)
    assert result is not None, "more hands than the test allows for"
    assert result.outcome == "won"
    await check_match(real_house, players, match_id, result)


@pytest.mark.parametrize("rich", [True, False])
async def test_who_fell_comes_back_for_one_more_buy_in_if_they_have_it(real_house: RealHouse, rich: bool) -> None:
    table_id = await new_match_table(real_house, FormatName.POOL_101)
    players = [await real_house.new_player(table_id) for _ in range(3)]
    first, _, winner = players
    async with real_house.running() as world:
        await begin(real_house, world, players)
        await world.contribute_all(players)
        await end_hand(players, wrong=(first,), winner=winner)
        await go_on(world, players)
        await end_hand(players, wrong=(first,), winner=winner)
        if not rich:
            await spend(real_house, first)
        answer = await first.ask("rejoin", match_id=str(view(first).match_id), accept=True)
        if not rich:
            assert isinstance(answer, Error)
            assert answer.code is ErrorCode.NOT_ENOUGH_TOKENS
            return
        assert isinstance(answer, Ack)
        assert await real_house.balance(first) == (GRANT_UNITS - 2 * BUY_IN, 2 * BUY_IN)
    async with real_house.running() as world:
        await sit_down(world, players)
        assert view(first).pot == 4 * BUY_IN
        world.house.void_match(table_id)
        await world.settle()
        result = view(first).result
        assert result is not None
        await check_match(real_house, players, view(first).match_id, result)


async def spend(house: RealHouse, player: Asker) -> None:
    """Put all that is available into a match of another table."""
    async with house.engine.begin() as connection:
        available, _ = (await verbs.balances(connection, player.player.player_id))[Asset.HT]
        other = UUID(bytes=house.world.random(16))
        held = ((player.player.player_id, available),)
        await verbs.hold_many(connection, [HoldRequest(of_match(other), other, Asset.HT, held, START_MS)])


async def test_deals_are_played_paid_and_a_changed_file_is_found_out(real_house: RealHouse) -> None:
    rng = Random(11)
    table_id = await new_match_table(real_house, FormatName.DEALS_2)
    players = [await real_house.new_player(table_id) for _ in range(2)]
    async with real_house.running() as world:
        await begin(real_house, world, players)
        await world.contribute_all(players)
        result = None
        for _ in range(TIMES):
            await play_hand(players, rng)
            result = view(players[0]).result
            if result is not None:
                break
            await go_on(world, players)
        assert result is not None
        match_id = view(players[0]).match_id
        await check_match(real_house, players, match_id, result)
    file, hands = await files_of(real_house, match_id)
    for change, step in (
        ({"hands": file["hands"][1:]}, MatchStep.M1),
        ({"buy_in": 999}, MatchStep.M1),
        ({"events": [*file["events"], {"type": "void_match"}]}, MatchStep.M2),
        ({"events": file["events"][:-1]}, MatchStep.M2),
        ({"events": [{"type": "leave", "seats": [0]}, *file["events"]]}, MatchStep.M2),
        ({"commission": file["commission"] + 1}, MatchStep.M3),
        ({"outcome": "void"}, MatchStep.M3),
        ({"lines": file["lines"][::-1]}, MatchStep.M3),
    ):
        assert verify_match(file | change, hands).failed is step, change
    assert verify_match(file, hands[:-1]).failed is MatchStep.M1
    hands[0]["events"][-1]["at_ms"] += 1
    assert verify_match(file, hands).failed is MatchStep.M1


async def test_leaving_between_hands_ends_and_pays_a_match_without_a_hand(real_house: RealHouse) -> None:
    table_id = await new_match_table(real_house, FormatName.POOL_201)
    players = [await real_house.new_player(table_id) for _ in range(2)]
    first, second = players
    async with real_house.running() as world:
        await begin(real_house, world, players)
        await world.contribute_all(players)
        await on_turn(players).move("drop")
        seat = first.seat
        assert isinstance(await first.ask("leave_table"), Ack)
        result = view(second).result
        assert result is not None
        assert {line.seat: line.standing for line in result.lines} == {seat: "left", second.seat: "in"}
        assert await real_house.balance(second) == (GRANT_UNITS + 950, 0)
        assert await real_house.balance(first) == (GRANT_UNITS - BUY_IN, 0)
        file, hands = await files_of(real_house, view(second).match_id)
        assert verify_match(file, hands).ok
