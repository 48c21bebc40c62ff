"""Coming in: as a guest at once, made permanent with a name and a password, and with these from any device."""

from typing import Annotated
from uuid import uuid4

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity import accounts, credentials, sessions
from server.identity.accounts import Identity, Kind, Role
from server.identity.credentials import AlreadyKept, Credentials, NameTaken
from server.identity.names import NameRefused, clean_name, name_key
from server.protocol.messages import Player
from server.web.addresses import client_address
from server.web.authentication import CurrentSession, SharedServices
from server.web.connection import shown_player
from server.web.cookies import delete_session_cookie
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import Services
from server.web.signing_in import (
    begin_session,
    end_presented_session,
    hash_new_password,
    hashing,
    name_taken,
    password_matches,
    renew_session,
    require_code,
    require_lasting_name,
    require_own_password,
)
from wallet import verbs
from wallet.accounts import Asset

router = APIRouter(prefix="/api", tags=["account"])

TypedName = Annotated[str, Field(max_length=200)]
TypedPassword = Annotated[str, Field(max_length=1_000)]
"""Longer than any that serves, so that the refusal can say how long one may be."""
TypedCode = Annotated[str, Field(max_length=40)]


class GuestRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: TypedName = ""
    bot: bool = False


class AccountRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: TypedName
    password: TypedPassword


class SignInRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: TypedName
    password: TypedPassword
    code: TypedCode | None = None
    """Of the second factor, for an account that has one."""


class PasswordRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    password: TypedPassword
    new_password: TypedPassword


class SignedInAnswer(BaseModel):
    """token: for programs; a browser has it in its cookie already."""

    player: Player
    role: Role
    token: str


@router.post("/guests", status_code=201)
async def sign_in_as_guest(
    wanted: GuestRequest, request: Request, response: Response, services: SharedServices
) -> SignedInAnswer:
    """A new guest with its welcome grant, signed in at once."""
    if not services.guest_limit.take(client_address(request)):
        words = "too many new guests from this address: try again in a minute"
        raise HttpRefusal(429, RefusalCode.TOO_MANY, words, ["again in a minute"], wait_ms=60_000)
    name = await _guest_name(wanted, services)
    identity = Identity(uuid4(), name, Kind.BOT if wanted.bot else Kind.GUEST, Role.PLAYER)
    async with services.engine.begin() as database:
        await _create_guest(database, services, identity)
        token = await begin_session(database, services, request, response, identity)
    return _signed_in(identity, token)


@router.post("/me/account")
async def make_permanent(
    wanted: AccountRequest, request: Request, response: Response, session: CurrentSession, services: SharedServices
) -> SignedInAnswer:
    """Give this account a name and a password: the same tokens and chairs, from now on for good."""
    if session.identity.kind is Kind.BOT:
        raise HttpRefusal(403, RefusalCode.BOTS_STAY_GUESTS, "a bot's account is its token: bots have no passwords")
    if session.has_password:
        raise _already_permanent()
    name = require_lasting_name(wanted.name)
    async with services.engine.connect() as database:
        if await credentials.is_kept(database, name):
            raise name_taken()
    password_hash = await hash_new_password(services, wanted.password, name)
    before = session.identity
    kind = Kind.MEMBER if before.kind is Kind.GUEST else before.kind
    identity = Identity(before.player_id, name, kind, before.role)
    try:
        async with services.engine.begin() as database:
            await credentials.keep_name(database, identity, password_hash, services.now_ms())
            await accounts.rename(database, identity)
            token = await renew_session(database, services, request, response, session)
    except NameTaken:
        raise name_taken() from None
    except AlreadyKept:
        raise _already_permanent() from None
    services.sockets.rename(shown_player(identity))
    services.house.rename(shown_player(identity))
    return _signed_in(identity, token)


@router.post("/sign-in")
async def sign_in(
    wanted: SignInRequest, request: Request, response: Response, services: SharedServices
) -> SignedInAnswer:
    """Sign in by name and password, and a code if the account has a second factor.

    Which of name and password was wrong is not said. The session that came with the request ends.
    """
    async with services.engine.connect() as database:
        known = await credentials.by_name(database, wanted.name)
    key = name_key(wanted.name)
    if not await password_matches(services, key, known, wanted.password, client_address(request)) or known is None:
        words = "there is no account with this name and this password"
        allowed = ["POST /api/sign-in", "POST /api/guests"]
        raise HttpRefusal(401, RefusalCode.WRONG_NAME_OR_PASSWORD, words, allowed)
    renewed = await hashing(services.passwords.renewed(wanted.password, known.password_hash))
    identity = known.identity
    proved_ms = await _proved_ms(services, known, wanted.code)
    async with services.engine.begin() as database:
        if renewed is not None:
            await credentials.change_password(database, identity.player_id, renewed, services.now_ms())
        ended = await end_presented_session(database, services, request)
        token = await begin_session(database, services, request, response, identity, proved_ms)
    if ended is not None:
        services.sockets.end_sessions(ended.identity.player_id, {ended.session_id}, "signed in as somebody else")
    return _signed_in(identity, token)


@router.post("/me/password")
async def change_password(
    wanted: PasswordRequest, request: Request, response: Response, session: CurrentSession, services: SharedServices
) -> SignedInAnswer:
    """Another password: every other session ends, and this one gets a new token."""
    identity = session.identity
    await require_own_password(services, session, wanted.password, client_address(request))
    password_hash = await hash_new_password(services, wanted.new_password, identity.name)
    now_ms = services.now_ms()
    async with services.engine.begin() as database:
        await credentials.change_password(database, identity.player_id, password_hash, now_ms)
        ended = await sessions.revoke_others(database, identity.player_id, session.session_id, now_ms)
        token = await renew_session(database, services, request, response, session)
    services.sockets.end_sessions(identity.player_id, ended, "the password was changed: sign in again")
    return _signed_in(identity, token)


@router.post("/sign-out", status_code=204)
async def sign_out(request: Request, response: Response, session: CurrentSession, services: SharedServices) -> None:
    """End this session everywhere it is used; open sockets of it are closed."""
    player_id = session.identity.player_id
    async with services.engine.begin() as database:
        await sessions.revoke_session(database, player_id, session.session_id, services.now_ms())
    services.sockets.end_sessions(player_id, {session.session_id}, "signed out")
    delete_session_cookie(response, request)


async def _guest_name(wanted: GuestRequest, services: Services) -> str:
    if not wanted.name:
        return f"Guest {int.from_bytes(services.random(2)) % 10_000:04d}"
    try:
        name = clean_name(wanted.name, wanted.bot)
    except NameRefused as refused:
        raise HttpRefusal(422, RefusalCode.NAME_REFUSED, str(refused)) from None
    async with services.engine.connect() as database:
        if await credentials.is_kept(database, name):
            raise name_taken()
    return name


async def _create_guest(database: AsyncConnection, services: Services, identity: Identity) -> None:
    now_ms = services.now_ms()
    settings = services.settings
    await accounts.create_player(database, identity, now_ms)
    await verbs.open_accounts(database, identity.player_id)
    for asset, amount in ((Asset.HT, settings.welcome_units), (Asset.PT, settings.welcome_practice_units)):
        if amount:
            key = f"welcome:{asset}:{identity.player_id}"
            await verbs.grant(database, key, identity.player_id, asset, amount, "welcome", now_ms)


async def _proved_ms(services: Services, known: Credentials, code: str | None) -> int | None:
    """When the second factor was proved: now; None for an account that has none. Raises HttpRefusal.

    In a transaction of its own: a code is spent even if the sign-in comes to nothing afterwards.
    """
    player_id = known.identity.player_id
    if not known.has_second_factor:
        return None
    if code is None:
        words = "this account has a second factor: send its code along"
        raise HttpRefusal(401, RefusalCode.SECOND_FACTOR_NEEDED, words, ["code"])
    async with services.engine.begin() as database:
        await require_code(database, services, player_id, code)
    return services.now_ms()


def _already_permanent() -> HttpRefusal:
    words = "this account has its name and password already"
    return HttpRefusal(409, RefusalCode.ALREADY_PERMANENT, words, ["POST /api/me/password"])


def _signed_in(identity: Identity, token: str) -> SignedInAnswer:
    return SignedInAnswer(player=shown_player(identity), role=identity.role, token=token)
