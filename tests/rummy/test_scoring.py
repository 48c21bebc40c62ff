"""Rules section 9: amounts are whole units, and nothing is made or lost."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rummy.actions import DrawFromStock, Timeout
from rummy.events import HandEnded, Outcome
from rummy.hand import apply, start
from rummy.scoring import commission_of, drop_price, largest_loss, settle_points
from rummy.script import read_script

# points of every seat (the winner's is 0) | rate | commission in basis points | delta of every seat | commission
SETTLEMENTS = [
    # Two of the vectors: rate 125, 5.5 %: 60 points win 7500, 412.5 of it is the house's, rounded down.
    ((40, 0, 20), 1, 125, 550, (-5000, 7088, -2500), 412),
    ((20, 40, 0), 2, 125, 550, (-2500, -5000, 7088), 412),
    ((0, 1), 0, 1, 9999, (1, -1), 0),
    ((0, 1), 0, 1, 10000, (0, -1), 1),
    ((0, 130), 0, 100, 0, (13000, -13000), 0),
    ((0, 0), 0, 100, 1000, (0, 0), 0),
    ((0, 80), 0, 0, 1000, (0, 0), 0),
    ((0, 3, 3, 3), 0, 7, 1000, (57, -21, -21, -21), 6),
]


@pytest.mark.parametrize(("points", "winner", "rate", "commission_bp", "deltas", "commission"), SETTLEMENTS)
def test_section_9_settles_to_the_unit(
    points: tuple[int, ...], winner: int, rate: int, commission_bp: int, deltas: tuple[int, ...], commission: int
) -> None:
    settlement = settle_points(HandEnded(Outcome.DECLARED, winner, tuple(enumerate(points))), rate, commission_bp)
    assert tuple(line.delta for line in settlement.lines) == deltas
    assert tuple((line.seat, line.points) for line in settlement.lines) == tuple(enumerate(points))
    assert settlement.commission == commission


def test_section_7_a_void_hand_moves_nothing() -> None:
    settlement = settle_points(HandEnded(Outcome.VOID, None, ((1, 0), (3, 0))), rate=500, commission_bp=1000)
    assert [(line.seat, line.points, line.delta) for line in settlement.lines] == [(1, 0, 0), (3, 0, 0)]
    assert settlement.commission == 0


def test_section_9_nothing_is_made_or_lost_for_any_points_rate_seats_and_commission() -> None:
    for points, rate, seats, commission_bp in product(range(131), (1, 3, 125, 9999), range(2, 9), (0, 1, 550, 10000)):
        lost = tuple((seat, points if seat else 0) for seat in range(seats))
        settlement = settle_points(HandEnded(Outcome.LAST_IN, 0, lost), rate, commission_bp)
        paid = -sum(line.delta for line in settlement.lines[1:])
        assert paid == points * rate * (seats - 1)
        assert settlement.lines[0].delta + settlement.commission == paid
        assert 0 <= settlement.commission <= paid


@given(
    st.lists(st.integers(0, 130), min_size=1, max_size=7),
    st.integers(0, 7),
    st.integers(0, 10**9),
    st.integers(0, 10_000),
)
def test_section_9_nobody_owes_more_than_is_held(losers: list[int], place: int, rate: int, commission_bp: int) -> None:
    winner = place % (len(losers) + 1)
    points = (*losers[:winner], 0, *losers[winner:])
    settlement = settle_points(HandEnded(Outcome.DECLARED, winner, tuple(enumerate(points))), rate, commission_bp)
    assert all(-line.delta <= largest_loss(rate) for line in settlement.lines)
    assert sum(line.delta for line in settlement.lines) == -settlement.commission
    assert settlement.lines[winner].delta >= 0


@pytest.mark.parametrize(("win", "commission_bp", "commission"), [(7500, 550, 412), (1, 9999, 0), (0, 10000, 0)])
def test_section_9_commission_is_rounded_down(win: int, commission_bp: int, commission: int) -> None:
    assert commission_of(win, commission_bp) == commission


@pytest.mark.parametrize(("rate", "commission_bp"), [(-1, 0), (1, -1), (1, 10_001)])
def test_terms_out_of_range_are_our_mistake(rate: int, commission_bp: int) -> None:
    with pytest.raises(ValueError, match=r"^(rate|commission_bp) is "):
        settle_points(HandEnded(Outcome.DECLARED, 0, ((0, 0), (1, 5))), rate, commission_bp)


def test_section_5_a_drop_costs_20_until_the_first_draw_and_40_after_it() -> None:
    state, _ = start(read_script("players 0 1 2").setup)
    assert [drop_price(state, seat) for seat in (0, 1, 2)] == [20, 20, 20]
    state, _ = apply(state, DrawFromStock(0))
    assert [drop_price(state, seat) for seat in (0, 1, 2)] == [40, 20, 20]


def test_section_5_a_draw_by_the_clock_is_a_draw() -> None:
    state, _ = start(read_script("players 0 1 2").setup)
    state, _ = apply(state, Timeout(0))
    assert drop_price(state, 0) == 40


def test_a_seat_outside_the_hand_has_no_price() -> None:
    state, _ = start(read_script("players 0 1 2").setup)
    with pytest.raises(KeyError):
        drop_price(state, 3)
