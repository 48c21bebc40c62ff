"""Who am I, what do I have, what happened to my tokens, which hands did I play."""

from enum import StrEnum
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel
from sqlalchemy.ext.asyncio import AsyncConnection

from server.eventlog import history
from server.eventlog.history import PlayedHand
from server.identity.accounts import Role
from server.identity.sessions import Session
from server.protocol.messages import Player
from server.web.authentication import CurrentSession, PlayerSignedIn, SharedServices, SignedIn
from server.web.connection import shown_player
from server.web.errors import HttpRefusal, RefusalCode
from server.web.services import BalanceMap, balance_map
from wallet import verbs
from wallet.accounts import Asset
from wallet.statement import MAX_PAGE, StatementCursor, StatementLine

router = APIRouter(prefix="/api", tags=["player"])

_AFTER_ALL: Final = 2**62
"""A position after every hand."""


class NextStep(StrEnum):
    """What an operator or auditor does before the desk opens."""

    CHOOSE_PASSWORD = "choose_password"  # noqa: S105
    ENROL_SECOND_FACTOR = "enrol_second_factor"
    PROVE_SECOND_FACTOR = "prove_second_factor"


class MeAnswer(BaseModel):
    """permanent: has a name and a password. next_step: only for operators and auditors who can't enter the desk yet."""

    player: Player
    role: Role
    permanent: bool
    second_factor: bool
    next_step: NextStep | None
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


class HandPlayer(BaseModel):
    seat: int
    player_id: UUID
    name: str


class PlayedHandAnswer(BaseModel):
    """One closed hand as one of its players sees it. points, delta: my own; amounts in 1/100 tokens.

    delta: what the hand brought me, after commission. winner: null for a void hand. commission: the house's part of the
    win.
    """

    hand_id: UUID
    table_id: UUID
    table_name: str
    format: str
    hand_no: int
    asset: Asset
    opened_ms: int
    closed_ms: int
    outcome: str
    void_reason: str | None
    seat: int
    points: int
    delta: int
    winner: HandPlayer | None
    commission: int
    players: list[HandPlayer]


class PlayedHandsAnswer(BaseModel):
    hands: list[PlayedHandAnswer]
    next: str | None


@router.get("/me")
async def me(session: CurrentSession, services: SharedServices) -> MeAnswer:
    player_id = session.identity.player_id
    async with services.engine.connect() as database:
        balances = await balance_map(database, player_id)
    return MeAnswer(
        player=shown_player(session.identity),
        role=session.identity.role,
        permanent=session.has_password,
        second_factor=session.has_second_factor,
        next_step=_next_step(session),
        balances=balances,
        seated_at=services.house.seated_at(player_id),
    )


@router.post("/practice/top-up")
async def top_up_practice(identity: PlayerSignedIn, services: SharedServices) -> BalancesAnswer:
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
    async with services.engine.connect() as database:
        return await statement_page(database, identity.player_id, asset, before, limit)


@router.get("/me/hands")
async def my_hands(
    identity: SignedIn,
    services: SharedServices,
    before: Annotated[int, Query(ge=0, le=_AFTER_ALL)] = _AFTER_ALL,
    limit: Annotated[int, Query(ge=1, le=history.MAX_PAGE)] = 50,
) -> PlayedHandsAnswer:
    """My closed hands, the last to close first; `next` is the `before` of the page after this one."""
    async with services.engine.connect() as database:
        hands = await history.hands_of_player(database, identity.player_id, before, limit + 1)
    shown = hands[:limit]
    return PlayedHandsAnswer(
        hands=[_played_hand(hand, identity.player_id) for hand in shown],
        next=str(shown[-1].position) if len(hands) > limit else None,
    )


async def statement_page(
    database: AsyncConnection, player_id: UUID, asset: Asset, before: str | None, limit: int
) -> StatementAnswer:
    """Raises HttpRefusal for a `before` that no page gave."""
    try:
        cursor = None if before is None else StatementCursor.parse(before)
    except ValueError as fault:
        raise HttpRefusal(422, RefusalCode.MALFORMED, str(fault), ["the `next` of a page"]) from None
    page = await verbs.statement(database, player_id, asset, cursor, limit)
    return StatementAnswer(
        lines=[_statement_line(line) for line in page.lines], next=None if page.older is None else str(page.older)
    )


def _next_step(session: Session) -> NextStep | None:
    if not session.identity.is_staff or session.second_factor_ms is not None:
        return None
    if session.has_second_factor:
        return NextStep.PROVE_SECOND_FACTOR
    return NextStep.ENROL_SECOND_FACTOR if session.has_password else NextStep.CHOOSE_PASSWORD


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


def _played_hand(hand: PlayedHand, own_id: UUID) -> PlayedHandAnswer:
    own = next(line for line in hand.lines if line.player_id == own_id)
    players = {line.seat: HandPlayer(seat=line.seat, player_id=line.player_id, name=line.name) for line in hand.lines}
    return PlayedHandAnswer(
        hand_id=hand.hand_id,
        table_id=hand.table_id,
        table_name=hand.table_name,
        format=hand.format,
        hand_no=hand.hand_no,
        asset=Asset(hand.asset),
        opened_ms=hand.opened_ms,
        closed_ms=hand.closed_ms,
        outcome=hand.outcome,
        void_reason=hand.void_reason,
        seat=own.seat,
        points=own.points,
        delta=own.delta,
        winner=None if hand.winner is None else players[hand.winner],
        commission=hand.commission,
        players=list(players.values()),
    )
