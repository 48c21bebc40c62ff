"""Integrity over HTTP: signals with their evidence for whoever is at the desk, and cases that operators look into."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity import staff
from server.identity.accounts import Role
from server.identity.sessions import Session
from server.operator.acts import Act, record_act
from server.operator.integrity import cases
from server.operator.integrity import reading as signals
from server.operator.integrity.cases import (
    CaseFinding,
    CasePage,
    CasesPage,
    CaseStepKind,
    NewStep,
    add_step,
    case_page,
    cases_page,
    knows_players,
    knows_signal,
    lock_case,
    open_case,
)
from server.operator.integrity.reading import SignalFilter, SignalHands, SignalsPage, signal_hands, signals_page
from server.operator.integrity.signals import SignalKind
from server.operator.reading import reading
from server.web.authentication import Desk, Operator, SharedServices
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services

router = APIRouter(prefix="/api/operator", tags=["desk"])

_FURTHEST = 100_000

Words = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=3, max_length=2_000, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$"),
]
After = Annotated[int, Query(ge=0, le=_FURTHEST)]


class CaseRequest(BaseModel):
    """case_id: made by the client, so that a retry opens one case."""

    model_config = ConfigDict(extra="forbid")

    case_id: UUID
    player_ids: Annotated[list[UUID], Field(min_length=1, max_length=8)]
    signal_id: UUID | None = None
    words: Words


class NoteRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    words: Words


class AssignRequest(BaseModel):
    """operator_id: an operator who is not disabled."""

    model_config = ConfigDict(extra="forbid")

    operator_id: UUID
    words: Words


class CloseRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    finding: CaseFinding
    words: Words


class StaffAnswer(BaseModel):
    player_id: UUID
    name: str
    role: Role


@router.get("/staff")
async def who_is_here(_: Desk, services: SharedServices) -> list[StaffAnswer]:
    """Operators and auditors who are not disabled."""
    async with reading(services.engine) as database:
        members = await staff.list_staff(database)
    return [
        StaffAnswer(player_id=each.identity.player_id, name=each.identity.name, role=each.identity.role)
        for each in members
        if not each.disabled
    ]


@router.get("/integrity/signals")
async def list_signals(
    _: Desk,
    services: SharedServices,
    kind: SignalKind | None = None,
    alarm: bool | None = None,
    player_id: UUID | None = None,
    after: After = 0,
    limit: Annotated[int, Query(ge=1, le=signals.MAX_PAGE)] = 50,
) -> SignalsPage:
    """Who stands out, the alarms first; `next` is the `after` of the page after this one."""
    async with reading(services.engine) as database:
        return await signals_page(database, SignalFilter(kind, alarm, player_id), after, limit)


@router.get("/integrity/signals/{signal_id}")
async def one_signal(signal_id: UUID, _: Desk, services: SharedServices) -> SignalHands:
    async with reading(services.engine) as database:
        found = await signal_hands(database, signal_id)
    if found is None:
        raise HttpRefusal(
            404, RefusalCode.NO_SUCH_SIGNAL, "there is no such signal", ["GET /api/operator/integrity/signals"]
        )
    return found


@router.get("/integrity/cases")
async def list_cases(
    _: Desk,
    services: SharedServices,
    open: bool | None = None,
    after: After = 0,
    limit: Annotated[int, Query(ge=1, le=cases.MAX_PAGE)] = 50,
) -> CasesPage:
    async with reading(services.engine) as database:
        return await cases_page(database, open, after, limit)


@router.get("/integrity/cases/{case_id}")
async def one_case(case_id: UUID, _: Desk, services: SharedServices) -> CasePage:
    async with reading(services.engine) as database:
        return await _known(database, case_id)


@router.post("/integrity/cases", status_code=201)
async def open_one(wanted: CaseRequest, session: Operator, services: SharedServices) -> CasePage:
    """Begin to look into something; the same id again opens nothing more."""
    by_id, now_ms = session.identity.player_id, services.now_ms()
    player_ids = list(dict.fromkeys(wanted.player_ids))
    async with services.engine.begin() as database:
        await lock_case(database, wanted.case_id)
        if not await knows_players(database, player_ids):
            raise HttpRefusal(404, RefusalCode.NO_SUCH_PLAYER, "a case is about players of this house")
        if wanted.signal_id is not None and not await knows_signal(database, wanted.signal_id):
            raise HttpRefusal(404, RefusalCode.NO_SUCH_SIGNAL, "there is no such signal")
        if await case_page(database, wanted.case_id) is None:
            await open_case(database, wanted.case_id, player_ids, wanted.signal_id, by_id, wanted.words, now_ms)
            await record_act(database, by_id, Act.OPEN_CASE, wanted.case_id, _shortened(wanted.words), now_ms)
        return await _known(database, wanted.case_id)


@router.post("/integrity/cases/{case_id}/note")
async def note(case_id: UUID, wanted: NoteRequest, session: Operator, services: SharedServices) -> CasePage:
    return await _step(services, session, case_id, Act.NOTE_CASE, NewStep(CaseStepKind.NOTE, wanted.words))


@router.post("/integrity/cases/{case_id}/assign")
async def assign(case_id: UUID, wanted: AssignRequest, session: Operator, services: SharedServices) -> CasePage:
    async with services.engine.connect() as database:
        assignee = await staff.find_staff(database, wanted.operator_id)
    if assignee is None or assignee.role is not Role.OPERATOR:
        words = "a case is looked into by an operator of this house"
        raise HttpRefusal(404, RefusalCode.NO_SUCH_PLAYER, words, ["GET /api/operator/staff"])
    step = NewStep(CaseStepKind.ASSIGNED, wanted.words, assignee_id=wanted.operator_id)
    return await _step(services, session, case_id, Act.ASSIGN_CASE, step)


@router.post("/integrity/cases/{case_id}/close")
async def close(case_id: UUID, wanted: CloseRequest, session: Operator, services: SharedServices) -> CasePage:
    step = NewStep(CaseStepKind.CLOSED, wanted.words, finding=wanted.finding)
    return await _step(services, session, case_id, Act.CLOSE_CASE, step, must_be_open=True)


@router.post("/integrity/cases/{case_id}/reopen")
async def reopen(case_id: UUID, wanted: NoteRequest, session: Operator, services: SharedServices) -> CasePage:
    step = NewStep(CaseStepKind.REOPENED, wanted.words)
    return await _step(services, session, case_id, Act.REOPEN_CASE, step, must_be_open=False)


async def _step(
    services: Services, session: Session, case_id: UUID, act: Act, step: NewStep, must_be_open: bool | None = None
) -> CasePage:
    """must_be_open: how the case has to stand; None for either. Raises HttpRefusal."""
    by_id, now_ms = session.identity.player_id, services.now_ms()
    async with services.engine.begin() as database:
        await lock_case(database, case_id)
        before = await _known(database, case_id)
        if must_be_open is not None and before.case.open is not must_be_open:
            words = f"this case is {'open' if before.case.open else 'closed'} already"
            raise HttpRefusal(409, RefusalCode.ALREADY_SO, words)
        await add_step(database, case_id, by_id, step, now_ms)
        await record_act(database, by_id, act, case_id, _shortened(step.words), now_ms)
        return await _known(database, case_id)


async def _known(database: AsyncConnection, case_id: UUID) -> CasePage:
    """Raises HttpRefusal."""
    found = await case_page(database, case_id)
    if found is None:
        raise HttpRefusal(404, RefusalCode.NO_SUCH_CASE, "there is no such case", ["GET /api/operator/integrity/cases"])
    return found


def _shortened(words: str) -> str:
    """What fits into the audit log; the case has all of it."""
    return words if len(words) <= 500 else f"{words[:499]}…"
