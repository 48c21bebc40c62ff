"""How much one address, account or socket may ask: token buckets on an injected clock."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

_MOST_KEYS: Final = 50_000


class TokenBucket:
    """`burst` requests at once, then `per_second` of them; a refused one costs nothing."""

    __slots__ = ("_at_ms", "_burst", "_per_ms", "_tokens")

    def __init__(self, per_second: float, burst: int, at_ms: int) -> None:
        self._per_ms = per_second / 1000
        self._burst = float(burst)
        self._tokens = float(burst)
        self._at_ms = at_ms

    def take(self, now_ms: int) -> bool:
        self._tokens = min(self._burst, self._tokens + max(0, now_ms - self._at_ms) * self._per_ms)
        self._at_ms = now_ms
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class KeyedLimit:
    """One bucket per key, the least recently seen forgotten first, so that memory has a bound."""

    def __init__(self, per_second: float, burst: int, now_ms: Callable[[], int]) -> None:
        self._per_second = per_second
        self._burst = burst
        self._now_ms = now_ms
        self._buckets: OrderedDict[Hashable, TokenBucket] = OrderedDict()

    @classmethod
    def a_minute(cls, per_minute: int, now_ms: Callable[[], int]) -> "KeyedLimit":
        """A minute's allowance may be used at once."""
        return cls(per_minute / 60, per_minute, now_ms)

    def take(self, key: Hashable) -> bool:
        now_ms = self._now_ms()
        bucket = self._buckets.pop(key, None) or TokenBucket(self._per_second, self._burst, now_ms)
        self._buckets[key] = bucket
        if len(self._buckets) > _MOST_KEYS:
            self._buckets.popitem(last=False)
        return bucket.take(now_ms)
