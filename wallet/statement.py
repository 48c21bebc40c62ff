"""Reading the ledger: balances now and at a moment, a player's statement page by page, the trial balance."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import PLAYER_KINDS, AccountKind, AmountUnits, Asset, Balance
from wallet.journal import EntryKind

MAX_PAGE: Final = 200


class StatementCursor(NamedTuple):
    """Where a page ends: the newest version of each account that the next page may show. `str` and `parse` invert."""

    available_version: int
    held_version: int

    def __str__(self) -> str:
        return f"{self.available_version}.{self.held_version}"

    @classmethod
    def parse(cls, written: str) -> "StatementCursor":
        """Raises ValueError for anything that no page ever gave."""
        first, dot, second = written.partition(".")
        if not (dot and written.isascii() and first.isdecimal() and second.isdecimal() and len(written) <= 40):
            raise ValueError(f"{written[:50]!r} is no cursor of a statement")
        return cls(int(first), int(second))


@dataclass(frozen=True, slots=True)
class StatementLine:
    """What one entry did to one player, and what they had after it; changes and balances in units."""

    entry_id: int
    at_ms: int
    kind: EntryKind
    reason: str
    hand_id: UUID | None
    table_id: UUID | None
    available_change: int
    held_change: int
    after: Balance


@dataclass(frozen=True, slots=True)
class StatementPage:
    """Newest first. older: the cursor of the next page, None at the beginning of the player's history."""

    lines: tuple[StatementLine, ...]
    older: StatementCursor | None


class TrialBalanceRow(NamedTuple):
    """One kind of account in one asset: how many there are and what they hold together, in units."""

    asset: Asset
    kind: AccountKind
    accounts: int
    balance: int


BALANCES: Final = text(
    "SELECT asset, kind, balance FROM wallet.accounts WHERE player_id = :player_id AND shard IS NULL"
)
BALANCE_AT: Final = text(
    "SELECT a.kind, p.balance_after FROM wallet.accounts a"
    " CROSS JOIN LATERAL (SELECT balance_after FROM wallet.postings"
    "                     WHERE account_id = a.account_id AND booked_ms <= :moment_ms"
    "                     ORDER BY version DESC LIMIT 1) p"
    " WHERE a.player_id = :player_id AND a.asset = :asset AND a.shard IS NULL"
)
STATEMENT: Final = text(
    "SELECT a.kind AS account, p.entry_id, p.version, p.amount, p.balance_after, p.booked_ms,"
    "       e.kind, e.reason, e.hand_id, e.table_id"
    " FROM wallet.accounts a"
    " CROSS JOIN LATERAL (SELECT * FROM wallet.postings"
    "                     WHERE account_id = a.account_id AND version <="
    "                       CASE a.kind WHEN 'available' THEN CAST(:available AS bigint) ELSE CAST(:held AS bigint) END"
    "                     ORDER BY version DESC LIMIT :enough) p"
    " JOIN wallet.entries e ON e.entry_id = p.entry_id"
    " WHERE a.player_id = :player_id AND a.asset = :asset AND a.shard IS NULL"
    " ORDER BY p.entry_id DESC"
)
TRIAL_BALANCE: Final = text(
    "SELECT asset, kind, count(*), sum(balance)::bigint FROM wallet.accounts GROUP BY asset, kind"
    " ORDER BY asset, array_position(ARRAY['available', 'held', 'commission', 'void', 'issuance'], kind)"
)

_NEWEST: Final = StatementCursor(2**62, 2**62)


async def balances(connection: AsyncConnection, player_id: UUID) -> dict[Asset, Balance]:
    """What a player has, in every asset; zeros for somebody without accounts."""
    found = {
        (Asset(row.asset), AccountKind(row.kind)): row.balance
        for row in await connection.execute(BALANCES, {"player_id": player_id})
    }
    return {
        asset: Balance(found.get((asset, AccountKind.AVAILABLE), 0), found.get((asset, AccountKind.HELD), 0))
        for asset in Asset
    }


async def balance_at(connection: AsyncConnection, player_id: UUID, asset: Asset, moment_ms: int) -> Balance:
    """What a player had right after everything that was booked up to and including this moment."""
    parameters = {"player_id": player_id, "asset": asset, "moment_ms": moment_ms}
    found = {AccountKind(row.kind): row.balance_after for row in await connection.execute(BALANCE_AT, parameters)}
    return Balance(found.get(AccountKind.AVAILABLE, AmountUnits(0)), found.get(AccountKind.HELD, AmountUnits(0)))


async def statement(
    connection: AsyncConnection, player_id: UUID, asset: Asset, cursor: StatementCursor | None = None, limit: int = 50
) -> StatementPage:
    """One page of a player's history, newest first, with the running balance; at most MAX_PAGE entries.

    Pages do not shift when new entries arrive: a cursor names places in the two accounts, not an offset.
    """
    if not 1 <= limit <= MAX_PAGE:
        raise ValueError(f"a page of {limit} entries: allowed are 1 to {MAX_PAGE}")
    newest = cursor or _NEWEST
    rows = await connection.execute(
        STATEMENT,
        {
            "player_id": player_id,
            "asset": asset,
            "available": newest.available_version,
            "held": newest.held_version,
            "enough": limit + 1,
        },
    )
    return _page(rows.all(), limit)


async def trial_balance(connection: AsyncConnection) -> tuple[TrialBalanceRow, ...]:
    """Every kind of account with its total; the totals of an asset sum to zero."""
    rows = await connection.execute(TRIAL_BALANCE)
    return tuple(TrialBalanceRow(Asset(asset), AccountKind(kind), count, total) for asset, kind, count, total in rows)


def _page(rows: Sequence[Row[Any]], limit: int) -> StatementPage:
    """Merge the newest lines of both accounts into entries.

    The head of each queue is either the entry's own line or the newest before it, so it always says what that account
    held after the entry. Each account brought limit + 1 lines if it has them: none runs out before the page is full.
    """
    queues = [deque(row for row in rows if row.account == kind) for kind in PLAYER_KINDS]
    lines: list[StatementLine] = []
    while len(lines) < limit and any(queues):
        entry = max((queue[0] for queue in queues if queue), key=lambda row: row.entry_id)
        after = Balance(*(AmountUnits(queue[0].balance_after if queue else 0) for queue in queues))
        available_change, held_change = (
            queue.popleft().amount if queue and queue[0].entry_id == entry.entry_id else 0 for queue in queues
        )
        lines.append(
            StatementLine(
                entry_id=entry.entry_id,
                at_ms=entry.booked_ms,
                kind=EntryKind(entry.kind),
                reason=entry.reason,
                hand_id=entry.hand_id,
                table_id=entry.table_id,
                available_change=available_change,
                held_change=held_change,
                after=after,
            )
        )
    older = StatementCursor(*(queue[0].version if queue else 0 for queue in queues)) if any(queues) else None
    return StatementPage(tuple(lines), older)
