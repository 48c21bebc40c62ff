"""Keeping writers off a table for the rest of a transaction, so that its epoch can change between two of theirs."""

from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from server.eventlog.driver import driver_of

_ONE_AT_A_TIME: Final = 5_273_062
"""Advisory lock: two who take tables over do so one after the other."""

_LOCK_FENCE: Final = "SELECT pg_advisory_xact_lock($1)"
_FENCE_OWNERS: Final = """
UPDATE journal_nodes SET fence_no = fence_no + 1
WHERE node_id IN (SELECT owner FROM tables WHERE status = 'open' AND ($1::uuid IS NULL OR table_id = $1))
"""


async def hold_writers_off(connection: AsyncConnection, table_id: UUID | None) -> None:
    """Until the transaction ends, no owner of this table (None: of any) is in the middle of a transaction of its own.

    A writer locks its node's row first and judges epochs after: we wait for those rows, and then it waits for us. The
    changed number tells it to look at the epochs again.
    """
    await connection.exec_driver_sql(_LOCK_FENCE, (_ONE_AT_A_TIME,))
    await (await driver_of(connection)).execute(_FENCE_OWNERS, table_id)
