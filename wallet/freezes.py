"""Freezes: an operator keeps a player from playing until one lifts it. What is in force is the player's newest row.

Nobody's tokens are set aside for a frozen player: `wallet.limits` reads freezes with the limits that players set, in
the same query, and `wallet.holding` decides by both. Hands that run already end as they would have.
"""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import Asset
from wallet.requests import require_reason
from wallet.standing import lock_balances


@dataclass(frozen=True, slots=True)
class Freeze:
    """One change: frozen, or not any more. by_id: the operator."""

    frozen: bool
    by_id: UUID
    reason: str
    at_ms: int


FREEZES: Final = text(
    "SELECT frozen, by_id, reason, at_ms FROM wallet.freezes WHERE player_id = :player_id ORDER BY freeze_id DESC"
)
ADD: Final = text(
    "INSERT INTO wallet.freezes (player_id, frozen, by_id, reason, at_ms)"
    " VALUES (:player_id, :frozen, :by_id, :reason, :at_ms)"
)


async def set_frozen(
    connection: AsyncConnection, player_id: UUID, frozen: bool, by_id: UUID, reason: str, at_ms: int
) -> bool:
    """Freeze a player, or lift that; False when it is so already: then nothing is written.

    Raises NoAccount, and ValueError for an empty reason.
    """
    require_reason(reason)
    # No hold of theirs is between reading what is in force and taking effect.
    await lock_balances(connection, [(player_id, asset) for asset in Asset])
    before = await freezes_of(connection, player_id)
    if (before[0].frozen if before else False) is frozen:
        return False
    values = {"player_id": player_id, "frozen": frozen, "by_id": by_id, "reason": reason, "at_ms": at_ms}
    await connection.execute(ADD, values)
    return True


async def freezes_of(connection: AsyncConnection, player_id: UUID) -> tuple[Freeze, ...]:
    """Every change of one player, the newest first."""
    return tuple(Freeze(*row) for row in await connection.execute(FREEZES, {"player_id": player_id}))
