"""What points cost: the price of leaving, and the settlement of a points hand in whole token units.

Source: rules sections 5 and 9. Other formats give a hand's points another meaning and do not come here.
"""

from dataclasses import dataclass
from typing import Final

from rummy.events import HandEnded
from rummy.rules import FIRST_DROP_POINTS, MAX_POINTS, MIDDLE_DROP_POINTS
from rummy.state import HandState

BASIS_POINTS: Final = 10_000


def drop_price(state: HandState, seat: int) -> int:
    """The points that a drop costs a seat now: 20 before it ever drew a card, 40 from then on.

    A draw that the clock made counts as drawn. Leaving the table, or being dropped by it, is 40 whatever this says.
    Raises KeyError when the seat plays no part in the hand.
    """
    return MIDDLE_DROP_POINTS if state.seat(seat).has_drawn else FIRST_DROP_POINTS


def largest_loss(rate: int) -> int:
    """The most that one player can owe in a hand, in token units: what is held at its start (rules section 9)."""
    return MAX_POINTS * rate


@dataclass(frozen=True, slots=True)
class SettlementLine:
    """One player's part: what it counts, and what it is paid (positive) or pays (negative) in token units."""

    seat: int
    points: int
    delta: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """A whole hand's money: every player in ascending seat order, and the house's commission.

    The deltas and the commission sum to zero, to the unit.
    """

    lines: tuple[SettlementLine, ...]
    commission: int

    def __post_init__(self) -> None:
        assert sum(line.delta for line in self.lines) + self.commission == 0, "a settlement that does not sum to zero"


def commission_of(win: int, commission_bp: int) -> int:
    """The house's part of a win, rounded down to a whole unit: the only place where money is rounded."""
    return win * commission_bp // BASIS_POINTS


def settle_points(ended: HandEnded, rate: int, commission_bp: int) -> Settlement:
    """Turn the points of an ended hand into token units (rules section 9).

    rate: token units per point, not negative. commission_bp: basis points of the winner's win, 0 .. 10000.
    A void hand moves nothing. Raises ValueError for a rate or commission out of range.
    """
    if rate < 0:
        raise ValueError(f"rate is {rate}: token units per point are not negative")
    if not 0 <= commission_bp <= BASIS_POINTS:
        raise ValueError(f"commission_bp is {commission_bp}: allowed are 0 to {BASIS_POINTS}")
    if ended.winner is None:
        return Settlement(tuple(SettlementLine(seat, 0, 0) for seat, _ in ended.points), commission=0)
    win = rate * sum(points for seat, points in ended.points if seat != ended.winner)
    commission = commission_of(win, commission_bp)
    lines = tuple(
        SettlementLine(seat, points, win - commission if seat == ended.winner else -points * rate)
        for seat, points in ended.points
    )
    return Settlement(lines, commission)
