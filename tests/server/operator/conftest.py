"""A house at whose tables hands were really played, and somebody at its desk."""

import contextlib
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass

import httpx
import pytest
import pytest_asyncio

from server.database import create_engine
from server.eventlog.keys import load_keys
from tests.server.eventlog.conftest import START_MS, Clock, Hand, World
from tests.server.web.clocked_house import ClockedHouse, clocked_house
from tests.server.web.conftest import house

__all__ = ["house"]

DESK = "/api/operator"
HANDS = 6


@dataclass
class PlayedHouse:
    world: World
    house: ClockedHouse
    hands: list[Hand]
    auditor: httpx.AsyncClient

    async def get(self, path: str, **params: object) -> httpx.Response:
        wanted = {name: str(value) for name, value in params.items()}
        return await self.auditor.get(f"{DESK}/{path}", params=wanted)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def played(module_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[PlayedHouse]:
    """For the tests of a module that only read. They share its loop: mark them with `loop_scope="module"`."""
    folder = tmp_path_factory.mktemp("desk")
    async with contextlib.AsyncExitStack() as stack:
        engine = create_engine(module_database_url)
        stack.push_async_callback(engine.dispose)
        world = World(engine, load_keys(folder / "keys", secrets.token_bytes, START_MS), Clock(), module_database_url)
        hands = await _played_hands(world)
        house = await stack.enter_async_context(clocked_house(module_database_url, folder, keys_dir=folder / "keys"))
        house.clock.jump_to(world.now_ms() + 1)
        auditor, _ = await stack.enter_async_context(house.staff("Ines", "--role", "auditor"))
        yield PlayedHouse(world, house, hands, auditor)


async def _played_hands(world: World) -> list[Hand]:
    async with world.journal() as journal:
        players = await world.players(4)
        tables = await world.tables(journal, 2)
        hands = [world.hand(tables[n % 2], players, seed=n, hand_no=n // 2 + 1) for n in range(HANDS)]
        for hand in hands:
            await hand.play(journal)
    return hands
