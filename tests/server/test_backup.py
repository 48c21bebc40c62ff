"""A house is backed up while it plays, restored into an empty folder, proven whole, and played on."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from sqlalchemy import make_url

from fairness.audit import LeafRange, audit_leaves
from fairness.receipts import TreeHead
from fairness.verify import verify_hand
from server.embedded_postgres import DATABASE_NAME
from tests.live_house import LiveHouse, OpenHouse
from tests.raw_seat import AtTable, dealt, raw_seat
from wallet.database_url import ADDRESS_FILE


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        env={key: value for key, value in os.environ.items() if key != "DATABASE_URL"} | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def libpq(database_url: str) -> str:
    return make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)


@pytest.fixture
def new_folder() -> Iterator[Path]:
    """Not below pytest's own folder, into which the embedded PostgreSQL's user may not look."""
    with tempfile.TemporaryDirectory(prefix="rummy-restored-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


async def test_a_house_restored_from_its_backup_is_whole_and_plays_on(
    open_house: OpenHouse, database_url: str, tmp_path: Path, new_folder: Path
) -> None:
    house = await asyncio.to_thread(open_house)
    dump = tmp_path / "house.dump"
    async with dealt(house.url, count=2) as (mover, other):
        await mover.move("draw", source="stock")
        await mover.until(lambda: len(mover.cards) == 14)
        cards = mover.cards
        backed_up = await asyncio.to_thread(run, "server", "backup", str(dump), DATABASE_URL=libpq(database_url))
        assert backed_up.returncode == 0, backed_up.stderr
        shutil.copytree(tmp_path / "data" / "keys", new_folder / "data" / "keys")
        await asyncio.to_thread(house.kill)

        data = {"RUMMY_DATA_DIR": str(new_folder / "data")}
        restored = await asyncio.to_thread(run, "server", "restore", str(dump), **data)
        assert restored.returncode == 0, restored.stderr
        again = await asyncio.to_thread(run, "server", "restore", str(dump), **data)
        assert (again.returncode, "already" in again.stderr) == (1, True)

        new_house = LiveHouse(new_folder, None, {})
        await asyncio.to_thread(new_house.start)
        try:
            await play_on(new_house, mover, other, cards)
            address = (new_folder / "data" / ADDRESS_FILE).read_text()
            assert DATABASE_NAME in address
            checked = await asyncio.to_thread(run, "wallet", "check", DATABASE_URL=address.strip())
            assert checked.returncode == 0, checked.stdout + checked.stderr
        finally:
            await asyncio.to_thread(new_house.stop)
        await asyncio.to_thread(house.start)


async def play_on(house: LiveHouse, mover: AtTable, other: AtTable, cards: list[int]) -> None:
    """The same hand to its end, by the sessions of before; then the hand and the log are checked."""
    accounts = [replace(seat.account, url=house.url) for seat in (mover, other)]
    async with (
        raw_seat(house.url, account=accounts[0], table_id=mover.table_id) as first,
        raw_seat(house.url, account=accounts[1], table_id=mover.table_id) as second,
    ):
        for seat in (first, second):
            await seat.do("watch_table")
        assert first.cards == cards
        await first.move("discard", card=cards[0])
        await second.until(lambda: second.is_on_turn)
        hand_id = second.turn()["hand_id"]
        await second.move("drop")
        await first.in_phase("result")
    async with httpx.AsyncClient(base_url=house.url, trust_env=False, timeout=30) as http:
        report = verify_hand((await http.get(f"/api/hands/{hand_id}")).json())
        assert report.ok, report.first_failure
        head = TreeHead.from_json((await http.get("/api/log/head")).json())
        leaves = LeafRange.from_json((await http.get(f"/api/log/leaves?to={head.tree_size}")).json())
        findings = list(audit_leaves(leaves.leaves, head))
        assert all(finding.ok for finding in findings), findings
