"""A ledger to play with: an engine that acts as the server, one that acts as the administrator, players with tokens."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from server.database import create_engine
from wallet.accounts import Asset
from wallet.check import Report, check
from wallet.transactions import in_transaction
from wallet.verbs import grant, open_accounts

MakePlayers = Callable[..., Awaitable[list[UUID]]]
START_UNITS = 100_000


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(database_url)
    yield engine
    await engine.dispose()


@pytest.fixture
async def admin(database_url: str) -> AsyncIterator[AsyncEngine]:
    """Connections as the superuser: somebody who gets behind the server's back."""
    engine = create_async_engine(database_url, poolclass=NullPool)
    yield engine
    await engine.dispose()


@pytest.fixture
def make_players(engine: AsyncEngine) -> MakePlayers:
    """Players with accounts and START_UNITS (or `units`) house tokens each, granted at 0 ms."""

    async def make(count: int, units: int = START_UNITS) -> list[UUID]:
        players = [uuid4() for _ in range(count)]

        async def open_all(connection: AsyncConnection) -> None:
            for player in players:
                await open_accounts(connection, player)
                if units:
                    await grant(connection, f"start:{player}", player, Asset.HT, units, "start", 0)

        await in_transaction(engine, open_all)
        return players

    return make


@pytest.fixture
def run_check(admin: AsyncEngine) -> Callable[[], Awaitable[Report]]:
    async def run() -> Report:
        async with admin.connect() as connection:
            return await check(connection)

    return run


@pytest.fixture
def behind_the_back(admin: AsyncEngine) -> Callable[[str], Awaitable[None]]:
    """Run statements as a superuser who has switched the guards off."""

    async def run(*statements: str) -> None:
        async with admin.begin() as connection:
            await connection.execute(text("SET session_replication_role = replica"))
            for statement in statements:
                await connection.execute(text(statement))

    return run


def codes(report: Report) -> Sequence[str]:
    return sorted({finding.code.value for finding in report.findings})
