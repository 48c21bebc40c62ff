"""The desk's figures over HTTP: the first page, read by operators and auditors."""

from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query

from server.operator.figures import DAY_MS, FigureFilter, StepLength
from server.operator.reading import reading
from server.operator.today import LiveNow, Today, live_now, today
from server.web.authentication import Desk, SharedServices
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services
from wallet.accounts import Asset

router = APIRouter(prefix="/api/operator", tags=["desk"])

LATEST_MS: Final = 2**53

Moment = Annotated[int | None, Query(ge=0, le=LATEST_MS)]


@router.get("/today")
async def today_page(
    _: Desk,
    services: SharedServices,
    from_ms: Moment = None,
    to_ms: Moment = None,
    step: StepLength = StepLength.HOUR,
    asset: Asset = Asset.HT,
    table_id: UUID | None = None,
    rate: Annotated[int | None, Query(ge=0, le=LATEST_MS)] = None,
    format: Annotated[str | None, Query(max_length=20)] = None,
) -> Today:
    """How the house stands, and the figures of a time: without one, of the day so far."""
    now_ms = services.now_ms()
    offset_minutes = services.settings.desk_day_offset_minutes
    ends_ms = now_ms if to_ms is None else to_ms
    begins_ms = _day_start_ms(ends_ms, offset_minutes) if from_ms is None else from_ms
    # The moment itself belongs to the time: what has just closed is counted.
    wanted = FigureFilter(begins_ms, ends_ms + (to_ms is None), asset, table_id, rate, format)
    live = await _live(services)
    async with reading(services.engine) as database:
        try:
            return await today(database, live, wanted, step, offset_minutes)
        except ValueError as fault:
            raise HttpRefusal(422, RefusalCode.OUT_OF_BOUNDS, str(fault), ["a shorter time", "step=day"]) from None


@router.get("/live")
async def live(_: Desk, services: SharedServices) -> LiveNow:
    """How the house stands, alone: for a page that asks often."""
    return await _live(services)


async def _live(services: Services) -> LiveNow:
    house = services.house
    async with reading(services.engine) as database:
        return await live_now(
            database,
            services.now_ms(),
            house.summaries(),
            house.private_tables(),
            len(services.sockets.players()),
            house.is_draining,
        )


def _day_start_ms(at_ms: int, offset_minutes: int) -> int:
    offset_ms = offset_minutes * 60_000
    return (at_ms + offset_ms) // DAY_MS * DAY_MS - offset_ms
