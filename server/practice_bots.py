"""The practice bots of `serve`: clients like any other, in a process of their own that ends when this one does."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from typing import Final

from server.settings import Settings

_RESTART_SECONDS: Final = 2.0
_GOODBYE_SECONDS: Final = 5.0


@contextlib.asynccontextmanager
async def practice_bots(settings: Settings, url: str, is_stopping: Callable[[], bool]) -> AsyncIterator[None]:
    """Keep them running for as long as the block lasts. is_stopping: whether the house is on its way out."""
    if settings.practice_bots == 0:
        yield
        return
    keeping = asyncio.create_task(_keep(settings, url, is_stopping), name="practice bots")
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def _keep(settings: Settings, url: str, is_stopping: Callable[[], bool]) -> None:
    while True:
        # A session of their own: Ctrl-C is for the house, and the bots play on while it drains.
        bots = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "clients.house_bots", "--until-stdin-closes", "--url", url),
            *("--bots", str(settings.practice_bots), "--accounts", str(settings.data_dir / "practice_bots.json")),
            *("--think-ms", *map(str, settings.practice_think_ms)),
            stdin=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        try:
            code = await bots.wait()
        finally:
            await _end(bots)
        if is_stopping():
            return
        print(f"practice bots ended with {code}; starting them again", file=sys.stderr, flush=True)
        await asyncio.sleep(_RESTART_SECONDS)


async def _end(bots: asyncio.subprocess.Process) -> None:
    """Close their stdin, which ends them; they are killed if it does not."""
    assert bots.stdin is not None
    bots.stdin.close()
    try:
        async with asyncio.timeout(_GOODBYE_SECONDS):
            await bots.wait()
    except TimeoutError:
        bots.kill()
        await bots.wait()
