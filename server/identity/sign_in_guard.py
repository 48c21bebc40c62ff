"""How often somebody may be wrong about a password or a code before they have to wait."""

from collections.abc import Callable, Hashable
from typing import Final
from uuid import UUID

from server.identity.backoff import Backoff, Patience

_SECOND_MS: Final = 1_000
_MINUTE_MS: Final = 60 * _SECOND_MS
_HOUR_MS: Final = 60 * _MINUTE_MS

FROM_HERE: Final = Patience(free=5, first_ms=_SECOND_MS, longest_ms=15 * _MINUTE_MS, forget_ms=24 * _HOUR_MS)
"""One name from one address: somebody who has forgotten their password, or guesses it."""
OF_NAME: Final = Patience(free=50, first_ms=_SECOND_MS, longest_ms=_MINUTE_MS, forget_ms=_HOUR_MS)
"""One name from anywhere: guessing from many addresses. The longest wait is short, so that nobody can keep the
owner out for good."""
OF_ADDRESS: Final = Patience(free=50, first_ms=_SECOND_MS, longest_ms=15 * _MINUTE_MS, forget_ms=_HOUR_MS)
"""One address for any name: trying one password on many accounts. Many people may share the address."""
OF_CODES: Final = Patience(free=5, first_ms=2 * _SECOND_MS, longest_ms=15 * _MINUTE_MS, forget_ms=24 * _HOUR_MS)
"""One account's second factor: some hundred codes of a million a day."""


class TriesRefused(Exception):
    """Too many were wrong: the next try is taken after wait_ms."""

    def __init__(self, wait_ms: int) -> None:
        super().__init__(f"wait {wait_ms} ms")
        self.wait_ms = wait_ms


class SignInGuard:
    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._from_here = Backoff(FROM_HERE, now_ms)
        self._of_name = Backoff(OF_NAME, now_ms)
        self._of_address = Backoff(OF_ADDRESS, now_ms)
        self._of_codes = Backoff(OF_CODES, now_ms)

    def password_tried(self, name_key: str, address: str) -> None:
        """Before a password is looked at: it counts as wrong until `password_right`. Raises TriesRefused."""
        _take((self._from_here, (name_key, address)), (self._of_name, name_key), (self._of_address, address))

    def password_right(self, name_key: str, address: str) -> None:
        self._from_here.succeeded((name_key, address))
        self._of_name.succeeded(name_key)
        # Only this one try: else whoever has one account could clear their guesses at others.
        self._of_address.take_back(address)

    def code_tried(self, player_id: UUID) -> None:
        """Before a code is looked at: it counts as wrong until `code_right`. Raises TriesRefused."""
        _take((self._of_codes, player_id))

    def code_right(self, player_id: UUID) -> None:
        self._of_codes.succeeded(player_id)


def _take(*counted: tuple[Backoff, Hashable]) -> None:
    wait_ms = max(backoff.wait_ms(key) for backoff, key in counted)
    if wait_ms > 0:
        raise TriesRefused(wait_ms)
    for backoff, key in counted:
        backoff.tries(key)
