"""Engines act as the server's role, and the schema goes up, down and up again."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from server.database import create_engine, migrate


async def test_connections_act_as_the_server_role(database_url: str) -> None:
    engine = create_engine(database_url)
    async with engine.connect() as connection:
        role = (await connection.execute(text("SELECT current_user"))).scalar_one()
    await engine.dispose()
    assert role == "rummy_server"


async def test_the_server_role_may_not_create_tables(database_url: str) -> None:
    engine = create_engine(database_url)
    with pytest.raises(DBAPIError, match="permission denied"):
        async with engine.begin() as connection:
            await connection.execute(text("CREATE TABLE public.mine (n int)"))
    await engine.dispose()


async def test_migrations_go_up_down_and_up(database_url: str) -> None:
    await migrate(database_url, "base")
    await migrate(database_url)
    await migrate(database_url)
    engine = create_engine(database_url)
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT current_user"))).scalar_one() == "rummy_server"
    await engine.dispose()
