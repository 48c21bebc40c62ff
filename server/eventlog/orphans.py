"""Holds without a running hand. One transaction opens or ends a hand and its hold, so there should never be one."""

from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from server.eventlog.driver import driver_of
from wallet import verbs
from wallet.open_holds import OpenHold, open_holds
from wallet.requests import Release

REASON: Final = "no hand runs for this hold"

_RUNNING: Final = "SELECT hand_id FROM hands WHERE status = 'open' AND hand_id = ANY ($1::uuid[])"

log = structlog.get_logger(__name__)


async def release_orphaned_holds(connection: AsyncConnection, now_ms: int) -> tuple[OpenHold, ...]:
    """Give back what is held for no running hand; returns what was found, which means that something is broken."""
    held = await open_holds(connection)
    driver = await driver_of(connection)
    running = {row["hand_id"] for row in await driver.fetch(_RUNNING, [hold.hand_id for hold in held])}
    suspects = [hold.hand_id for hold in held if hold.hand_id not in running]
    if not suspects:
        return ()
    # A hand that ended between the two looks took its hold along; what is still there belongs to nobody.
    orphans = await open_holds(connection, suspects)
    if orphans:
        await verbs.release_many(connection, [Release(hold.hand_id, REASON, now_ms) for hold in orphans])
        for hold in orphans:
            log.error("orphaned_hold_released", hand_id=str(hold.hand_id), table_id=str(hold.table_id))
    return orphans
