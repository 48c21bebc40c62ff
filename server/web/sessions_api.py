"""Where I am signed in, and ending that there."""

from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel

from server.identity import sessions
from server.web.authentication import CurrentSession, SharedServices
from server.web.errors import HttpRefusal, RefusalCode

router = APIRouter(prefix="/api/me/sessions", tags=["account"])

_ENDED_ELSEWHERE = "this session was ended from another one"


class SessionAnswer(BaseModel):
    """device: browser and system by their names. current: the one that asks. connected: has a socket open now."""

    session_id: UUID
    device: str
    created_ms: int
    last_seen_ms: int
    expires_ms: int
    current: bool
    connected: bool


class SessionsAnswer(BaseModel):
    sessions: list[SessionAnswer]


class EndedAnswer(BaseModel):
    ended: int


@router.get("")
async def my_sessions(session: CurrentSession, services: SharedServices) -> SessionsAnswer:
    """My live sessions, the one seen last first."""
    player_id = session.identity.player_id
    async with services.engine.connect() as database:
        listed = await sessions.list_sessions(database, player_id, services.now_ms())
    connected = services.sockets.sessions_of(player_id)
    return SessionsAnswer(
        sessions=[
            SessionAnswer(
                session_id=each.session_id,
                device=each.device,
                created_ms=each.created_ms,
                last_seen_ms=each.last_seen_ms,
                expires_ms=each.expires_ms,
                current=each.session_id == session.session_id,
                connected=each.session_id in connected,
            )
            for each in listed
        ]
    )


@router.delete("/{session_id}", status_code=204)
async def end_session(session_id: UUID, session: CurrentSession, services: SharedServices) -> None:
    """End one of my sessions, this one too; its sockets are closed at once."""
    player_id = session.identity.player_id
    async with services.engine.begin() as database:
        ended = await sessions.revoke_session(database, player_id, session_id, services.now_ms())
    if not ended:
        raise HttpRefusal(404, RefusalCode.NO_SUCH_SESSION, "you have no such session", ["GET /api/me/sessions"])
    services.sockets.end_sessions(player_id, {session_id}, _ENDED_ELSEWHERE)


@router.post("/end-others")
async def end_other_sessions(session: CurrentSession, services: SharedServices) -> EndedAnswer:
    """End every session of mine but this one."""
    player_id = session.identity.player_id
    async with services.engine.begin() as database:
        ended = await sessions.revoke_others(database, player_id, session.session_id, services.now_ms())
    services.sockets.end_sessions(player_id, ended, _ENDED_ELSEWHERE)
    return EndedAnswer(ended=len(ended))
