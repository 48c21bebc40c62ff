"""Bots against bots on duplicate deals: who gains how many points per hand, how surely, and how fast each decides.

    python -m bench.bots                                        # strong-middle and middle-weak, 2,000 deals, 4 seats
    python -m bench.bots --pairs strong-weak --seats 6 --deals 500 --jobs 1

Each deal is played twice with the same cards: once with the one side in the even seats, once in the odd ones, so that
neither owes its gain to the cards. A winner gains the sum of what the losers count, a loser loses its own points; the
figure is the gain per hand and seat of the first side (the second loses as much), with a 95% confidence interval over
the deals. Deal n is random from seed n. Exits 1 when a first side is not better for sure, or when a strength takes more
than 20 ms of its core a decision on average; the slowest of a hundred are shown.
"""

import argparse
import math
import os
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final

from clients.python.strategies import BeforeDraw, SeatKnowledge, Strategy, Strength, Taken, strategy_of
from rummy.actions import Action, Declare, Discard, DrawFromPile, DrawFromStock, Drop
from rummy.cards import Card, deck_size
from rummy.events import Declared, Discarded, DrewFromPile, Event, HandEnded
from rummy.hand import apply, start
from rummy.random_play import seeded_reshuffle
from rummy.refusals import can_draw_from_pile, can_drop
from rummy.rules import SEAT_COUNTS, ReturnTakenCard, TableRules
from rummy.scoring import drop_price
from rummy.state import DrawnFrom, HandSetup, HandState, Phase

DEALS_PER_TASK = 20
SURE = 1.96
"""Standard errors to each side of a mean that hold it with 95% confidence."""
DECISION_US: Final = 20_000
"""What a decision may take on average."""


def deal(seed: int, seat_count: int) -> HandSetup:
    """A full table's hand, from a seed."""
    rng = Random(seed)
    rules = TableRules(seat_count)
    deck = [Card(card) for card in range(deck_size(rules.decks))]
    rng.shuffle(deck)
    seats = tuple(range(seat_count))
    return HandSetup(rules, seats, rng.randrange(seat_count), tuple(deck), partial(seeded_reshuffle, seed))


def knowledge_at(state: HandState, seat: int, taken: Iterable[Taken]) -> SeatKnowledge:
    """What the seat on turn knows, as its client would learn it. taken: every seat's, from the public events."""
    assert state.turned is not None, "a turn comes after the wild card"
    still_in = state.seats_in
    after = tuple(other for other in still_in if other > seat) + tuple(other for other in still_in if other < seat)
    drawn = state.drawn
    stays = (
        drawn is not None
        and drawn.source is DrawnFrom.PILE
        and state.rules.return_taken_card is ReturnTakenCard.FORBIDDEN
    )
    outs = [player.out for player in state.seats if player is not None and player.out is not None]
    return SeatKnowledge(
        cards=state.seat(seat).cards,
        wild_rank=state.wild_rank,
        pile=state.discard_pile,
        may_draw_pile=can_draw_from_pile(state, seat),
        drop_points=drop_price(state, seat) if can_drop(state, seat) else None,
        not_returnable=drawn.card if drawn is not None and stays else None,
        decks=state.rules.decks,
        turned=state.turned,
        turn_number=state.turn_number,
        player_count=len(state.setup.players),
        opponents=after,
        owed_points=sum(out.points for out in outs),
        taken=tuple(one for one in taken if one.seat != seat),
    )


def taken_after(taken: tuple[Taken, ...], event: Event) -> tuple[Taken, ...]:
    """Who holds what from the pile, after one more public event."""
    match event:
        case DrewFromPile():
            return (*taken, Taken(event.seat, event.card))
        case Discarded():
            return tuple(one for one in taken if one.card != event.card)
        case Declared():
            return tuple(one for one in taken if one.card != event.finish_card)
        case _:
            return taken


def decide(strategy: Strategy, known: SeatKnowledge, seat: int, phase: Phase) -> Action:
    if phase is Phase.DRAW:
        match strategy.before_draw(known):
            case BeforeDraw.STOCK:
                return DrawFromStock(seat)
            case BeforeDraw.PILE:
                return DrawFromPile(seat)
            case BeforeDraw.DROP:
                return Drop(seat)
    finish = strategy.after_draw(known)
    return Declare(seat, finish.card) if finish.declare else Discard(seat, finish.card)


@dataclass(slots=True)
class Side:
    """One of the two strengths of a match, and what its decisions took, in microseconds."""

    strategy: Strategy
    decision_us: list[int] = field(default_factory=list)


def play(setup: HandSetup, sides: Sequence[Side]) -> HandEnded:
    """Play one hand to its end. sides: by seat."""
    state, events = start(setup)
    taken: tuple[Taken, ...] = ()
    while state.turn_seat is not None:
        seat, side = state.turn_seat, sides[state.turn_seat]
        known = knowledge_at(state, seat, taken)
        began = time.process_time_ns()
        action = decide(side.strategy, known, seat, state.phase)
        side.decision_us.append((time.process_time_ns() - began) // 1000)
        state, events = apply(state, action)
        for event in events:
            taken = taken_after(taken, event)
    assert state.ended is not None, "a hand without a turn has ended"
    return state.ended


def gains(ended: HandEnded) -> dict[int, int]:
    """What each seat gains: the winner all that the others count, the others minus their own. Zero when void."""
    points = dict(ended.points)
    if ended.winner is None:
        return dict.fromkeys(points, 0)
    won = sum(points.values())
    return {seat: won if seat == ended.winner else -counts for seat, counts in points.items()}


def duplicate_gain(setup: HandSetup, first: Side, second: Side) -> float:
    """The points per hand and seat that the first side gains, over both seatings of one deal."""
    seats = len(setup.players)
    gained = 0
    for parity in (0, 1):
        result = gains(play(setup, [first if seat % 2 == parity else second for seat in range(seats)]))
        gained += sum(result[seat] for seat in range(parity, seats, 2))
    return gained / seats


@dataclass(frozen=True, slots=True)
class Match:
    """Two strengths over some deals: the first side's gain in each deal, and how long decisions took."""

    gains: tuple[float, ...]
    first_us: tuple[int, ...]
    second_us: tuple[int, ...]

    @property
    def mean(self) -> float:
        return statistics.fmean(self.gains)

    @property
    def margin(self) -> float:
        """Half the width of the 95% confidence interval of the mean."""
        return SURE * statistics.stdev(self.gains) / math.sqrt(len(self.gains))

    @property
    def holds(self) -> bool:
        """Whether the first side is better for sure, and both decide fast enough."""
        fast = all(statistics.fmean(took) <= DECISION_US for took in (self.first_us, self.second_us))
        return fast and self.mean > self.margin


def play_deals(first: Strength, second: Strength, seat_count: int, seeds: range) -> Match:
    sides = Side(strategy_of(first, seed=1)), Side(strategy_of(second, seed=2))
    gained = tuple(duplicate_gain(deal(seed, seat_count), *sides) for seed in seeds)
    return Match(gained, tuple(sides[0].decision_us), tuple(sides[1].decision_us))


def play_match(first: Strength, second: Strength, seat_count: int, deals: range, jobs: int) -> Match:
    """Deals in parallel; the gains are the same for any number of jobs."""
    tasks = [deals[at : at + DEALS_PER_TASK] for at in range(0, len(deals), DEALS_PER_TASK)]
    with ProcessPoolExecutor(jobs) as pool:
        parts = list(pool.map(partial(play_deals, first, second, seat_count), tasks))
    return Match(
        tuple(gain for part in parts for gain in part.gains),
        tuple(took for part in parts for took in part.first_us),
        tuple(took for part in parts for took in part.second_us),
    )


def report(first: Strength, second: Strength, seat_count: int, match: Match) -> str:
    low, high = match.mean - match.margin, match.mean + match.margin
    lines = [
        f"{first} against {second}, {seat_count} seats, {len(match.gains):,} deals played twice: "
        f"{match.mean:+.2f} points per hand and seat (95%: {low:+.2f} to {high:+.2f})"
    ]
    for strength, took in ((first, match.first_us), (second, match.second_us)):
        middle, late, longest = (_percentile(took, share) / 1000 for share in (0.5, 0.99, 1))
        lines.append(
            f"  {strength}: {len(took):,} decisions, ms mean {statistics.fmean(took) / 1000:.2f}, p50 {middle:.2f}, "
            f"p99 {late:.2f}, max {longest:.2f}"
        )
    return "\n".join(lines)


def _percentile(values: Sequence[int], share: float) -> int:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> int:
    options = _arguments()
    held = True
    for pair in options.pairs:
        first, second = (Strength(name) for name in pair.split("-"))
        deals = range(options.first, options.first + options.deals)
        match = play_match(first, second, options.seats, deals, options.jobs)
        print(report(first, second, options.seats, match), flush=True)
        held = held and match.holds
    return 0 if held else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", nargs="+", default=["strong-middle", "middle-weak"], help="who plays whom")
    parser.add_argument("--seats", type=int, choices=SEAT_COUNTS, default=4, help="seats of the table (4)")
    parser.add_argument("--deals", type=int, default=2_000, help="how many, each played twice (2,000)")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first deal (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (one per core)")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
