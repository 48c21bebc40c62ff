"""Slowing down whoever guesses: after some free tries each failure doubles the wait for the next."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

MOST_KEYS: Final = 50_000


@dataclass(frozen=True, slots=True)
class Patience:
    """free: failures that cost nothing. After them waits of first_ms, twice that, ... up to longest_ms.

    forget_ms: a key without a failure for this long begins anew.
    """

    free: int
    first_ms: int
    longest_ms: int
    forget_ms: int

    def wait_ms(self, failures: int) -> int:
        """How long after the newest of so many failures no try is taken."""
        beyond = failures - self.free
        return 0 if beyond <= 0 else min(self.longest_ms, self.first_ms << min(beyond - 1, 40))


@dataclass(frozen=True, slots=True)
class _Failures:
    count: int
    newest_ms: int


class Backoff:
    """Counts failures by key, the least recently failed key forgotten first, so that memory has a bound.

    A try counts as failed from its start until `succeeded` takes that back: tries that come at once cannot all slip
    through while the first is still being looked at.
    """

    def __init__(self, patience: Patience, now_ms: Callable[[], int]) -> None:
        self._patience = patience
        self._now_ms = now_ms
        self._failures: OrderedDict[Hashable, _Failures] = OrderedDict()

    def wait_ms(self, key: Hashable) -> int:
        """How long until the next try is taken; 0 when it would be now."""
        now_ms = self._now_ms()
        failures = self._failures.get(key)
        if failures is None or now_ms - failures.newest_ms >= self._patience.forget_ms:
            return 0
        return max(0, failures.newest_ms + self._patience.wait_ms(failures.count) - now_ms)

    def tries(self, key: Hashable) -> None:
        """One more try; failed unless taken back."""
        now_ms = self._now_ms()
        before = self._failures.pop(key, None)
        if before is None or now_ms - before.newest_ms >= self._patience.forget_ms:
            before = _Failures(0, now_ms)
        self._failures[key] = _Failures(before.count + 1, now_ms)
        if len(self._failures) > MOST_KEYS:
            self._failures.popitem(last=False)

    def take_back(self, key: Hashable) -> None:
        """The newest try did not fail after all; the ones before it stay."""
        failures = self._failures.get(key)
        if failures is not None and failures.count > 1:
            self._failures[key] = _Failures(failures.count - 1, failures.newest_ms)
        else:
            self._failures.pop(key, None)

    def succeeded(self, key: Hashable) -> None:
        """Whoever uses this key is who they say: what failed before is forgotten."""
        self._failures.pop(key, None)
