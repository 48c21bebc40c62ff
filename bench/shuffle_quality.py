"""Whether decks come out as evenly as chance: chi-square over card x position, and over neighbours.

    python -m bench.shuffle_quality                    # 1,000,000 decks of two packs, every core
    python -m bench.shuffle_quality --decks 20000 --packs 3 --jobs 1

Deck n goes the house's own way: a server seed made from n, the hand key, `derive_deck`. The same command counts the
same decks for ever. Exits 1 when a p-value is outside 0.001 .. 0.999: both too uneven and too even is wrong.

Both statistics are sums of (observed - expected)^2 / expected over cells that depend on each other within a deck, so
their distributions are not the textbook's:

- Card x position: n/(n-1) times chi-square with (n-1)^2 degrees of freedom. R. L. Anderson, "Use of contingency tables
  in the analysis of consumer preference studies", Biometrics 15 (1959).
- Neighbours, all n(n-1) ordered pairs: renaming the cards changes no covariance of "a is followed by b", so that the
  eigenvalues can be written down. The statistic is the sum of chi-squares with weights 1, (n+1)/(n-1) and 1/(n-1), and
  n(n-3)/2, (n-1)(n-2)/2 and 2(n-1) degrees of freedom: symmetric and antisymmetric tables without row sums, and
  row sums.
"""

import argparse
import hashlib
import itertools
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from fairness.deck import CARDS_PER_DECK, derive_deck, hand_key

DECKS_PER_TASK = 5_000
LOWEST_P, HIGHEST_P = 0.001, 0.999
TERMS_HASH = hashlib.sha256(b"shuffle quality").digest()
ROSTER_HASH = hashlib.sha256(b"nobody contributes").digest()

Deck = Sequence[int]


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts over some decks. places[p * n + c]: card c at position p. pairs[a * n + b]: b right after a."""

    decks: int
    places: Counter[int]
    pairs: Counter[int]

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.decks + other.decks, self.places + other.places, self.pairs + other.pairs)


@dataclass(frozen=True, slots=True)
class Term:
    """A weighted chi-square in a sum of them."""

    weight: float
    degrees: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """A statistic beside what chance gives. p: the chance of one at least as large."""

    name: str
    statistic: float
    expected: float
    deviation: float
    p: float

    @property
    def ok(self) -> bool:
        return LOWEST_P <= self.p <= HIGHEST_P


def house_deck(number: int, packs: int) -> Deck:
    """Deck `number` as a hand with this seed, these terms and this roster would have it."""
    server_seed = hashlib.sha256(b"shuffle quality %d" % number).digest()
    return derive_deck(hand_key(server_seed, TERMS_HASH, ROSTER_HASH), packs)


def tally(decks: Sequence[Deck]) -> Tally:
    n = len(decks[0])
    columns = list(zip(*decks, strict=True))
    places: Counter[int] = Counter()
    pairs: Counter[int] = Counter()
    for position, column in enumerate(columns):
        places.update([position * n + card for card in column])
    for left, right in itertools.pairwise(columns):
        pairs.update([a * n + b for a, b in zip(left, right, strict=True)])
    return Tally(len(decks), places, pairs)


def judge(counts: Tally, n: int) -> tuple[Verdict, Verdict]:
    """What the counts over decks of n cards say."""
    expected = counts.decks / n
    every_place = range(n * n)
    every_pair = (a * n + b for a in range(n) for b in range(n) if a != b)
    places = sum((counts.places[cell] - expected) ** 2 for cell in every_place) / expected
    pairs = sum((counts.pairs[cell] - expected) ** 2 for cell in every_pair) / expected
    place_terms = [Term(n / (n - 1), (n - 1) ** 2)]
    pair_terms = [
        Term(1, n * (n - 3) // 2),
        Term((n + 1) / (n - 1), (n - 1) * (n - 2) // 2),
        Term(1 / (n - 1), 2 * (n - 1)),
    ]
    return verdict("card x position", places, place_terms), verdict("neighbours", pairs, pair_terms)


def verdict(name: str, statistic: float, terms: Sequence[Term]) -> Verdict:
    """Beside a sum of weighted chi-squares, by one of equal mean and variance (Satterthwaite, Wilson-Hilferty)."""
    mean = sum(term.weight * term.degrees for term in terms)
    variance = sum(2 * term.weight**2 * term.degrees for term in terms)
    degrees = 2 * mean**2 / variance
    spread = 2 / (9 * degrees)
    z = ((statistic / mean) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return Verdict(name, statistic, mean, math.sqrt(variance), math.erfc(z / math.sqrt(2)) / 2)


def tally_range(task: tuple[range, int]) -> Tally:
    numbers, packs = task
    return tally([house_deck(number, packs) for number in numbers])


def count(decks: int, packs: int, jobs: int, progress: Callable[[int], None]) -> Tally:
    tasks = [(range(first, min(first + DECKS_PER_TASK, decks)), packs) for first in range(0, decks, DECKS_PER_TASK)]
    total = Tally(0, Counter(), Counter())
    with ProcessPoolExecutor(jobs) as pool:
        for part in pool.map(tally_range, tasks):
            total += part
            progress(total.decks)
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decks", type=int, default=1_000_000)
    parser.add_argument("--packs", type=int, choices=(2, 3), default=2, help="53-card packs in a deck")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    started = time.monotonic()

    def progress(done: int) -> None:
        print(f"\r{done:,} decks, {time.monotonic() - started:.0f} s", end="", file=sys.stderr, flush=True)

    counts = count(given.decks, given.packs, given.jobs, progress)
    print(file=sys.stderr)
    verdicts = judge(counts, CARDS_PER_DECK * given.packs)
    print(f"{counts.decks:,} decks of {CARDS_PER_DECK * given.packs} cards")
    for each in verdicts:
        print(
            f"{each.name:16} chi-square {each.statistic:10.1f}, by chance {each.expected:.1f} +- {each.deviation:.1f}"
            f"   p {each.p:.3f}   {'as even as chance' if each.ok else 'NOT as chance'}"
        )
    return 0 if all(each.ok for each in verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
