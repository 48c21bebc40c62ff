"""Corrections: one operator asks, another decides, and the entry names what it corrects."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from wallet.accounts import Asset
from wallet.adjustments import Adjustment, pending_adjustments
from wallet.check import Report
from wallet.refusals import AdjustmentRefusalCode, AdjustmentRefused, KeyReused, NoAccount
from wallet.transactions import in_transaction
from wallet.verbs import (
    Posted,
    adjust_approve,
    adjust_reject,
    adjust_request,
    balances,
    grant,
    trial_balance,
)

MakePlayers = Callable[..., Awaitable[list[UUID]]]
RunCheck = Callable[[], Awaitable[Report]]
ASKER, DECIDER, THIRD = uuid4(), uuid4(), uuid4()


async def ask(
    engine: AsyncEngine, player: UUID, amount: int, adjustment_id: UUID | None = None, corrects: int | None = None
) -> Adjustment:
    return await in_transaction(
        engine,
        lambda c: adjust_request(
            c, adjustment_id or uuid4(), player, Asset.HT, amount, "wrong points", ASKER, 1000, corrects
        ),
    )


async def approve(engine: AsyncEngine, adjustment: Adjustment, operator: UUID = DECIDER) -> Posted:
    return await in_transaction(engine, lambda c: adjust_approve(c, adjustment.adjustment_id, operator, 2000))


async def reject(engine: AsyncEngine, adjustment: Adjustment, operator: UUID = DECIDER) -> None:
    await in_transaction(engine, lambda c: adjust_reject(c, adjustment.adjustment_id, operator, 2000))


async def has(engine: AsyncEngine, player: UUID) -> tuple[int, int]:
    async with engine.connect() as connection:
        return (await balances(connection, player))[Asset.HT]


async def house(engine: AsyncEngine) -> dict[str, int]:
    async with engine.connect() as connection:
        return {row.side: row.balance for row in await trial_balance(connection) if row.asset is Asset.HT}


async def test_nothing_moves_until_another_operator_approves(
    engine: AsyncEngine, make_players: MakePlayers, run_check: RunCheck
) -> None:
    (player,) = await make_players(1)
    adjustment = await ask(engine, player, 500)
    assert await has(engine, player) == (100_000, 0)
    with pytest.raises(AdjustmentRefused) as refused:
        await approve(engine, adjustment, ASKER)
    assert refused.value.code is AdjustmentRefusalCode.SAME_OPERATOR
    first, again = await approve(engine, adjustment), await approve(engine, adjustment)
    assert (first.already_done, again.already_done, first.entry_id) == (False, True, again.entry_id)
    assert await has(engine, player) == (100_500, 0)
    assert (await run_check()).findings == ()


async def test_tokens_given_come_from_issuance_and_tokens_taken_go_to_void(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1)
    await approve(engine, await ask(engine, player, 500))
    await approve(engine, await ask(engine, player, -300))
    totals = await house(engine)
    assert (totals["issuance"], totals["void"]) == (-100_500, 300)


async def test_a_correction_names_the_entry_that_it_answers(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    wrong = await in_transaction(engine, lambda c: grant(c, "twice", player, Asset.HT, 700, "by mistake"))
    posted = await approve(engine, await ask(engine, player, -700, corrects=wrong.entry_id))
    async with engine.connect() as connection:
        query = text("SELECT corrects FROM wallet.entries WHERE entry_id = :id")
        assert (await connection.execute(query, {"id": posted.entry_id})).scalar_one() == wrong.entry_id


async def test_an_entry_that_does_not_exist_can_not_be_corrected(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1)
    with pytest.raises(AdjustmentRefused) as refused:
        await ask(engine, player, 5, corrects=10**12)
    assert refused.value.code is AdjustmentRefusalCode.UNKNOWN_ENTRY


async def test_a_rejected_adjustment_stays_rejected(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    adjustment = await ask(engine, player, 500)
    with pytest.raises(AdjustmentRefused, match="who asked"):
        await reject(engine, adjustment, ASKER)
    await reject(engine, adjustment)
    await reject(engine, adjustment, THIRD)
    with pytest.raises(AdjustmentRefused) as refused:
        await approve(engine, adjustment, THIRD)
    assert refused.value.code is AdjustmentRefusalCode.ALREADY_DECIDED
    assert await has(engine, player) == (100_000, 0)


async def test_an_approved_adjustment_can_not_be_rejected(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    adjustment = await ask(engine, player, 500)
    await approve(engine, adjustment)
    with pytest.raises(AdjustmentRefused) as refused:
        await reject(engine, adjustment)
    assert refused.value.code is AdjustmentRefusalCode.ALREADY_DECIDED


async def test_more_than_a_player_has_can_not_be_taken(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    adjustment = await ask(engine, player, -100_001)
    with pytest.raises(AdjustmentRefused) as refused:
        await approve(engine, adjustment)
    assert refused.value.code is AdjustmentRefusalCode.INSUFFICIENT_FUNDS
    await in_transaction(engine, lambda c: grant(c, "one more", player, Asset.HT, 1, "gift"))
    await approve(engine, adjustment)
    assert await has(engine, player) == (0, 0)


async def test_the_same_id_asks_once_and_with_other_contents_not_at_all(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1)
    adjustment_id = uuid4()
    assert await ask(engine, player, 5, adjustment_id) == await ask(engine, player, 5, adjustment_id)
    with pytest.raises(KeyReused):
        await ask(engine, player, 6, adjustment_id)


async def test_unknown_adjustments_and_players_are_refused(engine: AsyncEngine) -> None:
    with pytest.raises(AdjustmentRefused) as refused:
        await in_transaction(engine, lambda c: adjust_approve(c, uuid4(), DECIDER, 1))
    assert refused.value.code is AdjustmentRefusalCode.UNKNOWN
    with pytest.raises(NoAccount):
        await ask(engine, uuid4(), 5)


@pytest.mark.parametrize("amount", [0, 10**15 + 1, -(10**15) - 1])
async def test_an_amount_has_bounds(engine: AsyncEngine, amount: int) -> None:
    with pytest.raises(ValueError, match="adjustment of"):
        await ask(engine, uuid4(), amount)


async def test_what_is_pending_is_listed_until_it_is_decided(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    first, second = await ask(engine, player, 5), await ask(engine, player, 6)
    async with engine.connect() as connection:
        assert set(await pending_adjustments(connection)) == {first, second}
    await approve(engine, first)
    await reject(engine, second)
    async with engine.connect() as connection:
        assert await pending_adjustments(connection) == ()


async def test_two_operators_who_approve_at_once_approve_once(
    engine: AsyncEngine, make_players: MakePlayers, run_check: RunCheck
) -> None:
    (player,) = await make_players(1)
    adjustment = await ask(engine, player, 500)
    answers = await asyncio.gather(*(approve(engine, adjustment, operator) for operator in (DECIDER, THIRD) * 4))
    assert sorted(answer.already_done for answer in answers) == [False] + [True] * 7
    assert await has(engine, player) == (100_500, 0)
    assert (await run_check()).findings == ()
