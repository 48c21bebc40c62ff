"""What operators do at the desk: end a hand without a result, and correct balances, each with a reason on record."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Final, TypeVar
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncConnection

from server.operator.acts import MAX_PAGE, Act, ActFilter, OperatorAct, newest_acts, record_act
from server.operator.players import names_of
from server.operator.reading import reading
from server.protocol.messages import TableSummary
from server.web.authentication import Desk, FreshOperator, SharedServices
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services
from wallet import verbs
from wallet.accounts import Asset
from wallet.adjustments import Adjustment, pending_adjustments
from wallet.refusals import AdjustmentRefusalCode, AdjustmentRefused, KeyReused, NoAccount
from wallet.requests import MAX_REASON, MAX_UNITS
from wallet.transactions import in_transaction

router = APIRouter(prefix="/api/operator", tags=["desk"])

_AFTER_ALL: Final = 2**62

Reason = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=3, max_length=MAX_REASON, pattern=r"^[^\x00-\x1f\x7f]*$")
]

Answer = TypeVar("Answer")

_REFUSALS: Final = {
    AdjustmentRefusalCode.UNKNOWN: (404, RefusalCode.NO_SUCH_ADJUSTMENT),
    AdjustmentRefusalCode.SAME_OPERATOR: (403, RefusalCode.SAME_OPERATOR),
    AdjustmentRefusalCode.ALREADY_DECIDED: (409, RefusalCode.ALREADY_DECIDED),
    AdjustmentRefusalCode.INSUFFICIENT_FUNDS: (409, RefusalCode.INSUFFICIENT_FUNDS),
    AdjustmentRefusalCode.UNKNOWN_ENTRY: (404, RefusalCode.NO_SUCH_ENTRY),
}


class ReasonRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reason: Reason


class AdjustmentRequest(BaseModel):
    """amount: 1/100 tokens, above zero for the player. adjustment_id: made by the client, so that a retry asks once."""

    model_config = ConfigDict(extra="forbid")

    adjustment_id: UUID
    player_id: UUID
    asset: Asset
    amount: Annotated[int, Field(strict=True, ge=-MAX_UNITS, le=MAX_UNITS)]
    reason: Reason
    corrects: Annotated[int, Field(strict=True, ge=1, le=2**53)] | None = None


class AdjustmentAnswer(BaseModel):
    adjustment_id: UUID
    player_id: UUID
    asset: Asset
    amount: int
    reason: str
    corrects: int | None
    requested_by: UUID
    requested_ms: int


class WaitingAdjustment(AdjustmentAnswer):
    """With the names of the player, and of the operator who asked."""

    player_name: str
    requested_name: str


class ActAnswer(BaseModel):
    act_id: int
    at_ms: int
    player_id: UUID
    name: str
    act: str
    subject: str
    reason: str


class ActsAnswer(BaseModel):
    acts: list[ActAnswer]
    next: str | None


@router.get("/acts")
async def acts(
    _: Desk,
    services: SharedServices,
    before: Annotated[int, Query(ge=0, le=_AFTER_ALL)] = _AFTER_ALL,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
    act: Act | None = None,
    operator_id: UUID | None = None,
    subject: Annotated[str | None, Query(max_length=60)] = None,
) -> ActsAnswer:
    """What operators did, newest first; `next` is the `before` of the page after this one."""
    async with reading(services.engine) as database:
        found = await newest_acts(database, before, limit, ActFilter(act, operator_id, subject))
    return ActsAnswer(
        acts=[_act_answer(act) for act in found], next=str(found[-1].act_id) if len(found) == limit else None
    )


@router.post("/tables/{table_id}/void-hand", status_code=202)
async def void_hand(
    table_id: UUID, wanted: ReasonRequest, session: FreshOperator, services: SharedServices
) -> dict[str, bool]:
    """End the running hand of a table without a result: every hold is given back. Waits in the table's line."""
    if not open_table(services, table_id).hand_running:
        raise HttpRefusal(409, RefusalCode.NO_HAND, "no hand runs at this table")
    await _record(services, session.identity.player_id, Act.VOID_HAND, table_id, wanted.reason)
    return {"accepted": services.house.void_hand(table_id)}


@router.post("/tables/{table_id}/void-match", status_code=202)
async def void_match(
    table_id: UUID, wanted: ReasonRequest, session: FreshOperator, services: SharedServices
) -> dict[str, bool]:
    """End the match of a table, and its running hand, without a result: every buy-in is given back."""
    if not open_table(services, table_id).match_running:
        raise HttpRefusal(409, RefusalCode.NO_MATCH, "no match goes on at this table")
    await _record(services, session.identity.player_id, Act.VOID_MATCH, table_id, wanted.reason)
    return {"accepted": services.house.void_match(table_id)}


@router.get("/adjustments")
async def adjustments(_: Desk, services: SharedServices) -> list[WaitingAdjustment]:
    """Corrections that wait for another operator, oldest first."""
    async with reading(services.engine) as database:
        waiting = await pending_adjustments(database)
        names = await names_of(database, {who for each in waiting for who in (each.player_id, each.requested_by)})
    return [
        WaitingAdjustment(
            **_adjustment_answer(each).model_dump(),
            player_name=names[each.player_id],
            requested_name=names[each.requested_by],
        )
        for each in waiting
    ]


@router.post("/adjustments", status_code=201)
async def ask_adjustment(
    wanted: AdjustmentRequest, session: FreshOperator, services: SharedServices
) -> AdjustmentAnswer:
    """Ask for a correction of a balance; nothing moves until another operator approves it."""
    if wanted.amount == 0:
        raise HttpRefusal(422, RefusalCode.MALFORMED, "a correction of nothing", ["an amount other than 0"])
    operator_id = session.identity.player_id
    now_ms = services.now_ms()

    async def work(database: AsyncConnection) -> Adjustment:
        asked = await verbs.adjust_request(
            database,
            wanted.adjustment_id,
            wanted.player_id,
            wanted.asset,
            wanted.amount,
            wanted.reason,
            operator_id,
            now_ms,
            wanted.corrects,
        )
        await record_act(database, operator_id, Act.ASK_ADJUSTMENT, wanted.adjustment_id, wanted.reason, now_ms)
        return asked

    return _adjustment_answer(await _adjusting(services, work))


@router.post("/adjustments/{adjustment_id}/approve")
async def approve_adjustment(adjustment_id: UUID, session: FreshOperator, services: SharedServices) -> dict[str, int]:
    """Post what another operator asked for."""
    operator_id = session.identity.player_id
    now_ms = services.now_ms()

    async def work(database: AsyncConnection) -> int:
        posted = await verbs.adjust_approve(database, adjustment_id, operator_id, now_ms)
        await record_act(database, operator_id, Act.APPROVE_ADJUSTMENT, adjustment_id, "", now_ms)
        return posted.entry_id

    return {"entry_id": await _adjusting(services, work)}


@router.post("/adjustments/{adjustment_id}/reject", status_code=204)
async def reject_adjustment(
    adjustment_id: UUID, wanted: ReasonRequest, session: FreshOperator, services: SharedServices
) -> None:
    """Decline what another operator asked for, for good."""
    operator_id = session.identity.player_id
    now_ms = services.now_ms()

    async def work(database: AsyncConnection) -> None:
        await verbs.adjust_reject(database, adjustment_id, operator_id, now_ms)
        await record_act(database, operator_id, Act.REJECT_ADJUSTMENT, adjustment_id, wanted.reason, now_ms)

    await _adjusting(services, work)


def open_table(services: Services, table_id: UUID) -> TableSummary:
    """Raises HttpRefusal for a table that is not open."""
    table = services.house.summary(table_id)
    if table is None:
        raise HttpRefusal(404, RefusalCode.NO_SUCH_TABLE, "no such table is open", ["GET /api/operator/overview"])
    return table


async def _record(services: Services, operator_id: UUID, act: Act, table_id: UUID, reason: str) -> None:
    async with services.engine.begin() as database:
        await record_act(database, operator_id, act, table_id, reason, services.now_ms())


async def _adjusting(services: Services, work: Callable[[AsyncConnection], Awaitable[Answer]]) -> Answer:
    """Raises HttpRefusal for what the wallet refuses."""
    try:
        return await in_transaction(services.engine, work)
    except AdjustmentRefused as refused:
        status, code = _REFUSALS[refused.code]
        raise HttpRefusal(status, code, str(refused)) from None
    except NoAccount:
        raise HttpRefusal(404, RefusalCode.NO_SUCH_PLAYER, "no player with tokens has this id") from None
    except KeyReused:
        words = "this adjustment_id was asked for with other contents"
        raise HttpRefusal(409, RefusalCode.KEY_REUSED, words, ["a new adjustment_id"]) from None


def _adjustment_answer(adjustment: Adjustment) -> AdjustmentAnswer:
    return AdjustmentAnswer(
        adjustment_id=adjustment.adjustment_id,
        player_id=adjustment.player_id,
        asset=adjustment.asset,
        amount=adjustment.amount,
        reason=adjustment.reason,
        corrects=adjustment.corrects,
        requested_by=adjustment.requested_by,
        requested_ms=adjustment.requested_ms,
    )


def _act_answer(act: OperatorAct) -> ActAnswer:
    return ActAnswer(
        act_id=act.act_id,
        at_ms=act.at_ms,
        player_id=act.player_id,
        name=act.name,
        act=act.act,
        subject=act.subject,
        reason=act.reason,
    )
