"""Who a request or a socket speaks for: a session token in a cookie (browsers) or a Bearer header (programs)."""

from typing import Annotated, Final

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from server.identity import sessions
from server.identity.accounts import Identity, Role
from server.identity.sessions import SEEN_EVERY_MS, Session
from server.web.cookies import session_cookie
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services

MOST_TOKEN_LENGTH: Final = 100
SECOND_FACTOR_FRESH_MS: Final = 10 * 60_000
"""How long a proved second factor opens what moves tokens or ends hands."""


def services_of(request: HTTPConnection) -> Services:
    services: Services = request.app.state.services
    return services


def session_token(request: HTTPConnection) -> str | None:
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    token = credentials if scheme.lower() == "bearer" and credentials else session_cookie(request)
    return token if token is not None and len(token) <= MOST_TOKEN_LENGTH else None


async def find_session(request: HTTPConnection) -> Session | None:
    token = session_token(request)
    if token is None:
        return None
    services = services_of(request)
    now_ms = services.now_ms()
    async with services.engine.connect() as database:
        session = await sessions.find_session(database, token, now_ms)
        if session is not None and now_ms - session.last_seen_ms >= SEEN_EVERY_MS:
            await sessions.note_seen(database, [session.session_id], now_ms)
            await database.commit()
    return session


async def current_session(request: Request) -> Session:
    """The session of this request, within its account's allowance."""
    session = await find_session(request)
    if session is None:
        allowed = ["POST /api/guests", "POST /api/sign-in"]
        raise HttpRefusal(401, RefusalCode.SIGN_IN, "sign in first, or come in as a guest", allowed)
    services = services_of(request)
    if not services.account_limit.take(session.identity.player_id):
        words = f"at most {services.settings.account_requests_per_minute} requests a minute from one account"
        raise HttpRefusal(429, RefusalCode.TOO_MANY, words, wait_ms=1_000)
    return session


async def signed_in(session: Annotated[Session, Depends(current_session)]) -> Identity:
    return session.identity


async def player(session: Annotated[Session, Depends(current_session)]) -> Identity:
    """Somebody who plays: operators and auditors have no tokens."""
    if session.identity.is_staff:
        words = "operators and auditors do not play: use an account of your own"
        raise HttpRefusal(403, RefusalCode.PLAYERS_ONLY, words)
    return session.identity


async def desk(request: Request) -> Session:
    """An operator or auditor with a second factor; a player is told that there is nothing here."""
    session = await find_session(request)
    if session is None or not session.identity.is_staff:
        raise HttpRefusal(404, RefusalCode.NOT_FOUND, "there is nothing here")
    if session.second_factor_ms is None and session.has_second_factor:
        words = "the desk opens with a code of your second factor"
        raise HttpRefusal(403, RefusalCode.PROVE_SECOND_FACTOR, words, ["POST /api/me/second-factor/prove"])
    if session.second_factor_ms is None:
        words = "the desk opens with a second factor: choose a password, then enrol an authenticator app"
        allowed = ["POST /api/me/account", "POST /api/me/second-factor", "POST /api/me/second-factor/confirm"]
        raise HttpRefusal(403, RefusalCode.ENROL_SECOND_FACTOR, words, allowed)
    return session


async def operator(session: Annotated[Session, Depends(desk)]) -> Session:
    """Somebody who may change things at the desk: an auditor reads."""
    if session.identity.role is not Role.OPERATOR:
        raise HttpRefusal(403, RefusalCode.READ_ONLY, "an auditor reads and changes nothing", ["GET"])
    return session


def require_fresh_factor(session: Session, now_ms: int) -> None:
    """Raises HttpRefusal when this session proved its second factor too long ago."""
    proved_ms = session.second_factor_ms
    if proved_ms is None or now_ms - proved_ms >= SECOND_FACTOR_FRESH_MS:
        minutes = SECOND_FACTOR_FRESH_MS // 60_000
        words = f"this needs a code of your second factor from the last {minutes} minutes"
        raise HttpRefusal(403, RefusalCode.PROVE_SECOND_FACTOR, words, ["POST /api/me/second-factor/prove"])


async def fresh_operator(request: Request, session: Annotated[Session, Depends(operator)]) -> Session:
    """An operator who has just proved the second factor: for what moves tokens or ends hands."""
    require_fresh_factor(session, services_of(request).now_ms())
    return session


SharedServices = Annotated[Services, Depends(services_of)]
CurrentSession = Annotated[Session, Depends(current_session)]
SignedIn = Annotated[Identity, Depends(signed_in)]
PlayerSignedIn = Annotated[Identity, Depends(player)]
Desk = Annotated[Session, Depends(desk)]
Operator = Annotated[Session, Depends(operator)]
FreshOperator = Annotated[Session, Depends(fresh_operator)]
