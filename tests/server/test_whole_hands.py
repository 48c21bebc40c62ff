"""Whole hands by real bots through real sockets against a real PostgreSQL."""

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx

from tests.live_house import LiveHouse


def run(*command: str, database_url: str = "", **more: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "DATABASE_URL": database_url},
        **more,  # type: ignore[call-overload]
    )


def test_bots_play_whole_hands_on_tables_of_each_size(live_house: LiveHouse, database_url: str, tmp_path: Path) -> None:
    played = run("clients.bot", "--url", live_house.url, "--tables", "3", "--hands", "2")
    assert played.returncode == 0, played.stderr
    hands = [json.loads(line) for line in played.stdout.splitlines()]
    assert sorted(hand["seats"] for hand in hands) == [4, 4, 6, 6, 8, 8]
    assert len({hand["hand_id"] for hand in hands}) == 6
    for hand in hands:
        assert 2 <= len(hand["points"]) <= hand["seats"]
        assert sum(hand["tokens"].values()) + hand["commission"] == 0

    checked = run("wallet", "check", database_url=database_url)
    assert checked.returncode == 0, checked.stdout + checked.stderr

    for hand in hands:
        file = tmp_path / f"{hand['hand_id']}.json"
        file.write_text(httpx.get(f"{live_house.url}/api/hands/{hand['hand_id']}", trust_env=False).text)
        verified = run("fairness", "verify", str(file))
        assert verified.returncode == 0, verified.stdout + verified.stderr


def test_too_many_tables_are_refused_in_one_line(live_house: LiveHouse) -> None:
    played = run("clients.bot", "--url", live_house.url, "--tables", "9")
    assert played.returncode == 1
    assert "9 were asked for" in played.stderr


def test_no_house_there_is_said_in_one_line() -> None:
    played = run("clients.bot", "--url", "http://127.0.0.1:9", "--tables", "1")
    assert played.returncode == 1
    assert len(played.stderr.splitlines()) == 1
