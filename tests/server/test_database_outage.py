"""PostgreSQL goes away under a house that plays and comes back: tables wait, say so, lose nothing and go on."""

import asyncio
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from server import embedded_postgres
from server.database import create_engine
from tests.live_house import LiveHouse
from tests.server.witnesses import Seats, check_wallet, prove_that_nothing_was_lost, until_every_running_hand_ended


@pytest.fixture
def own_postgres() -> Iterator[Path]:
    """A data folder with a PostgreSQL of its own, to be stopped at will."""
    with tempfile.TemporaryDirectory(prefix="rummy-outage-", ignore_cleanup_errors=True) as folder:
        try:
            yield Path(folder)
        finally:
            embedded_postgres.stop(Path(folder))


def kill(data_dir: Path) -> None:
    """SIGKILL to the postmaster and all of its processes: what a power cut leaves running."""
    postmaster = psutil.Process(int((data_dir / "postgres" / "postmaster.pid").read_text().split()[0]))
    processes = [postmaster, *postmaster.children(recursive=True)]
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, 10)


async def test_the_house_waits_for_its_database_and_goes_on_by_itself(own_postgres: Path, tmp_path: Path) -> None:
    url = await asyncio.to_thread(embedded_postgres.start, own_postgres)
    house = LiveHouse(tmp_path, url, {})
    await asyncio.to_thread(house.start)
    engine = create_engine(url)
    try:
        async with contextlib.AsyncExitStack() as stack:
            seats = Seats(house, stack)
            await seats.fill(tables=1)
            for number, take_away in enumerate((embedded_postgres.stop, kill), 1):
                await seats.until_moves_are_acknowledged(5)
                await asyncio.to_thread(take_away, own_postgres)
                await seats.until_everybody_heard("paused", number)
                stored = seats.acknowledged()
                assert await asyncio.to_thread(embedded_postgres.start, own_postgres) == url
                await seats.until_everybody_heard("resumed", number)
                assert stored <= seats.acknowledged()
            await until_every_running_hand_ended(engine)
            acknowledged = seats.acknowledged()
        await asyncio.to_thread(check_wallet, url)
        assert await prove_that_nothing_was_lost(engine, house.url, acknowledged) > 10
    finally:
        await engine.dispose()
        assert await asyncio.to_thread(house.stop) == 0
