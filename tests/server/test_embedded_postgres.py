"""The PostgreSQL in the data folder: started, stopped, killed beside, and started again with all that was in it."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from server import embedded_postgres
from wallet.database_url import asyncpg_url, find_database_url


@pytest.fixture
def data_dir() -> Iterator[Path]:
    # Not below pytest's own folder: each session of pytest closes that to everybody but its user, and run as root
    # PostgreSQL is another user.
    with tempfile.TemporaryDirectory(prefix="rummy-data-", ignore_cleanup_errors=True) as folder:
        data_dir = Path(folder) / "data"
        yield data_dir
        embedded_postgres.stop(data_dir)


async def execute(address: str, statement: str) -> object:
    engine = create_async_engine(asyncpg_url(address), poolclass=NullPool)
    async with engine.begin() as connection:
        result = await connection.execute(text(statement))
        value = result.scalar_one() if result.returns_rows else None
    await engine.dispose()
    return value


async def test_what_was_stored_survives_a_stop_and_a_start(data_dir: Path) -> None:
    address = embedded_postgres.start(data_dir)
    assert find_database_url(None, {"RUMMY_DATA_DIR": str(data_dir)}) == asyncpg_url(address)
    await execute(address, "CREATE TABLE kept AS SELECT 7 AS n")
    embedded_postgres.stop(data_dir)
    embedded_postgres.stop(data_dir)
    assert await execute(embedded_postgres.start(data_dir), "SELECT n FROM kept") == 7


async def test_rows_that_are_refused_do_not_reach_the_log(data_dir: Path) -> None:
    address = embedded_postgres.start(data_dir)
    await execute(address, "CREATE TABLE seeds (seed text PRIMARY KEY CHECK (seed <> upper('secret')))")
    for refused in (
        "INSERT INTO seeds SELECT upper('secret')",
        "INSERT INTO seeds SELECT upper('twice') FROM generate_series(1, 2)",
    ):
        with pytest.raises(IntegrityError):
            await execute(address, refused)
    log = (data_dir / embedded_postgres.CLUSTER_FOLDER / "log").read_text()
    assert "violates check constraint" in log
    assert "SECRET" not in log
    assert "TWICE" not in log


async def test_a_first_start_that_was_killed_begins_anew(data_dir: Path) -> None:
    cluster = data_dir / embedded_postgres.CLUSTER_FOLDER
    (cluster / "base").mkdir(parents=True)
    (cluster / "PG_VERSION").write_text("18\n")
    (data_dir / embedded_postgres.UNFINISHED_FILE).touch()
    assert await execute(embedded_postgres.start(data_dir), "SELECT 1") == 1
    assert not (data_dir / embedded_postgres.UNFINISHED_FILE).exists()


async def test_starting_twice_finds_the_running_one(data_dir: Path) -> None:
    assert embedded_postgres.start(data_dir) == embedded_postgres.start(data_dir)


async def test_a_server_left_by_a_killed_process_is_taken_over(data_dir: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from server import embedded_postgres;"
        "embedded_postgres.start(Path(sys.argv[1])); os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script, str(data_dir)], timeout=60)
    assert killed.returncode < 0
    assert await execute(embedded_postgres.start(data_dir), "SELECT 1") == 1


async def test_a_server_that_died_is_started_again_by_the_same_process(data_dir: Path) -> None:
    embedded_postgres.start(data_dir)
    pid_file = data_dir / embedded_postgres.CLUSTER_FOLDER / embedded_postgres.PID_FILE
    os.kill(int(pid_file.read_text("utf-8").splitlines()[0]), signal.SIGKILL)
    assert await execute(embedded_postgres.start(data_dir), "SELECT 1") == 1


async def test_a_pid_file_left_by_a_power_cut_is_not_believed(data_dir: Path) -> None:
    embedded_postgres.start(data_dir)
    cluster = data_dir / embedded_postgres.CLUSTER_FOLDER
    lines = (cluster / embedded_postgres.PID_FILE).read_text("utf-8").splitlines()
    embedded_postgres.stop(data_dir)
    lines[0] = str(os.getpid())
    (cluster / embedded_postgres.PID_FILE).write_text("\n".join(lines) + "\n", "utf-8")
    assert await execute(embedded_postgres.start(data_dir), "SELECT 1") == 1
