"""What operators may do about talk and spectators: read reports, silence an account, set a table's customs."""

from dataclasses import replace
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from server.identity.sessions import Session
from server.operator.acts import Act, record_act
from server.protocol.lobby_commands import ChatRule, Watching
from server.protocol.messages import Notice
from server.tables.ports import Customs
from server.web.authentication import Desk, Operator, SharedServices
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services

router = APIRouter(prefix="/api/operator", tags=["desk"])

_NEWEST = 2**62
_LONGEST_MINUTES = 527_040
"""A leap year."""


class SilenceRequest(BaseModel):
    """How long from now on nobody hears the account; 0 gives the voice back."""

    model_config = ConfigDict(extra="forbid")

    minutes: Annotated[int, Field(ge=0, le=_LONGEST_MINUTES)]


class SilenceAnswer(BaseModel):
    until_ms: int


class CustomsRequest(BaseModel):
    """What is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    watching: Watching | None = None
    chat: ChatRule | None = None


class ReportsAnswer(BaseModel):
    """next: the `before` of the page after this one."""

    reports: list[dict[str, Any]]
    next: int | None


@router.get("/chat-reports")
async def chat_reports(
    _: Desk,
    services: SharedServices,
    before: Annotated[int, Query(ge=1, le=_NEWEST)] = _NEWEST,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> ReportsAnswer:
    """What players reported, newest first, each with the lines that stood at the table then."""
    reports = await services.chat.reports(before, limit)
    return ReportsAnswer(reports=reports, next=reports[-1]["report_id"] if len(reports) == limit else None)


@router.post("/players/{player_id}/silence")
async def silence(
    player_id: UUID, wanted: SilenceRequest, operator: Operator, services: SharedServices
) -> SilenceAnswer:
    until_ms = await services.chat.silence(operator.identity.player_id, player_id, wanted.minutes)
    if until_ms is None:
        raise HttpRefusal(404, RefusalCode.NO_SUCH_PLAYER, "there is no such player")
    await _record(services, operator, Act.SILENCE, player_id, f"{wanted.minutes} minutes")
    notice = (
        Notice(code="chat_silenced", message="An operator has silenced your chat for a while.", until_ms=until_ms)
        if wanted.minutes
        else Notice(code="chat_restored", message="You may chat again.")
    )
    for connection in services.sockets.of_player(player_id):
        connection.send(notice.model_dump_json())
    return SilenceAnswer(until_ms=until_ms)


@router.post("/tables/{table_id}/customs", status_code=204)
async def set_customs(table_id: UUID, wanted: CustomsRequest, operator: Operator, services: SharedServices) -> None:
    """Forbid or allow spectators, and say what may be said; the table shows it once it is stored."""

    def change(customs: Customs) -> Customs:
        return replace(customs, watching=wanted.watching or customs.watching, chat=wanted.chat or customs.chat)

    if not services.house.set_customs(table_id, change):
        raise HttpRefusal(404, RefusalCode.NO_SUCH_TABLE, "no such table is open")
    what = ", ".join(f"{name}: {value}" for name, value in wanted.model_dump(exclude_none=True).items())
    await _record(services, operator, Act.SET_CUSTOMS, table_id, what)


async def _record(services: Services, operator: Session, act: Act, subject: UUID, what: str) -> None:
    async with services.engine.begin() as database:
        await record_act(database, operator.identity.player_id, act, subject, what, services.now_ms())
