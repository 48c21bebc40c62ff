"""The journal and statements as CSV: one line a posting, amounts in units, times in Unix milliseconds."""

import csv
from typing import Final, TextIO
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import Asset
from wallet.statement import MAX_PAGE, StatementCursor, statement

JOURNAL_COLUMNS: Final = (
    "entry_id",
    "shard",
    "position",
    "hash",
    "key",
    "kind",
    "asset",
    "reason",
    "hand_id",
    "match_id",
    "table_id",
    "corrects",
    "at_ms",
    "account_id",
    "account",
    "player_id",
    "version",
    "available_change",
    "held_change",
    "available_after",
    "held_after",
    "booked_ms",
)
STATEMENT_COLUMNS: Final = (
    "entry_id",
    "at_ms",
    "kind",
    "reason",
    "hand_id",
    "match_id",
    "table_id",
    "available_change",
    "held_change",
    "available",
    "held",
)
JOURNAL: Final = text(
    "SELECT e.entry_id, e.shard, e.position, encode(e.hash, 'hex'), e.key, e.kind, e.asset, e.reason, e.hand_id,"
    "       e.match_id, e.table_id, e.corrects, e.at_ms, a.account_id, a.kind,"
    "       CASE a.kind WHEN 'player' THEN a.player_id END, p.version, p.available_change, p.held_change,"
    "       p.available_after, p.held_after, p.booked_ms"
    " FROM wallet.entries e JOIN wallet.postings p USING (entry_id) JOIN wallet.accounts a USING (account_id)"
    " ORDER BY e.entry_id, a.account_id"
)


async def export_journal(connection: AsyncConnection, out: TextIO) -> int:
    """Write the whole journal; returns how many lines."""
    writer = csv.writer(out)
    writer.writerow(JOURNAL_COLUMNS)
    count = 0
    async with connection.stream(JOURNAL) as rows:
        async for row in rows:
            writer.writerow(row)
            count += 1
    return count


async def export_statement(connection: AsyncConnection, player_id: UUID, asset: Asset, out: TextIO) -> int:
    """Write a player's whole history, newest first; returns how many entries."""
    writer = csv.writer(out)
    writer.writerow(STATEMENT_COLUMNS)
    count = 0
    cursor: StatementCursor | None = None
    while True:
        page = await statement(connection, player_id, asset, cursor, MAX_PAGE)
        for line in page.lines:
            changes = (line.available_change, line.held_change, *line.after)
            belongs = (line.hand_id, line.match_id, line.table_id)
            writer.writerow((line.entry_id, line.at_ms, line.kind, line.reason, *belongs, *changes))
        count += len(page.lines)
        if page.older is None:
            return count
        cursor = page.older
