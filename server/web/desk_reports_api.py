"""Day reports over HTTP: read by operators and auditors, as page or CSV, and signed off by operators."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Final

from fastapi import APIRouter, Query
from fastapi.responses import Response

from server.operator.acts import Act, record_act
from server.operator.exports import csv_line
from server.operator.reading import reading
from server.operator.reports import (
    LATE_MS,
    MAX_PAGE,
    ClosedDays,
    DayReport,
    close_day,
    closed_days,
    day_report,
)
from server.web.authentication import Desk, FreshOperator, SharedServices
from server.web.errors import HttpRefusal, RefusalCode
from server.web.operator_acts_api import ReasonRequest
from server.web.services import Services

router = APIRouter(prefix="/api/operator/reports", tags=["desk"])

_CSV_COLUMNS: Final = (
    "day",
    "asset",
    "format",
    "rate",
    "hands",
    "voids",
    "settled",
    "turnover",
    "commission",
    "granted",
    "adjusted",
    "held_over",
    "contests_over",
)


@router.get("/days")
async def days(
    _: Desk, services: SharedServices, before: date = date.max, limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50
) -> ClosedDays:
    """The days that were signed off, the newest first."""
    async with reading(services.engine) as database:
        return await closed_days(database, before, limit)


@router.get("/days/{day}.csv", response_class=Response)
async def day_file(day: date, _: Desk, services: SharedServices) -> Response:
    """A day as CSV: one line a format and rate, and one an asset with its whole day."""
    report = await _report(services, day)
    headers = {"content-disposition": f'attachment; filename="day-{day.isoformat()}.csv"', "cache-control": "no-store"}
    return Response(
        "".join(csv_line(line) for line in _lines(report)), media_type="text/csv; charset=utf-8", headers=headers
    )


@router.get("/days/{day}")
async def one_day(day: date, _: Desk, services: SharedServices) -> DayReport:
    """What a day brought: also of one that goes on, up to now."""
    return await _report(services, day)


@router.post("/days/{day}/close")
async def close(day: date, wanted: ReasonRequest, session: FreshOperator, services: SharedServices) -> DayReport:
    """Sign a day off. Done before: the same figures again."""
    report = await _report(services, day)
    if not report.is_over:
        words = f"this day can be closed {LATE_MS // 1000} seconds after its end"
        raise HttpRefusal(409, RefusalCode.DAY_GOES_ON, words, wait_ms=report.to_ms + LATE_MS - services.now_ms())
    operator_id, now_ms = session.identity.player_id, services.now_ms()
    async with services.engine.begin() as database:
        if await close_day(database, report, operator_id, services.settings.desk_day_offset_minutes, now_ms):
            await record_act(database, operator_id, Act.CLOSE_DAY, day.isoformat(), wanted.reason, now_ms)
    return await _report(services, day)


async def _report(services: Services, day: date) -> DayReport:
    if not 1970 < day.year < 9999:
        raise HttpRefusal(422, RefusalCode.OUT_OF_BOUNDS, "no house was open then")
    async with reading(services.engine) as database:
        return await day_report(database, day, services.settings.desk_day_offset_minutes, services.now_ms())


def _lines(report: DayReport) -> Iterable[tuple[object, ...]]:
    yield _CSV_COLUMNS
    day = report.day.isoformat()
    for asset in report.assets:
        for row in asset.rows:
            counted = (row.hands, row.voids, row.settled, row.turnover, row.commission)
            yield day, asset.asset.value, row.format, row.rate, *counted, "", "", "", ""
        counted = (asset.hands, asset.voids, asset.settled, asset.turnover, asset.commission)
        rest = (asset.granted, asset.adjusted, asset.held_over, asset.contests_over)
        yield day, asset.asset.value, "all", "", *counted, *rest
