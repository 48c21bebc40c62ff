"""`check` on a good ledger says nothing; a row changed behind the server's back is found and named."""

from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from wallet.accounts import Asset
from wallet.chain import first_hash, next_hash
from wallet.check import Heads, Report, chained_entries, check
from wallet.contests import of_hand
from wallet.transactions import in_transaction
from wallet.verbs import HoldRequest, Settlement, grant, hold_many, settle_many

MakePlayers = Callable[..., Awaitable[list[UUID]]]
RunCheck = Callable[[], Awaitable[Report]]
BehindTheBack = Callable[..., Awaitable[None]]


def codes(report: Report) -> list[str]:
    return sorted({finding.code.value for finding in report.findings})


@pytest.fixture
async def players(engine: AsyncEngine, make_players: MakePlayers) -> list[UUID]:
    """Two players, two settled hands, and the grants that came before."""
    pair = await make_players(2)
    for _ in range(2):
        hold = HoldRequest(of_hand(uuid4()), uuid4(), Asset.HT, tuple((player, 13_000) for player in pair), 1000)
        end = Settlement(hold.contest, hold.table_id, Asset.HT, ((pair[0], 950), (pair[1], -1000)), 50, 2000)
        await in_transaction(engine, lambda c, hold=hold: hold_many(c, [hold]))
        await in_transaction(engine, lambda c, end=end: settle_many(c, [end]))
    return pair


async def open_hand(admin: AsyncEngine, hand_id: UUID, status: str) -> None:
    """A stand-in for the server's own table of hands: `check` asks it about id and status only."""
    async with admin.begin() as connection:
        await connection.execute(text("DROP TABLE IF EXISTS public.hands CASCADE"))
        await connection.execute(text("CREATE TABLE public.hands (hand_id uuid PRIMARY KEY, status text)"))
        await connection.execute(text("INSERT INTO hands VALUES (:id, :status)"), {"id": hand_id, "status": status})


async def test_an_empty_ledger_holds(run_check: RunCheck) -> None:
    report = await run_check()
    assert (report.findings, report.entries, report.postings) == ((), 0, 0)


async def test_a_good_ledger_holds(players: list[UUID], run_check: RunCheck) -> None:
    report = await run_check()
    assert report.findings == ()
    assert (report.entries, report.postings) == (6, 14)


TAMPERED = {
    "an amount, and the balance with it": (
        "UPDATE wallet.postings SET available_change = available_change + 5, available_after = available_after + 5"
        " WHERE (account_id, version) = (SELECT account_id, max(version) FROM wallet.postings"
        "                                GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1)",
        {"entry_unbalanced", "asset_not_zero", "balance_wrong", "chain_broken"},
    ),
    "the two sides, so that the sums stay": (
        "UPDATE wallet.postings p SET available_change = -available_change, held_change = -held_change"
        " WHERE entry_id = (SELECT min(entry_id) FROM wallet.entries WHERE kind = 'hold')",
        {"chain_broken", "posting_broken", "balance_wrong", "hold_mismatch"},
    ),
    "whose an account is": (
        "UPDATE wallet.accounts SET player_id = gen_random_uuid() WHERE kind = 'player'",
        {"chain_broken"},
    ),
    "a reason": (
        "UPDATE wallet.entries SET reason = 'birthday' WHERE kind = 'grant'",
        {"chain_broken"},
    ),
    "the key of a settlement": (
        "UPDATE wallet.entries SET key = key || 'x' WHERE kind = 'settle'",
        {"chain_broken"},
    ),
    "the hash of an entry": (
        "UPDATE wallet.entries SET hash = sha256(hash) WHERE kind = 'hold'",
        {"chain_broken"},
    ),
    "the time of a posting": (
        "UPDATE wallet.postings SET booked_ms = booked_ms + 1 WHERE booked_ms = 1000",
        {"chain_broken"},
    ),
    "a balance": (
        "UPDATE wallet.accounts SET available = available + 1 WHERE kind = 'player' AND available > 0",
        {"asset_not_zero", "balance_wrong"},
    ),
    "the sides of a balance": (
        "UPDATE wallet.accounts SET available = available - 1, held = held + 1 WHERE kind = 'player' AND available > 0",
        {"balance_wrong"},
    ),
    "a whole entry that is gone": (
        "DELETE FROM wallet.entries WHERE kind = 'grant' AND entry_id = (SELECT min(entry_id) FROM wallet.entries)",
        {"entry_incomplete", "chain_broken"},
    ),
    "the postings of an entry that are gone": (
        "DELETE FROM wallet.postings WHERE entry_id = (SELECT max(entry_id) FROM wallet.entries)",
        {"entry_incomplete", "balance_wrong", "hold_mismatch", "chain_broken"},
    ),
    "a posting added to an old entry": (
        "INSERT INTO wallet.postings SELECT (SELECT min(entry_id) FROM wallet.entries), account_id, version + 1,"
        " 5, 0, available + 5, held, booked_ms FROM wallet.accounts WHERE available > 0"
        " ORDER BY account_id DESC LIMIT 1",
        {"asset_not_zero", "balance_wrong", "chain_broken", "entry_unbalanced"},
    ),
    "an open hold that nobody took": (
        "INSERT INTO wallet.open_holds SELECT gen_random_uuid(), gen_random_uuid(), 'HT', 1, ARRAY[player_id],"
        " ARRAY[5::bigint], 1, 'hand' FROM wallet.accounts WHERE kind = 'player' AND asset = 'HT' LIMIT 1",
        {"hold_mismatch", "hold_outlived"},
    ),
    "an adjustment that nobody approved": (
        "UPDATE wallet.entries SET kind = 'adjust' WHERE kind = 'grant'",
        {"adjustment_unapproved", "chain_broken"},
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
async def test_what_was_changed_behind_the_back_is_found(
    players: list[UUID], run_check: RunCheck, behind_the_back: BehindTheBack, what: str
) -> None:
    statement, expected = TAMPERED[what]
    await behind_the_back(statement)
    assert set(codes(await run_check())) == expected


async def test_the_changed_row_is_named(
    engine: AsyncEngine, players: list[UUID], run_check: RunCheck, behind_the_back: BehindTheBack
) -> None:
    posted = await in_transaction(engine, lambda c: grant(c, "late", players[0], Asset.HT, 5, "late"))
    await behind_the_back(f"UPDATE wallet.entries SET reason = 'never' WHERE entry_id = {posted.entry_id}")
    (finding,) = (await run_check()).findings
    assert f"entry {posted.entry_id} (grant:late; shard" in finding.words


async def test_a_balance_below_zero_is_named(
    players: list[UUID], run_check: RunCheck, behind_the_back: BehindTheBack
) -> None:
    await behind_the_back(
        "ALTER TABLE wallet.accounts DROP CONSTRAINT accounts_not_negative",
        f"UPDATE wallet.accounts SET held = -1 WHERE player_id = '{players[0]}' AND asset = 'HT'",
    )
    assert "below_zero" in codes(await run_check())


async def test_a_hold_outlives_its_hand_when_the_hand_is_closed_or_unknown(
    engine: AsyncEngine, admin: AsyncEngine, make_players: MakePlayers, run_check: RunCheck
) -> None:
    (player,) = await make_players(1)
    hold = HoldRequest(of_hand(uuid4()), uuid4(), Asset.HT, ((player, 13_000),), 1000)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    await open_hand(admin, hold.contest.id, "open")
    assert (await run_check()).findings == ()
    for hand_id, status in ((hold.contest.id, "closed"), (uuid4(), "open")):
        await open_hand(admin, hand_id, status)
        (finding,) = (await run_check()).findings
        assert finding.code == "hold_outlived"
        assert str(hold.contest) in finding.words


async def test_an_end_that_was_cut_off_is_found_by_heads_kept_elsewhere(
    engine: AsyncEngine, admin: AsyncEngine, make_players: MakePlayers, behind_the_back: BehindTheBack
) -> None:
    """Whoever takes the newest entry away with all its lines and sets the accounts back leaves a ledger that holds."""
    (player,) = await make_players(1)
    await in_transaction(engine, lambda c: grant(c, "late", player, Asset.HT, 5, "late"))
    async with admin.connect() as connection:
        heads = (await check(connection)).heads
    last = "(SELECT max(entry_id) FROM wallet.entries)"
    await behind_the_back(
        "UPDATE wallet.accounts a SET available = a.available - p.available_change, held = a.held - p.held_change,"
        " version = a.version - 1, booked_ms = coalesce((SELECT b.booked_ms FROM wallet.postings b"
        "   WHERE b.account_id = a.account_id AND b.version = a.version - 1), 0)"
        f" FROM wallet.postings p WHERE p.account_id = a.account_id AND p.entry_id = {last}",
        f"DELETE FROM wallet.postings WHERE entry_id = {last}",
        f"DELETE FROM wallet.entries WHERE entry_id = {last}",
    )
    async with admin.connect() as connection:
        assert (await check(connection)).findings == ()
    async with admin.connect() as connection:
        assert codes(await check(connection, heads)) == ["head_missing"]


async def test_heads_of_a_ledger_that_grew_are_still_there(
    engine: AsyncEngine, admin: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1)
    async with admin.connect() as connection:
        heads = (await check(connection)).heads
    await in_transaction(engine, lambda c: grant(c, "late", player, Asset.HT, 5, "late"))
    async with admin.connect() as connection:
        later = await check(connection, heads)
    assert later.findings == ()
    assert isinstance(later.heads, Heads)
    assert later.heads != heads


@pytest.mark.parametrize("reason", ["plain", 'quote " and \\ slash', "বাংলা हिन्दी 🂡", "tab\tline\nbell\x07del\x7f\u2028"])
async def test_python_and_sql_chain_alike(engine: AsyncEngine, make_players: MakePlayers, reason: str) -> None:
    (player,) = await make_players(1)
    await in_transaction(engine, lambda c: grant(c, reason, player, Asset.HT, 5, reason))
    async with engine.connect() as connection:
        entries = [entry async for entry in chained_entries(connection)]
    before: dict[int, bytes] = {}
    assert reason in {entry.reason for entry in entries}
    for entry in entries:
        assert next_hash(before.get(entry.shard, first_hash(entry.shard)), entry) == entry.hash
        before[entry.shard] = entry.hash
