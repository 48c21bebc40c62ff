"""What the database itself refuses, whoever asks: the server's role by its rights, everybody else by triggers."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from wallet.accounts import AccountKind, Asset, Line, of_house, of_player
from wallet.contests import of_hand
from wallet.journal import POST, Draft, EntryKind, post
from wallet.transactions import in_transaction
from wallet.verbs import HoldRequest, hold_many

MakePlayers = Callable[..., Awaitable[list[UUID]]]


@pytest.fixture
def database_url(module_database_url: str) -> str:
    """One database for all of these: what is refused leaves nothing behind."""
    return module_database_url


JOURNAL = ("entries", "postings", "adjustments", "adjustment_decisions", "limit_changes")
CHANGES = ("UPDATE wallet.{} SET {column} = {column}", "DELETE FROM wallet.{}", "TRUNCATE wallet.{} CASCADE")
COLUMNS = {
    "entries": "reason",
    "postings": "held_change",
    "adjustments": "amount",
    "adjustment_decisions": "approved",
    "limit_changes": "value",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", JOURNAL)
async def test_the_journal_only_grows_for_the_server(engine: AsyncEngine, table: str, change: str) -> None:
    with pytest.raises(DBAPIError, match="permission denied"):
        async with engine.begin() as connection:
            await connection.execute(text(change.format(table, column=COLUMNS[table])))


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", JOURNAL)
async def test_the_journal_only_grows_for_a_superuser_too(admin: AsyncEngine, table: str, change: str) -> None:
    with pytest.raises(DBAPIError, match=r"journal only grows"):
        async with admin.begin() as connection:
            await connection.execute(text(change.format(table, column=COLUMNS[table])))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE wallet.accounts SET available = available + 1",
        "DELETE FROM wallet.accounts",
        "INSERT INTO wallet.accounts (player_id, asset, kind, held) VALUES (gen_random_uuid(), 'HT', 'player', 5)",
        "INSERT INTO wallet.postings VALUES (1, 1, 1, 5, 0, 5, 0, 0)",
        "INSERT INTO wallet.entries SELECT * FROM wallet.entries",
        "DELETE FROM wallet.open_holds",
        "UPDATE wallet.open_holds SET amounts = amounts",
        "SELECT wallet.take_shard()",
        "ALTER TABLE wallet.postings DISABLE TRIGGER ALL",
    ],
)
async def test_the_server_has_no_other_door_than_post(engine: AsyncEngine, statement: str) -> None:
    with pytest.raises(DBAPIError, match=r"permission denied|must be owner"):
        async with engine.begin() as connection:
            await connection.execute(text(statement))


async def test_an_account_keeps_its_owner(admin: AsyncEngine) -> None:
    for statement in ("UPDATE wallet.accounts SET player_id = player_id", "DELETE FROM wallet.accounts"):
        with pytest.raises(DBAPIError, match="journal only grows"):
            async with admin.begin() as connection:
                await connection.execute(text(statement))


def unbalanced(player: UUID) -> dict[str, object]:
    """The arguments, in order, of a grant that gives more than it takes: no Draft can say this."""
    return {
        "keys": ["grant:wrong"],
        "kinds": ["grant"],
        "assets": ["HT"],
        "bodies": [bytes(32)],
        "reasons": ["wrong"],
        "contest_kinds": [None],
        "contest_ids": [None],
        "tables": [None],
        "players": [player],
        "corrected": [None],
        "times": [1],
        "account_players": [player],
        "account_assets": ["HT"],
        "house_kinds": ["issuance"],
        "house_assets": ["HT"],
        "line_entries": [1, 1],
        "line_accounts": [1, 2],
        "line_available": [6, -5],
        "line_held": [0, 0],
    }


async def test_lines_that_do_not_balance_are_refused_at_the_door(
    engine: AsyncEngine, make_players: MakePlayers
) -> None:
    (player,) = await make_players(1)
    with pytest.raises(IntegrityError, match="does not balance"):
        async with engine.begin() as connection:
            await connection.exec_driver_sql(POST, tuple(unbalanced(player).values()))


async def test_lines_that_do_not_balance_are_refused_behind_the_door(admin: AsyncEngine) -> None:
    lines = text("INSERT INTO wallet.postings VALUES (1, 1, 1, 5, 0, 5, 0, 0), (1, 2, 1, -4, 0, 0, 0, 0)")
    with pytest.raises(IntegrityError, match="does not balance"):
        async with admin.begin() as connection:
            await connection.execute(lines)


def moving(player: UUID, amount: int, key: str = "grant:x", kind: EntryKind = EntryKind.GRANT) -> Draft:
    lines = (of_player(player, amount), of_house(AccountKind.ISSUANCE, -amount))
    return Draft(key, kind, Asset.HT, bytes(32), "test", 1, lines, player_id=player)


async def test_no_account_of_a_player_goes_below_zero(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    with pytest.raises(IntegrityError, match="accounts_not_negative"):
        await in_transaction(engine, lambda c: post(c, [moving(player, -100_001)]))


async def test_two_entries_can_not_share_a_key(admin: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    async with admin.connect() as connection:
        await post(connection, [moving(player, 5)])
        with pytest.raises(IntegrityError, match="entries_key_key"):
            await post(connection, [moving(player, 5)])


async def test_a_line_needs_an_account(engine: AsyncEngine) -> None:
    with pytest.raises(IntegrityError, match="account that does not exist"):
        await in_transaction(engine, lambda c: post(c, [moving(uuid4(), 5)]))


async def test_an_adjustment_needs_a_decision(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    draft = moving(player, 5, f"adjust:{uuid4()}", EntryKind.ADJUST)
    with pytest.raises(IntegrityError, match="second operator"):
        await in_transaction(engine, lambda c: post(c, [draft]))


async def test_who_asked_can_not_decide(engine: AsyncEngine, make_players: MakePlayers) -> None:
    (player,) = await make_players(1)
    values = {"id": uuid4(), "player": player, "operator": uuid4()}
    asked = text(
        "INSERT INTO wallet.adjustments (adjustment_id, player_id, asset, amount, reason, requested_by, requested_ms)"
        " VALUES (:id, :player, 'HT', 5, 'test', :operator, 1)"
    )
    decided = text("INSERT INTO wallet.adjustment_decisions VALUES (:id, :operator, :operator, true, 2)")
    async with engine.connect() as connection:
        await connection.execute(asked, values)
        with pytest.raises(IntegrityError, match="decisions_by_another"):
            await connection.execute(decided, values)


@pytest.mark.parametrize("kind", EntryKind)
async def test_only_holds_take_and_only_ends_give_back(
    engine: AsyncEngine, make_players: MakePlayers, kind: EntryKind
) -> None:
    """A hand's end that takes more from somebody, a hold or a grant that gives back."""
    player, other = await make_players(2)
    hold = HoldRequest(of_hand(uuid4()), uuid4(), Asset.HT, ((player, 100), (other, 100)), 1)
    of_a_hand = kind in (EntryKind.HOLD, EntryKind.SETTLE, EntryKind.RELEASE)
    lines = {
        EntryKind.SETTLE: (of_player(player, 100, -100), of_player(other, -5, 5)),
        EntryKind.RELEASE: (of_player(player, 100, -100), of_player(other, -5, 5)),
    }.get(kind, (of_player(player, 5, -5),))
    draft = Draft(
        f"{kind}:odd",
        kind,
        Asset.HT,
        bytes(32),
        "odd",
        2,
        lines,
        contest=hold.contest if of_a_hand else None,
        player_id=None if of_a_hand else player,
    )
    async with engine.connect() as connection:
        await hold_many(connection, [replace(hold, amounts=((player, 100),)), replace(hold, contest=of_hand(uuid4()))])
        with pytest.raises(IntegrityError, match="nothing else moves what is held"):
            await post(connection, [draft])


@pytest.mark.parametrize("given_back", [12_999, 6_500])
async def test_a_hold_is_given_back_whole_or_not_at_all(
    engine: AsyncEngine, make_players: MakePlayers, given_back: int
) -> None:
    (player,) = await make_players(1)
    hold = HoldRequest(of_hand(uuid4()), uuid4(), Asset.HT, ((player, 13_000),), 1)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    lines = (of_player(player, given_back, -given_back),)
    part = Draft("release:part", EntryKind.RELEASE, Asset.HT, bytes(32), "part", 2, lines, contest=hold.contest)
    with pytest.raises(DBAPIError, match="has changed meanwhile"):
        async with engine.begin() as connection:
            await post(connection, [part])


SOMEBODY = UUID(int=1)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((), "0 lines"),
        ((of_player(SOMEBODY, 5),), "sum to 5"),
        ((of_player(SOMEBODY, 5), of_house(AccountKind.ISSUANCE, -4)), "sum to 1"),
        ((of_player(SOMEBODY, 0), of_house(AccountKind.ISSUANCE, 0)), "moves nothing"),
        ((of_player(SOMEBODY, 5), of_player(SOMEBODY, -5)), "named twice"),
    ],
)
def test_a_draft_balances(lines: tuple[Line, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Draft("k", EntryKind.GRANT, Asset.HT, bytes(32), "test", 1, lines, player_id=SOMEBODY)
