"""What is set aside right now, by hand or match: for ending them, for recovery after a crash, for the desk."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import AmountUnits, Asset
from wallet.contests import Contest, ContestKind


@dataclass(frozen=True, slots=True)
class OpenHold:
    """What is held for one hand or match that has neither been settled nor released.

    entry_id: of the first hold. amounts: (player_id, units), ascending ids, all holds of a match together.
    """

    contest: Contest
    table_id: UUID
    asset: Asset
    entry_id: int
    amounts: tuple[tuple[UUID, AmountUnits], ...]
    at_ms: int


_COLUMNS: Final = (
    "SELECT contest_kind, contest_id, table_id, asset, entry_id, player_ids, amounts, at_ms FROM wallet.open_holds"
)
OPEN_HOLDS: Final = text(f"{_COLUMNS} ORDER BY entry_id")
OPEN_HOLDS_OF: Final = text(
    f"{_COLUMNS} JOIN unnest(CAST(:kinds AS text[]), CAST(:ids AS uuid[])) w (kind, id)"
    " ON contest_kind = w.kind AND contest_id = w.id"
)


async def open_holds(connection: AsyncConnection, contests: Sequence[Contest] | None = None) -> tuple[OpenHold, ...]:
    """The open holds of these hands and matches, or all, oldest first. One without a hold is simply not among them."""
    if contests is None:
        rows = await connection.execute(OPEN_HOLDS)
    else:
        parameters = {"kinds": [contest.kind for contest in contests], "ids": [contest.id for contest in contests]}
        rows = await connection.execute(OPEN_HOLDS_OF, parameters)
    return tuple(hold_from_row(*row) for row in rows)


def hold_from_row(
    contest_kind: str,
    contest_id: UUID,
    table_id: UUID,
    asset: str,
    entry_id: int,
    player_ids: Sequence[UUID],
    amounts: Sequence[AmountUnits],
    at_ms: int,
) -> OpenHold:
    """From the columns of `wallet.open_holds`, in this order."""
    contest = Contest(ContestKind(contest_kind), contest_id)
    return OpenHold(contest, table_id, Asset(asset), entry_id, tuple(zip(player_ids, amounts, strict=True)), at_ms)
