"""A house's database as one file, and a house from such a file: PostgreSQL's own tools, with the roles that ours needs.

The keys are not in it, and must not be: they are copied apart, or whoever finds the backup can open running hands.
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import URL

from server import embedded_postgres
from server.house_folder import only_house_of
from server.settings import Settings
from wallet.database_url import asyncpg_url, find_database_url

_ROLE: Final = """
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'rummy_server') THEN CREATE ROLE rummy_server NOLOGIN; END IF;
    EXECUTE format('GRANT rummy_server TO %I', current_user);
END $$
"""
_TABLES: Final = "SELECT count(*) FROM pg_class WHERE relname = 'hands' AND relkind = 'r'"


class CannotBackUp(Exception):
    """Nothing was written; the message is one line that says what to do."""


def back_up(file: Path, settings: Settings) -> str:
    """Write the database of DATABASE_URL, or of the house in the data folder, as it stands at one moment.

    The house may run meanwhile. Returns what to say. Raises CannotBackUp, NoDatabase.
    """
    if file.exists():
        raise CannotBackUp(f"{file} is there already: name a new file")
    _run("pg_dump", find_database_url(), "--format=custom", f"--file={file}")
    return f"written to {file}; copy {settings.keys_path}/ too, and keep the two apart"


def restore(file: Path, settings: Settings) -> str:
    """Fill the empty database of DATABASE_URL, or a new embedded one in the data folder.

    Returns what to say. Raises CannotBackUp, FolderInUse.
    """
    if not file.is_file():
        raise CannotBackUp(f"{file} is no file: name a backup")
    with _database(settings) as url:
        if _run("psql", url, "-XAtq", "-c", _TABLES) != "0":
            raise CannotBackUp("there is a house in this database already: restore into an empty one")
        _run("psql", url, "-Xq", "-v", "ON_ERROR_STOP=1", "-c", _ROLE)
        _run("pg_restore", url, "--no-owner", "--exit-on-error", "--single-transaction", str(file))
    return f"restored; put the keys into {settings.keys_path}/ before the house starts"


@contextmanager
def _database(settings: Settings) -> Iterator[URL]:
    if settings.database_url is not None:
        yield asyncpg_url(settings.database_url)
        return
    with only_house_of(settings.data_dir):
        address = embedded_postgres.start(settings.data_dir)
        try:
            yield asyncpg_url(address)
        finally:
            embedded_postgres.stop(settings.data_dir)


def _run(tool: str, url: URL, *arguments: str) -> str:
    """Run one of PostgreSQL's tools on a database; the password goes by the environment, where no list shows it."""
    address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    environment = os.environ if url.password is None else {**os.environ, "PGPASSWORD": str(url.password)}
    done = subprocess.run(  # noqa: S603 - the program of our own package, our own arguments
        [str(embedded_postgres.TOOLS / tool), f"--dbname={address}", *arguments],
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise CannotBackUp(f"{tool}: {lines[0] if lines else f'ended with {done.returncode}'}")
    return done.stdout.strip()
