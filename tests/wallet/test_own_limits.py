"""What a player is told of their limits is what the next hold goes by."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from wallet.accounts import Asset
from wallet.contests import of_hand, of_match
from wallet.limits import (
    DAY_MS,
    MINUTE_MS,
    LimitState,
    cool_off,
    self_exclude,
    set_loss_limit,
    set_session_reminder,
)
from wallet.own_limits import OwnLimits, own_limits
from wallet.play_sessions import SESSION_BREAK_MS, acknowledge_reminder
from wallet.refusals import HoldRefusal, HoldRefusalCode, HoldRefused
from wallet.transactions import in_transaction
from wallet.verbs import HoldRequest, Settlement, hold_many, settle_many

MakePlayers = Callable[..., Awaitable[list[UUID]]]
NOW = 1_800_000_000_000
NONE = LimitState(None, None)
SOMEBODY_WAITS = text("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)")


async def told(engine: AsyncEngine, player: UUID, at_ms: int) -> OwnLimits:
    async with engine.connect() as connection:
        return await own_limits(connection, player, at_ms)


async def hold(engine: AsyncEngine, at_ms: int, units: int, *players: UUID) -> HoldRequest:
    request = HoldRequest(of_hand(uuid4()), uuid4(), Asset.HT, tuple((player, units) for player in players), at_ms)
    await in_transaction(engine, lambda c: hold_many(c, [request]))
    return request


async def refusal(engine: AsyncEngine, at_ms: int, units: int, player: UUID) -> HoldRefusal:
    with pytest.raises(HoldRefused) as refused:
        await hold(engine, at_ms, units, player)
    return refused.value.refusals[0]


async def test_somebody_without_limits_is_told_so(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    own = await told(engine, player, NOW)
    assert [(own.loss[asset].limit, own.loss[asset].left) for asset in Asset] == [(NONE, None), (NONE, None)]
    assert (own.reminder.after, own.reminder.is_due) == (NONE, False)
    assert (own.cool_off_until_ms, own.self_excluded_until_ms) == (None, None)


async def test_what_is_left_of_a_loss_limit_is_exactly_what_a_hold_may_take(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    player, other = await make_players(2)
    await in_transaction(engine, lambda c: set_loss_limit(c, player, Asset.HT, 5_000, NOW))
    played = await hold(engine, NOW, 2_000, player, other)
    lost = Settlement(played.contest, played.table_id, Asset.HT, ((other, 1_500), (player, -1_500)), 0, NOW)
    await in_transaction(engine, lambda c: settle_many(c, [lost]))
    await hold(engine, NOW + 1, 500, player)
    own = (await told(engine, player, NOW + 2)).loss[Asset.HT]
    assert (own.lost, own.held, own.left) == (1_500, 500, 3_000)
    assert (await told(engine, other, NOW + 2)).loss[Asset.HT].lost == -1_500
    refused = await refusal(engine, NOW + 2, 3_001, player)
    assert (refused.code, refused.have) == (HoldRefusalCode.LOSS_LIMIT, own.left)
    await hold(engine, NOW + 2, 3_000, player)
    assert (await told(engine, player, NOW + 2)).loss[Asset.HT].left == 0
    assert (await told(engine, player, NOW + DAY_MS + 1)).loss[Asset.HT].left == 1_500  # the loss is a day old


async def test_a_raise_is_told_with_its_moment_and_can_be_taken_back(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1)
    await in_transaction(engine, lambda c: set_loss_limit(c, player, Asset.HT, 100, NOW))
    raised = await in_transaction(engine, lambda c: set_loss_limit(c, player, Asset.HT, 900, NOW + 1))
    assert raised.effective_ms == NOW + 1 + DAY_MS
    own = (await told(engine, player, NOW + DAY_MS)).loss[Asset.HT]
    assert own.limit == LimitState(100, raised)
    await in_transaction(engine, lambda c: set_loss_limit(c, player, Asset.HT, 100, NOW + DAY_MS))
    assert (await told(engine, player, NOW + 2 * DAY_MS)).loss[Asset.HT].limit == LimitState(100, None)
    assert (await refusal(engine, NOW + 2 * DAY_MS, 101, player)).have == 100


async def test_a_reminder_is_told_as_due_when_holds_go_by_it(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    await in_transaction(engine, lambda c: set_session_reminder(c, player, 20 * MINUTE_MS, NOW))
    for minute in (0, 10, 19):
        await hold(engine, NOW + minute * MINUTE_MS, 5, player)
    reminder = (await told(engine, player, NOW + 20 * MINUTE_MS - 1)).reminder
    assert (reminder.after.in_force, reminder.played_ms, reminder.is_due) == (
        20 * MINUTE_MS,
        20 * MINUTE_MS - 1,
        False,
    )
    assert (await told(engine, player, NOW + 20 * MINUTE_MS)).reminder.is_due
    assert (await refusal(engine, NOW + 20 * MINUTE_MS, 5, player)).code is HoldRefusalCode.SESSION_REMINDER
    await in_transaction(engine, lambda c: acknowledge_reminder(c, player, NOW + 21 * MINUTE_MS))
    assert (await told(engine, player, NOW + 22 * MINUTE_MS)).reminder.played_ms == MINUTE_MS
    later = await told(engine, player, NOW + 19 * MINUTE_MS + SESSION_BREAK_MS + 1)
    assert (later.reminder.played_ms, later.reminder.is_due) == (0, False)


async def test_a_long_match_is_play_from_its_start_to_its_end(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    await in_transaction(engine, lambda c: set_session_reminder(c, player, 60 * MINUTE_MS, NOW))
    match = HoldRequest(of_match(uuid4()), uuid4(), Asset.HT, ((player, 5),), NOW)
    await in_transaction(engine, lambda c: hold_many(c, [match]))
    end = Settlement(match.contest, match.table_id, Asset.HT, ((player, -5),), 5, NOW + 50 * MINUTE_MS)
    await in_transaction(engine, lambda c: settle_many(c, [end]))
    assert (await told(engine, player, NOW + 59 * MINUTE_MS)).reminder.played_ms == 59 * MINUTE_MS
    await hold(engine, NOW + 59 * MINUTE_MS, 5, player)
    assert (await refusal(engine, NOW + 60 * MINUTE_MS, 5, player)).code is HoldRefusalCode.SESSION_REMINDER


async def test_exclusions_are_told_while_they_run(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    await in_transaction(engine, lambda c: cool_off(c, player, NOW + DAY_MS, NOW))
    await in_transaction(engine, lambda c: self_exclude(c, player, NOW + 180 * DAY_MS, NOW))
    own = await told(engine, player, NOW + DAY_MS - 1)
    assert (own.cool_off_until_ms, own.self_excluded_until_ms) == (NOW + DAY_MS, NOW + 180 * DAY_MS)
    own = await told(engine, player, NOW + DAY_MS)
    assert (own.cool_off_until_ms, own.self_excluded_until_ms) == (None, NOW + 180 * DAY_MS)


async def test_two_wishes_at_once_follow_one_another_so_that_neither_raises_at_once(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1)
    await in_transaction(engine, lambda c: set_loss_limit(c, player, Asset.HT, 1_000, NOW))
    async with engine.connect() as first, engine.connect() as second:
        await set_loss_limit(first, player, Asset.HT, 100, NOW + 1)
        async with asyncio.TaskGroup() as tasks:
            other = tasks.create_task(set_loss_limit(second, player, Asset.HT, 900, NOW + 2))
            while not other.done() and not (await first.execute(SOMEBODY_WAITS)).scalar_one():
                await asyncio.sleep(0.01)
            await first.commit()
        await second.commit()
    assert other.result().effective_ms == NOW + 2 + DAY_MS
    assert (await told(engine, player, NOW + 3)).loss[Asset.HT].limit.in_force == 100
