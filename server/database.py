"""Engines for the house's PostgreSQL, and bringing its schema up to date."""

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import URL, Connection, text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from wallet.database_url import asyncpg_url

SERVER_ROLE: Final = "rummy_server"
"""What the running server acts as, whoever it logs in as: may not change or delete what the journal holds."""

APPLICATION_NAME: Final = "rummy"
"""What the house's connections are called in pg_stat_activity."""
HOUSE_CONNECTIONS: Final = text(
    "SELECT count(*) FROM pg_stat_activity WHERE application_name = :name AND datname = current_database()"
)

CONNECTIONS: Final = 20
"""Of one server process; PostgreSQL allows 100 unless told otherwise."""
POOL_WAIT_SECONDS: Final = 10
MIGRATIONS: Final = Path(__file__).resolve().parent.parent / "migrations"


def create_engine(url: str | URL, connections: int = CONNECTIONS) -> AsyncEngine:
    """An engine whose connections act as the server's role; the schema must have been migrated before.

    At most `connections` of them; a caller who gets none in POOL_WAIT_SECONDS sees TimeoutError.
    """
    return create_async_engine(
        _address(url),
        pool_size=connections,
        max_overflow=0,
        pool_timeout=POOL_WAIT_SECONDS,
        pool_pre_ping=False,
        connect_args={"server_settings": {"role": SERVER_ROLE, "application_name": APPLICATION_NAME, "jit": "off"}},
    )


async def house_connections(url: str | URL) -> int:
    """How many connections houses have to this database now; as the login user, whom PostgreSQL shows them to."""
    engine = create_async_engine(_address(url), poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            count: int = (await connection.execute(HOUSE_CONNECTIONS, {"name": APPLICATION_NAME})).scalar_one()
            return count
    finally:
        await engine.dispose()


async def migrate(url: str | URL, revision: str = "head") -> None:
    """Bring the schema to `revision` ("base" takes everything away again); from any working directory.

    Acts as the login user, who must be able to create tables and the server's role.
    """
    engine = create_async_engine(_address(url), poolclass=NullPool)
    try:
        async with engine.connect() as connection:
            await connection.run_sync(_migrate, revision)
            await connection.commit()
    finally:
        await engine.dispose()


def _address(url: str | URL) -> URL:
    return asyncpg_url(url if isinstance(url, str) else url.render_as_string(hide_password=False))


def _migrate(connection: Connection, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    if revision == "base" or revision.startswith("-"):
        command.downgrade(config, revision)
    else:
        command.upgrade(config, revision)
