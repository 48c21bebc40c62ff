"""How long the trick games' solver takes for whole deals, beside colver's in the same run.

    python -m bench.trick_solver              # a minute or two; builds the native code if it can
    python -m bench.trick_solver --deals 50

Random deals, all cards open, from the first lead on: the value of the deal, and that of every card that may be led.
colver (PyPI, written in Rust) solves Belote, whose cards, points and premium for all tricks are those of Baloot's
Hokum; it differs in when a trump is due, so its questions are of the same size and its answers now and then others. It
values every card, and so do we beside it. Milliseconds of processor time, in which other work on the machine counts
least. Exits 1 when a gate does not hold.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

from tricks.cards import PACK_24, PACK_32, RANK_NAMES, Card, Suit
from tricks.klaverjas.following import Variant
from tricks.play import Play, sorted_hands
from tricks.search import native, solver
from tricks.search.search import BALOOT, Search
from tricks.search.solver import OpenDeal, Solver

PLAIN_DEALS: Final = 2
PLAIN_KINDS: Final = ("Klaverjas Amsterdam", "Thousand")
"""Enough for a search that takes seconds."""
ALL_POINTS: Final = 162
COLVER_RANKS: Final = "789JQKTA"


@dataclass(slots=True)
class Trial:
    """One solver's answers to questions of one kind, in milliseconds each."""

    name: str
    answers: str
    ms: list[float] = field(default_factory=list)

    def time(self, ask: Callable[[], int]) -> int:
        """The answer; its time is kept."""
        began = time.process_time_ns()
        answer = ask()
        self.ms.append((time.process_time_ns() - began) / 1_000_000)
        return answer

    @property
    def mean(self) -> float:
        return sum(self.ms) / len(self.ms)

    def percentile(self, percent: int) -> float:
        return sorted(self.ms)[min(len(self.ms) - 1, len(self.ms) * percent // 100)]

    def as_json(self) -> str:
        figures = {"mean_ms": self.mean, "p50_ms": self.percentile(50), "p99_ms": self.percentile(99)}
        told = {key: round(value, 2) for key, value in figures.items()}
        return json.dumps({"solver": self.name, "answers": self.answers, "count": len(self.ms), **told})


def dealt(pack: tuple[Card, ...], seats: int, seed: int) -> Play:
    """Eight cards each; seat 0 leads."""
    cards = Random(seed).sample(pack, 8 * seats)
    return Play(sorted_hands([cards[8 * seat : 8 * seat + 8] for seat in range(seats)]), 0)


KINDS: Final[dict[str, Callable[[int], OpenDeal]]] = {
    "Klaverjas Amsterdam": lambda seed: solver.klaverjas(Variant.AMSTERDAM, Suit.SPADES, dealt(PACK_32, 4, seed)),
    "Klaverjas Rotterdam": lambda seed: solver.klaverjas(Variant.ROTTERDAM, Suit.SPADES, dealt(PACK_32, 4, seed)),
    "Baloot Hokum": lambda seed: OpenDeal(BALOOT, (0, 1, 0, 1), Suit.SPADES, dealt(PACK_32, 4, seed)),
    "Baloot Sun": lambda seed: OpenDeal(BALOOT, (0, 1, 0, 1), None, dealt(PACK_32, 4, seed)),
    "Thousand": lambda seed: solver.thousand(0, None, dealt(PACK_24, 3, seed)),
}


def run_ours(asking: Solver, deals: int) -> Iterator[Trial]:
    for name, make in KINDS.items():
        value, every = Trial(name, "deal"), Trial(name, "every card")
        for seed in range(deals):
            deal = make(seed)
            value.time(partial(asking.value, deal))
            every.time(partial(best_of, asking, deal))
        yield from (value, every)


def run_plain() -> Iterator[Trial]:
    asking = Solver(Search)
    for name in PLAIN_KINDS:
        trial = Trial(f"{name}, plain", "deal")
        for seed in range(PLAIN_DEALS):
            trial.time(partial(asking.value, KINDS[name](seed)))
        yield trial


def best_of(asking: Solver, deal: OpenDeal) -> int:
    return max(asking.solve(deal, deal.play.hand).values.values())


def run_colver(asking: Solver, deals: int) -> tuple[Trial, Trial, int]:
    """colver's times and ours on the same hands, taking turns, and on how many deals both find the same points."""
    from colver import Env

    ours, theirs, same = Trial("Baloot Hokum", "beside colver"), Trial("colver, Belote", "every card"), 0
    for seed in range(deals):
        deal = KINDS["Baloot Hokum"](seed)
        environment = Env.deal_with_hands(3, [sorted(map(colver_card, hand)) for hand in deal.play.hands])
        environment.set_contract(int(Suit.SPADES), 80, 0, 0)
        environment.set_phase_playing()
        found = theirs.time(partial(max_score, environment))
        value = ours.time(partial(best_of, asking, deal))
        same += found == (ALL_POINTS + value if abs(value) <= ALL_POINTS else max(0, 2 * value)) // 2
    return ours, theirs, same


def colver_card(card: Card) -> int:
    suit, rank = divmod(card, len(RANK_NAMES))
    return len(RANK_NAMES) * suit + COLVER_RANKS.index(RANK_NAMES[rank])


def max_score(environment: object) -> int:
    return max(score for _, score in environment.solve_scores()["scores"])  # type: ignore[attr-defined]


def judge(trials: dict[tuple[str, str], Trial], ratio: float) -> list[str]:
    """Print every gate; returns those that do not hold."""
    failed = []
    gates = [("ours to colver's, every card of a Hokum deal", ratio, 1.5)]
    for name in KINDS:
        trial = trials[name, "deal"]
        gates.append((f"{name}: mean ms of a deal", trial.mean, 10 if name == "Thousand" else 40))
        if name != "Thousand":
            gates.append((f"{name}: p99 ms", trial.percentile(99), 400))
    for what, value, limit in gates:
        print(f"gate    {what}: {value:.2f} (at most {limit:g}) {'holds' if value <= limit else 'DOES NOT HOLD'}")
        if value > limit:
            failed.append(what)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.trick_solver", description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=300)
    deals = parser.parse_args().deals
    try:
        if native.load() is None:
            native.build()
            native.load.cache_clear()
    except native.NotBuilt as reason:
        print(f"no native build, and no gate holds without it: {reason}")
        return 1
    asking = Solver()
    ours, theirs, same = run_colver(asking, deals)
    trials = [*run_ours(asking, deals), ours, theirs, *run_plain()]
    for trial in trials:
        print(trial.as_json())
    print(f"\n{'ms':<30}{'':<15}{'deals':>7}{'mean':>10}{'p50':>10}{'p99':>10}{'max':>10}")
    for trial in trials:
        figures = (trial.mean, trial.percentile(50), trial.percentile(99), max(trial.ms))
        told = "".join(f"{figure:>10.1f}" for figure in figures)
        print(f"{trial.name:<30}{trial.answers:<15}{len(trial.ms):>7}{told}")
    print(f"\nBelote by colver and Hokum by us come to the same points in {same} of {len(ours.ms)} deals.\n")
    by_name = {(trial.name, trial.answers): trial for trial in trials}
    return 1 if judge(by_name, ours.mean / theirs.mean) else 0


if __name__ == "__main__":
    sys.exit(main())
