"""Running work in a transaction that is tried again when the database asks for it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

T = TypeVar("T")

MAX_ATTEMPTS: Final = 20
FIRST_WAIT_SECONDS: Final = 0.002
LONGEST_WAIT_SECONDS: Final = 0.1

SERIALIZATION_FAILURE: Final = "40001"
DEADLOCK_DETECTED: Final = "40P01"
UNIQUE_VIOLATION: Final = "23505"
RACING_CONSTRAINTS: Final = frozenset(
    {
        "entries_key_key",
        "entries_shard_position_key",
        "open_holds_pkey",
        "adjustments_pkey",
        "adjustment_decisions_pkey",
    }
)
"""Two callers with one key raced and this one lost; the next attempt reads what the winner wrote."""


async def in_transaction(engine: AsyncEngine, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
    """Run `work` in one transaction and commit; tries again up to MAX_ATTEMPTS when `is_retryable`.

    `work` must therefore have no effect but on its connection. Anything it raises otherwise rolls back and comes out.
    """
    wait = FIRST_WAIT_SECONDS
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            async with engine.begin() as connection:
                return await work(connection)
        except DBAPIError as error:
            if attempt == MAX_ATTEMPTS or not is_retryable(error):
                raise
        await asyncio.sleep(wait)
        wait = min(wait * 2, LONGEST_WAIT_SECONDS)
    raise AssertionError("the last attempt either returned or raised")


def is_retryable(error: DBAPIError) -> bool:
    """Whether the same transaction may succeed when it is simply run again: a deadlock, a lost race."""
    state = getattr(error.orig, "sqlstate", None)
    if state == UNIQUE_VIOLATION:
        cause = getattr(error.orig, "__cause__", None)
        return getattr(cause, "constraint_name", None) in RACING_CONSTRAINTS
    return state in (SERIALIZATION_FAILURE, DEADLOCK_DETECTED)
