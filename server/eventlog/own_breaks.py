"""Whether a player may not play for now, for a table that is asked for a chair: read, never stored here."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from server.eventlog.failure import unavailable
from server.tables.ports import HoldReason, OwnBreak
from wallet.limits import LimitKind, limits


async def running_break(engine: AsyncEngine, player_id: UUID, at_ms: int) -> OwnBreak | None:
    """The freeze, or else the self-exclusion or cool-off that runs at this moment. Raises JournalUnavailable."""
    with unavailable("the database can't be reached"):
        async with engine.connect() as connection:
            own = await limits(connection, player_id)
    if own.value(LimitKind.FROZEN, at_ms) is not None:
        return OwnBreak(HoldReason.FROZEN, None)
    for kind, reason in (
        (LimitKind.SELF_EXCLUSION, HoldReason.SELF_EXCLUSION),
        (LimitKind.COOL_OFF, HoldReason.COOL_OFF),
    ):
        until_ms = own.until_ms(kind, at_ms)
        if until_ms is not None:
            return OwnBreak(reason, until_ms)
    return None
