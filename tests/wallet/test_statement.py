"""Statements page by page with a running balance, and what somebody had at a moment."""

from collections.abc import Awaitable, Callable
from itertools import pairwise
from uuid import UUID, uuid4

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from wallet.accounts import Asset
from wallet.contests import of_hand
from wallet.journal import EntryKind
from wallet.statement import MAX_PAGE, StatementCursor, StatementLine
from wallet.transactions import in_transaction
from wallet.verbs import (
    HoldRequest,
    Settlement,
    balance_at,
    balances,
    grant,
    hold_many,
    settle_many,
    statement,
)

MakePlayers = Callable[..., Awaitable[list[UUID]]]
HANDS = 7


@pytest.fixture
async def player(engine: AsyncEngine, make_players: MakePlayers) -> UUID:
    """Somebody with a grant at 0, and hands that were held at 1000 n and settled at 1000 n + 500; the last is lost
    with all that was held."""
    winner, loser = await make_players(2)
    for number in range(1, HANDS + 1):
        hold = HoldRequest(of_hand(uuid4()), uuid4(), Asset.HT, ((winner, 500), (loser, 500)), 1000 * number)
        delta = 10 * number if number < HANDS else -500
        deltas = ((winner, delta), (loser, -delta))
        end = Settlement(hold.contest, hold.table_id, Asset.HT, deltas, 0, 1000 * number + 500)
        await in_transaction(engine, lambda c, hold=hold: hold_many(c, [hold]))
        await in_transaction(engine, lambda c, end=end: settle_many(c, [end]))
    return winner


async def all_pages(connection: AsyncConnection, player: UUID, limit: int) -> list[StatementLine]:
    lines: list[StatementLine] = []
    cursor: StatementCursor | None = None
    while True:
        page = await statement(connection, player, Asset.HT, cursor, limit)
        assert 1 <= len(page.lines) <= limit
        lines += page.lines
        if page.older is None:
            return lines
        cursor = StatementCursor.parse(str(page.older))


async def test_every_entry_appears_once_newest_first_whatever_the_page(engine: AsyncEngine, player: UUID) -> None:
    async with engine.connect() as connection:
        whole = await all_pages(connection, player, MAX_PAGE)
        for limit in range(1, 17):
            assert await all_pages(connection, player, limit) == whole
    kinds = [EntryKind.SETTLE, EntryKind.HOLD] * HANDS + [EntryKind.GRANT]
    assert [line.kind for line in whole] == kinds
    assert [line.entry_id for line in whole] == sorted((line.entry_id for line in whole), reverse=True)


async def test_the_running_balance_adds_up(engine: AsyncEngine, player: UUID) -> None:
    async with engine.connect() as connection:
        lines = await all_pages(connection, player, 3)
        now = (await balances(connection, player))[Asset.HT]
    assert lines[0].after == now
    for newer, older in pairwise(lines):
        assert newer.after.available == older.after.available + newer.available_change
        assert newer.after.held == older.after.held + newer.held_change


async def test_a_hand_lost_with_everything_shows_what_is_left(engine: AsyncEngine, player: UUID) -> None:
    async with engine.connect() as connection:
        (line,) = (await statement(connection, player, Asset.HT, limit=1)).lines
    assert (line.available_change, line.held_change) == (0, -500)
    assert line.after == (100_000 + 210 - 500, 0)


async def test_new_entries_do_not_shift_the_pages(engine: AsyncEngine, player: UUID) -> None:
    async with engine.connect() as connection:
        first = await statement(connection, player, Asset.HT, limit=4)
        second = await statement(connection, player, Asset.HT, first.older, 4)
    await in_transaction(engine, lambda c: grant(c, "late", player, Asset.HT, 5, "late", 99_000))
    async with engine.connect() as connection:
        assert await statement(connection, player, Asset.HT, first.older, 4) == second


@pytest.mark.parametrize(
    ("moment_ms", "expected"),
    [
        (-1, (0, 0)),
        (0, (100_000, 0)),
        (999, (100_000, 0)),
        (1000, (99_500, 500)),
        (1500, (100_010, 0)),
        (2499, (99_510, 500)),
        (10**15, (99_710, 0)),
    ],
)
async def test_the_balance_at_a_moment(
    engine: AsyncEngine, player: UUID, moment_ms: int, expected: tuple[int, int]
) -> None:
    async with engine.connect() as connection:
        assert await balance_at(connection, player, Asset.HT, moment_ms) == expected


async def test_a_clock_that_steps_back_does_not_unsort_an_account(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1)
    for key, at_ms in (("late", 5000), ("early", 4000), ("later", 6000)):
        await in_transaction(engine, lambda c, k=key, t=at_ms: grant(c, k, player, Asset.HT, 5, k, t))
    async with engine.connect() as connection:
        page = await statement(connection, player, Asset.HT)
        assert await balance_at(connection, player, Asset.HT, 4999) == (100_000, 0)
        assert await balance_at(connection, player, Asset.HT, 5000) == (100_010, 0)
    assert [line.at_ms for line in page.lines] == [6000, 5000, 5000, 0]


async def test_somebody_without_history_has_an_empty_statement(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1, 0)
    async with engine.connect() as connection:
        for somebody in (player, uuid4()):
            page = await statement(connection, somebody, Asset.HT)
            assert (page.lines, page.older) == ((), None)
            assert await balance_at(connection, somebody, Asset.HT, 1) == (0, 0)


@pytest.mark.parametrize("limit", [0, -1, MAX_PAGE + 1])
async def test_a_page_has_bounds(engine: AsyncEngine, limit: int) -> None:
    async with engine.connect() as connection:
        with pytest.raises(ValueError, match="allowed are"):
            await statement(connection, uuid4(), Asset.HT, limit=limit)


@pytest.mark.parametrize("written", ["", "x", "-1", "1.5", " 1", "9" * 19, "१"])
def test_a_cursor_that_no_page_gave_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="no cursor"):
        StatementCursor.parse(written)
