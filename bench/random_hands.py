"""Whole random hands through `rummy.hand`, every state checked: any table, any table rules, any legal action.

    python -m bench.random_hands                      # 1,000,000 hands on every core
    python -m bench.random_hands --hands 20000 --jobs 1 --first 500

Hand n is random from seed n. Its invariants are checked after every action; one hand in twenty is also replayed from
its public events and must come out the same. The first broken hand is named by its seed, and the command exits 1.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random

from rummy.random_play import play_random_hand
from rummy.replay import replay

HANDS_PER_TASK = 500
REPLAY_EVERY = 20


class BrokenHand(Exception):
    """A hand that broke an invariant, with the seed that brings it back."""


def play_hands(seeds: range) -> Counter[str]:
    """Play one hand per seed and count events and ends. Raises BrokenHand at the first that is not sound."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        try:
            _play_hand(seed, counts)
        except Exception as broken:
            raise BrokenHand(f"seed {seed}: {type(broken).__name__}: {broken}") from broken
    return counts


def _play_hand(seed: int, counts: Counter[str]) -> None:
    state, events = play_random_hand(Random(seed))
    assert state.ended is not None, "the hand has no result"
    if seed % REPLAY_EVERY == 0:
        assert replay(state.setup, events) == state, "the replay differs from the play"
        counts["replayed"] += 1
    counts["hands"] += 1
    counts["turns"] += state.turn_number
    counts["events"] += len(events)
    counts[f"ended by {state.ended.outcome}"] += 1
    counts["reshuffles"] += state.reshuffles_done
    if state.void_reason is not None:
        counts[f"void, {state.void_reason}"] += 1
    for seat in state.setup.players:
        out = state.seat(seat).out
        if out is not None:
            counts[f"seats out by {out.by}"] += 1


def main() -> int:
    arguments = _arguments()
    end = arguments.first + arguments.hands
    tasks = [range(start, min(start + HANDS_PER_TASK, end)) for start in range(arguments.first, end, HANDS_PER_TASK)]
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        try:
            for done in _with_progress(pool.map(play_hands, tasks), arguments.hands):
                counts += done
        except BrokenHand as broken:
            pool.shutdown(cancel_futures=True)
            print(f"broken hand, {broken}", file=sys.stderr)
            return 1
    seconds = time.monotonic() - began
    for name in sorted(counts):
        print(f"{counts[name]:>12,}  {name}")
    print(
        f"{counts['hands']:,} hands without a broken invariant in {seconds:.1f} s on {arguments.jobs} cores:"
        f" {counts['hands'] / seconds:,.0f} hands/s, {counts['events'] / seconds:,.0f} events/s"
    )
    return 0


def _with_progress(results: Iterator[Counter[str]], hands: int) -> Iterator[Counter[str]]:
    played = 0
    told = time.monotonic()
    for result in results:
        played += result["hands"]
        if time.monotonic() - told > 10:
            told = time.monotonic()
            print(f"{played:,} of {hands:,} hands", file=sys.stderr)
        yield result


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.random_hands", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hands", type=int, default=1_000_000, help="how many to play (1,000,000)")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (one per core)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
