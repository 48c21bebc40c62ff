from server.tables.game import Turn
from server.tables.turn_clock import TurnClock


def turn(seat: int, number: int) -> Turn:
    return Turn(seat, number, "draw", may_drop=True)


def clock() -> TurnClock:
    return TurnClock.first(turn(1, 1), starts_ms=1_000, turn_ms=30, bank_ms=20, seats=(1, 2))


def test_the_first_clock_ends_after_the_turn_and_then_the_bank() -> None:
    assert (clock().clock_ms, clock().deadline_ms) == (1_030, 1_050)
    assert dict(clock().banks) == {1: 20, 2: 20}


def test_a_turn_within_its_clock_leaves_the_bank_alone() -> None:
    after = clock().at_turn(turn(2, 2), 1_030)
    assert dict(after.banks) == {1: 20, 2: 20}
    assert (after.seat, after.number, after.clock_ms, after.deadline_ms) == (2, 2, 1_060, 1_080)


def test_time_beyond_the_clock_is_paid_from_the_bank_to_its_end_and_no_further() -> None:
    assert clock().at_turn(turn(2, 2), 1_035).banks[1] == 15
    assert clock().at_turn(turn(2, 2), 1_050).banks[1] == 0
    assert clock().at_turn(turn(2, 2), 9_000).banks[1] == 0


def test_a_bank_used_up_ends_the_next_turn_with_its_clock() -> None:
    second = clock().at_turn(turn(2, 2), 1_050).at_turn(turn(1, 3), 1_060)
    assert second.clock_ms == second.deadline_ms == 1_090


def test_the_same_turn_keeps_its_clock() -> None:
    first = clock()
    assert first.at_turn(turn(1, 1), 1_020) is first


def test_later_moves_both_ends() -> None:
    assert (clock().later(7).clock_ms, clock().later(7).deadline_ms) == (1_037, 1_057)


def test_what_is_stored_comes_back() -> None:
    second = clock().at_turn(turn(2, 2), 1_035)
    assert TurnClock.from_stored(second.to_stored(), turn_ms=30) == second
