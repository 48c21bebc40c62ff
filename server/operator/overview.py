"""The desk's first page: is the house whole, what is open, what ended last."""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from server.eventlog import queries
from server.protocol.messages import TableSummary
from wallet import verbs
from wallet.accounts import Asset

_RECENT_HANDS = 50


async def overview(database: AsyncConnection, tables: list[TableSummary]) -> dict[str, Any]:
    """Every figure from the ledger and the journal; trial_balance is 0 per asset when the books balance."""
    rows = await verbs.trial_balance(database)
    return {
        "trial_balance": {asset.value: sum(row.balance for row in rows if row.asset is asset) for asset in Asset},
        "accounts": [row._asdict() for row in rows],
        "tables": [table.model_dump(mode="json") for table in tables],
        "hands": await queries.recent_hands(database, _RECENT_HANDS),
    }
