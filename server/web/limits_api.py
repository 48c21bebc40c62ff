"""The limits that I set for myself: what is in force, what follows when, what is left; and changing them."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.ext.asyncio import AsyncConnection

from server.web.authentication import PlayerSignedIn, SharedServices
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services
from wallet import limits
from wallet.accounts import Asset
from wallet.limits import (
    COOL_OFF_BOUNDS_MS,
    DAY_MS,
    MINUTE_MS,
    REMINDER_BOUNDS_MS,
    SELF_EXCLUSION_BOUNDS_MS,
    LimitChange,
    LimitState,
)
from wallet.own_limits import OwnLimits, OwnLossLimit, OwnReminder, own_limits
from wallet.play_sessions import acknowledge_reminder
from wallet.refusals import LimitRefusalCode, LimitRefused
from wallet.requests import MAX_UNITS
from wallet.transactions import in_transaction

router = APIRouter(prefix="/api/me/limits", tags=["limits"])

WholeNumber = Annotated[int, Field(strict=True, ge=-(2**53), le=2**53)]
"""What JSON carries exactly; what makes sense of it, the wallet says."""


class LossRequest(BaseModel):
    """units: 1/100 tokens that may be lost in any 24 hours; null for no limit."""

    model_config = ConfigDict(extra="forbid")

    asset: Asset
    units: WholeNumber | None


class ReminderRequest(BaseModel):
    """minutes: of play until the house asks; null for never."""

    model_config = ConfigDict(extra="forbid")

    minutes: WholeNumber | None


class DaysRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    days: WholeNumber


class PendingAnswer(BaseModel):
    """What takes effect at a moment; null: then there is no limit."""

    value: int | None
    at_ms: int


class LossAnswer(BaseModel):
    """All in 1/100 tokens. lost: of the last 24 hours, less what was won. left: null without a limit."""

    units: int | None
    pending: PendingAnswer | None
    lost: int
    held: int
    left: int | None


class ReminderAnswer(BaseModel):
    """pending.value in minutes. is_due: no hand starts for me until I have confirmed the time."""

    minutes: int | None
    pending: PendingAnswer | None
    played_ms: int
    is_due: bool


class AllowedAnswer(BaseModel):
    """From and to, both included."""

    loss_units: tuple[int, int] = (0, MAX_UNITS)
    reminder_minutes: tuple[int, int] = (REMINDER_BOUNDS_MS[0] // MINUTE_MS, REMINDER_BOUNDS_MS[1] // MINUTE_MS)
    cool_off_days: tuple[int, int] = (COOL_OFF_BOUNDS_MS[0] // DAY_MS, COOL_OFF_BOUNDS_MS[1] // DAY_MS)
    self_exclusion_days: tuple[int, int] = (
        SELF_EXCLUSION_BOUNDS_MS[0] // DAY_MS,
        SELF_EXCLUSION_BOUNDS_MS[1] // DAY_MS,
    )


class LimitsAnswer(BaseModel):
    """cool_off_until_ms, self_excluded_until_ms: null when I am not kept from playing now."""

    now_ms: int
    loss: dict[Literal["HT", "PT"], LossAnswer]
    reminder: ReminderAnswer
    cool_off_until_ms: int | None
    self_excluded_until_ms: int | None
    allowed: AllowedAnswer


@router.get("")
async def my_limits(identity: PlayerSignedIn, services: SharedServices) -> LimitsAnswer:
    now_ms = services.now_ms()
    async with services.engine.connect() as database:
        return limits_answer(await own_limits(database, identity.player_id, now_ms), now_ms)


@router.put("/loss")
async def set_loss_limit(wanted: LossRequest, identity: PlayerSignedIn, services: SharedServices) -> LimitsAnswer:
    """Lose at most so much in any 24 hours: less at once, more or no limit after 24 hours."""
    return await _change(
        services,
        identity.player_id,
        lambda database, now_ms: limits.set_loss_limit(
            database, identity.player_id, wanted.asset, wanted.units, now_ms
        ),
    )


@router.put("/reminder")
async def set_reminder(wanted: ReminderRequest, identity: PlayerSignedIn, services: SharedServices) -> LimitsAnswer:
    """Be asked after so much play: sooner at once, later or never after 24 hours."""
    after_ms = None if wanted.minutes is None else wanted.minutes * MINUTE_MS
    return await _change(
        services,
        identity.player_id,
        lambda database, now_ms: limits.set_session_reminder(database, identity.player_id, after_ms, now_ms),
    )


@router.post("/reminder/seen")
async def reminder_seen(identity: PlayerSignedIn, services: SharedServices) -> LimitsAnswer:
    """I know how long I have played: hands start for me again, and the time to the next reminder begins."""
    return await _change(
        services,
        identity.player_id,
        lambda database, now_ms: acknowledge_reminder(database, identity.player_id, now_ms),
    )


@router.post("/cool-off")
async def cool_off(wanted: DaysRequest, identity: PlayerSignedIn, services: SharedServices) -> LimitsAnswer:
    """Play no hand for so many days; it can be made longer, and not shorter."""
    answer = await _change(
        services,
        identity.player_id,
        lambda database, now_ms: limits.cool_off(database, identity.player_id, now_ms + wanted.days * DAY_MS, now_ms),
    )
    services.house.take_break(identity.player_id)
    return answer


@router.post("/self-exclusion")
async def self_exclude(wanted: DaysRequest, identity: PlayerSignedIn, services: SharedServices) -> LimitsAnswer:
    """The same for long."""
    answer = await _change(
        services,
        identity.player_id,
        lambda database, now_ms: limits.self_exclude(
            database, identity.player_id, now_ms + wanted.days * DAY_MS, now_ms
        ),
    )
    services.house.take_break(identity.player_id)
    return answer


async def _change(
    services: Services, player_id: UUID, change: Callable[[AsyncConnection, int], Awaitable[LimitChange | None]]
) -> LimitsAnswer:
    """Make one change, and say how everything stands after it. Raises HttpRefusal."""
    now_ms = services.now_ms()

    async def work(database: AsyncConnection) -> OwnLimits:
        await change(database, now_ms)
        return await own_limits(database, player_id, now_ms)

    try:
        return limits_answer(await in_transaction(services.engine, work), now_ms)
    except LimitRefused as refused:
        if refused.code is LimitRefusalCode.ONLY_LONGER:
            raise HttpRefusal(409, RefusalCode.ONLY_LONGER, str(refused), ["a later end"]) from None
        raise HttpRefusal(422, RefusalCode.OUT_OF_BOUNDS, str(refused), ["GET /api/me/limits: allowed"]) from None


def limits_answer(own: OwnLimits, now_ms: int) -> LimitsAnswer:
    return LimitsAnswer(
        now_ms=now_ms,
        loss={asset.value: _loss(limit) for asset, limit in own.loss.items()},
        reminder=_reminder(own.reminder),
        cool_off_until_ms=own.cool_off_until_ms,
        self_excluded_until_ms=own.self_excluded_until_ms,
        allowed=AllowedAnswer(),
    )


def _loss(own: OwnLossLimit) -> LossAnswer:
    pending = _pending(own.limit, 1)
    return LossAnswer(units=own.limit.in_force, pending=pending, lost=own.lost, held=own.held, left=own.left)


def _reminder(own: OwnReminder) -> ReminderAnswer:
    minutes = None if own.after.in_force is None else own.after.in_force // MINUTE_MS
    pending = _pending(own.after, MINUTE_MS)
    return ReminderAnswer(minutes=minutes, pending=pending, played_ms=own.played_ms, is_due=own.is_due)


def _pending(state: LimitState, unit: int) -> PendingAnswer | None:
    change = state.pending
    if change is None:
        return None
    return PendingAnswer(value=None if change.value is None else change.value // unit, at_ms=change.effective_ms)
