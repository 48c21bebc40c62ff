"""Players over HTTP at the desk: read by operators and auditors; frozen and unfrozen by operators."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncConnection

from server.operator.acts import Act, record_act
from server.operator.players import MAX_PAGE, PlayerCursor, PlayerPage, PlayersPage, player_page, players_page
from server.operator.reading import reading
from server.web.authentication import Desk, FreshOperator, SharedServices
from server.web.errors import HttpRefusal, RefusalCode
from server.web.limits_api import LimitsAnswer, limits_answer
from server.web.operator_acts_api import ReasonRequest
from server.web.player_api import StatementAnswer, statement_page
from server.web.services import Services
from wallet import statement
from wallet.accounts import Asset
from wallet.freezes import set_frozen
from wallet.own_limits import own_limits
from wallet.refusals import NoAccount
from wallet.transactions import in_transaction

router = APIRouter(prefix="/api/operator/players", tags=["desk"])


class PlayerAnswer(BaseModel):
    """limits: as the player sees them, with what is left of each. seated_at: the tables where they have a chair now."""

    page: PlayerPage
    limits: LimitsAnswer
    seated_at: list[UUID]
    connected: bool


class FrozenAnswer(BaseModel):
    """changed: false when it was so already, and nothing was written."""

    frozen: bool
    changed: bool


@router.get("")
async def players(
    _: Desk,
    services: SharedServices,
    q: Annotated[str | None, Query(min_length=1, max_length=60)] = None,
    before: Annotated[str | None, Query(max_length=60)] = None,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE)] = 50,
) -> PlayersPage:
    """People who play here, the newest first; `q` is an id, or how the name begins."""
    try:
        cursor = None if before is None else PlayerCursor.parse(before)
    except ValueError:
        words = "before: no page ever gave this"
        raise HttpRefusal(422, RefusalCode.MALFORMED, words, ["the `next` of a page"]) from None
    async with reading(services.engine) as database:
        return await players_page(database, q, cursor, limit, services.now_ms())


@router.get("/{player_id}")
async def one_player(player_id: UUID, _: Desk, services: SharedServices) -> PlayerAnswer:
    now_ms = services.now_ms()
    async with reading(services.engine) as database:
        page = await player_page(database, player_id, now_ms)
        limits = await own_limits(database, player_id, now_ms)
    if page is None:
        raise _no_such_player()
    return PlayerAnswer(
        page=page,
        limits=limits_answer(limits, now_ms),
        seated_at=services.house.seated_at(player_id),
        connected=bool(services.sockets.of_player(player_id)),
    )


@router.get("/{player_id}/statement")
async def player_statement(
    player_id: UUID,
    _: Desk,
    services: SharedServices,
    asset: Asset = Asset.HT,
    before: Annotated[str | None, Query(max_length=40)] = None,
    limit: Annotated[int, Query(ge=1, le=statement.MAX_PAGE)] = 50,
) -> StatementAnswer:
    """What happened to a player's tokens, as the player sees it."""
    async with reading(services.engine) as database:
        return await statement_page(database, player_id, asset, before, limit)


@router.post("/{player_id}/freeze")
async def freeze(
    player_id: UUID, wanted: ReasonRequest, session: FreshOperator, services: SharedServices
) -> FrozenAnswer:
    """Let no hand start for a player; a hand that runs ends as it would have, and then their chairs are free."""
    changed = await _set_frozen(services, session.identity.player_id, player_id, True, wanted.reason)
    services.house.take_break(player_id)
    return FrozenAnswer(frozen=True, changed=changed)


@router.post("/{player_id}/unfreeze")
async def unfreeze(
    player_id: UUID, wanted: ReasonRequest, session: FreshOperator, services: SharedServices
) -> FrozenAnswer:
    """Let a player play again. What players chose for themselves stays in force."""
    changed = await _set_frozen(services, session.identity.player_id, player_id, False, wanted.reason)
    return FrozenAnswer(frozen=False, changed=changed)


async def _set_frozen(services: Services, operator_id: UUID, player_id: UUID, frozen: bool, reason: str) -> bool:
    now_ms = services.now_ms()

    async def work(database: AsyncConnection) -> bool:
        changed = await set_frozen(database, player_id, frozen, operator_id, reason, now_ms)
        if changed:
            act = Act.FREEZE if frozen else Act.UNFREEZE
            await record_act(database, operator_id, act, player_id, reason, now_ms)
        return changed

    try:
        return await in_transaction(services.engine, work)
    except NoAccount:
        raise _no_such_player() from None


def _no_such_player() -> HttpRefusal:
    words = "nobody who plays here has this id"
    return HttpRefusal(404, RefusalCode.NO_SUCH_PLAYER, words, ["GET /api/operator/players"])
