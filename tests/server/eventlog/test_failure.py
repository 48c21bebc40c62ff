"""What a failed transaction means, error by error."""

import asyncpg
import pytest
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from server.eventlog.failure import Failure, failure_of

CASES = [
    (asyncpg.SerializationError("x"), Failure.CONFLICT),
    (asyncpg.DeadlockDetectedError("x"), Failure.CONFLICT),
    (asyncpg.AdminShutdownError("x"), Failure.UNAVAILABLE),
    (asyncpg.CannotConnectNowError("x"), Failure.UNAVAILABLE),
    (asyncpg.ConnectionDoesNotExistError("x"), Failure.UNAVAILABLE),
    (asyncpg.TooManyConnectionsError("x"), Failure.UNAVAILABLE),
    (asyncpg.DiskFullError("x"), Failure.UNAVAILABLE),
    (asyncpg.QueryCanceledError("x"), Failure.UNAVAILABLE),
    (asyncpg.LockNotAvailableError("x"), Failure.UNAVAILABLE),
    (asyncpg.IdleInTransactionSessionTimeoutError("x"), Failure.UNAVAILABLE),
    (ConnectionRefusedError(), Failure.UNAVAILABLE),
    (FileNotFoundError("no socket"), Failure.UNAVAILABLE),
    (TimeoutError(), Failure.UNAVAILABLE),
    (PoolTimeout("x"), Failure.UNAVAILABLE),
    (asyncpg.UniqueViolationError("x"), Failure.REFUSED),
    (asyncpg.CheckViolationError("x"), Failure.REFUSED),
    (asyncpg.RestrictViolationError("x"), Failure.REFUSED),
    (asyncpg.InterfaceError("x"), Failure.REFUSED),
    (ValueError("x"), Failure.REFUSED),
]


@pytest.mark.parametrize(("error", "meaning"), CASES, ids=lambda value: getattr(value, "name", type(value).__name__))
def test_an_error_means_the_same_bare_and_wrapped(error, meaning) -> None:
    assert failure_of(error, connection_closed=False) is meaning
    if isinstance(error, asyncpg.PostgresError):
        assert failure_of(DBAPIError("SELECT", None, error), connection_closed=False) is meaning


def test_whatever_comes_over_a_closed_connection_is_an_outage() -> None:
    assert failure_of(asyncpg.InterfaceError("connection is closed"), connection_closed=True) is Failure.UNAVAILABLE


def test_a_conflict_stays_a_conflict_even_if_the_connection_closed_after_it() -> None:
    assert failure_of(asyncpg.DeadlockDetectedError("x"), connection_closed=True) is Failure.CONFLICT
