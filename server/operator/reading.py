"""How the desk reads: one consistent moment, unable to change anything, and never for longer than it may."""

import contextlib
from collections.abc import AsyncIterator
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

PAGE_MS: Final = 10_000
"""A page's query that takes longer is given up: the tables come first."""
EXPORT_MS: Final = 60_000
"""For the few hundred hands that an export reads at a time."""
IDLE_MS: Final = 30_000
"""Whoever takes nothing of an export for so long loses it: what it reads can't be tidied up meanwhile."""

_BEGIN: Final = text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
# Ranges and filters differ from page to page, and so does the best way to answer them: no plan is kept.
_SETTINGS: Final = text(
    "SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('work_mem', '64MB', true),"
    " set_config('statement_timeout', :timeout_ms, true),"
    " set_config('idle_in_transaction_session_timeout', :idle_ms, true)"
)


@contextlib.asynccontextmanager
async def reading(engine: AsyncEngine, timeout_ms: int = PAGE_MS) -> AsyncIterator[AsyncConnection]:
    """A connection that reads one moment; whatever is asked of it, nothing changes."""
    async with engine.connect() as connection:
        await connection.execute(_BEGIN)
        await connection.execute(_SETTINGS, {"timeout_ms": str(timeout_ms), "idle_ms": str(IDLE_MS)})
        yield connection
