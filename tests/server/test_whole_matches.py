"""Whole matches by real bots through real sockets: played to the end, paid, and recomputed from their hands."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from tests.live_house import LiveHouse
from tests.server.test_whole_hands import run

FORMATS = ("pool_101", "deals_2")


def play(house: LiveHouse, format_: str) -> dict[str, Any]:
    played = run("clients.bot", "--url", house.url, "--tables", "1", "--format", format_)
    assert played.returncode == 0, played.stderr
    (line,) = played.stdout.splitlines()
    match: dict[str, Any] = json.loads(line)
    return match


def download(house: LiveHouse, path: str, to: Path) -> Path:
    answer = httpx.get(f"{house.url}/api/{path}", trust_env=False)
    assert answer.status_code == 200, answer.text
    to.write_text(answer.text)
    return to


def test_bots_play_whole_matches(live_house: LiveHouse, database_url: str, tmp_path: Path) -> None:
    with ThreadPoolExecutor() as threads:
        matches = list(threads.map(lambda format_: play(live_house, format_), FORMATS))
    assert run("wallet", "check", database_url=database_url).returncode == 0
    for match, format_ in zip(matches, FORMATS, strict=True):
        assert match["format"] == format_
        assert match["ended"] in ("won", "shared")
        assert sum(match["tokens"].values()) + match["commission"] == 0
        file = download(live_house, f"matches/{match['match_id']}", tmp_path / f"{format_}.json")
        told = json.loads(file.read_text())
        assert len(told["hands"]) == match["hands"]
        assert {str(line["seat"]): line["delta"] for line in told["lines"]} == match["tokens"]
        hands = [download(live_house, f"hands/{one}", tmp_path / f"{one}.json") for one in told["hands"]]
        verified = run("fairness", "match", str(file), *map(str, hands))
        assert verified.returncode == 0, verified.stdout + verified.stderr
