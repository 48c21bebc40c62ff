"""`python -m wallet`, run as people run it: exit codes, what it prints, and what it says when it can't."""

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from wallet.accounts import Asset
from wallet.contests import of_hand
from wallet.transactions import in_transaction
from wallet.verbs import HoldRequest, Settlement, hold_many, settle_many

MakePlayers = Callable[..., Awaitable[list[UUID]]]
BehindTheBack = Callable[..., Awaitable[None]]


def run(*arguments: str, folder: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "RUMMY_DATA_DIR")}
    return subprocess.run(
        [sys.executable, "-m", "wallet", *arguments],
        env={**clean, **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.fixture
async def winner(engine: AsyncEngine, make_players: MakePlayers) -> UUID:
    """One settled hand: the winner has 1009.50."""
    winner, loser = await make_players(2)
    hold = HoldRequest(of_hand(uuid4()), uuid4(), Asset.HT, ((winner, 13_000), (loser, 13_000)), 1000)
    end = Settlement(hold.contest, hold.table_id, Asset.HT, ((winner, 950), (loser, -1000)), 50, 2000)
    await in_transaction(engine, lambda c: hold_many(c, [hold]))
    await in_transaction(engine, lambda c: settle_many(c, [end]))
    return winner


async def test_check_says_that_the_ledger_holds(database_url: str, winner: UUID) -> None:
    done = run("check", DATABASE_URL=database_url)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("the ledger holds: 4 entries, 9 postings")


async def test_check_names_what_is_wrong_and_fails(
    database_url: str, winner: UUID, behind_the_back: BehindTheBack
) -> None:
    await behind_the_back("UPDATE wallet.entries SET reason = 'other' WHERE kind = 'settle'")
    done = run("--database-url", database_url, "check")
    assert done.returncode == 1
    assert "chain_broken: entry 4 (settle:" in done.stdout
    assert "does not hold: 1 findings" in done.stderr


async def test_check_keeps_heads_and_looks_for_them_again(
    database_url: str, winner: UUID, tmp_path: Path, behind_the_back: BehindTheBack
) -> None:
    heads = tmp_path / "heads.json"
    for _ in range(2):
        assert run("check", "--heads", str(heads), DATABASE_URL=database_url).returncode == 0
    kept = json.loads(heads.read_text("utf-8"))
    shard = next(iter(kept))
    heads.write_text(json.dumps({shard: [kept[shard][0], "00" * 32]}), "utf-8")
    done = run("check", "--heads", str(heads), DATABASE_URL=database_url)
    assert (done.returncode, f"head_missing: shard {shard}" in done.stdout) == (1, True)


async def test_a_statement_for_people_and_as_csv(database_url: str, winner: UUID) -> None:
    done = run("statement", str(winner), DATABASE_URL=database_url)
    assert done.returncode == 0
    newest = done.stdout.splitlines()[1].split()
    assert newest[2:7] == ["settle", "139.50", "-130.00", "1009.50", "0.00"]
    rows = list(csv.DictReader(io.StringIO(run("statement", str(winner), "--csv", DATABASE_URL=database_url).stdout)))
    assert [row["kind"] for row in rows] == ["settle", "hold", "grant"]
    assert (rows[0]["available"], rows[1]["held"]) == ("100950", "13000")


async def test_a_statement_of_nobody_is_none(database_url: str, winner: UUID) -> None:
    stranger = uuid4()
    done = run("statement", str(stranger), DATABASE_URL=database_url)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"nobody with the id {stranger} has an account\n"


async def test_a_statement_says_when_there_is_more(database_url: str, winner: UUID) -> None:
    done = run("statement", str(winner), "--lines", "1", DATABASE_URL=database_url)
    assert len(done.stdout.splitlines()) == 2
    assert "older entries follow" in done.stderr


async def test_the_trial_balance_sums_to_zero(database_url: str, winner: UUID) -> None:
    done = run("trial-balance", DATABASE_URL=database_url)
    assert done.returncode == 0
    totals = [line.split() for line in done.stdout.splitlines()]
    assert ["HT", "commission", "16", "accounts", "0.50"] in totals
    assert ["HT", "total", "0.00"] in totals
    rows = list(csv.DictReader(io.StringIO(run("trial-balance", "--csv", DATABASE_URL=database_url).stdout)))
    assert sum(int(row["balance"]) for row in rows) == 0


async def test_the_journal_is_exported_line_by_line(database_url: str, winner: UUID, tmp_path: Path) -> None:
    out = tmp_path / "journal.csv"
    done = run("export", "--out", str(out), DATABASE_URL=database_url)
    assert (done.returncode, done.stdout) == (0, "")
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8"))))
    assert len(rows) == 9
    sums: dict[str, int] = {}
    for row in rows:
        change = int(row["available_change"]) + int(row["held_change"])
        sums[row["entry_id"]] = sums.get(row["entry_id"], 0) + change
    assert set(sums.values()) == {0}
    assert run("export", DATABASE_URL=database_url).stdout.splitlines()[0] == ",".join(rows[0])


def test_a_house_that_was_never_started_is_told_plainly(tmp_path: Path) -> None:
    done = run("check", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr.strip() == "no database named: set DATABASE_URL, or start the house once to make data/database_url"
    )


def test_a_house_that_is_down_is_told_plainly(tmp_path: Path) -> None:
    (tmp_path / "database_url").write_text(f"postgresql://postgres@/rummy?host={tmp_path}\n", "utf-8")
    done = run("check", RUMMY_DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr.startswith("the database does not answer: ")
    assert len(done.stderr.splitlines()) == 1


async def test_a_house_that_runs_is_found_by_its_data_folder(database_url: str, winner: UUID, tmp_path: Path) -> None:
    (tmp_path / "database_url").write_text(database_url + "\n", "utf-8")
    assert run("check", RUMMY_DATA_DIR=str(tmp_path)).returncode == 0


def test_a_database_that_was_never_migrated_is_told_plainly(postgres_url: str) -> None:
    done = run("check", DATABASE_URL=postgres_url)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments", [(), ("statement",), ("statement", "x"), ("statement", str(uuid4()), "--lines", "0")]
)
def test_what_can_not_be_read_is_told(arguments: tuple[str, ...], postgres_url: str) -> None:
    done = run(*arguments, DATABASE_URL=postgres_url)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
