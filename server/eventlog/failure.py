"""What a failed transaction means for those who wait for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from typing import Final

from asyncpg.exceptions import InterfaceError, InternalClientError  # type: ignore[import-untyped]
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from server.tables.ports import JournalUnavailable
from wallet.transactions import is_retryable

_CONFLICTS: Final = frozenset({"40001", "40P01"})
"""serialization_failure, deadlock_detected: the same transaction may succeed at once."""

_UNAVAILABLE_CLASSES: Final = frozenset({"08", "53", "57", "58"})
"""Connection, insufficient resources, operator intervention (shutdown, cancel, time-out), system error."""

_UNAVAILABLE: Final = frozenset({"25P03", "25P04", "55P03"})
"""Idle in transaction too long, transaction too long, lock not available in time."""


class Failure(Enum):
    CONFLICT = auto()
    """Nothing stored; try the same again."""
    UNAVAILABLE = auto()
    """The database can't be reached or can't work now; if it came during COMMIT, whether it was stored is open."""
    REFUSED = auto()
    """The database or our own code refused what was asked; nothing stored, and trying again changes nothing."""


@contextmanager
def unavailable(words: str) -> Iterator[None]:
    """Turn what may pass by itself into JournalUnavailable; what the database or our code refuses stays as it is."""
    try:
        yield
    except Exception as error:
        if failure_of(error) is Failure.REFUSED:
            raise
        raise JournalUnavailable(words) from error


def failure_of(error: Exception, connection_closed: bool = False) -> Failure:
    sqlstate = _sqlstate(error)
    if sqlstate in _CONFLICTS or (isinstance(error, DBAPIError) and is_retryable(error)):
        return Failure.CONFLICT
    # TimeoutError is an OSError.
    if connection_closed or isinstance(error, OSError | PoolTimeout) or _driver_is_lost(error):
        return Failure.UNAVAILABLE
    if sqlstate is not None and (sqlstate[:2] in _UNAVAILABLE_CLASSES or sqlstate in _UNAVAILABLE):
        return Failure.UNAVAILABLE
    return Failure.REFUSED


def _driver_is_lost(error: BaseException | None) -> bool:
    """Whether the driver's connection was cut under it: closed by now, or no longer known how it stands."""
    while error is not None:
        if isinstance(error, InternalClientError) or (isinstance(error, InterfaceError) and "is closed" in str(error)):
            return True
        error = error.orig if isinstance(error, DBAPIError) else error.__cause__
    return False


def words_for(error: Exception) -> str:
    """What was wrong, for logs: never the row or the parameter that a database error quotes, which may be secret."""
    sqlstate = _sqlstate(error)
    if sqlstate is None:
        return f"{type(error).__name__}: {error}"
    carrier = error.orig.__cause__ if isinstance(error, DBAPIError) and error.orig is not None else error
    place = [getattr(carrier, name, None) for name in ("table_name", "constraint_name")]
    return " ".join([type(carrier).__name__, sqlstate, *(part for part in place if part)])


def quotes_rows(error: Exception) -> bool:
    """Whether the error's own text may show what was being stored."""
    return _sqlstate(error) is not None


def _sqlstate(error: BaseException) -> str | None:
    """asyncpg's errors carry it; SQLAlchemy's keep asyncpg's in `orig`."""
    carrier = error.orig if isinstance(error, DBAPIError) else error
    sqlstate = getattr(carrier, "sqlstate", None)
    return sqlstate if isinstance(sqlstate, str) else None
