"""A match holds its buy-ins for all of its hands, takes more when somebody buys in again, and pays its pot once."""

import csv
import io
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.wallet.conftest import START_UNITS, codes
from wallet.accounts import Asset, of_player
from wallet.check import Report
from wallet.contests import of_hand, of_match
from wallet.export import export_journal
from wallet.journal import Draft, EntryKind, post
from wallet.refusals import EndRefused, InsufficientFunds, KeyReused, NothingToAddTo
from wallet.transactions import in_transaction
from wallet.verbs import (
    HoldRequest,
    Release,
    Settlement,
    balances,
    hold_many,
    open_holds,
    release_many,
    settle_many,
    statement,
)

MakePlayers = Callable[..., Awaitable[list[UUID]]]
TABLE = uuid4()
BUY_IN = 10_000


def buy_in(*players: UUID, more: str | None = None) -> HoldRequest:
    return HoldRequest(of_match(uuid4()), TABLE, Asset.HT, tuple((player, BUY_IN) for player in players), 1, more)


async def take(engine: AsyncEngine, *holds: HoldRequest) -> None:
    await in_transaction(engine, lambda c: hold_many(c, holds))


async def has(engine: AsyncEngine, *players: UUID) -> list[tuple[int, int]]:
    """(available, held) beside what they started with."""
    async with engine.connect() as connection:
        found = [(await balances(connection, player))[Asset.HT] for player in players]
    return [(available - START_UNITS, held) for available, held in found]


async def test_a_pot_with_a_second_buy_in_goes_to_the_winner_less_commission(
    engine: AsyncEngine, make_players: MakePlayers, run_check: Callable[[], Awaitable[Report]]
) -> None:
    ann, ben, cem = await make_players(3)
    first = buy_in(ann, ben, cem)
    await take(engine, first)
    again = replace(first, amounts=((cem, BUY_IN),), more="hand 4")
    await take(engine, again)
    await take(engine, again)  # the answer was lost
    assert await has(engine, ann, ben, cem) == [(-BUY_IN, BUY_IN), (-BUY_IN, BUY_IN), (-2 * BUY_IN, 2 * BUY_IN)]
    async with engine.connect() as connection:
        (hold,) = await open_holds(connection, [first.contest])
    assert dict(hold.amounts) == {ann: BUY_IN, ben: BUY_IN, cem: 2 * BUY_IN}
    deltas = ((ann, 3 * BUY_IN - 2_000), (ben, -BUY_IN), (cem, -2 * BUY_IN))
    end = Settlement(first.contest, TABLE, Asset.HT, deltas, 2_000, 2)
    for already_done in (False, True):
        (posted,) = await in_transaction(engine, lambda c: settle_many(c, [end]))
        assert posted.already_done is already_done
    assert await has(engine, ann, ben, cem) == [(3 * BUY_IN - 2_000, 0), (-BUY_IN, 0), (-2 * BUY_IN, 0)]
    async with engine.connect() as connection:
        lines = (await statement(connection, cem, Asset.HT)).lines
    assert [(line.kind, line.reason, line.match_id, line.hand_id) for line in lines[:3]] == [
        ("settle", "match settled", first.contest.id, None),
        ("hold", "bought in again", first.contest.id, None),
        ("hold", "match opened", first.contest.id, None),
    ]
    assert (await run_check()).findings == ()


async def test_a_void_match_gives_every_buy_in_back(engine: AsyncEngine, make_players: MakePlayers) -> None:
    ann, ben = await make_players(2)
    first = buy_in(ann, ben)
    await take(engine, first)
    await take(
        engine, replace(first, amounts=((ben, BUY_IN),), more="1"), replace(first, amounts=((ann, 5),), more="2")
    )
    await in_transaction(engine, lambda c: release_many(c, [Release(first.contest, "void", 2)]))
    assert await has(engine, ann, ben) == [(0, 0), (0, 0)]


async def test_nobody_buys_into_a_match_that_is_over_or_never_began(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    ann, ben = await make_players(2)
    first = buy_in(ann, ben)
    late = replace(first, amounts=((ann, BUY_IN),), more="late")
    with pytest.raises(NothingToAddTo):
        await take(engine, late)
    await take(engine, first)
    for wrong in (replace(late, asset=Asset.PT, amounts=((ann, 1),)), replace(late, table_id=uuid4())):
        with pytest.raises((NothingToAddTo, InsufficientFunds)):
            await take(engine, wrong)
    await in_transaction(engine, lambda c: release_many(c, [Release(first.contest, "void", 2)]))
    with pytest.raises(NothingToAddTo) as refused:
        await take(engine, late)
    assert refused.value.contests == {first.contest}
    assert await has(engine, ann, ben) == [(0, 0), (0, 0)]


async def test_the_second_buy_in_of_one_name_is_another_only_in_error(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    ann, ben = await make_players(2)
    first = buy_in(ann, ben)
    await take(engine, first)
    await take(engine, replace(first, amounts=((ann, BUY_IN),), more="1"))
    with pytest.raises(KeyReused):
        await take(engine, replace(first, amounts=((ben, BUY_IN),), more="1"))


async def test_a_settlement_that_has_not_heard_of_a_second_buy_in_is_tried_again(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    """Both transactions read before either writes: the slower one must see the whole hold, not part of it."""
    ann, ben = await make_players(2)
    first = buy_in(ann)
    await take(engine, first)
    lines = (of_player(ann, BUY_IN, -BUY_IN),)
    stale = Draft("release:stale", EntryKind.RELEASE, Asset.HT, bytes(32), "void", 2, lines, contest=first.contest)
    await take(engine, replace(first, amounts=((ben, BUY_IN),), more="1"))
    with pytest.raises(DBAPIError, match="has changed meanwhile"):
        async with engine.begin() as connection:
            await post(connection, [stale])


async def test_the_database_itself_holds_once_for_a_hand_and_never_after_the_end(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (ann,) = await make_players(1)
    hand, match = of_hand(uuid4()), of_match(uuid4())
    for contest, key, words in (
        (hand, "hold:of another key", "has the key of its contest"),
        (hand, f"hold:{hand.key}:again", "has the key of its contest"),
        (match, f"hold:{match.key}again", "has the key of its contest"),
        (match, f"hold:{match.key}:late", "has changed meanwhile"),
    ):
        draft = Draft(key, EntryKind.HOLD, Asset.HT, bytes(32), "odd", 2, (of_player(ann, -5, 5),), contest, TABLE)
        with pytest.raises(DBAPIError, match=words):
            async with engine.begin() as connection:
                await post(connection, [draft])


async def test_a_hand_and_a_match_of_one_id_do_not_meet(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (ann,) = await make_players(1)
    match = buy_in(ann)
    hand = replace(match, contest=of_hand(match.contest.id))
    await take(engine, match, hand)
    await in_transaction(engine, lambda c: release_many(c, [Release(hand.contest, "void", 2)]))
    async with engine.connect() as connection:
        assert [hold.contest for hold in await open_holds(connection)] == [match.contest]
    with pytest.raises(EndRefused):
        await in_transaction(
            engine, lambda c: settle_many(c, [Settlement(hand.contest, TABLE, Asset.HT, ((ann, 0),), 0, 3)])
        )


async def test_the_export_and_the_check_name_matches(
    engine: AsyncEngine,
    admin: AsyncEngine,
    make_players: MakePlayers,
    run_check: Callable[[], Awaitable[Report]],
    behind_the_back: Callable[..., Awaitable[Any]],
) -> None:
    (ann,) = await make_players(1)
    match = buy_in(ann)
    await take(engine, match)
    out = io.StringIO()
    async with admin.connect() as connection:
        await export_journal(connection, out)
    (row,) = [row for row in csv.DictReader(io.StringIO(out.getvalue())) if row["kind"] == "hold"]
    assert (row["match_id"], row["hand_id"]) == (str(match.contest.id), "")
    async with admin.begin() as connection:
        await connection.execute(text("CREATE TABLE IF NOT EXISTS public.matches (match_id uuid, status text)"))
    report = await run_check()
    assert codes(report) == ["hold_outlived"]
    assert str(match.contest) in report.findings[0].words
    await behind_the_back(
        f"UPDATE wallet.entries SET match_id = gen_random_uuid() WHERE match_id = '{match.contest.id}'"
    )
    assert set(codes(await run_check())) == {"chain_broken", "hold_mismatch", "hold_outlived"}
