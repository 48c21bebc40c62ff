"""A player's limits as a page shows them: what is in force, what is to follow and when, and what is left of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import Asset
from wallet.limits import LOSS_WINDOW_MS, LimitKind, LimitState, limits
from wallet.play_sessions import play_sessions
from wallet.standing import Standing, won_since
from wallet.statement import balances


@dataclass(frozen=True, slots=True)
class OwnLossLimit:
    """One asset's loss limit, in units.

    lost: lost less won by settlements of the last 24 hours; below zero for a winner. held: at stake now.
    left: what may still be put at stake; None without a limit. All of it is told with or without a limit.
    """

    limit: LimitState
    lost: int
    held: int
    left: int | None


@dataclass(frozen=True, slots=True)
class OwnReminder:
    """after: ms of play. played_ms: of the running session, since it began or was last confirmed; counted only for
    somebody with a reminder. is_due: no hand starts until the player confirms the time."""

    after: LimitState
    played_ms: int
    is_due: bool


@dataclass(frozen=True, slots=True)
class OwnLimits:
    """cool_off_until_ms, self_excluded_until_ms: None when no hand is kept from starting by it now."""

    loss: Mapping[Asset, OwnLossLimit]
    reminder: OwnReminder
    cool_off_until_ms: int | None
    self_excluded_until_ms: int | None


async def own_limits(connection: AsyncConnection, player_id: UUID, at_ms: int) -> OwnLimits:
    """Everything that decides on this player's next hand but the tokens it needs. Locks nothing."""
    own = await limits(connection, player_id)
    has = await balances(connection, player_id)
    won = await won_since(connection, {(player_id, asset): at_ms - LOSS_WINDOW_MS for asset in Asset})
    loss = {}
    for asset in Asset:
        limit = own.state(LimitKind.LOSS_LIMIT, at_ms, asset)
        standing = Standing(has[asset].available, has[asset].held, won.get((player_id, asset), 0))
        left = None if limit.in_force is None else standing.may_lose(limit.in_force)
        loss[asset] = OwnLossLimit(limit, -standing.won, standing.held, left)
    after = own.state(LimitKind.SESSION_REMINDER, at_ms)
    session = (await play_sessions(connection, [player_id])).get(player_id)
    played_ms = 0 if session is None else session.played_ms(at_ms)
    return OwnLimits(
        loss,
        OwnReminder(after, played_ms, after.in_force is not None and played_ms >= after.in_force),
        own.until_ms(LimitKind.COOL_OFF, at_ms),
        own.until_ms(LimitKind.SELF_EXCLUSION, at_ms),
    )
