from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.server.eventlog.conftest import keys, world
from tests.server.web.clocked_house import ClockedHouse, clocked_house

__all__ = ["keys", "world"]

OpenClockedHouse = Callable[..., AbstractAsyncContextManager[ClockedHouse]]


@pytest.fixture
async def house(database_url: str, tmp_path: Path) -> AsyncIterator[ClockedHouse]:
    async with clocked_house(database_url, tmp_path) as opened:
        yield opened


@pytest.fixture
def open_clocked_house(database_url: str, tmp_path: Path) -> OpenClockedHouse:
    """Opens a house with settings of the test's choice."""
    return lambda **settings: clocked_house(database_url, tmp_path, **settings)
