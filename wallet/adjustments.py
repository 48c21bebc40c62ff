"""Corrections by hand: one operator asks, another decides. The past stays; a correction is a new entry.

Tokens that a correction adds come from `issuance`; tokens that it takes go to `void`.
"""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import AccountKind, AmountUnits, Asset, of_house, of_player
from wallet.journal import Draft, EntryKind, Posted, already_posted, post
from wallet.refusals import AdjustmentRefusalCode, AdjustmentRefused, KeyReused
from wallet.requests import MAX_UNITS, body_hash, require_reason
from wallet.standing import lock_balances


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What one operator asked for. amount: units, above zero for the player. corrects: the entry it answers."""

    adjustment_id: UUID
    player_id: UUID
    asset: Asset
    amount: AmountUnits
    reason: str
    corrects: int | None
    requested_by: UUID
    requested_ms: int

    @property
    def key(self) -> str:
        return f"adjust:{self.adjustment_id}"

    def draft(self, at_ms: int) -> Draft:
        counter = AccountKind.ISSUANCE if self.amount > 0 else AccountKind.VOID
        return Draft(
            key=self.key,
            kind=EntryKind.ADJUST,
            asset=self.asset,
            body=body_hash("adjust", self.adjustment_id, self.player_id, self.asset, self.amount, self.reason),
            reason=self.reason,
            at_ms=at_ms,
            lines=(of_player(self.player_id, self.amount), of_house(counter, -self.amount)),
            player_id=self.player_id,
            corrects=self.corrects,
        )


_COLUMNS: Final = (
    "SELECT a.adjustment_id, a.player_id, a.asset, a.amount, a.reason, a.corrects, a.requested_by, a.requested_ms"
    " FROM wallet.adjustments a"
)
ADJUSTMENT: Final = text(f"{_COLUMNS} WHERE a.adjustment_id = :adjustment_id")
PENDING: Final = text(
    f"{_COLUMNS} WHERE NOT EXISTS (SELECT FROM wallet.adjustment_decisions d WHERE d.adjustment_id = a.adjustment_id)"
    " ORDER BY a.requested_ms, a.adjustment_id"
)
REQUEST: Final = text(
    "INSERT INTO wallet.adjustments"
    " (adjustment_id, player_id, asset, amount, reason, corrects, requested_by, requested_ms) VALUES"
    " (:adjustment_id, :player_id, :asset, :amount, :reason, :corrects, :requested_by, :requested_ms)"
)
DECISION: Final = text("SELECT approved FROM wallet.adjustment_decisions WHERE adjustment_id = :adjustment_id")
DECIDE: Final = text(
    "INSERT INTO wallet.adjustment_decisions (adjustment_id, requested_by, decided_by, approved, decided_ms)"
    " VALUES (:adjustment_id, :requested_by, :decided_by, :approved, :decided_ms)"
)
ENTRY_EXISTS: Final = text("SELECT EXISTS (SELECT FROM wallet.entries WHERE entry_id = :entry_id)")


async def adjust_request(
    connection: AsyncConnection,
    adjustment_id: UUID,
    player_id: UUID,
    asset: Asset,
    amount: int,
    reason: str,
    operator_id: UUID,
    at_ms: int,
    corrects: int | None = None,
) -> Adjustment:
    """Ask for a correction; nothing moves yet. The same id asks once; with other contents it raises KeyReused.

    Raises AdjustmentRefused (UNKNOWN_ENTRY), NoAccount, ValueError for a zero amount or an empty reason.
    """
    if not 0 < abs(amount) <= MAX_UNITS:
        raise ValueError(f"an adjustment of {amount}")
    require_reason(reason)
    wanted = Adjustment(adjustment_id, player_id, asset, AmountUnits(amount), reason, corrects, operator_id, at_ms)
    asked = await _adjustment(connection, adjustment_id)
    if asked is not None:
        if asked.draft(at_ms) != wanted.draft(at_ms) or asked.requested_by != operator_id:
            raise KeyReused(wanted.key)
        return asked
    if corrects is not None and not (await connection.execute(ENTRY_EXISTS, {"entry_id": corrects})).scalar_one():
        raise _refused(adjustment_id, AdjustmentRefusalCode.UNKNOWN_ENTRY, f"there is no entry {corrects} to correct")
    await lock_balances(connection, [(player_id, asset)])
    await connection.execute(
        REQUEST,
        {
            "adjustment_id": adjustment_id,
            "player_id": player_id,
            "asset": asset,
            "amount": amount,
            "reason": reason,
            "corrects": corrects,
            "requested_by": operator_id,
            "requested_ms": at_ms,
        },
    )
    return wanted


async def adjust_approve(connection: AsyncConnection, adjustment_id: UUID, operator_id: UUID, at_ms: int) -> Posted:
    """Post what another operator asked for. Approved before: the same result again.

    Raises AdjustmentRefused: UNKNOWN, SAME_OPERATOR, ALREADY_DECIDED (rejected), INSUFFICIENT_FUNDS.
    """
    adjustment = await _open_for(connection, adjustment_id, operator_id)
    draft = adjustment.draft(at_ms)
    approved = await _decision(connection, adjustment_id)
    if approved:
        return (await already_posted(connection, [(draft.key, draft.body)]))[draft.key]
    if approved is not None:
        raise _refused(adjustment_id, AdjustmentRefusalCode.ALREADY_DECIDED, "was rejected")
    pair = (adjustment.player_id, adjustment.asset)
    has = (await lock_balances(connection, [pair]))[pair].available
    if has + adjustment.amount < 0:
        words = f"the player has {has} units of {adjustment.asset}, and {-adjustment.amount} are to be taken"
        raise _refused(adjustment_id, AdjustmentRefusalCode.INSUFFICIENT_FUNDS, words)
    await _decide(connection, adjustment, operator_id, True, at_ms)
    return (await post(connection, [draft]))[draft.key]


async def adjust_reject(connection: AsyncConnection, adjustment_id: UUID, operator_id: UUID, at_ms: int) -> None:
    """Decline what another operator asked for, for good. Rejected before: nothing happens.

    Raises AdjustmentRefused: UNKNOWN, SAME_OPERATOR, ALREADY_DECIDED (approved).
    """
    adjustment = await _open_for(connection, adjustment_id, operator_id)
    approved = await _decision(connection, adjustment_id)
    if approved:
        raise _refused(adjustment_id, AdjustmentRefusalCode.ALREADY_DECIDED, "was approved")
    if approved is None:
        await _decide(connection, adjustment, operator_id, False, at_ms)


async def pending_adjustments(connection: AsyncConnection) -> tuple[Adjustment, ...]:
    """What still waits for a second operator, oldest first."""
    return tuple(_from_row(*row) for row in await connection.execute(PENDING))


async def _open_for(connection: AsyncConnection, adjustment_id: UUID, operator_id: UUID) -> Adjustment:
    adjustment = await _adjustment(connection, adjustment_id)
    if adjustment is None:
        raise _refused(adjustment_id, AdjustmentRefusalCode.UNKNOWN, "nobody asked for it")
    if adjustment.requested_by == operator_id:
        words = "who asked can't decide: another operator must"
        raise _refused(adjustment_id, AdjustmentRefusalCode.SAME_OPERATOR, words)
    return adjustment


async def _adjustment(connection: AsyncConnection, adjustment_id: UUID) -> Adjustment | None:
    row = (await connection.execute(ADJUSTMENT, {"adjustment_id": adjustment_id})).one_or_none()
    return None if row is None else _from_row(*row)


async def _decision(connection: AsyncConnection, adjustment_id: UUID) -> bool | None:
    approved: bool | None = (await connection.execute(DECISION, {"adjustment_id": adjustment_id})).scalar_one_or_none()
    return approved


async def _decide(
    connection: AsyncConnection, adjustment: Adjustment, operator_id: UUID, approved: bool, at_ms: int
) -> None:
    await connection.execute(
        DECIDE,
        {
            "adjustment_id": adjustment.adjustment_id,
            "requested_by": adjustment.requested_by,
            "decided_by": operator_id,
            "approved": approved,
            "decided_ms": at_ms,
        },
    )


def _from_row(
    adjustment_id: UUID,
    player_id: UUID,
    asset: str,
    amount: int,
    reason: str,
    corrects: int | None,
    requested_by: UUID,
    requested_ms: int,
) -> Adjustment:
    return Adjustment(
        adjustment_id, player_id, Asset(asset), AmountUnits(amount), reason, corrects, requested_by, requested_ms
    )


def _refused(adjustment_id: UUID, code: AdjustmentRefusalCode, words: str) -> AdjustmentRefused:
    return AdjustmentRefused(adjustment_id, code, words)
