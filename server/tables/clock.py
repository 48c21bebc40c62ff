"""The real clock of a node. Tests bring one that jumps."""

import asyncio
import time
from typing import Final

_LONGEST_SLEEP_MS: Final = 60_000
"""A deadline is looked at again at least this often: the clock may be set, the machine may sleep."""


class SystemClock:
    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    async def sleep_until(self, deadline_ms: int) -> None:
        # Not a poll for an event: time itself is what it waits for, in pieces.
        while (left_ms := deadline_ms - self.now_ms()) > 0:  # noqa: ASYNC110
            await asyncio.sleep(min(left_ms, _LONGEST_SLEEP_MS) / 1000)
