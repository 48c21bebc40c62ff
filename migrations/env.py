"""How alembic reaches the database: over the connection that the server hands it, or over one of its own."""

import asyncio
from logging.config import fileConfig

from alembic import context
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from wallet.database_url import find_database_url

MIGRATION_LOCK = 5_273_061
"""Advisory lock: two nodes that start together migrate one after the other."""


def migrate_over(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATION_LOCK})
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()


async def migrate_alone() -> None:
    """For the `alembic` command: the address comes from DATABASE_URL or the data folder."""
    engine = create_async_engine(find_database_url(), poolclass=NullPool)
    async with engine.begin() as connection:
        await connection.run_sync(migrate_over)
    await engine.dispose()


if context.is_offline_mode():
    raise SystemExit("the schema is migrated over a connection; writing SQL scripts is not supported")

handed_over = context.config.attributes.get("connection")
if handed_over is not None:
    migrate_over(handed_over)
else:
    if context.config.config_file_name is not None:
        fileConfig(context.config.config_file_name)
    asyncio.run(migrate_alone())
