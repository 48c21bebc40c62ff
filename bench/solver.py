"""How long the solver takes, plain and compiled, beside three other solvers in the same run.

    python -m bench.solver                   # a minute or two; builds the native code if it can
    python -m bench.solver --hands 500

The others, from PyPI by the `bench` extra, answer easier questions: RLCard (Python) and OpenSpiel (C++) find the least
deadwood of ten gin cards without jokers, rummikub-solver (integer programming) groups our 13 cards without a rule about
sequences or wild ranks. Every hand is solved five times, all solvers taking turns, and its best time counts, after one
round that warms the tables. Microseconds. Exits 1 when a gate does not hold; targets are only shown.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType

from bench.solver_hands import GIN_PACKS, RUMMY_PACKS, MadeHand, Maker, Pack, dealt, dense, make, mixed
from bench.solver_worst import kept_hands
from rummy import native, search
from rummy.cards import FACES_PER_DECK, PRINTED_JOKER
from rummy.laying import lay

ROUNDS = 5
SLOW_HANDS = 60
"""Enough for a solver that takes milliseconds."""

KINDS: tuple[Maker, ...] = (dealt, mixed, dense)


@dataclass(frozen=True, slots=True)
class Times:
    """One solver on hands of one kind, in microseconds a hand."""

    solver: str
    hands: str
    count: int
    mean_us: float
    p50_us: float
    p99_us: float
    max_us: float

    def as_json(self) -> str:
        rounded = {key: getattr(self, key) for key in self.__slots__}
        return json.dumps({k: round(v, 2) if isinstance(v, float) else v for k, v in rounded.items()})


Question = Callable[[], object]


@dataclass(slots=True)
class Trial:
    """One solver's questions about hands of one kind, and the best time of each so far."""

    solver: str
    hands: str
    questions: Sequence[Question]
    rounds: int = ROUNDS
    best_us: list[float] = field(default_factory=list)

    def warm(self) -> None:
        for ask in self.questions:
            ask()
        self.best_us = [float("inf")] * len(self.questions)

    def run_round(self) -> None:
        for number, ask in enumerate(self.questions):
            began = time.perf_counter_ns()
            ask()
            self.best_us[number] = min(self.best_us[number], (time.perf_counter_ns() - began) / 1000)

    def times(self) -> Times:
        us = sorted(self.best_us)
        count = len(us)
        mean = sum(us) / count
        return Times(self.solver, self.hands, count, mean, us[count // 2], us[int(count * 0.99)], us[-1])


# Ours ---------------------------------------------------------------------------------------------------------------


def ours(build: str, module: ModuleType, kind: Maker, count: int) -> list[Trial]:
    hands = make(kind, count, 1, RUMMY_PACKS)
    name = kind.__name__
    thirteen = [(hand.cards, hand.wild_rank or 0) for hand in hands]
    fourteen = [(sorted((*hand.cards, hand.extra)), hand.wild_rank or 0) for hand in hands]
    return [
        Trial(f"rummy, {build}", name, [partial(fewest, module, *hand) for hand in thirteen]),
        Trial(f"rummy, {build}: laid out", name, [partial(laid_out, module, hand) for hand in hands]),
        Trial(f"rummy, {build}: best discard of 14", name, [partial(module.best_discard, *hand) for hand in fourteen]),
        Trial(
            f"rummy, {build}: all discards of 14", name, [partial(module.points_after_each, *hand) for hand in fourteen]
        ),
    ]


def fewest(module: ModuleType, cards: Sequence[int], wild_rank: int) -> object:
    return module.best_plan(cards, wild_rank, search.empty_plan())


def laid_out(module: ModuleType, hand: MadeHand) -> object:
    plan = search.empty_plan()
    return lay(hand.cards, hand.wild_rank, plan, module.best_plan(hand.cards, hand.wild_rank or 0, plan))


def worst(build: str, module: ModuleType) -> Trial:
    questions = [partial(fewest, module, hand.cards, hand.wild_rank) for hand in kept_hands()]
    return Trial(f"rummy, {build}", "worst found", questions, rounds=20)


# The others ---------------------------------------------------------------------------------------------------------


def gin_index(card: int) -> int:
    """All number the 52 cards suit by suit from the ace up, as we do."""
    return card % FACES_PER_DECK


def rlcard(kind: Maker, count: int) -> Trial:
    from rlcard.games.gin_rummy.utils.melding import get_best_meld_clusters
    from rlcard.games.gin_rummy.utils.utils import card_from_card_id

    hands = [[card_from_card_id(gin_index(card)) for card in hand.cards] for hand in make(kind, count, 1, GIN_PACKS)]
    return Trial("RLCard, gin", kind.__name__, [partial(get_best_meld_clusters, hand) for hand in hands])


def open_spiel(kind: Maker, count: int) -> Trial:
    import pyspiel

    gin = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    hands = [[gin_index(card) for card in hand.cards] for hand in make(kind, count, 1, GIN_PACKS)]
    return Trial("OpenSpiel, gin", kind.__name__, [partial(gin.min_deadwood, hand) for hand in hands])


def rummikub(kind: Maker) -> Trial:
    from rummikub_solver import RuleSet, SolverMode

    rules = RuleSet()
    states = []
    for hand in make(kind, SLOW_HANDS, 1, (Pack(decks=2),)):
        state = rules.new_game()
        state.add_rack(*(53 if card % FACES_PER_DECK == PRINTED_JOKER else gin_index(card) + 1 for card in hand.cards))
        states.append(state)
    questions = [partial(rules.solve, state, SolverMode.TOTAL_VALUE) for state in states]
    return Trial("rummikub-solver", kind.__name__, questions, rounds=1)


# What must hold -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Verdicts:
    """Ratios and limits, said as they are checked."""

    failed: list[str] = field(default_factory=list)

    def gate(self, what: str, value: float, limit: float) -> None:
        held = value <= limit
        print(f"gate    {what}: {value:.2f} (at most {limit:g}) {'holds' if held else 'DOES NOT HOLD'}")
        if not held:
            self.failed.append(what)

    def target(self, what: str, value: float, limit: float) -> None:
        print(f"target  {what}: {value:.2f} (at most {limit:g}) {'met' if value <= limit else 'not met'}")


def judge(by: dict[tuple[str, str], Times]) -> list[str]:
    """Print every gate and target; returns the gates that do not hold."""
    verdicts = Verdicts()
    plain = {kind: by["rummy, plain", kind] for kind in ("dealt", "mixed", "dense", "worst found")}
    for kind, gate, target in (("dealt", 2, 1), ("mixed", 6, 3)):
        ratio = plain[kind].mean_us / by["RLCard, gin", kind].mean_us
        verdicts.gate(f"plain mean to RLCard's, {kind}", ratio, gate)
        verdicts.target(f"plain mean to RLCard's, {kind}", ratio, target)
    verdicts.gate("slowest dense hand to the dealt mean, plain", plain["dense"].max_us / plain["dealt"].mean_us, 40)
    for kind in ("dealt", "mixed"):
        judge_fourteen(verdicts, by, kind)
        fifty = 50 * plain[kind].mean_us / by["rummikub-solver", kind].mean_us
        verdicts.gate(f"fifty plain solves to one of rummikub-solver's, {kind}", fifty, 1)
    if ("rummy, native", "mixed") in by:
        native_mean = by["rummy, native", "mixed"].mean_us
        verdicts.target("native mean to OpenSpiel's, mixed", native_mean / by["OpenSpiel, gin", "mixed"].mean_us, 1)
        verdicts.target("native, slowest of the worst found, us", by["rummy, native", "worst found"].max_us, 100)
    return verdicts.failed


def judge_fourteen(verdicts: Verdicts, by: dict[tuple[str, str], Times], kind: str) -> None:
    """What 14 cards cost beside 13: the best discard, for which the gate is, and the points after each of the 14.

    The second stays above two solves: see `rummy.search.points_after_each`.
    """
    for build in ("plain", "native"):
        if (f"rummy, {build}", kind) not in by:
            continue
        solve, laid = by[f"rummy, {build}", kind].mean_us, by[f"rummy, {build}: laid out", kind].mean_us
        verdicts.gate(
            f"best discard of 14 to one solve, {build}, {kind}",
            by[f"rummy, {build}: best discard of 14", kind].mean_us / solve,
            2,
        )
        every = by[f"rummy, {build}: all discards of 14", kind].mean_us
        verdicts.target(f"points after each of 14 to one solve, {build}, {kind}", every / solve, 2)
        print(f"        the same to one solve that is laid out: {every / laid:.2f} (14 solves would be 14)")


def builds() -> dict[str, ModuleType]:
    """The search as plain Python and, where it can be built, as native code."""
    try:
        native.build()
        native.load.cache_clear()
    except native.NotBuilt as reason:
        print(f"no native build, so only plain Python is measured: {reason}")
    module = native.load()
    return {"plain": search} if module is None else {"plain": search, "native": module}


def run(trials: Sequence[Trial]) -> list[Times]:
    """Time all trials round by round, so that what else the machine does falls on all of them."""
    for trial in trials:
        trial.warm()
    for number in range(max(trial.rounds for trial in trials)):
        for trial in trials:
            if number < trial.rounds:
                trial.run_round()
    return [trial.times() for trial in trials]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.solver", description=__doc__.partition("\n")[0])
    parser.add_argument("--hands", type=int, default=3_000)
    count = parser.parse_args().hands
    sources = builds()
    trials: list[Trial] = []
    for kind in KINDS:
        for build, module in sources.items():
            trials += ours(build, module, kind, count)
        if kind is not dense:
            trials += [rlcard(kind, count), open_spiel(kind, count), rummikub(kind)]
    trials += [worst(build, module) for build, module in sources.items()]
    rows = run(trials)
    for row in rows:
        print(row.as_json())
    print(f"\n{'us a hand':<36}{'hands':<14}{'mean':>9}{'p50':>9}{'p99':>9}{'max':>9}")
    for row in rows:
        figures = (row.mean_us, row.p50_us, row.p99_us, row.max_us)
        print(f"{row.solver:<36}{row.hands:<14}" + "".join(f"{figure:>9.1f}" for figure in figures))
    print()
    return 1 if judge({(row.solver, row.hands): row for row in rows}) else 0


if __name__ == "__main__":
    sys.exit(main())
