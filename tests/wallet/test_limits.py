"""Limits that players set for themselves: what is in force when, and that no hold gets past them."""

from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from wallet.accounts import Asset
from wallet.contests import of_hand
from wallet.limits import (
    DAY_MS,
    HOUR_MS,
    MINUTE_MS,
    LimitChange,
    LimitKind,
    PlayerLimits,
    cool_off,
    limits,
    self_exclude,
    set_loss_limit,
    set_session_reminder,
)
from wallet.play_sessions import SESSION_BREAK_MS, acknowledge_reminder
from wallet.refusals import HoldRefusal, HoldRefusalCode, HoldRefused, InsufficientFunds, LimitRefusalCode, LimitRefused
from wallet.transactions import in_transaction
from wallet.verbs import HoldRequest, Release, Settlement, grant, hold_many, release_many, settle_many

MakePlayers = Callable[..., Awaitable[list[UUID]]]
NOW = 1_800_000_000_000
LOSS, REMINDER = LimitKind.LOSS_LIMIT, LimitKind.SESSION_REMINDER


def asked(value: int | None, asked_ms: int, effective_ms: int) -> LimitChange:
    return LimitChange(REMINDER, None, value, asked_ms, effective_ms)


@pytest.mark.parametrize(
    ("changes", "at_ms", "in_force", "pending"),
    [
        ((), 5, None, None),
        ((asked(10, 0, 0),), 0, 10, None),
        ((asked(10, 0, 0), asked(20, 1, 25)), 24, 10, 20),
        ((asked(10, 0, 0), asked(20, 1, 25)), 25, 20, None),
        ((asked(10, 0, 0), asked(None, 1, 25)), 25, None, None),
        # A raise that was asked for and then thought better of: the lower one stays.
        ((asked(10, 0, 0), asked(20, 1, 25), asked(5, 2, 2)), 24, 5, None),
        ((asked(10, 0, 0), asked(20, 1, 25), asked(5, 2, 2)), 25, 5, None),
        # A second raise takes the place of the first, and waits its own time.
        ((asked(10, 0, 0), asked(20, 1, 25), asked(30, 3, 27)), 26, 10, 30),
        ((asked(10, 0, 0), asked(20, 1, 25), asked(15, 3, 27)), 26, 10, 15),
        # A raise that has come into force is what the next one starts from.
        ((asked(10, 0, 0), asked(20, 1, 25), asked(30, 26, 50)), 49, 20, 30),
        ((asked(10, 0, 0), asked(20, 1, 25), asked(30, 3, 27)), 27, 30, None),
    ],
)
def test_the_newest_change_whose_time_has_come_is_in_force(
    changes: tuple[LimitChange, ...], at_ms: int, in_force: int | None, pending: int | None
) -> None:
    state = PlayerLimits(changes).state(REMINDER, at_ms)
    assert state.in_force == in_force
    assert (state.pending and state.pending.value) == pending


def test_kinds_and_assets_do_not_mix() -> None:
    own = PlayerLimits((LimitChange(LOSS, Asset.HT, 5, 0, 0),))
    assert own.value(LOSS, 1, Asset.HT) == 5
    assert own.value(LOSS, 1, Asset.PT) is None
    assert own.value(REMINDER, 1) is None


async def try_hold(engine: AsyncEngine, at_ms: int, units: int, *players: UUID, asset: Asset = Asset.HT) -> HoldRequest:
    hold = HoldRequest(of_hand(uuid4()), uuid4(), asset, tuple((player, units) for player in players), at_ms)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    return hold


async def refusal_of(engine: AsyncEngine, at_ms: int, units: int, *players: UUID) -> HoldRefusal:
    with pytest.raises(HoldRefused) as refused:
        await try_hold(engine, at_ms, units, *players)
    assert not isinstance(refused.value, InsufficientFunds)
    (refusal,) = refused.value.refusals
    return refusal


async def release(engine: AsyncEngine, hold: HoldRequest, at_ms: int) -> None:
    await in_transaction(engine, lambda c: release_many(c, [Release(hold.contest, "void", at_ms)]))


async def play(engine: AsyncEngine, at_ms: int, winner: UUID, loser: UUID, units: int) -> None:
    hold = await try_hold(engine, at_ms, units, winner, loser)
    end = Settlement(hold.contest, hold.table_id, Asset.HT, ((winner, units), (loser, -units)), 0, at_ms + 1)
    await in_transaction(engine, lambda c: settle_many(c, [end]))


async def setting(
    engine: AsyncEngine, work: Callable[[AsyncConnection], Awaitable[LimitChange]], delayed: bool = False
) -> None:
    change = await in_transaction(engine, work)
    assert change.effective_ms - change.asked_ms == (DAY_MS if delayed else 0)


async def test_a_loss_limit_counts_losses_wins_and_what_is_at_stake(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    player, other = await make_players(2)
    await setting(engine, lambda c: set_loss_limit(c, player, Asset.HT, 5_000, NOW))
    await play(engine, NOW, other, player, 2_000)
    assert (await refusal_of(engine, NOW + 10, 3_001, player)).have == 3_000
    await play(engine, NOW + 20, player, other, 1_000)
    staked = await try_hold(engine, NOW + 30, 3_500, player)
    refusal = await refusal_of(engine, NOW + 40, 501, player, other)
    assert (refusal.code, refusal.player_id) == (HoldRefusalCode.LOSS_LIMIT, player)
    assert (refusal.have, refusal.need) == (500, 501)
    await release(engine, staked, NOW + 50)
    await try_hold(engine, NOW + 60, 4_000, player, other)


async def test_losses_leave_the_window_after_24_hours(engine: AsyncEngine, make_players: MakePlayers) -> None:
    player, other = await make_players(2)
    await setting(engine, lambda c: set_loss_limit(c, player, Asset.HT, 5_000, NOW))
    await play(engine, NOW, other, player, 5_000)
    assert (await refusal_of(engine, NOW + DAY_MS, 1, player)).have == 0
    await try_hold(engine, NOW + DAY_MS + 2, 5_000, player)


async def test_gifts_are_no_wins(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    await setting(engine, lambda c: set_loss_limit(c, player, Asset.HT, 100, NOW))
    await in_transaction(engine, lambda c: grant(c, "gift", player, Asset.HT, 10_000, "gift", NOW))
    assert (await refusal_of(engine, NOW, 101, player)).have == 100


async def test_two_hands_of_one_call_share_the_loss_limit(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    await setting(engine, lambda c: set_loss_limit(c, player, Asset.HT, 150, NOW))
    first, second = (HoldRequest(of_hand(uuid4()), uuid4(), Asset.HT, ((player, 100),), NOW) for _ in range(2))
    with pytest.raises(HoldRefused) as refused:
        await in_transaction(engine, lambda c: hold_many(c, [first, second]))
    assert refused.value.contests == {second.contest}


async def test_a_loss_limit_is_about_one_asset(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    await in_transaction(engine, lambda c: grant(c, "practice", player, Asset.PT, 1_000, "practice"))
    await setting(engine, lambda c: set_loss_limit(c, player, Asset.HT, 0, NOW))
    await try_hold(engine, NOW, 1_000, player, asset=Asset.PT)
    await refusal_of(engine, NOW, 1, player)


async def test_lowering_takes_effect_at_once_and_raising_after_24_hours(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1)
    await setting(engine, lambda c: set_loss_limit(c, player, Asset.HT, 1_000, NOW))
    await setting(engine, lambda c: set_loss_limit(c, player, Asset.HT, 500, NOW + 1))
    await setting(engine, lambda c: set_loss_limit(c, player, Asset.HT, 2_000, NOW + 2), delayed=True)
    assert (await refusal_of(engine, NOW + 1 + DAY_MS, 501, player)).have == 500
    await try_hold(engine, NOW + 2 + DAY_MS, 1_500, player)
    await setting(engine, lambda c: set_loss_limit(c, player, Asset.HT, None, NOW + 3 + DAY_MS), delayed=True)
    async with engine.connect() as connection:
        state = (await limits(connection, player)).state(LOSS, NOW + 4 + DAY_MS, Asset.HT)
    assert state.in_force == 2_000
    assert state.pending is not None
    assert state.pending.value is None


async def test_a_session_reminder_wants_to_be_confirmed(engine: AsyncEngine, make_players: MakePlayers) -> None:
    player, other = await make_players(2)
    await setting(engine, lambda c: set_session_reminder(c, player, 30 * MINUTE_MS, NOW))
    for minute in (0, 15, 29):
        await release(engine, await try_hold(engine, NOW + minute * MINUTE_MS, 5, player, other), NOW)
    refusal = await refusal_of(engine, NOW + 30 * MINUTE_MS, 5, player, other)
    assert (refusal.code, refusal.player_id) == (HoldRefusalCode.SESSION_REMINDER, player)
    await in_transaction(engine, lambda c: acknowledge_reminder(c, player, NOW + 31 * MINUTE_MS))
    for minute in (31, 45, 60):
        await try_hold(engine, NOW + minute * MINUTE_MS, 5, player, other)
    assert (await refusal_of(engine, NOW + 61 * MINUTE_MS, 5, player)).code is HoldRefusalCode.SESSION_REMINDER


async def test_a_pause_ends_the_session(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    await setting(engine, lambda c: set_session_reminder(c, player, 30 * MINUTE_MS, NOW))
    await try_hold(engine, NOW, 5, player)
    await try_hold(engine, NOW + SESSION_BREAK_MS + 1, 5, player)


async def test_a_cool_off_lets_no_hand_start_until_it_is_over(engine: AsyncEngine, make_players: MakePlayers) -> None:
    player, other = await make_players(2)
    until_ms = NOW + DAY_MS
    await setting(engine, lambda c: cool_off(c, player, until_ms, NOW))
    refusal = await refusal_of(engine, until_ms - 1, 5, player, other)
    assert (refusal.code, refusal.until_ms) == (HoldRefusalCode.COOL_OFF, until_ms)
    await try_hold(engine, until_ms, 5, player)


async def test_a_self_exclusion_holds_in_every_asset(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    await in_transaction(engine, lambda c: grant(c, "practice", player, Asset.PT, 1_000, "practice"))
    await setting(engine, lambda c: self_exclude(c, player, NOW + 200 * DAY_MS, NOW))
    for asset in Asset:
        with pytest.raises(HoldRefused) as refused:
            await try_hold(engine, NOW + 199 * DAY_MS, 5, player, asset=asset)
        assert refused.value.code is HoldRefusalCode.SELF_EXCLUSION


@pytest.mark.parametrize("exclude", [cool_off, self_exclude])
async def test_an_exclusion_can_only_be_made_longer(
    engine: AsyncEngine,
    make_players: MakePlayers,
    exclude: Callable[[AsyncConnection, UUID, int, int], Awaitable[LimitChange]],
) -> None:
    (player,) = await make_players(1)
    days = 30 if exclude is cool_off else 300
    until_ms = NOW + days * DAY_MS
    await in_transaction(engine, lambda c: exclude(c, player, until_ms, NOW))
    with pytest.raises(LimitRefused) as refused:
        await in_transaction(engine, lambda c: exclude(c, player, until_ms - 1, NOW + 1))
    assert refused.value.code is LimitRefusalCode.ONLY_LONGER
    await in_transaction(engine, lambda c: exclude(c, player, until_ms + 1, NOW + 2))


@pytest.mark.parametrize(
    "work",
    [
        lambda c, player: set_loss_limit(c, player, Asset.HT, -1, NOW),
        lambda c, player: set_session_reminder(c, player, 10 * MINUTE_MS - 1, NOW),
        lambda c, player: set_session_reminder(c, player, DAY_MS + 1, NOW),
        lambda c, player: cool_off(c, player, NOW + DAY_MS - 1, NOW),
        lambda c, player: cool_off(c, player, NOW + 43 * DAY_MS, NOW),
        lambda c, player: self_exclude(c, player, NOW + HOUR_MS, NOW),
        lambda c, player: self_exclude(c, player, NOW + 2000 * DAY_MS, NOW),
    ],
)
async def test_limits_have_bounds(
    engine: AsyncEngine, work: Callable[[AsyncConnection, UUID], Awaitable[LimitChange]]
) -> None:
    with pytest.raises(LimitRefused) as refused:
        await in_transaction(engine, lambda c: work(c, uuid4()))
    assert refused.value.code is LimitRefusalCode.OUT_OF_BOUNDS


async def test_everybody_who_stands_in_the_way_is_named_with_their_own_reason(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    poor, excluded, limited, free = (*await make_players(1, 5), *await make_players(3))
    await setting(engine, lambda c: self_exclude(c, excluded, NOW + 200 * DAY_MS, NOW))
    await setting(engine, lambda c: set_loss_limit(c, limited, Asset.HT, 5, NOW))
    with pytest.raises(HoldRefused) as refused:
        await try_hold(engine, NOW, 1_000, poor, excluded, limited, free)
    assert {refusal.player_id: refusal.code for refusal in refused.value.refusals} == {
        poor: HoldRefusalCode.INSUFFICIENT_FUNDS,
        excluded: HoldRefusalCode.SELF_EXCLUSION,
        limited: HoldRefusalCode.LOSS_LIMIT,
    }
