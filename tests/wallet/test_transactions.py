"""Two transactions that race: one wins, the other tries again by itself, and the caller sees neither."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from wallet.accounts import Asset
from wallet.check import FindingCode, Report
from wallet.contests import of_hand
from wallet.refusals import EndRefused, InsufficientFunds, KeyReused
from wallet.transactions import MAX_ATTEMPTS, in_transaction
from wallet.verbs import (
    HoldRequest,
    Posted,
    Release,
    Settlement,
    balances,
    grant,
    hold_many,
    open_accounts,
    release_many,
    settle_many,
)

MakePlayers = Callable[..., Awaitable[list[UUID]]]
RunCheck = Callable[[], Awaitable[Report]]
RACERS = 8


OPEN_HANDS_ARE_UNKNOWN = {FindingCode.HOLD_OUTLIVED}
"""These holds belong to hands that no table plays, and `check` says so; nothing else may be wrong."""


async def race(engine: AsyncEngine, *works: Callable[[AsyncConnection], Awaitable[object]]) -> list[object]:
    return await asyncio.gather(*(in_transaction(engine, work) for work in works), return_exceptions=True)


def hold_of(*players: UUID, units: int = 13_000) -> HoldRequest:
    return HoldRequest(of_hand(uuid4()), uuid4(), Asset.HT, tuple((player, units) for player in players), 1000)


async def test_the_same_grant_from_many_connections_is_given_once(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1, 0)
    answers = await race(engine, *[lambda c: grant(c, "welcome", player, Asset.HT, 500, "welcome")] * RACERS)
    assert sorted(answer.already_done for answer in answers if isinstance(answer, Posted)) == [False] + [True] * 7
    async with engine.connect() as connection:
        assert (await balances(connection, player))[Asset.HT] == (500, 0)


async def test_the_same_settlement_from_many_connections_is_done_once(
    engine: AsyncEngine, make_players: MakePlayers, run_check: RunCheck
) -> None:
    winner, loser = await make_players(2)
    hold = hold_of(winner, loser)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    end = Settlement(hold.contest, hold.table_id, Asset.HT, ((winner, 95), (loser, -100)), 5, 2000)
    answers = await race(engine, *[lambda c: settle_many(c, [end])] * RACERS)
    assert sorted(answer[0].already_done for answer in answers if isinstance(answer, tuple)) == [False] + [True] * 7
    assert (await run_check()).findings == ()


async def test_the_same_hold_from_many_connections_is_taken_once(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    hold = hold_of(*await make_players(6))
    answers = await race(engine, *[lambda c: hold_many(c, [hold])] * RACERS)
    assert sorted(answer[0].already_done for answer in answers if isinstance(answer, tuple)) == [False] + [True] * 7


async def test_a_hand_that_is_settled_and_released_at_once_ends_one_way(
    engine: AsyncEngine, make_players: MakePlayers, run_check: RunCheck
) -> None:
    winner, loser = await make_players(2)
    for _ in range(RACERS):
        hold = hold_of(winner, loser)
        await in_transaction(engine, lambda c, hold=hold: hold_many(c, [hold]))
        end = Settlement(hold.contest, hold.table_id, Asset.HT, ((winner, 95), (loser, -100)), 5, 2000)
        release = Release(hold.contest, "void", 2000)
        answers = await race(
            engine,
            lambda c, end=end: settle_many(c, [end]),
            lambda c, release=release: release_many(c, [release]),
        )
        assert sorted(type(answer) for answer in answers if isinstance(answer, tuple)) == [tuple]
        assert [type(answer) for answer in answers if isinstance(answer, Exception)] == [EndRefused]
    assert (await run_check()).findings == ()


async def test_parallel_holds_never_overdraw_and_say_so_truly(
    engine: AsyncEngine, make_players: MakePlayers, run_check: RunCheck
) -> None:
    """Tokens for three hands, asked for eight at once: three are held, five are told what there is."""
    (player,) = await make_players(1, 39_000)
    holds = [hold_of(player) for _ in range(RACERS)]
    answers = await race(engine, *(lambda c, hold=hold: hold_many(c, [hold]) for hold in holds))
    assert sum(isinstance(answer, tuple) for answer in answers) == 3
    refused = [answer for answer in answers if isinstance(answer, InsufficientFunds)]
    assert [refusal.have for answer in refused for refusal in answer.refusals] == [0] * 5
    async with engine.connect() as connection:
        assert (await balances(connection, player))[Asset.HT] == (0, 39_000)
    assert {finding.code for finding in (await run_check()).findings} == OPEN_HANDS_ARE_UNKNOWN


async def test_one_key_with_two_bodies_from_two_connections_is_an_error_for_one(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1, 0)
    answers = await race(
        engine, *(lambda c, n=n: grant(c, "welcome", player, Asset.HT, n, "welcome") for n in range(1, 9))
    )
    assert sum(isinstance(answer, Posted) for answer in answers) == 1
    assert sum(isinstance(answer, KeyReused) for answer in answers) == 7


async def test_a_deadlock_of_two_groups_does_not_surface(
    engine: AsyncEngine, make_players: MakePlayers, run_check: RunCheck
) -> None:
    """Each transaction holds for one player and then for the other, crosswise: the database must break one."""
    ann, ben = await make_players(2)
    both_hold = asyncio.Barrier(2)
    attempts = 0

    async def crosswise(connection: AsyncConnection, first: HoldRequest, second: HoldRequest) -> None:
        nonlocal attempts
        attempts += 1
        await hold_many(connection, [first])
        if attempts <= 2:
            await both_hold.wait()
        await hold_many(connection, [second])

    ann_first, ben_first = (hold_of(ann), hold_of(ben)), (hold_of(ben), hold_of(ann))
    answers = await race(engine, lambda c: crosswise(c, *ann_first), lambda c: crosswise(c, *ben_first))
    assert answers == [None, None]
    assert attempts == 3
    assert {finding.code for finding in (await run_check()).findings} == OPEN_HANDS_ARE_UNKNOWN


async def test_a_serialization_failure_is_tried_again_and_given_up_in_the_end(engine: AsyncEngine) -> None:
    attempts = 0

    async def fail_until(connection: AsyncConnection, success: int) -> int:
        nonlocal attempts
        attempts += 1
        if attempts < success:
            await connection.execute(text("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$"))
        return attempts

    assert await in_transaction(engine, lambda c: fail_until(c, 3)) == 3
    attempts = 0
    with pytest.raises(DBAPIError, match="again"):
        await in_transaction(engine, lambda c: fail_until(c, 1000))
    assert attempts == MAX_ATTEMPTS


async def test_what_goes_wrong_otherwise_is_not_tried_again(engine: AsyncEngine) -> None:
    attempts = 0

    async def fail(connection: AsyncConnection) -> None:
        nonlocal attempts
        attempts += 1
        await connection.execute(text("SELECT 1 / 0"))

    with pytest.raises(DBAPIError, match="division by zero"):
        await in_transaction(engine, fail)
    assert attempts == 1


async def test_an_exception_takes_everything_back(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)

    async def hold_and_fail(connection: AsyncConnection) -> None:
        await hold_many(connection, [hold_of(player)])
        raise RuntimeError("the rest of the transaction failed")

    with pytest.raises(RuntimeError):
        await in_transaction(engine, hold_and_fail)
    async with engine.connect() as connection:
        assert (await balances(connection, player))[Asset.HT] == (100_000, 0)


async def test_accounts_opened_twice_at_once_are_opened_once(engine: AsyncEngine) -> None:
    player = uuid4()
    assert await race(engine, *[lambda c: open_accounts(c, player)] * RACERS) == [None] * RACERS
