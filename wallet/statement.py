"""Reading the ledger: balances now and at a moment, a player's statement page by page, the trial balance."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import NO_BALANCE, Asset, Balance
from wallet.journal import EntryKind

MAX_PAGE: Final = 200
MAX_CURSOR_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class StatementCursor:
    """Where a page ends: the newest posting of the account that the next page may show. `str` and `parse` invert."""

    version: int

    def __str__(self) -> str:
        return str(self.version)

    @classmethod
    def parse(cls, written: str) -> "StatementCursor":
        """Raises ValueError for anything that no page ever gave."""
        if not (written.isascii() and written.isdecimal() and len(written) <= MAX_CURSOR_DIGITS):
            raise ValueError(f"{written[:50]!r} is no cursor of a statement")
        return cls(int(written))


@dataclass(frozen=True, slots=True)
class StatementLine:
    """What one entry did to one player, and what they had after it; changes and balances in units."""

    entry_id: int
    at_ms: int
    kind: EntryKind
    reason: str
    hand_id: UUID | None
    match_id: UUID | None
    table_id: UUID | None
    available_change: int
    held_change: int
    after: Balance


@dataclass(frozen=True, slots=True)
class StatementPage:
    """Newest first. older: the cursor of the next page, None at the beginning of the player's history."""

    lines: tuple[StatementLine, ...]
    older: StatementCursor | None


class TrialBalanceSide(StrEnum):
    """What a trial balance lists: the two sides of all players' accounts, and the house's."""

    AVAILABLE = "available"
    HELD = "held"
    COMMISSION = "commission"
    VOID = "void"
    ISSUANCE = "issuance"


class TrialBalanceRow(NamedTuple):
    """One side in one asset: how many accounts there are and what they hold together, in units."""

    asset: Asset
    side: TrialBalanceSide
    accounts: int
    balance: int


BALANCES: Final = text(
    "SELECT asset, available, held FROM wallet.accounts WHERE player_id = :player_id AND kind = 'player'"
)
BALANCE_AT: Final = text(
    "SELECT p.available_after, p.held_after FROM wallet.accounts a JOIN wallet.postings p USING (account_id)"
    " WHERE a.player_id = :player_id AND a.asset = :asset AND a.kind = 'player' AND p.booked_ms <= :moment_ms"
    " ORDER BY p.version DESC LIMIT 1"
)
STATEMENT: Final = text(
    "SELECT p.version, p.entry_id, p.booked_ms, e.kind, e.reason, e.hand_id, e.match_id, e.table_id,"
    "       p.available_change, p.held_change, p.available_after, p.held_after"
    " FROM wallet.accounts a JOIN wallet.postings p USING (account_id) JOIN wallet.entries e USING (entry_id)"
    " WHERE a.player_id = :player_id AND a.asset = :asset AND a.kind = 'player' AND p.version <= :newest"
    " ORDER BY p.version DESC LIMIT :enough"
)
TRIAL_BALANCE: Final = text(
    "SELECT a.asset, s.side, count(*), sum(s.units)::bigint"
    " FROM wallet.accounts a CROSS JOIN LATERAL (VALUES"
    "   (CASE a.kind WHEN 'player' THEN 'available' ELSE a.kind END, a.available), ('held', a.held)) s (side, units)"
    " WHERE s.side <> 'held' OR a.kind = 'player'"
    " GROUP BY a.asset, s.side"
)

_NEWEST: Final = StatementCursor(2**62)


async def balances(connection: AsyncConnection, player_id: UUID) -> dict[Asset, Balance]:
    """What a player has, in every asset; zeros for somebody without accounts."""
    rows = await connection.execute(BALANCES, {"player_id": player_id})
    found = {Asset(row.asset): Balance(row.available, row.held) for row in rows}
    return {asset: found.get(asset, NO_BALANCE) for asset in Asset}


async def has_accounts(connection: AsyncConnection, player_id: UUID) -> bool:
    """Whether the ledger knows the player at all."""
    return (await connection.execute(BALANCES, {"player_id": player_id})).first() is not None


async def balance_at(connection: AsyncConnection, player_id: UUID, asset: Asset, moment_ms: int) -> Balance:
    """What a player had right after everything that was booked up to and including this moment."""
    parameters = {"player_id": player_id, "asset": asset, "moment_ms": moment_ms}
    row = (await connection.execute(BALANCE_AT, parameters)).one_or_none()
    return NO_BALANCE if row is None else Balance(*row)


async def statement(
    connection: AsyncConnection, player_id: UUID, asset: Asset, cursor: StatementCursor | None = None, limit: int = 50
) -> StatementPage:
    """One page of a player's history, newest first, with the running balance; at most MAX_PAGE entries.

    Pages do not shift when new entries arrive: a cursor names a place in the account, not an offset.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise ValueError(f"a page of {limit} entries: allowed are 1 to {MAX_PAGE}")
    newest = (cursor or _NEWEST).version
    parameters = {"player_id": player_id, "asset": asset, "newest": newest, "enough": limit + 1}
    rows = (await connection.execute(STATEMENT, parameters)).all()
    lines = tuple(
        StatementLine(
            entry_id=row.entry_id,
            at_ms=row.booked_ms,
            kind=EntryKind(row.kind),
            reason=row.reason,
            hand_id=row.hand_id,
            match_id=row.match_id,
            table_id=row.table_id,
            available_change=row.available_change,
            held_change=row.held_change,
            after=Balance(row.available_after, row.held_after),
        )
        for row in rows[:limit]
    )
    return StatementPage(lines, StatementCursor(rows[limit].version) if len(rows) > limit else None)


async def trial_balance(connection: AsyncConnection) -> tuple[TrialBalanceRow, ...]:
    """Every side with its total; the totals of an asset sum to zero."""
    found = {
        (Asset(asset), TrialBalanceSide(side)): (accounts, balance)
        for asset, side, accounts, balance in await connection.execute(TRIAL_BALANCE)
    }
    return tuple(
        TrialBalanceRow(asset, side, *found.get((asset, side), (0, 0))) for asset in Asset for side in TrialBalanceSide
    )
