"""What is set aside right now, hand by hand: for ending hands, for recovery after a crash, for the desk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import AmountUnits, Asset


@dataclass(frozen=True, slots=True)
class OpenHold:
    """The hold of one hand that has neither been settled nor released; amounts: (player_id, units), ascending ids."""

    hand_id: UUID
    table_id: UUID
    asset: Asset
    entry_id: int
    amounts: tuple[tuple[UUID, AmountUnits], ...]
    at_ms: int


_COLUMNS: Final = "SELECT hand_id, table_id, asset, entry_id, player_ids, amounts, at_ms FROM wallet.open_holds"
OPEN_HOLDS: Final = text(f"{_COLUMNS} ORDER BY entry_id")
OPEN_HOLDS_OF_HANDS: Final = text(f"{_COLUMNS} WHERE hand_id = ANY (CAST(:hand_ids AS uuid[]))")


async def open_holds(connection: AsyncConnection, hand_ids: Sequence[UUID] | None = None) -> tuple[OpenHold, ...]:
    """The open holds of these hands, or of all hands, oldest first. A hand without one is simply not among them."""
    if hand_ids is None:
        rows = await connection.execute(OPEN_HOLDS)
    else:
        rows = await connection.execute(OPEN_HOLDS_OF_HANDS, {"hand_ids": list(hand_ids)})
    return tuple(hold_from_row(*row) for row in rows)


def hold_from_row(
    hand_id: UUID,
    table_id: UUID,
    asset: str,
    entry_id: int,
    player_ids: Sequence[UUID],
    amounts: Sequence[AmountUnits],
    at_ms: int,
) -> OpenHold:
    """From the columns of `wallet.open_holds`, in this order."""
    return OpenHold(hand_id, table_id, Asset(asset), entry_id, tuple(zip(player_ids, amounts, strict=True)), at_ms)
