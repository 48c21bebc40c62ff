"""Engines act as the server's role, and the schema goes up, down and up again."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import URL, make_url, text
from sqlalchemy.exc import DBAPIError

from server.database import create_engine, house_connections, migrate
from wallet.accounts import Asset
from wallet.verbs import balances, grant, open_accounts


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


async def test_a_house_can_see_that_another_one_uses_its_database(database_url: str) -> None:
    assert await house_connections(database_url) == 0
    other = create_engine(database_url)
    async with other.connect():
        assert await house_connections(database_url) == 1
    await other.dispose()


async def test_migrations_go_up_down_and_up(database_url: str) -> None:
    await migrate(database_url, "base")
    await migrate(database_url)
    await migrate(database_url)
    engine = create_engine(database_url)
    async with engine.connect() as connection:
        assert (await connection.execute(text("SELECT current_user"))).scalar_one() == "rummy_server"
    await engine.dispose()


@pytest.fixture
def hosted_url(postgres_server: Any) -> Iterator[URL]:
    """As on a hosted PostgreSQL: somebody who owns one database, and may create no roles."""
    postgres_server.sql("CREATE ROLE hosted LOGIN")
    postgres_server.sql("CREATE DATABASE hosted_house OWNER hosted")
    yield make_url(postgres_server.url("hosted_house")).set(username="hosted")
    postgres_server.sql("DROP DATABASE hosted_house WITH (FORCE)")
    postgres_server.sql("DROP ROLE hosted")


async def test_an_owner_who_was_given_the_role_can_migrate_and_serve(postgres_server: Any, hosted_url: URL) -> None:
    postgres_server.sql("GRANT rummy_server TO hosted")
    await migrate(hosted_url)
    engine = create_engine(hosted_url)
    player = uuid4()
    async with engine.begin() as connection:
        await open_accounts(connection, player)
        await grant(connection, "welcome", player, Asset.HT, 500, "welcome")
        assert (await connection.execute(text("SELECT current_user"))).scalar_one() == "rummy_server"
        assert (await balances(connection, player))[Asset.HT] == (500, 0)
    await engine.dispose()


async def test_an_owner_without_the_role_is_told_what_to_ask_for(hosted_url: URL) -> None:
    with pytest.raises(asyncpg.RaiseError, match="have an administrator run GRANT rummy_server TO hosted"):
        await migrate(hosted_url)
