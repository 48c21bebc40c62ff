"""Signing in, who am I, what do I have, what happened to my tokens, which hands did I play."""

from typing import Annotated
from uuid import UUID, uuid4

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from server.eventlog import queries
from server.identity import accounts
from server.identity.accounts import Identity, Kind, Role
from server.identity.names import NameRefused, clean_name
from server.identity.secrets import new_secret, secret_hash
from server.protocol.messages import Player
from server.web.authentication import (
    SESSION_COOKIE,
    SharedServices,
    SignedIn,
    session_token,
    set_session_cookie,
)
from server.web.connection import CLOSE_SIGNED_OUT
from server.web.errors import HttpRefusal
from server.web.services import BalanceMap, Services, balance_map
from wallet import verbs
from wallet.accounts import Asset
from wallet.statement import MAX_PAGE, StatementCursor, StatementLine

router = APIRouter(prefix="/api", tags=["player"])


class GuestRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(max_length=200)] = ""
    bot: bool = False


class SignedInAnswer(BaseModel):
    player: Player
    token: str


class MeAnswer(BaseModel):
    player: Player
    role: Role
    balances: BalanceMap
    seated_at: list[UUID]


class BalancesAnswer(BaseModel):
    balances: BalanceMap


class StatementLineAnswer(BaseModel):
    """One entry. amount: what it changed in total, 0 for tokens only set aside; all in 1/100 tokens."""

    entry_id: int
    at_ms: int
    kind: str
    reason: str
    hand_id: UUID | None
    match_id: UUID | None
    table_id: UUID | None
    amount: int
    available_after: int
    held_after: int
    balance_after: int


class StatementAnswer(BaseModel):
    lines: list[StatementLineAnswer]
    next: str | None


class PlayedHand(BaseModel):
    """One closed hand as one of its players sees it in a list."""

    hand_id: UUID
    table_id: UUID
    table_name: str
    hand_no: int
    closed_ms: int
    outcome: str
    asset: Asset
    points: int
    delta: int


@router.post("/guests", status_code=201)
async def sign_in_as_guest(
    wanted: GuestRequest, request: Request, response: Response, services: SharedServices
) -> SignedInAnswer:
    """A new guest with its welcome grant, signed in at once."""
    address = request.client.host if request.client else "unknown"
    if not services.guest_limit.take(address):
        raise HttpRefusal(429, "too_many", "too many new guests from this address: try again in a minute")
    try:
        name = (
            clean_name(wanted.name, wanted.bot)
            if wanted.name
            else f"Guest {int.from_bytes(services.random(2)) % 10_000:04d}"
        )
    except NameRefused as refused:
        raise HttpRefusal(422, "name_refused", str(refused)) from None
    identity = Identity(uuid4(), name, Kind.BOT if wanted.bot else Kind.GUEST, Role.PLAYER)
    token = new_secret(services.random)
    await _create_guest(services, identity, token)
    set_session_cookie(response, token, services)
    return SignedInAnswer(player=_player(identity), token=token)


def _guest_name(services: Services) -> str:
    return f"Guest {int.from_bytes(services.random(2)) % 10_000:04d}"


async def _create_guest(services: Services, identity: Identity, token: str) -> None:
    now_ms = services.now_ms()
    settings = services.settings
    async with services.engine.begin() as database:
        await accounts.create_player(database, identity, now_ms)
        await accounts.create_session(database, identity.player_id, token, now_ms, settings.session_days)
        await verbs.open_accounts(database, identity.player_id)
        for asset, amount in ((Asset.HT, settings.welcome_units), (Asset.PT, settings.welcome_practice_units)):
            if amount:
                key = f"welcome:{asset}:{identity.player_id}"
                await verbs.grant(database, key, identity.player_id, asset, amount, "welcome", now_ms)


@router.get("/me")
async def me(identity: SignedIn, services: SharedServices) -> MeAnswer:
    async with services.engine.connect() as database:
        balances = await balance_map(database, identity.player_id)
    return MeAnswer(
        player=_player(identity),
        role=identity.role,
        balances=balances,
        seated_at=services.house.seated_at(identity.player_id),
    )


@router.post("/sign-out", status_code=204)
async def sign_out(request: Request, response: Response, identity: SignedIn, services: SharedServices) -> None:
    """End this session everywhere it is used; open sockets of it are closed."""
    token = session_token(request)
    if token is not None:
        async with services.engine.begin() as database:
            await accounts.revoke_session(database, token, services.now_ms())
        services.sockets.close_session(identity.player_id, secret_hash(token), CLOSE_SIGNED_OUT, "signed out")
    response.delete_cookie(SESSION_COOKIE, path="/")


@router.post("/practice/top-up")
async def top_up_practice(identity: SignedIn, services: SharedServices) -> BalancesAnswer:
    """Fill practice tokens up to the welcome grant again; practice tokens are worth nothing elsewhere."""
    async with services.engine.begin() as database:
        before = await balance_map(database, identity.player_id)
        missing = services.settings.welcome_practice_units - before["PT"].available - before["PT"].held
        if missing <= 0:
            return BalancesAnswer(balances=before)
        # Two requests at once see the same newest entry and so make the same key: tokens come once.
        newest = await verbs.statement(database, identity.player_id, Asset.PT, limit=1)
        key = f"top-up:{identity.player_id}:{newest.lines[0].entry_id if newest.lines else 0}"
        await verbs.grant(database, key, identity.player_id, Asset.PT, missing, "practice top-up", services.now_ms())
        after = await balance_map(database, identity.player_id)
    services.balance_news.tokens_moved([identity.player_id])
    return BalancesAnswer(balances=after)


@router.get("/me/statement")
async def my_statement(
    identity: SignedIn,
    services: SharedServices,
    asset: Asset = Asset.PT,
    before: Annotated[str | None, Query(max_length=40)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
) -> StatementAnswer:
    """What happened to my tokens, newest first; `next` is the `before` of the page after this one."""
    try:
        cursor = None if before is None else StatementCursor.parse(before)
    except ValueError as fault:
        raise HttpRefusal(422, "malformed", str(fault)) from None
    async with services.engine.connect() as database:
        page = await verbs.statement(database, identity.player_id, asset, cursor, limit)
    return StatementAnswer(
        lines=[_statement_line(line) for line in page.lines], next=None if page.older is None else str(page.older)
    )


@router.get("/me/hands")
async def my_hands(
    identity: SignedIn, services: SharedServices, limit: Annotated[int, Query(ge=1, le=200)] = 50
) -> list[PlayedHand]:
    """My closed hands, newest first."""
    async with services.engine.connect() as database:
        hands = await queries.hands_of_player(database, identity.player_id, limit)
    own_id = str(identity.player_id)
    played = []
    for hand in hands:
        own = next(line for line in hand["players"] if line["player_id"] == own_id)
        played.append(PlayedHand.model_validate({**hand, "points": own["points"], "delta": own["delta"]}))
    return played


def _statement_line(line: StatementLine) -> StatementLineAnswer:
    return StatementLineAnswer(
        entry_id=line.entry_id,
        at_ms=line.at_ms,
        kind=line.kind.value,
        reason=line.reason,
        hand_id=line.hand_id,
        match_id=line.match_id,
        table_id=line.table_id,
        amount=line.available_change + line.held_change,
        available_after=line.after.available,
        held_after=line.after.held,
        balance_after=line.after.available + line.after.held,
    )


def _player(identity: Identity) -> Player:
    return Player(player_id=identity.player_id, name=identity.name, bot=identity.kind is Kind.BOT)
