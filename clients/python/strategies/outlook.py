"""How many points a hand may be expected to gain: the chance to win it, what a win brings, what a loss costs.

The weights were fitted by `bench.bot_outlook` to 118,057 discards of 8,000 hands that bots played against each other.
Fitted again they move a little, since the players have; in matches against the middle bot three such fits were alike.
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
    (-3.19, 0.0653, 1.12, 1.19, -0.22, -0.168, -0.252, -0.0724, -0.386, -0.604),
    (0.46, -0.00879, 0.111, 0.149, -0.793, -0.0932, 0.215, -0.827, -0.499, -0.651),
    (1.29, -0.407, 0.403, -0.0277, -0.0569, -0.109, -0.078, -1.0, -0.28, -0.547),
)
_LOSS: Final[tuple[tuple[float, ...], ...]] = (
    (19.5, 5.29, -1.56, -18.8, -1.6, -0.406, -1.08, 5.28, 2.38, 6.38),
    (-5.09, 5.06, -1.28, -2.23, 3.2, 0.064, -2.89, 7.52, 2.24, 4.93),
    (0.881, 4.6, -0.639, -0.22, -0.427, -0.245, -0.59, 6.27, 0.706, 1.35),
)
_GAIN: Final = (-4.39, 39.9, 0.961, -9.86)


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
