"""How many points a hand may be expected to gain: the chance to win it, what a win brings, what a loss costs.

The weights were fitted by `bench.bot_outlook` on hands that bots played against each other.
"""

import math
from dataclasses import dataclass
from operator import mul
from typing import Final

from clients.python.strategies.knowledge import SeatKnowledge
from clients.python.strategies.prospects import Prospects

_LAST_ROUND: Final = 12
"""Later rounds are as late."""


@dataclass(frozen=True, slots=True)
class Race:
    """Where the hand stands for everybody. rounds: turns that each player has had, about. opponents: still in.

    owed: points that those who are out have left for. taken: cards from the pile in an opponent's hand, on average.
    """

    rounds: float
    opponents: int
    owed: int
    taken: float


def race_of(known: SeatKnowledge) -> Race:
    rounds = (known.turn_number - 1) / known.player_count
    in_hands = sum(taken.seat in known.opponents for taken in known.taken)
    opponents = len(known.opponents)
    return Race(min(rounds, _LAST_ROUND), opponents, known.owed_points, in_hands / opponents)


# By stage: no pure run, one run, two sequences.
_WIN: Final[tuple[tuple[float, ...], ...]] = (
    (-2.519, 0.047, 1.088, 0.923, -0.341, -0.268, -0.068, -0.194, -0.369, -0.801),
    (-0.369, 0.078, 0.248, 0.338, -0.782, -0.338, 0.485, -0.977, -0.396, -1.257),
    (0.965, -0.375, 0.448, 0.162, -0.068, -0.178, -0.033, -0.698, -0.236, -0.838),
)
_LOSS: Final[tuple[tuple[float, ...], ...]] = (
    (13.087, 5.396, -2.741, -16.298, -1.56, -0.279, 0.279, 2.263, 2.705, 9.322),
    (0.113, 5.021, -1.187, -6.332, 1.321, -0.536, -3.651, 7.971, 2.019, 9.349),
    (0.511, 4.439, -0.706, -0.067, -0.501, -0.012, -0.613, 4.948, 0.706, 2.554),
)
_GAIN: Final = (-17.3, 43.0, 1.0, -8.8)


def win_gain(race: Race) -> float:
    """What the others count, all together, when somebody wins now."""
    base, each, owed, by_round = _GAIN
    return max(1.0, base + each * race.opponents + owed * race.owed + by_round * race.rounds)


def features(hand: Prospects, race: Race) -> tuple[float, ...]:
    """What the weights weigh, in their order."""
    return (
        1.0,
        hand.points / 10,
        hand.wilds,
        math.sqrt(hand.run_outs),
        math.sqrt(hand.set_outs),
        hand.lonely,
        race.rounds,
        race.rounds * hand.points / 100,
        race.opponents,
        race.taken,
    )


def expected_gain(hand: Prospects, race: Race) -> float:
    """The points that the hand gains on average from here, negative for a loss; 13 cards, another's turn next."""
    known = features(hand, race)
    win = 1 / (1 + math.exp(-_dot(_WIN[hand.stage], known)))
    loss = max(0.0, _dot(_LOSS[hand.stage], known))
    return win * win_gain(race) - (1 - win) * loss


def _dot(weights: tuple[float, ...], values: tuple[float, ...]) -> float:
    total: float = sum(map(mul, weights, values))
    return total
