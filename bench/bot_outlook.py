"""Where the weights of the strong bot's outlook come from: hands that bots play, and a fit of what came of them.

    python -m bench.bot_outlook --hands 8000 --jobs 2

Most seats play the strong strategy without its look ahead, the others the middle one; now and then a seat throws a
card that it would not, and most never drop, so that hands are seen which the strategy itself would avoid. After every
discard of a strong seat its prospects are kept, with what the hand brought it in the end. By stage, the chance to win
is fitted by logistic regression, what a loss costs and what a win gains by least squares. Prints the numbers in the
form in which `clients.python.strategies.outlook` holds them; hand n is random from seed n.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.bots import deal, decide, gains, knowledge_at, taken_after
from clients.python.strategies import BeforeDraw, Finish, SeatKnowledge, Sensible, Strategy, Taken
from clients.python.strategies.foresight import Bounds, Foresight
from clients.python.strategies.outlook import Race, features, race_of
from clients.python.strategies.prospects import Appraiser, Prospects
from rummy.actions import Discard
from rummy.hand import apply, start
from rummy.rules import SEAT_COUNTS
from rummy.solver import discard_options, fewest_points

HANDS_PER_TASK = 25
AT_ONCE = Bounds(stock_draws=8, discards=1)
SHARE_OF_MIDDLE = 0.25
SHARE_THAT_MAY_DROP = 0.3
SHARE_OF_STRANGE_DISCARDS = 0.12
STRANGE_DISCARDS = 5
RIDGE = 1.0
NEWTON_STEPS = 30

Matrix = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Seen:
    """A hand after a discard, and what it came to: points gained (negative: lost), and whether it won."""

    hand: Prospects
    race: Race
    gain: int
    won: bool


class Curious:
    """Another strategy that now and then throws one of a few better cards than it should, and perhaps never drops."""

    def __init__(self, strategy: Strategy, may_drop: bool, rng: Random) -> None:
        self.strategy = strategy
        self._may_drop = may_drop
        self._rng = rng

    def before_draw(self, known: SeatKnowledge) -> BeforeDraw:
        return self.strategy.before_draw(known if self._may_drop else replace(known, drop_points=None))

    def after_draw(self, known: SeatKnowledge) -> Finish:
        finish = self.strategy.after_draw(known)
        if finish.declare or self._rng.random() >= SHARE_OF_STRANGE_DISCARDS:
            return finish
        options = [option for option in discard_options(known.cards, known.wild_rank) if known.may_throw(option.card)]
        options.sort(key=lambda option: (option.points, option.card))
        return Finish(self._rng.choice(options[:STRANGE_DISCARDS]).card, declare=False)


def curious(rng: Random) -> Curious:
    strategy: Strategy = Sensible() if rng.random() < SHARE_OF_MIDDLE else Foresight(rng.getrandbits(32), AT_ONCE)
    return Curious(strategy, rng.random() < SHARE_THAT_MAY_DROP, rng)


def play_hands(seeds: range) -> list[Seen]:
    return [seen for seed in seeds for seen in play_hand(seed)]


def play_hand(seed: int) -> list[Seen]:
    """Everything that strong seats saw in one hand; nothing of a void one."""
    rng = Random(f"outlook {seed}")
    seat_count = SEAT_COUNTS[seed % len(SEAT_COUNTS)]
    seats = [curious(rng) for _ in range(seat_count)]
    state, _ = start(deal(seed, seat_count))
    taken: tuple[Taken, ...] = ()
    moments: list[tuple[int, Prospects, Race]] = []
    while state.turn_seat is not None:
        seat = state.turn_seat
        known = knowledge_at(state, seat, taken)
        action = decide(seats[seat], known, seat, state.phase)
        if isinstance(action, Discard) and isinstance(seats[seat].strategy, Foresight):
            left = [card for card in known.cards if card != action.card]
            appraiser = Appraiser(known.unseen_copies(), known.wild_rank)
            moments.append((seat, appraiser.prospects(left, fewest_points(left, known.wild_rank)), race_of(known)))
        state, events = apply(state, action)
        for event in events:
            taken = taken_after(taken, event)
    assert state.ended is not None, "a hand without a turn has ended"
    gained = gains(state.ended)
    winner = state.ended.winner
    return [] if winner is None else [Seen(hand, race, gained[seat], seat == winner) for seat, hand, race in moments]


def logistic(rows: Matrix, won: Matrix) -> Matrix:
    """Weights of the chance to win, by Newton's method."""
    weights = np.zeros(rows.shape[1])
    for _ in range(NEWTON_STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (won - chance) - RIDGE * weights
        curve = rows.T @ (rows * (chance * (1 - chance))[:, None]) + RIDGE * np.eye(len(weights))
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def least_squares(rows: Matrix, values: Matrix) -> Matrix:
    curve = rows.T @ rows + RIDGE * np.eye(rows.shape[1])
    solved: Matrix = np.linalg.solve(curve, rows.T @ values)
    return solved


def fit(seen: Sequence[Seen]) -> str:
    """The weights as Python text."""
    wins, losses = [], []
    for stage in range(3):
        here = [one for one in seen if one.hand.stage == stage]
        rows = np.array([features(one.hand, one.race) for one in here])
        wins.append(logistic(rows, np.array([float(one.won) for one in here])))
        lost = np.array([not one.won for one in here])
        losses.append(least_squares(rows[lost], np.array([-float(one.gain) for one in here if not one.won])))
    winners = [one for one in seen if one.won]
    race = np.array([(1.0, one.race.opponents, one.race.owed, one.race.rounds) for one in winners])
    gain = least_squares(race, np.array([float(one.gain) for one in winners]))
    tables = (
        f"{name} = (\n{''.join(f'    {_text(row)},{chr(10)}' for row in table)})"
        for name, table in (("_WIN", wins), ("_LOSS", losses))
    )
    return "\n".join((*tables, f"_GAIN = {_text(gain)}"))


def _text(weights: Matrix) -> str:
    return f"({', '.join(f'{weight:.3g}' for weight in weights)})"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.bot_outlook", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hands", type=int, default=8_000, help="how many to play (8,000)")
    parser.add_argument("--first", type=int, default=1_000_000, help="the seed of the first (1,000,000)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    options = parser.parse_args()
    end = options.first + options.hands
    tasks = [range(at, min(at + HANDS_PER_TASK, end)) for at in range(options.first, end, HANDS_PER_TASK)]
    with ProcessPoolExecutor(options.jobs) as pool:
        seen = [one for part in pool.map(play_hands, tasks) for one in part]
    print(f"# {len(seen):,} discards of {options.hands:,} hands from seed {options.first}")
    print(fit(seen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
