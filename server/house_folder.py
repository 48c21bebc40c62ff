"""The data folder that a house has to itself, and the database that goes with it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import fasteners

from server import embedded_postgres
from server.settings import Settings

_LOCK_FILE: Final = "house.lock"
_ADDRESS_FILE: Final = "house_url"
"""Where the house that ran last on the folder could be reached."""


class FolderInUse(Exception):
    """Another house runs on the folder; the message is one line that says what to do."""


@contextlib.contextmanager
def only_house_of(data_dir: Path) -> Iterator[None]:
    """One house per data folder: a second one would take over the first one's tables and stop its database.

    Raises FolderInUse.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    lock = fasteners.InterProcessLock(data_dir / _LOCK_FILE)
    if not lock.acquire(blocking=False):
        raise FolderInUse(f"another house runs on {data_dir}/: stop it, or choose another with RUMMY_DATA_DIR")
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def database_of(settings: Settings) -> Iterator[str]:
    """The address of the house's database; the embedded one runs for as long as the block lasts."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    print(f"database: starting the embedded PostgreSQL in {settings.data_dir}/", flush=True)
    try:
        yield embedded_postgres.start(settings.data_dir)
    finally:
        embedded_postgres.stop(settings.data_dir)


def note_address(data_dir: Path, url: str) -> None:
    """Leave word where the house is, for commands that print links to it."""
    (data_dir / _ADDRESS_FILE).write_text(url, encoding="utf-8")


def address_of(settings: Settings) -> str:
    """Where the folder's house runs, or ran last; where these settings would have it, if none ever did."""
    file = settings.data_dir / _ADDRESS_FILE
    return file.read_text(encoding="utf-8") if file.is_file() else f"http://{settings.host}:{settings.port}"
