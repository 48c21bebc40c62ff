"""Beginning and renewing sessions, and checking what somebody knows or has, for the endpoints that do so."""

from collections.abc import Awaitable
from typing import Final, TypeVar
from uuid import UUID, uuid4

import structlog
from fastapi import Request, Response
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity import credentials, proving, sessions
from server.identity.accounts import Identity
from server.identity.credentials import Credentials
from server.identity.names import NameRefused, lasting_name
from server.identity.passwords import PasswordRefused, TooManyPasswords
from server.identity.second_factor import SecretUnreadable
from server.identity.secrets import new_secret
from server.identity.sessions import NewSession, Session, device_words
from server.identity.sign_in_guard import TriesRefused
from server.web.addresses import UNKNOWN, client_address
from server.web.authentication import find_session
from server.web.cookies import device_of, set_device_cookie, set_session_cookie
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services

_HOUR_MS: Final = 3_600_000
_DAY_MS: Final = 24 * _HOUR_MS

Answer = TypeVar("Answer")

_log = structlog.get_logger(__name__)


async def begin_session(
    database: AsyncConnection,
    services: Services,
    request: Request,
    response: Response,
    identity: Identity,
    second_factor_ms: int | None = None,
) -> str:
    """A new session for this browser or program; returns its token. The caller commits."""
    now_ms = services.now_ms()
    lasts_ms = _lasts_ms(services, identity)
    token = new_secret(services.random)
    device = device_words(request.headers.get("user-agent", ""))
    session_id = uuid4()
    device_id = device_of(request) or uuid4()
    address = client_address(request)
    new = NewSession(
        session_id,
        identity.player_id,
        token,
        device,
        now_ms,
        now_ms + lasts_ms,
        second_factor_ms,
        "" if address == UNKNOWN else address,
        device_id,
    )
    await sessions.create_session(database, new)
    set_session_cookie(response, token, request, lasts_ms // 1000)
    set_device_cookie(response, device_id, request)
    return token


async def renew_session(
    database: AsyncConnection,
    services: Services,
    request: Request,
    response: Response,
    session: Session,
    second_factor_ms: int | None = None,
) -> str:
    """The same session under a new token, which is returned: the old one opens nothing any more. The caller commits."""
    token = new_secret(services.random)
    await sessions.renew_token(database, session.session_id, token, second_factor_ms)
    set_session_cookie(response, token, request, max(0, session.expires_ms - services.now_ms()) // 1000)
    return token


async def end_presented_session(database: AsyncConnection, services: Services, request: Request) -> Session | None:
    """End the session that came with a request that begins another one; whoever planted it has nothing from it.

    The caller commits, and then closes its sockets.
    """
    session = await find_session(request)
    if session is not None:
        player_id = session.identity.player_id
        await sessions.revoke_session(database, player_id, session.session_id, services.now_ms())
    return session


async def require_own_password(services: Services, session: Session, password: str, address: str) -> Credentials:
    """The credentials of whoever knows the password of this session's account. Raises HttpRefusal."""
    async with services.engine.connect() as database:
        own = await credentials.of_player(database, session.identity.player_id)
    if own is None:
        words = "this account has no password yet: choose a name and a password first"
        raise HttpRefusal(409, RefusalCode.NOT_PERMANENT, words, ["POST /api/me/account"])
    if not await password_matches(services, str(own.identity.player_id), own, password, address):
        raise HttpRefusal(403, RefusalCode.WRONG_PASSWORD, "that is not the password of this account")
    return own


async def password_matches(
    services: Services, key: str, known: Credentials | None, password: str, address: str
) -> bool:
    """Whether the password is right, counted against whoever guesses; key: under what this account is counted.

    Raises HttpRefusal for too many tries, or too many at once.
    """
    try:
        services.sign_in_guard.password_tried(key, address)
    except TriesRefused as refused:
        raise too_many_tries(refused) from None
    matches = await hashing(services.passwords.matches(password, None if known is None else known.password_hash))
    if matches:
        services.sign_in_guard.password_right(key, address)
    return matches


async def require_code(database: AsyncConnection, services: Services, player_id: UUID, code: str) -> None:
    """Spend a code of this account's second factor. Raises HttpRefusal; the caller commits."""
    try:
        services.sign_in_guard.code_tried(player_id)
    except TriesRefused as refused:
        raise too_many_tries(refused) from None
    try:
        proved = await proving.prove(database, services.seals, player_id, code, services.now_ms())
    except SecretUnreadable:
        _log.error("second_factor_unreadable", player_id=str(player_id))
        proved = False
    if not proved:
        words = "that is not a code of now, or it was used: take the next one, or a recovery code"
        raise HttpRefusal(401, RefusalCode.WRONG_CODE, words, ["the next code", "a recovery code"])
    services.sign_in_guard.code_right(player_id)


async def hash_new_password(services: Services, password: str, name: str) -> str:
    """What is stored for a new password. Raises HttpRefusal."""
    try:
        return await hashing(services.passwords.hash(password, name))
    except PasswordRefused as refused:
        raise HttpRefusal(422, RefusalCode.PASSWORD_REFUSED, str(refused)) from None


async def hashing(work: Awaitable[Answer]) -> Answer:
    """Raises HttpRefusal when too many passwords wait already."""
    try:
        return await work
    except TooManyPasswords:
        words = "many people sign in just now: try again in a moment"
        raise HttpRefusal(429, RefusalCode.BUSY, words, ["again in a second"], wait_ms=1_000) from None


def require_lasting_name(typed: str) -> str:
    """Raises HttpRefusal for a name that can't be kept."""
    try:
        return lasting_name(typed)
    except NameRefused as refused:
        raise HttpRefusal(422, RefusalCode.NAME_REFUSED, str(refused)) from None


def name_taken() -> HttpRefusal:
    words = "somebody has this name, or one that looks like it: take another, or sign in if it is yours"
    return HttpRefusal(409, RefusalCode.NAME_TAKEN, words, ["another name", "POST /api/sign-in"])


def too_many_tries(refused: TriesRefused) -> HttpRefusal:
    seconds = -(-refused.wait_ms // 1000)
    words = f"too many wrong tries: the next one is taken in {seconds} seconds"
    return HttpRefusal(429, RefusalCode.TOO_MANY_TRIES, words, [f"again in {seconds} seconds"], refused.wait_ms)


def _lasts_ms(services: Services, identity: Identity) -> int:
    settings = services.settings
    return settings.operator_session_hours * _HOUR_MS if identity.is_staff else settings.session_days * _DAY_MS
