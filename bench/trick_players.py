"""How strong the trick games' strong players are against those that follow the tips, and how long they think.

    python -m bench.trick_players                      # an hour; builds the native search if it can
    python -m bench.trick_players --deals 100          # or of one game only: --games baloot
    make bench-players

Klaverjas and Baloot: duplicate deals, each played twice, the strong pair once on each side. Half the difference of the
two results is what it gains a deal, in points and in game points, and the luck of the cards is out of it. A deal of
Baloot is dealt anew until somebody buys. Thousand: matches of one strong player against two that follow the tips, one
for every four of --deals; each list of decks three times, with the strong player in each seat once.
All with 95% intervals. Exits 1 when a gate does not hold.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from typing import Any, Final

from tricks.baloot import deal as baloot_deal
from tricks.baloot import seen as baloot_seen
from tricks.baloot.match import Match as BalootMatch
from tricks.cards import PACK_24, PACK_32, Card
from tricks.klaverjas import deal as klaverjas_deal
from tricks.klaverjas import seen as klaverjas_seen
from tricks.klaverjas.following import Variant
from tricks.klaverjas.match import Match as KlaverjasMatch
from tricks.players import baloot, baloot_sampler, klaverjas, klaverjas_sampler, thousand, thousand_sampler
from tricks.players.player import Player
from tricks.search import native
from tricks.search.solver import Solver
from tricks.thousand import deal as thousand_deal
from tricks.thousand import seen as thousand_seen
from tricks.thousand.match import Match as ThousandMatch

SECONDS_APART: Final = 30
"""How often the bench says how far it is."""
DEALS_A_MATCH: Final = 4
MEAN_MS: Final = 150
P99_MS: Final = 500


@dataclass(slots=True)
class Timed:
    """A player whose thinking is timed, in milliseconds of processor time a choice."""

    player: Player[Any, Any]
    ms: list[float] = field(default_factory=list)

    def choose(self, seen: Any) -> Any:
        began = time.process_time_ns()
        action = self.player.choose(seen)
        self.ms.append((time.process_time_ns() - began) / 1_000_000)
        return action


@dataclass(slots=True)
class Result:
    """What one game came to. outcomes: one for every duplicate deal or match."""

    game: str
    unit: str
    goal: float
    outcomes: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        return sum(self.outcomes) / len(self.outcomes)

    @property
    def interval(self) -> float:
        """Half of the 95% interval's width."""
        variance = sum((each - self.mean) ** 2 for each in self.outcomes) / max(1, len(self.outcomes) - 1)
        return 1.96 * sqrt(variance / len(self.outcomes))

    @property
    def mean_ms(self) -> float:
        return sum(self.ms) / len(self.ms)

    @property
    def p99_ms(self) -> float:
        return sorted(self.ms)[len(self.ms) * 99 // 100]

    def as_json(self) -> str:
        figures = {
            "mean": self.mean,
            "interval_95": self.interval,
            "choice_mean_ms": self.mean_ms,
            "choice_p99_ms": self.p99_ms,
        }
        told = {key: round(value, 3) for key, value in figures.items()}
        return json.dumps({"game": self.game, "unit": self.unit, "count": len(self.outcomes), **told})


def shuffled(pack: Sequence[Card], random: Random) -> tuple[Card, ...]:
    return tuple(random.sample(pack, len(pack)))


def play_out(
    game: Any, seen_from: Callable[..., Any], match: Any, deck: tuple[Card, ...], players: Sequence[Any]
) -> Any:
    """The deal's last state. players: by seat, again from the first one when there are fewer."""
    state = game.start(match.next_deal(deck))
    while (seat := state.on_turn) is not None:
        action = players[seat % len(players)].choose(seen_from(match, state, seat))
        state, _ = game.apply(state, seat, action)
    return state


def gain(scores: Sequence[tuple[int, int]]) -> float:
    """Of the strong pair a deal. scores: with it as the first pair, and as the second."""
    as_first, as_second = scores
    return ((as_first[0] - as_first[1]) - (as_second[0] - as_second[1])) / 2


def play_klaverjas(deals: int, solver: Solver) -> Iterator[Result]:
    result = Result("klaverjas", "points a deal", 15)
    strong, tips = Timed(klaverjas_sampler.SamplingPlayer(solver)), klaverjas.TipFollower()
    result.ms = strong.ms
    for number in range(deals):
        variant = (Variant.AMSTERDAM, Variant.ROTTERDAM)[number // 4 % 2]
        match, deck = KlaverjasMatch(variant, number % 4), shuffled(PACK_32, Random(number))
        pairs = ((strong, tips), (tips, strong))
        ends = [play_out(klaverjas_deal, klaverjas_seen.seen_from, match, deck, players) for players in pairs]
        result.outcomes.append(gain([end.score.score for end in ends]))
        yield result


def play_baloot(deals: int, solver: Solver) -> Iterator[Result]:
    result = Result("baloot", "game points a deal", 1.5)
    strong, tips = Timed(baloot_sampler.SamplingPlayer(solver)), baloot.TipFollower()
    result.ms = strong.ms
    for number in range(deals):
        random, match, ends = Random(number), BalootMatch(number % 4), []
        while not any(ends):
            deck = shuffled(PACK_32, random)
            ends = [
                play_out(baloot_deal, baloot_seen.seen_from, match, deck, players).score
                for players in ((strong, tips), (tips, strong))
            ]
        # A deal that one of the two tables threw in scores nothing there.
        result.outcomes.append(gain([end.score if end else (0, 0) for end in ends]))
        yield result


def play_thousand(deals: int, solver: Solver) -> Iterator[Result]:
    result = Result("thousand", "matches won", 0.45)
    strong, tips = Timed(thousand_sampler.SamplingPlayer(solver)), thousand.TipFollower()
    result.ms = strong.ms
    for number in range(max(3, deals // DEALS_A_MATCH)):
        random, strong_seat = Random(number // 3), number % 3
        players = [strong if seat == strong_seat else tips for seat in range(3)]
        match = ThousandMatch(random.randrange(3))
        while not match.is_over:
            deck = shuffled(PACK_24, random)
            match = match.after(play_out(thousand_deal, thousand_seen.seen_from, match, deck, players).end)
        result.outcomes.append(float(match.winner == strong_seat))
        yield result


GAMES: Final = {"klaverjas": play_klaverjas, "baloot": play_baloot, "thousand": play_thousand}


def run(name: str, deals: int, solver: Solver) -> Result:
    """Play one game, saying now and then how far it is."""
    told = time.monotonic()
    for result in GAMES[name](deals, solver):
        if time.monotonic() - told > SECONDS_APART:
            told = time.monotonic()
            print(
                f"        {name}: {len(result.outcomes)} played, {result.mean:.2f} +- {result.interval:.2f}", flush=True
            )
    return result


def judge(result: Result) -> bool:
    """Print the gates of a game; whether all hold."""
    gates = [
        (result.unit, result.mean, result.goal, result.mean >= result.goal, "at least"),
        ("mean ms a choice", result.mean_ms, MEAN_MS, result.mean_ms <= MEAN_MS, "at most"),
        ("p99 ms a choice", result.p99_ms, P99_MS, result.p99_ms <= P99_MS, "at most"),
    ]
    for what, value, limit, held, bound in gates:
        print(f"gate    {result.game}: {what}: {value:.2f} ({bound} {limit:g}) {'holds' if held else 'DOES NOT HOLD'}")
    return all(held for _, _, _, held, _ in gates)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.trick_players", description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=1_000)
    parser.add_argument("--games", nargs="+", choices=tuple(GAMES), default=tuple(GAMES))
    told = parser.parse_args()
    if native.load() is None:
        try:
            native.build()
            native.load.cache_clear()
        except native.NotBuilt as reason:
            print(f"no native build, so the players take their time: {reason}")
    all_hold = True
    for name in told.games:
        result = run(name, told.deals, Solver())
        print(result.as_json())
        print(f"{name}: {result.mean:.2f} +- {result.interval:.2f} {result.unit}, {len(result.outcomes)} played")
        all_hold &= judge(result)
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main())
