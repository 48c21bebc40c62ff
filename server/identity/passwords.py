"""Passwords: which ones serve, and how they are kept.

Argon2id (RFC 9106) with 19 MiB, two passes and one lane, which OWASP's password storage sheet asks for at least; some
40 ms of one core. Hashing runs in two threads, never on the event loop that the tables live on.
"""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from argon2 import PasswordHasher, Type
from argon2.exceptions import InvalidHashError, VerificationError
from zxcvbn import zxcvbn

MIN_PASSWORD_LENGTH: Final = 10
MAX_PASSWORD_LENGTH: Final = 128
WEAKEST_SCORE: Final = 2
"""Of zxcvbn's 0 to 4: more than a million guesses, where sign-in takes a few hundred a day."""

THREADS: Final = 2
MOST_AT_ONCE: Final = 32
"""Passwords that may be in the threads or wait for one: about a second of work. Whoever comes then comes again."""

_HASHER: Final = PasswordHasher(
    time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16, type=Type.ID
)

Answer = TypeVar("Answer")


class PasswordRefused(ValueError):
    """The password can't be used; the message says why and what can."""


class TooManyPasswords(Exception):
    """More passwords wait than the house takes on: come again in a moment."""


class Passwords:
    """Hashes and compares passwords in threads of its own."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="passwords")
        self._at_once = 0
        # What a password is compared with when nobody has the name, so that the answer takes as long.
        self._nobodys = _HASHER.hash("nobody has this password")

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def hash(self, password: str, name: str) -> str:
        """What is stored for a new password. Raises PasswordRefused, TooManyPasswords."""
        return await self._in_thread(lambda: _HASHER.hash(_serving(password, name)))

    async def matches(self, password: str, stored: str | None) -> bool:
        """Whether this is the password of the stored hash; False, after as long, when there is none.

        Raises TooManyPasswords.
        """
        return await self._in_thread(lambda: _matches(password, stored or self._nobodys)) and stored is not None

    async def renewed(self, password: str, stored: str) -> str | None:
        """A hash with today's parameters for a password that matched; None when the stored one has them.

        Raises TooManyPasswords.
        """
        if not _HASHER.check_needs_rehash(stored):
            return None
        return await self._in_thread(lambda: _HASHER.hash(_normal(password)))

    async def _in_thread(self, work: Callable[[], Answer]) -> Answer:
        if self._at_once >= MOST_AT_ONCE:
            raise TooManyPasswords
        self._at_once += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        finally:
            self._at_once -= 1


def _serving(password: str, name: str) -> bytes:
    """The bytes of a password that is long enough and hard to guess. Raises PasswordRefused."""
    length = len(unicodedata.normalize("NFKC", password))
    if not MIN_PASSWORD_LENGTH <= length <= MAX_PASSWORD_LENGTH:
        words = f"a password has {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} characters; this one has {length}"
        raise PasswordRefused(words)
    found = zxcvbn(password[:72], user_inputs=[name, "rummy"])
    if found["score"] < WEAKEST_SCORE:
        why = found["feedback"]["warning"] or "This is easy to guess."
        raise PasswordRefused(f"{why} Take three or four unrelated words, or more and other characters.")
    return _normal(password)


def _normal(password: str) -> bytes:
    """The same bytes however a keyboard composes the characters (NIST SP 800-63B, 3.1.1.2)."""
    return unicodedata.normalize("NFKC", password).encode()


def _matches(password: str, stored: str) -> bool:
    if len(password) > MAX_PASSWORD_LENGTH:
        return False
    try:
        return _HASHER.verify(stored, _normal(password))
    except (VerificationError, InvalidHashError):
        return False
