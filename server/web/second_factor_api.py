"""The second factor of an account: an authenticator app on a phone, with recovery codes on paper."""

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity import proving, second_factor_store, sessions
from server.identity.second_factor import RECOVERY_CODES, SECRET_BYTES, Secret
from server.identity.secrets import new_recovery_code
from server.identity.sessions import Session
from server.identity.sign_in_guard import TriesRefused
from server.web.accounts_api import TypedCode, TypedPassword
from server.web.addresses import client_address
from server.web.authentication import (
    SECOND_FACTOR_FRESH_MS,
    CurrentSession,
    SharedServices,
    require_fresh_factor,
)
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services
from server.web.signing_in import renew_session, require_code, require_own_password, too_many_tries

router = APIRouter(prefix="/api/me/second-factor", tags=["account"])


class OfferRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    password: TypedPassword


class CodeRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    code: TypedCode


class FactorAnswer(BaseModel):
    """required: this role can't do without. fresh_until_ms: until when this session may do what needs a fresh code."""

    enrolled: bool
    required: bool
    recovery_codes_left: int
    fresh_until_ms: int | None


class OfferAnswer(BaseModel):
    """secret: base32, to type in where no QR code of the uri can be read. In use once a code has confirmed it."""

    secret: str
    otpauth_uri: str


class CodesAnswer(BaseModel):
    """Shown this once; each opens the account once in place of the app. token: the session's new one."""

    recovery_codes: list[str]
    token: str


class ProvedAnswer(BaseModel):
    fresh_until_ms: int


@router.get("")
async def my_second_factor(session: CurrentSession, services: SharedServices) -> FactorAnswer:
    async with services.engine.connect() as database:
        left = await second_factor_store.recovery_codes_left(database, session.identity.player_id)
    proved_ms = session.second_factor_ms
    return FactorAnswer(
        enrolled=session.has_second_factor,
        required=session.identity.is_staff,
        recovery_codes_left=left,
        fresh_until_ms=None if proved_ms is None else proved_ms + SECOND_FACTOR_FRESH_MS,
    )


@router.post("", status_code=201)
async def offer(
    wanted: OfferRequest, request: Request, session: CurrentSession, services: SharedServices
) -> OfferAnswer:
    """A new secret for an authenticator app; what is in use stays so until a code of the new one is confirmed."""
    own = await require_own_password(services, session, wanted.password, client_address(request))
    if session.has_second_factor:
        require_fresh_factor(session, services.now_ms())
    player_id = own.identity.player_id
    secret = Secret.from_bytes(services.random(SECRET_BYTES))
    async with services.engine.begin() as database:
        await second_factor_store.offer_secret(database, player_id, services.seals.seal(secret, player_id))
    return OfferAnswer(secret=secret.base32, otpauth_uri=secret.otpauth_uri(own.identity.name))


@router.post("/confirm")
async def confirm(
    wanted: CodeRequest, request: Request, response: Response, session: CurrentSession, services: SharedServices
) -> CodesAnswer:
    """Put the offered secret to use, with a code that shows that the app has it.

    Every other session ends, and this one gets a new token: none of them has shown the second factor.
    """
    player_id = session.identity.player_id
    now_ms = services.now_ms()
    try:
        services.sign_in_guard.code_tried(player_id)
    except TriesRefused as refused:
        raise too_many_tries(refused) from None
    async with services.engine.begin() as database:
        if session.has_second_factor:
            require_fresh_factor(session, now_ms)
        if not await proving.confirm(database, services.seals, player_id, wanted.code, now_ms):
            words = "that is not a code of now of the offered secret; or none was offered"
            raise HttpRefusal(401, RefusalCode.WRONG_CODE, words, ["the next code", "POST /api/me/second-factor"])
        codes = await _new_recovery_codes(database, services, session)
        ended = await sessions.revoke_others(database, player_id, session.session_id, now_ms)
        token = await renew_session(database, services, request, response, session, now_ms)
    services.sign_in_guard.code_right(player_id)
    services.sockets.end_sessions(player_id, ended, "a second factor was set up: sign in again")
    return CodesAnswer(recovery_codes=codes, token=token)


@router.post("/prove")
async def prove(wanted: CodeRequest, session: CurrentSession, services: SharedServices) -> ProvedAnswer:
    """Show the second factor again in this session, for what needs a fresh one."""
    _require_enrolled(session.has_second_factor)
    async with services.engine.begin() as database:
        await require_code(database, services, session.identity.player_id, wanted.code)
        now_ms = services.now_ms()
        await sessions.note_second_factor(database, session.session_id, now_ms)
    return ProvedAnswer(fresh_until_ms=now_ms + SECOND_FACTOR_FRESH_MS)


@router.post("/recovery-codes")
async def new_recovery_codes(
    request: Request, response: Response, session: CurrentSession, services: SharedServices
) -> CodesAnswer:
    """New recovery codes; the old ones open nothing any more. Needs a fresh code."""
    _require_enrolled(session.has_second_factor)
    require_fresh_factor(session, services.now_ms())
    async with services.engine.begin() as database:
        codes = await _new_recovery_codes(database, services, session)
        token = await renew_session(database, services, request, response, session)
    return CodesAnswer(recovery_codes=codes, token=token)


@router.delete("", status_code=204)
async def remove(session: CurrentSession, services: SharedServices) -> None:
    """A player may do without a second factor again; needs a fresh code."""
    _require_enrolled(session.has_second_factor)
    if session.identity.is_staff:
        words = "operators and auditors need a second factor: enrol another app instead"
        raise HttpRefusal(403, RefusalCode.STAFF_NEEDS_IT, words, ["POST /api/me/second-factor"])
    require_fresh_factor(session, services.now_ms())
    async with services.engine.begin() as database:
        await second_factor_store.forget_factor(database, session.identity.player_id)


def _require_enrolled(enrolled: bool) -> None:
    if not enrolled:
        words = "this account has no second factor"
        raise HttpRefusal(409, RefusalCode.NO_SECOND_FACTOR, words, ["POST /api/me/second-factor"])


async def _new_recovery_codes(database: AsyncConnection, services: Services, session: Session) -> list[str]:
    codes = [new_recovery_code(services.random) for _ in range(RECOVERY_CODES)]
    await second_factor_store.replace_recovery_codes(database, session.identity.player_id, codes, services.now_ms())
    return codes
