"""Which PostgreSQL to speak to: the address somebody named, or the one that a running house wrote down."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

DATA_DIR_VARIABLE: Final = "RUMMY_DATA_DIR"
DATABASE_URL_VARIABLE: Final = "DATABASE_URL"
DEFAULT_DATA_DIR: Final = Path("data")
ADDRESS_FILE: Final = "database_url"
"""In the data folder: the address of the embedded PostgreSQL, written by whoever started it."""


class NoDatabase(Exception):
    """No address was named and no house has left one; the message says what to set or start."""


def asyncpg_url(address: str) -> URL:
    """Any usual PostgreSQL address (`postgres://`, `postgresql://`, libpq's `sslmode`) as SQLAlchemy wants it.

    Raises NoDatabase for anything else; the address itself may hold a password and is not repeated.
    """
    try:
        url = make_url(address)
    except ArgumentError:
        raise NoDatabase("that is no database address: name one like postgresql://user@host/database") from None
    if url.get_backend_name() not in ("postgresql", "postgres"):
        raise NoDatabase(f"{url.get_backend_name()} is not PostgreSQL: name a postgresql:// address")
    query = dict(url.query)
    if "sslmode" in query:
        query["ssl"] = query.pop("sslmode")
    return url.set(drivername="postgresql+asyncpg", query=query)


def find_database_url(named: str | None = None, environment: Mapping[str, str] = os.environ) -> URL:
    """The address given by flag, else DATABASE_URL, else the one in the data folder's address file.

    Raises NoDatabase when there is none.
    """
    address = named or environment.get(DATABASE_URL_VARIABLE)
    if address:
        return asyncpg_url(address)
    file = Path(environment.get(DATA_DIR_VARIABLE, DEFAULT_DATA_DIR)) / ADDRESS_FILE
    if not file.is_file():
        raise NoDatabase(f"no database named: set {DATABASE_URL_VARIABLE}, or start the house once to make {file}")
    return asyncpg_url(file.read_text(encoding="utf-8").strip())
