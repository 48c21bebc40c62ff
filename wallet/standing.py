"""What players have and have lately won or lost: the facts that holds and corrections are decided on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import Asset
from wallet.refusals import NoAccount

Pair = tuple[UUID, Asset]
"""One player's account in one asset."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What one player has in one asset. won: units won less lost by settlements in the loss window."""

    available: int
    held: int
    won: int = 0

    def may_lose(self, loss_limit: int) -> int:
        """Units that may still be put at stake under a loss limit: what is held counts as lost already."""
        return max(loss_limit + self.won - self.held, 0)


LOCK_ACCOUNTS: Final = text(
    "SELECT player_id, asset, available, held"
    " FROM wallet.lock_accounts(CAST(:players AS uuid[]), CAST(:assets AS text[]))"
)
WON_SINCE: Final = text(
    "SELECT a.player_id, a.asset, sum(p.available_change + p.held_change)::bigint AS won"
    " FROM unnest(CAST(:players AS uuid[]), CAST(:assets AS text[]), CAST(:since AS bigint[]))"
    "   w (player_id, asset, since_ms)"
    " JOIN wallet.accounts a ON a.player_id = w.player_id AND a.asset = w.asset"
    " CROSS JOIN LATERAL ("
    # Backwards along the account until its time is before the window: as many lines as were written within it.
    "   SELECT coalesce((SELECT before.version FROM wallet.postings before"
    "                    WHERE before.account_id = a.account_id AND before.booked_ms < w.since_ms"
    "                    ORDER BY before.version DESC LIMIT 1), 0) AS version) start"
    " JOIN wallet.postings p ON p.account_id = a.account_id AND p.version > start.version"
    " JOIN wallet.entries e ON e.entry_id = p.entry_id AND e.kind = 'settle'"
    " GROUP BY a.player_id, a.asset"
)


async def lock_balances(connection: AsyncConnection, wanted: Iterable[Pair]) -> dict[Pair, Standing]:
    """Lock these players' accounts until the transaction ends, and read them. Raises NoAccount."""
    pairs = sorted(set(wanted))
    rows = await connection.execute(
        LOCK_ACCOUNTS, {"players": [player_id for player_id, _ in pairs], "assets": [asset for _, asset in pairs]}
    )
    found = {(row.player_id, Asset(row.asset)): Standing(row.available, row.held) for row in rows}
    missing = {player_id for player_id, asset in pairs if (player_id, asset) not in found}
    if missing:
        raise NoAccount(sorted(missing))
    return found


async def won_since(connection: AsyncConnection, since_ms: Mapping[Pair, int]) -> dict[Pair, int]:
    """Units that each of these accounts won, less what it lost, by settlements booked from its moment on."""
    parameters = {
        "players": [player_id for player_id, _ in since_ms],
        "assets": [asset for _, asset in since_ms],
        "since": list(since_ms.values()),
    }
    rows = await connection.execute(WON_SINCE, parameters)
    return {(row.player_id, Asset(row.asset)): row.won for row in rows}
