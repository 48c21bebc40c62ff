"""Settlements over HTTP: hands found by what is known of them, as pages and files, and one hand's whole story."""

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from fastapi.responses import StreamingResponse

from server.operator import exports
from server.operator.hand_page import HandPage, hand_page
from server.operator.reading import EXPORT_MS, reading
from server.operator.settlements import (
    MAX_PAGE,
    HandCursor,
    HandFilter,
    SettledHand,
    SettlementsPage,
    every_settlement,
    settlements,
)
from server.web.authentication import Desk, SharedServices
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services
from wallet.accounts import Asset

router = APIRouter(prefix="/api/operator", tags=["desk"])

_LATEST_MS: Final = 2**53
_MOST_UNITS: Final = 2**53

Name = Annotated[str | None, Query(min_length=1, max_length=60)]
Moment = Annotated[int | None, Query(ge=0, le=_LATEST_MS)]
Units = Annotated[int | None, Query(ge=0, le=_MOST_UNITS)]

Lines = Callable[[AsyncIterator[SettledHand]], AsyncIterator[str]]
_FILES: Final[dict[str, tuple[str, Lines]]] = {
    "csv": ("text/csv; charset=utf-8", exports.as_csv),
    "json": ("application/json", exports.as_json),
}


def hand_filter(
    hand_id: UUID | None = None,
    player: Name = None,
    table: Name = None,
    from_ms: Moment = None,
    to_ms: Moment = None,
    least_units: Units = None,
    most_units: Units = None,
    asset: Asset | None = None,
    format: Annotated[str | None, Query(max_length=20)] = None,
    rate: Annotated[int | None, Query(ge=0, le=_MOST_UNITS)] = None,
    outcome: Literal["declared", "last_in", "void"] | None = None,
) -> HandFilter:
    return HandFilter(hand_id, player, table, from_ms, to_ms, least_units, most_units, asset, format, rate, outcome)


Wanted = Annotated[HandFilter, Depends(hand_filter)]


@router.get("/settlements")
async def settlements_page(
    _: Desk,
    services: SharedServices,
    wanted: Wanted,
    before: Annotated[str | None, Query(max_length=60)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
) -> SettlementsPage:
    """Closed hands, the last to close first; `next` is the `before` of the page after this one."""
    try:
        cursor = None if before is None else HandCursor.parse(before)
    except ValueError:
        raise HttpRefusal(
            422, RefusalCode.MALFORMED, "before: no page ever gave this", ["the `next` of a page"]
        ) from None
    async with reading(services.engine) as database:
        return await settlements(database, wanted, cursor, limit)


@router.get("/settlements.{kind}", response_class=StreamingResponse)
async def settlements_file(
    kind: Literal["csv", "json"], _: Desk, services: SharedServices, wanted: Wanted
) -> StreamingResponse:
    """All hands of a filter as a file, written while it is read: CSV has one line a seat, JSON one object a hand."""
    if services.exports.locked():
        words = "other files are being written just now: try again in a moment"
        raise HttpRefusal(429, RefusalCode.BUSY, words, ["again in a few seconds"], wait_ms=5_000)
    media_type, lines = _FILES[kind]
    headers = {"content-disposition": f'attachment; filename="settlements.{kind}"', "cache-control": "no-store"}
    return StreamingResponse(lines(_hands(services, wanted)), media_type=media_type, headers=headers)


@router.get("/hands/{hand_id}")
async def one_hand(hand_id: UUID, _: Desk, services: SharedServices) -> HandPage:
    """A hand with its tokens, events, seats, proof and onlookers; of a running one what everybody at the table sees."""
    async with reading(services.engine) as database:
        found = await hand_page(database, hand_id)
    if found is None:
        raise HttpRefusal(404, RefusalCode.NO_SUCH_HAND, "there is no such hand", ["GET /api/operator/settlements"])
    return found


async def _hands(services: Services, wanted: HandFilter) -> AsyncIterator[SettledHand]:
    async with services.exports, reading(services.engine, EXPORT_MS) as database:
        async for hand in every_settlement(database, wanted):
            yield hand
