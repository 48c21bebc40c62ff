"""The solver against an independent slow one (set packing, sharing no code) on random hands.

    python -m bench.solver_compare                      # 1,000,000 hands on every core
    python -m bench.solver_compare --hands 20000 --first 500

Of a hundred hands 96 are dealt, the others of the kinds in `bench.solver_hands`, with two and with three decks. Points
and whether the hand can be declared must agree; so must what each discard leaves, for one hand in two hundred. The
first hand that differs is named by its number, which `--first N --hands 1` brings back, and the command exits 1.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from random import Random

from bench.solver_hands import RUMMY_PACKS, MadeHand, Maker, dealt, dense, joker_rich, meld_rich, near_declare
from rummy.cards import PRINTED_JOKER_NAME, RANK_NAMES, Card, card_name
from rummy.solver import best_arrangement, best_discard, discard_options
from tests.rummy.slow_solver import solve

HANDS_PER_TASK = 1_000
DISCARDS_EVERY = 200
KINDS: tuple[Maker, ...] = (*[dealt] * 96, meld_rich, joker_rich, near_declare, dense)


class Disagreement(Exception):
    """A hand on which the two differ."""


def hand_number(number: int) -> MadeHand:
    rng = Random(number)
    return rng.choice(KINDS)(rng, rng.choice(RUMMY_PACKS))


def compare(numbers: range) -> int:
    """Compare these hands; returns how many. Raises Disagreement."""
    for number in numbers:
        hand = hand_number(number)
        wild = PRINTED_JOKER_NAME if hand.wild_rank is None else RANK_NAMES[hand.wild_rank - 1]
        arrangement = best_arrangement(hand.cards, hand.wild_rank)
        ours = arrangement.points, arrangement.complete
        theirs = _slowly(hand.cards, wild)
        if ours != theirs:
            raise Disagreement(f"hand {number}: {_names(hand.cards)} wild {wild}: {ours}, slowly {theirs}")
        if number % DISCARDS_EVERY == 0:
            _compare_discards(number, hand, wild)
    return len(numbers)


def _compare_discards(number: int, hand: MadeHand, wild: str) -> None:
    cards = (*hand.cards, hand.extra)
    options = discard_options(cards, hand.wild_rank)
    for option in options:
        theirs = _slowly(tuple(card for card in cards if card != option.card), wild)
        if (option.points, option.declares) != theirs:
            raise Disagreement(f"hand {number}: {_names(cards)} wild {wild}: {option}, slowly {theirs}")
    best = best_discard(cards, hand.wild_rank)
    if best not in options or best.points != min(option.points for option in options):
        raise Disagreement(f"hand {number}: {_names(cards)} wild {wild}: {best} is not the best discard")


def _slowly(cards: tuple[Card, ...], wild: str) -> tuple[int, bool]:
    return solve([card_name(card) for card in cards], wild)


def _names(cards: tuple[Card, ...]) -> str:
    return " ".join(map(card_name, cards))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.solver_compare", description=__doc__.partition("\n")[0])
    parser.add_argument("--hands", type=int, default=1_000_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first hand")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    numbers = range(arguments.first, arguments.first + arguments.hands)
    tasks = [numbers[start : start + HANDS_PER_TASK] for start in range(0, len(numbers), HANDS_PER_TASK)]
    began = time.perf_counter()
    done = 0
    with ProcessPoolExecutor(arguments.jobs) as pool:
        try:
            for count in pool.map(compare, tasks):
                done += count
                print(f"\r{done:,} of {len(numbers):,} hands agree", end="", file=sys.stderr, flush=True)
        except Disagreement as found:
            pool.shutdown(cancel_futures=True)
            print(f"\n{found}", file=sys.stderr)
            return 1
    seconds = time.perf_counter() - began
    print(f"\n{done:,} hands agree with the slow solver, {done / seconds:,.0f} hands/s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
