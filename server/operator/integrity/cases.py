"""Cases: what somebody at the desk looks into. How a case stands follows from its steps, which are only added."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.operator.integrity.reading import SignalPlayer

MAX_PAGE: Final = 200


class CaseStepKind(StrEnum):
    OPENED = "opened"
    NOTE = "note"
    ASSIGNED = "assigned"
    CLOSED = "closed"
    REOPENED = "reopened"


class CaseFinding(StrEnum):
    """What came of a case that is closed."""

    CONFIRMED = "confirmed"
    UNFOUNDED = "unfounded"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class NewStep:
    """One step by somebody at the desk. assignee_id: of ASSIGNED alone; finding: of CLOSED alone."""

    kind: CaseStepKind
    words: str
    assignee_id: UUID | None = None
    finding: CaseFinding | None = None


@dataclass(frozen=True, slots=True)
class CaseStep:
    step: CaseStepKind
    by_id: UUID
    by_name: str
    at_ms: int
    words: str
    assignee_name: str | None
    finding: CaseFinding | None


@dataclass(frozen=True, slots=True)
class Case:
    """open: it is not closed, or was opened again. assignee: who looks into it. finding: of a closed one."""

    case_id: UUID
    players: tuple[SignalPlayer, ...]
    signal_id: UUID | None
    opened_ms: int
    open: bool
    assignee: SignalPlayer | None
    finding: CaseFinding | None
    changed_ms: int


@dataclass(frozen=True, slots=True)
class CasesPage:
    """The newest first; next: the `after` of the page after this one."""

    cases: tuple[Case, ...]
    next: int | None


@dataclass(frozen=True, slots=True)
class CasePage:
    case: Case
    steps: tuple[CaseStep, ...]


_CASES: Final = """
SELECT c.case_id, c.signal_id, c.opened_ms,
       (SELECT jsonb_agg(jsonb_build_array(u.player_id, who.name) ORDER BY u.place)
        FROM unnest(c.player_ids) WITH ORDINALITY u (player_id, place) JOIN players who USING (player_id)) AS players,
       last.step <> 'closed' AS open, last.finding, assigned.player_id AS assignee_id, assigned.name AS assignee_name,
       (SELECT max(s.at_ms) FROM integrity_case_steps s WHERE s.case_id = c.case_id) AS changed_ms
FROM integrity_cases c
CROSS JOIN LATERAL (SELECT s.step, s.finding FROM integrity_case_steps s
                    WHERE s.case_id = c.case_id AND s.step IN ('opened', 'closed', 'reopened')
                    ORDER BY s.step_id DESC LIMIT 1) last
LEFT JOIN LATERAL (SELECT who.player_id, who.name FROM integrity_case_steps s
                   JOIN players who ON who.player_id = s.assignee_id
                   WHERE s.case_id = c.case_id AND s.step = 'assigned' ORDER BY s.step_id DESC LIMIT 1) assigned ON true
WHERE {filtered} ORDER BY c.opened_ms DESC, c.case_id OFFSET :after LIMIT :enough
"""
_STEPS: Final = text(
    "SELECT s.step, s.by_id, who.name, s.at_ms, s.words, assignee.name, s.finding"
    " FROM integrity_case_steps s JOIN players who ON who.player_id = s.by_id"
    " LEFT JOIN players assignee ON assignee.player_id = s.assignee_id"
    " WHERE s.case_id = :case_id ORDER BY s.step_id"
)
_OPEN: Final = text(
    "INSERT INTO integrity_cases (case_id, player_ids, signal_id, opened_by, opened_ms)"
    " VALUES (:case_id, :player_ids, :signal_id, :by_id, :at_ms)"
)
_ADD: Final = text(
    "INSERT INTO integrity_case_steps (case_id, step, by_id, at_ms, assignee_id, finding, words)"
    " VALUES (:case_id, :step, :by_id, :at_ms, :assignee_id, :finding, :words)"
)
_LOCK: Final = text("SELECT pg_advisory_xact_lock(5273063, hashtext(CAST(CAST(:case_id AS uuid) AS text)))")
_KNOWN_PLAYERS: Final = text("SELECT count(*) FROM players WHERE player_id = ANY (:player_ids)")
_KNOWN_SIGNAL: Final = text("SELECT EXISTS (SELECT FROM integrity_signals WHERE signal_id = :signal_id)")


async def cases_page(connection: AsyncConnection, is_open: bool | None, after: int, limit: int) -> CasesPage:
    """At most MAX_PAGE. is_open: None for all."""
    filtered = "true" if is_open is None else "(last.step <> 'closed') = :open"
    values: dict[str, Any] = {"after": after, "enough": limit + 1} | ({} if is_open is None else {"open": is_open})
    rows = (await connection.execute(text(_CASES.format(filtered=filtered)), values)).all()
    return CasesPage(tuple(map(_case, rows[:limit])), after + limit if len(rows) > limit else None)


async def case_page(connection: AsyncConnection, case_id: UUID) -> CasePage | None:
    """One case with all its steps; None for an unknown one."""
    statement = text(_CASES.format(filtered="c.case_id = :case_id"))
    row = (await connection.execute(statement, {"case_id": case_id, "after": 0, "enough": 1})).one_or_none()
    if row is None:
        return None
    steps = await connection.execute(_STEPS, {"case_id": case_id})
    return CasePage(_case(row), tuple(_step(*each) for each in steps))


async def open_case(
    connection: AsyncConnection,
    case_id: UUID,
    player_ids: list[UUID],
    signal_id: UUID | None,
    by_id: UUID,
    words: str,
    at_ms: int,
) -> None:
    """The caller commits. The case_id was made by the caller, and is new."""
    values = {"case_id": case_id, "player_ids": player_ids, "signal_id": signal_id, "by_id": by_id, "at_ms": at_ms}
    await connection.execute(_OPEN, values)
    await add_step(connection, case_id, by_id, NewStep(CaseStepKind.OPENED, words), at_ms)


async def add_step(connection: AsyncConnection, case_id: UUID, by_id: UUID, step: NewStep, at_ms: int) -> None:
    """The caller commits, and has looked at how the case stands behind `lock_case`."""
    await connection.execute(
        _ADD,
        {
            "case_id": case_id,
            "step": step.kind.value,
            "by_id": by_id,
            "at_ms": at_ms,
            "assignee_id": step.assignee_id,
            "finding": None if step.finding is None else step.finding.value,
            "words": step.words,
        },
    )


async def lock_case(connection: AsyncConnection, case_id: UUID) -> None:
    """Two who change a case do so one after the other."""
    await connection.execute(_LOCK, {"case_id": case_id})


async def knows_players(connection: AsyncConnection, player_ids: list[UUID]) -> bool:
    known: int = (await connection.execute(_KNOWN_PLAYERS, {"player_ids": player_ids})).scalar_one()
    return known == len(set(player_ids))


async def knows_signal(connection: AsyncConnection, signal_id: UUID) -> bool:
    known: bool = (await connection.execute(_KNOWN_SIGNAL, {"signal_id": signal_id})).scalar_one()
    return known


def _case(row: Any) -> Case:
    assignee = None if row.assignee_id is None else SignalPlayer(row.assignee_id, row.assignee_name)
    return Case(
        case_id=row.case_id,
        players=tuple(SignalPlayer(UUID(player_id), name) for player_id, name in row.players),
        signal_id=row.signal_id,
        opened_ms=row.opened_ms,
        open=row.open,
        assignee=assignee,
        finding=None if row.finding is None else CaseFinding(row.finding),
        changed_ms=row.changed_ms,
    )


def _step(step: str, by_id: UUID, by_name: str, at_ms: int, words: str, assignee: str, finding: str | None) -> CaseStep:
    found = None if finding is None else CaseFinding(finding)
    return CaseStep(CaseStepKind(step), by_id, by_name, at_ms, words, assignee, found)
