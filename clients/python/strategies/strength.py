"""The strengths a bot can be asked for by name."""

from enum import StrEnum
from typing import assert_never

from clients.python.strategies.foresight import Foresight
from clients.python.strategies.knowledge import Strategy
from clients.python.strategies.sensible import Sensible
from clients.python.strategies.weak import Weak


class Strength(StrEnum):
    WEAK = "weak"
    MIDDLE = "middle"
    STRONG = "strong"


def strategy_of(strength: Strength, seed: int) -> Strategy:
    """A strategy of this strength. seed: of what it imagines; the same seed decides the same."""
    match strength:
        case Strength.WEAK:
            return Weak()
        case Strength.MIDDLE:
            return Sensible()
        case Strength.STRONG:
            return Foresight(seed)
        case _:
            assert_never(strength)
