"""Holds for no hand or match that runs. One transaction opens or ends both, so there should never be one."""

from collections.abc import Sequence
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from server.eventlog.driver import Driver, driver_of
from wallet import verbs
from wallet.contests import Contest, ContestKind
from wallet.open_holds import OpenHold, open_holds
from wallet.requests import Release

_RUNNING: Final = {
    ContestKind.HAND: "SELECT hand_id AS id FROM hands WHERE status = 'open' AND hand_id = ANY ($1::uuid[])",
    ContestKind.MATCH: "SELECT match_id AS id FROM matches WHERE status = 'open' AND match_id = ANY ($1::uuid[])",
}

log = structlog.get_logger(__name__)


async def release_orphaned_holds(connection: AsyncConnection, now_ms: int) -> tuple[OpenHold, ...]:
    """Give back what is held for nothing that runs; returns what was found, which means that something is broken."""
    held = [hold.contest for hold in await open_holds(connection)]
    running = await _running(await driver_of(connection), held)
    suspects = [contest for contest in held if contest not in running]
    if not suspects:
        return ()
    # What ended between the two looks took its hold along; what is still there belongs to nobody.
    orphans = await open_holds(connection, suspects)
    if orphans:
        releases = [Release(hold.contest, f"no {hold.contest.kind} runs for this hold", now_ms) for hold in orphans]
        await verbs.release_many(connection, releases)
        for hold in orphans:
            log.error("orphaned_hold_released", contest=str(hold.contest), table_id=str(hold.table_id))
    return orphans


async def _running(driver: Driver, contests: Sequence[Contest]) -> set[Contest]:
    running: set[Contest] = set()
    for kind, question in _RUNNING.items():
        asked = [contest.id for contest in contests if contest.kind is kind]
        if asked:
            running |= {Contest(kind, row["id"]) for row in await driver.fetch(question, asked)}
    return running
