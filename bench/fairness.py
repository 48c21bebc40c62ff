"""What fairness costs: deriving a deck, and verifying a whole hand, in Python.

    python -m bench.fairness

A deck is the whole way from server seed, terms and roster to the dealt hands. A verification is V1 to V12 of a hand
file as it is downloaded, over a fixed set of rehearsed hands. Medians and 99th percentiles of single runs; exits 1 when
deriving a deck costs 1 ms or more at the median.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable

from fairness.deck import deal, deal_order, derive_deck, hand_key
from fairness.json_form import JsonObject
from fairness.rehearsal import RehearsedHouse
from fairness.rehearsed_players import eager, restless
from fairness.verify import verify_bytes
from rummy.rules import TableRules

DECK_GOAL_MS = 1.0
HANDS = 20


def timed(work: Callable[[], object], runs: int) -> list[float]:
    """Milliseconds of each run."""
    times = []
    for _ in range(runs):
        started = time.perf_counter()
        work()
        times.append((time.perf_counter() - started) * 1000)
    return times


def tell(name: str, times: list[float]) -> float:
    """Print one line; returns the median."""
    median = statistics.median(times)
    print(f"{name:44} median {median:8.3f} ms   p99 {statistics.quantiles(times, n=100)[98]:8.3f} ms", flush=True)
    return median


def derive(packs: int, players: int) -> None:
    dealt_to = deal_order(8, 0, tuple(range(players)))
    deal(derive_deck(hand_key(bytes(32), bytes(32), bytes(32)), packs), dealt_to)


def hand_files() -> dict[str, list[JsonObject]]:
    house = RehearsedHouse(1)
    return {
        "won by a declare, 4 seats": [house.play(eager, TableRules(4), 3).public for _ in range(HANDS)],
        "restless players, any table": [house.play(restless).public for _ in range(HANDS)],
    }


def verify(data: bytes) -> None:
    assert verify_bytes(data).ok, "rehearsed hands verify"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2_000)
    given = parser.parse_args()
    medians = [
        tell("derive and deal 106 cards to 4", timed(lambda: derive(2, 4), given.runs)),
        tell("derive and deal 159 cards to 8", timed(lambda: derive(3, 8), given.runs)),
    ]
    for name, files in hand_files().items():
        written = [json.dumps(file).encode() for file in files]
        events = sum(len(file["events"]) for file in files if isinstance(file["events"], list)) // len(files)
        times = [spent for data in written for spent in timed(lambda data=data: verify(data), 5)]  # type: ignore[misc]
        tell(f"verify, {name} ({events} events)", times)
    return 0 if max(medians) < DECK_GOAL_MS else 1


if __name__ == "__main__":
    sys.exit(main())
