"""What verifying a whole hand costs in a real Chromium, as the player's own browser does it.

    python -m bench.browser_verify

Hands from a rehearsed house: as anybody gets them, and as a player has them with every receipt, each a signature more.
The first run is cold, as a page that was just opened; then the median of the others. Exits 1 when a hand won by a
declare takes 200 ms or more in its public form, cold.
"""

import argparse
import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, Route, async_playwright

from fairness.json_form import JsonObject
from fairness.rehearsal import RehearsedHouse
from fairness.rehearsed_players import eager, restless
from rummy.rules import TableRules

ROOT: Final = Path(__file__).resolve().parents[1]
WEB: Final = ROOT / "clients" / "web"
GOAL_MS: Final = 200.0
ADDRESS: Final = "http://verifier.bench"
"""Nothing listens there: the browser is answered from the built files."""

TIME_IT: Final = """
async ([file, keys, rounds]) => (await import('/browser_checks.js')).timeVerification(file, keys, rounds)
"""


async def serve(route: Route) -> None:
    name = route.request.url.rsplit("/", 1)[-1]
    if name.endswith(".js"):
        await route.fulfill(path=WEB / "dist-checks" / name, content_type="text/javascript")
    else:
        await route.fulfill(body="<!doctype html>", content_type="text/html")


async def time_one(browser: Browser, file: JsonObject, keys: object, rounds: int) -> list[float]:
    """Milliseconds of each run on a page of its own, the first one cold."""
    page = await browser.new_page()
    await page.route(f"{ADDRESS}/**", serve)
    await page.goto(f"{ADDRESS}/")
    timing: dict[str, Any] = await page.evaluate(TIME_IT, [file, keys, rounds])
    await page.close()
    assert timing["failed"] is None, f"a rehearsed hand fails {timing['failed']}"
    return list(timing["runs"])


async def measure(rounds: int, hands: int) -> float:
    """Print a line for each kind of hand; returns the cold median of the first kind."""
    house = RehearsedHouse(1)
    declared = [house.play(eager, TableRules(4), 3) for _ in range(hands)]
    wild = [house.play(restless, TableRules(6), 6) for _ in range(hands)]
    kinds = {
        "won by a declare, public": [hand.public for hand in declared],
        "won by a declare, with a player's receipts": [hand.own[min(hand.own)] for hand in declared],
        "restless players, public": [hand.public for hand in wild],
    }
    colds = []
    async with async_playwright() as playwright:
        path = os.environ.get("RUMMY_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome-stable")
        browser = await playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-background-networking"]
        )
        for name, files in kinds.items():
            runs = [await time_one(browser, file, house.keys.to_json(), rounds) for file in files]
            cold = statistics.median(times[0] for times in runs)
            warm = statistics.median(time for times in runs for time in times[1:])
            print(f"{name:44} cold {cold:7.1f} ms   warm {warm:7.1f} ms", flush=True)
            print(json.dumps({"case": name, "cold_ms": round(cold, 1), "warm_ms": round(warm, 1)}), flush=True)
            colds.append(cold)
        await browser.close()
    return colds[0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=6, help="runs on each page, the first one cold")
    parser.add_argument("--hands", type=int, default=5)
    given = parser.parse_args()
    build = [str(ROOT / "scripts" / "npm.sh"), "run", "build:checks"]
    subprocess.run(build, cwd=WEB, check=True, stdout=subprocess.DEVNULL)
    return 0 if asyncio.run(measure(given.rounds, given.hands)) < GOAL_MS else 1


if __name__ == "__main__":
    sys.exit(main())
