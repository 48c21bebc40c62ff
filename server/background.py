"""Work that goes on behind the endpoints for as long as the house is open, with somebody who sees it fail."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import Final

import structlog

from server.eventlog.failure import words_for

_log: Final = structlog.get_logger(__name__)


@contextlib.asynccontextmanager
async def background(work: Mapping[str, Coroutine[None, None, None]]) -> AsyncIterator[None]:
    """Run each piece of work, by its name, until this is left. None ends by itself: one that does is on record."""
    tasks = [asyncio.create_task(each, name=name) for name, each in work.items()]
    for task in tasks:
        task.add_done_callback(_record_end)
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _record_end(task: asyncio.Task[None]) -> None:
    if task.cancelled():
        return
    fault = task.exception()
    why = words_for(fault) if isinstance(fault, Exception) else repr(fault)
    _log.critical("background_work_ended", work=task.get_name(), why=why)
