"""Holds, settlements, releases and grants: what they move, that they move it once, and how they refuse."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from wallet.accounts import Asset
from wallet.contests import of_hand
from wallet.refusals import (
    EndRefusalCode,
    EndRefused,
    HoldRefusalCode,
    InsufficientFunds,
    KeyReused,
    NoAccount,
)
from wallet.transactions import in_transaction
from wallet.verbs import (
    HoldRequest,
    Release,
    Settlement,
    balances,
    grant,
    hold_many,
    open_accounts,
    open_holds,
    release_many,
    settle_many,
    trial_balance,
)

MakePlayers = Callable[..., Awaitable[list[UUID]]]
TABLE = uuid4()
HELD = 13_000


def hold_of(*players: UUID, units: int = HELD, asset: Asset = Asset.HT) -> HoldRequest:
    return HoldRequest(of_hand(uuid4()), TABLE, asset, tuple((player, units) for player in players), 1000)


def settlement_of(hold: HoldRequest, *deltas: int, commission: int = 0) -> Settlement:
    players = [player for player, _ in hold.amounts]
    pairs = tuple(zip(players, deltas, strict=True))
    return Settlement(hold.contest, hold.table_id, hold.asset, pairs, commission, 2000)


async def has(engine: AsyncEngine, player: UUID, asset: Asset = Asset.HT) -> tuple[int, int]:
    async with engine.connect() as connection:
        return (await balances(connection, player))[asset]


async def test_a_player_starts_with_accounts_in_every_asset_and_opening_again_changes_nothing(
    engine: AsyncEngine,
) -> None:
    player = uuid4()
    for _ in range(2):
        await in_transaction(engine, lambda connection: open_accounts(connection, player))
    assert await has(engine, player, Asset.HT) == (0, 0)
    assert await has(engine, player, Asset.PT) == (0, 0)


async def test_a_grant_comes_from_issuance_and_is_given_once(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1, 0)
    first = await in_transaction(engine, lambda c: grant(c, "welcome", player, Asset.PT, 500, "welcome"))
    again = await in_transaction(engine, lambda c: grant(c, "welcome", player, Asset.PT, 500, "welcome"))
    assert (first.already_done, again.already_done) == (False, True)
    assert first.entry_id == again.entry_id
    assert await has(engine, player, Asset.PT) == (500, 0)
    async with engine.connect() as connection:
        totals = {(row.asset, row.side): row.balance for row in await trial_balance(connection)}
    assert totals[Asset.PT, "issuance"] == -500
    assert sum(totals.values()) == 0


async def test_the_same_key_with_another_body_is_refused(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1, 0)
    await in_transaction(engine, lambda c: grant(c, "welcome", player, Asset.HT, 500, "welcome"))
    with pytest.raises(KeyReused, match="grant:welcome"):
        await in_transaction(engine, lambda c: grant(c, "welcome", player, Asset.HT, 501, "welcome"))
    assert await has(engine, player) == (500, 0)


async def test_a_hold_sets_tokens_aside(engine: AsyncEngine, make_players: MakePlayers) -> None:
    players = await make_players(2)
    hold = hold_of(*players)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    for player in players:
        assert await has(engine, player) == (87_000, 13_000)
    async with engine.connect() as connection:
        (standing,) = await open_holds(connection)
    assert standing.contest == hold.contest
    assert dict(standing.amounts) == dict(hold.amounts)


async def test_a_settlement_pays_the_winner_the_house_and_gives_the_rest_back(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    winner, loser, broke = await make_players(3)
    hold = hold_of(winner, loser, broke)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    settlement = settlement_of(hold, 14_250, -2_000, -13_000, commission=750)
    (posted,) = await in_transaction(engine, lambda c: settle_many(c, [settlement]))
    (again,) = await in_transaction(engine, lambda c: settle_many(c, [settlement]))
    assert (posted.already_done, again.already_done, posted.entry_id) == (False, True, again.entry_id)
    assert await has(engine, winner) == (114_250, 0)
    assert await has(engine, loser) == (98_000, 0)
    assert await has(engine, broke) == (87_000, 0)
    async with engine.connect() as connection:
        assert await open_holds(connection) == ()
        totals = {row.side: row.balance for row in await trial_balance(connection) if row.asset is Asset.HT}
    assert totals["commission"] == 750
    assert sum(totals.values()) == 0


async def test_a_release_gives_everything_back(engine: AsyncEngine, make_players: MakePlayers) -> None:
    players = await make_players(2)
    hold = hold_of(*players)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    release = Release(hold.contest, "stock exhausted", 2000)
    for already_done in (False, True):
        (posted,) = await in_transaction(engine, lambda c: release_many(c, [release]))
        assert posted.already_done is already_done
    for player in players:
        assert await has(engine, player) == (100_000, 0)


async def test_a_hand_ends_once(engine: AsyncEngine, make_players: MakePlayers) -> None:
    players = await make_players(2)
    hold = hold_of(*players)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    await in_transaction(engine, lambda c: release_many(c, [Release(hold.contest, "void", 2000)]))
    with pytest.raises(EndRefused) as refused:
        await in_transaction(engine, lambda c: settle_many(c, [settlement_of(hold, 100, -100)]))
    assert [refusal.code for refusal in refused.value.refusals] == [EndRefusalCode.NO_OPEN_HOLD]


async def test_a_second_settlement_of_one_hand_with_other_amounts_is_refused(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    hold = hold_of(*await make_players(2))
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    await in_transaction(engine, lambda c: settle_many(c, [settlement_of(hold, 100, -100)]))
    with pytest.raises(KeyReused):
        await in_transaction(engine, lambda c: settle_many(c, [settlement_of(hold, -100, 100)]))


async def test_a_retry_may_tell_another_time(engine: AsyncEngine, make_players: MakePlayers) -> None:
    """The server that retries after an unknown commit reads its clock anew."""
    (player,) = await make_players(1)
    hand_id = uuid4()
    for at_ms, already_done in ((1000, False), (1005, True)):
        hold = HoldRequest(of_hand(hand_id), TABLE, Asset.HT, ((player, 10),), at_ms)
        (posted,) = await in_transaction(engine, lambda c, hold=hold: hold_many(c, [hold]))
        assert posted.already_done is already_done
    assert await has(engine, player) == (99_990, 10)


async def test_a_hold_beyond_the_funds_names_hand_player_and_both_amounts(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    rich, poor = *await make_players(1), *await make_players(1, 12_999)
    hold = hold_of(rich, poor)
    with pytest.raises(InsufficientFunds) as refused:
        await in_transaction(engine, lambda c: hold_many(c, [hold]))
    (refusal,) = refused.value.refusals
    assert (refusal.contest, refusal.player_id) == (hold.contest, poor)
    assert (refusal.code, refusal.have, refusal.need) == (HoldRefusalCode.INSUFFICIENT_FUNDS, 12_999, 13_000)
    assert await has(engine, rich) == (100_000, 0)


async def test_two_hands_of_one_call_share_a_players_funds_and_the_later_one_is_named(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    both, other = await make_players(2, 20_000)
    first, second = hold_of(both, other), hold_of(both)
    with pytest.raises(InsufficientFunds) as refused:
        await in_transaction(engine, lambda c: hold_many(c, [first, second]))
    assert refused.value.contests == {second.contest}
    assert refused.value.player_ids == {both}


async def test_a_refusal_leaves_the_transaction_usable(engine: AsyncEngine, make_players: MakePlayers) -> None:
    """So that the committer of a group can leave out what was refused and go on."""
    players = await make_players(2, 15_000)
    good, bad = hold_of(*players), hold_of(*players, units=15_001)
    async with engine.begin() as connection:
        with pytest.raises(InsufficientFunds):
            await hold_many(connection, [good, bad])
        await hold_many(connection, [good])
    assert await has(engine, players[0]) == (2_000, 13_000)


async def test_a_group_rolls_back_to_a_savepoint_as_a_whole(engine: AsyncEngine, make_players: MakePlayers) -> None:
    players = await make_players(2)
    first, second = hold_of(*players), hold_of(*players)
    async with engine.begin() as connection:
        await hold_many(connection, [first])
        savepoint = await connection.begin_nested()
        await hold_many(connection, [second])
        await savepoint.rollback()
    assert await has(engine, players[0]) == (87_000, 13_000)


async def test_nobody_loses_more_than_was_held(engine: AsyncEngine, make_players: MakePlayers) -> None:
    hold = hold_of(*await make_players(2))
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    with pytest.raises(EndRefused) as refused:
        await in_transaction(engine, lambda c: settle_many(c, [settlement_of(hold, 13_001, -13_001)]))
    assert [refusal.code for refusal in refused.value.refusals] == [EndRefusalCode.BEYOND_HOLD]


async def test_only_players_of_the_hand_win_or_lose_in_it(engine: AsyncEngine, make_players: MakePlayers) -> None:
    inside, outside = await make_players(2)
    hold = hold_of(inside)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    settlement = Settlement(hold.contest, TABLE, Asset.HT, ((inside, -100), (outside, 100)), 0, 2000)
    with pytest.raises(EndRefused) as refused:
        await in_transaction(engine, lambda c: settle_many(c, [settlement]))
    assert [refusal.code for refusal in refused.value.refusals] == [EndRefusalCode.NOT_IN_CONTEST]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"asset": Asset.PT}, EndRefusalCode.OTHER_ASSET),
        ({"table_id": uuid4()}, EndRefusalCode.OTHER_TABLE),
    ],
)
async def test_a_hand_is_settled_where_its_tokens_are_held(
    engine: AsyncEngine, make_players: MakePlayers, change: dict[str, Any], code: EndRefusalCode
) -> None:
    hold = hold_of(*await make_players(2))
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    settlement = replace(settlement_of(hold, 5, -5), **change)
    with pytest.raises(EndRefused) as refused:
        await in_transaction(engine, lambda c: settle_many(c, [settlement]))
    assert [refusal.code for refusal in refused.value.refusals] == [code]


async def test_every_refused_hand_of_a_group_is_named_and_none_is_settled(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    players = await make_players(2)
    good, never_held, too_much = hold_of(*players), hold_of(*players), hold_of(*players)
    await in_transaction(engine, lambda c: hold_many(c, [good, too_much]))
    group = [settlement_of(good, 5, -5), settlement_of(never_held, 5, -5), settlement_of(too_much, 13_001, -13_001)]
    with pytest.raises(EndRefused) as refused:
        await in_transaction(engine, lambda c: settle_many(c, group))
    assert refused.value.contests == {never_held.contest, too_much.contest}
    assert await has(engine, players[0]) == (74_000, 26_000)


async def test_a_group_may_hold_hands_in_both_assets_with_one_player_in_several(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    first, second = await make_players(2)
    await in_transaction(engine, lambda c: grant(c, "pt1", first, Asset.PT, 50_000, "practice"))
    await in_transaction(engine, lambda c: grant(c, "pt2", second, Asset.PT, 50_000, "practice"))
    holds = [hold_of(first, second), hold_of(first, second, asset=Asset.PT), hold_of(second, first)]
    await in_transaction(engine, lambda c: hold_many(c, holds))
    ends = [
        settlement_of(holds[0], 950, -1000, commission=50),
        settlement_of(holds[1], -500, 500),
        settlement_of(holds[2], -13_000, 13_000),
    ]
    posted = await in_transaction(engine, lambda c: settle_many(c, ends))
    assert [one.already_done for one in posted] == [False, False, False]
    assert await has(engine, first) == (113_950, 0)
    assert await has(engine, second) == (86_000, 0)
    assert await has(engine, first, Asset.PT) == (49_500, 0)


async def test_a_group_with_hands_that_are_done_answers_each(engine: AsyncEngine, make_players: MakePlayers) -> None:
    players = await make_players(2)
    first, second = hold_of(*players), hold_of(*players)
    await in_transaction(engine, lambda c: hold_many(c, [first, second]))
    ends = [settlement_of(first, 5, -5), settlement_of(second, -7, 7)]
    await in_transaction(engine, lambda c: settle_many(c, ends[:1]))
    posted = await in_transaction(engine, lambda c: settle_many(c, ends))
    assert [one.already_done for one in posted] == [True, False]
    assert await has(engine, players[0]) == (99_998, 0)


async def test_somebody_without_accounts_is_named(engine: AsyncEngine) -> None:
    stranger = uuid4()
    with pytest.raises(NoAccount, match=str(stranger)):
        await in_transaction(engine, lambda c: hold_many(c, [hold_of(stranger)]))
    with pytest.raises(NoAccount):
        await in_transaction(engine, lambda c: grant(c, "gift", stranger, Asset.HT, 5, "gift"))


async def test_one_call_names_a_hand_once(engine: AsyncEngine, make_players: MakePlayers) -> None:
    hold = hold_of(*await make_players(1))
    with pytest.raises(ValueError, match="twice"):
        await in_transaction(engine, lambda c: hold_many(c, [hold, hold]))


async def test_nothing_to_do_is_done(engine: AsyncEngine) -> None:
    for verb in (hold_many, settle_many, release_many):
        assert await in_transaction(engine, lambda c, verb=verb: verb(c, [])) == ()
