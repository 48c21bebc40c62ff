"""The command that judges shuffles: it passes ours, and it would catch the classical mistakes."""

from collections.abc import Callable
from random import Random

import pytest

from bench.shuffle_quality import Tally, Term, house_deck, judge, tally, verdict
from fairness.deck import DEAL, UniformStream, shuffle_key

DECKS = 1_500
CARDS = 106


def decks(make: Callable[[Random], list[int]]) -> Tally:
    rng = Random(11)
    return tally([make(rng) for _ in range(DECKS)])


def stream(rng: Random) -> UniformStream:
    return UniformStream(shuffle_key(rng.randbytes(32), DEAL))


def swap_with_any(rng: Random) -> list[int]:
    """The naive shuffle: every place swaps with any place."""
    deck, uniform = list(range(CARDS)), stream(rng).uniform
    for i in range(CARDS - 1, 0, -1):
        j = uniform(CARDS)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def never_stays(rng: Random) -> list[int]:
    """Sattolo's off by one: no card may keep its place."""
    deck, uniform = list(range(CARDS)), stream(rng).uniform
    for i in range(CARDS - 1, 0, -1):
        j = uniform(i)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def cut(rng: Random) -> list[int]:
    """Every card at every place equally often, and always the same neighbours."""
    at = stream(rng).uniform(CARDS)
    return [*range(at, CARDS), *range(at)]


def test_the_houses_decks_are_as_even_as_chance_b26() -> None:
    places, pairs = judge(tally([house_deck(number, 2) for number in range(DECKS)]), CARDS)
    assert places.ok
    assert pairs.ok


def test_so_are_those_of_another_shuffle() -> None:
    """The statistics' distributions are worked out, not fitted to us."""
    places, pairs = judge(decks(lambda rng: rng.sample(range(CARDS), CARDS)), CARDS)
    assert places.ok
    assert pairs.ok


@pytest.mark.parametrize(("make", "what"), [(swap_with_any, 0), (never_stays, 0), (cut, 1)])
def test_a_biased_shuffle_is_caught(make: Callable[[Random], list[int]], what: int) -> None:
    assert judge(decks(make), CARDS)[what].p < 1e-6


def test_decks_that_are_too_even_are_caught() -> None:
    rotations = [[(card + turn) % CARDS for card in range(CARDS)] for turn in range(CARDS)]
    assert judge(tally(rotations), CARDS)[0].p > 1 - 1e-6


def test_expected_values_by_hand() -> None:
    """n = 3: six decks, each once: each card twice at each place, each pair twice."""
    six = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    counts = tally(six)
    assert set(counts.places.values()) == {2}
    assert set(counts.pairs.values()) == {2}
    assert [each.statistic for each in judge(counts, 3)] == [0, 0]


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"), [(124.342, 100, 0.05), (135.807, 100, 0.01), (99.334, 100, 0.5)]
)
def test_p_values_are_those_of_the_tables(statistic: float, degrees: int, p: float) -> None:
    assert verdict("x", statistic, [Term(1, degrees)]).p == pytest.approx(p, abs=2e-4)
