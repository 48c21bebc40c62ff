"""Rules section 6: what the clock plays for a seat, and when the table drops it."""

import pytest

from rummy.actions import Discard, DrawFromStock, Timeout
from rummy.cards import face_of
from rummy.events import Discarded, DrewFromStock, HandEnded, HandVoided, HowOut, Outcome, StockReshuffled, WentOut
from rummy.hand import HandState, apply
from rummy.notation import parse_action, parse_card
from rummy.script import play_script
from rummy.solver import discard_options


def test_section_6_the_clock_draws_from_the_stock_and_discards_that_card() -> None:
    state, events = play_script("players 0 1\nopen 9C\nstock KH\n> 0 timeout")
    assert events[-2:] == (DrewFromStock(0, auto=True), Discarded(0, parse_card("KH"), auto=True))
    assert (state.turn_seat, state.seat(0).misses, state.seat(0).has_drawn) == (1, 1, True)


def test_section_6_the_clock_discards_the_card_that_the_seat_drew() -> None:
    state, events = play_script("players 0 1\nstock KH\n> 0 draw stock\n> 0 timeout")
    assert events[-1] == Discarded(0, parse_card("KH"), auto=True)
    assert state.seat(0).misses == 1


def test_section_6_the_clock_throws_even_the_card_that_would_have_declared() -> None:
    _, events = play_script(
        "players 0 1\ncards 0 2S 3S 4S 5S 9H 10H JH QC QD QS KC KD 3D\nwild 7H\nstock KH\n> 0 timeout"
    )
    assert events[-1] == Discarded(0, parse_card("KH"), auto=True)


@pytest.mark.parametrize(
    ("cards", "taken", "discarded"),
    [
        # 2S 3S 4S, 9H 10H JH, QC QD QS leave KC KD 8D 3D 2D: a king goes, of two alike the lower number.
        ("2S 3S 9H 10H JH QC QD QS KC KD 8D 3D 2D", "4S", "KC"),
        # Everything is grouped but the 5D: it goes.
        ("2S 3S 9H 10H JH QC QD QS KC KD KH 5D 4S", "5S", "5D"),
        # Any card of the run of four or of the kings costs nothing: the dearest goes, of those the lowest number.
        ("2S 3S 4S 9H 10H JH QC QD QS KC KD KH KS", "5S", "KC"),
        # The copy of the taken card would be the best discard, and stays as well.
        ("4S 2S 3S 9H 10H JH QC QD QS KC KD KH 2D", "4S'", "2D"),
    ],
)
def test_section_6_where_the_taken_card_stays_the_fewest_points_decide(cards: str, taken: str, discarded: str) -> None:
    state, events = play_script(f"players 0 1\ncards 0 {cards}\nwild 7H\nopen {taken}\n> 0 draw pile\n> 0 timeout")
    assert events[-1] == Discarded(0, parse_card(discarded), auto=True)
    assert parse_card(taken) in state.seat(0).cards


def test_section_6_a_forced_discard_leaves_the_fewest_points_of_all_that_may_go() -> None:
    state, _ = play_script("players 0 1\nopen KH\n> 0 draw pile")
    left = {
        option.card: option.points
        for option in discard_options(state.seat(0).cards, state.wild_rank)
        if face_of(option.card) != face_of(parse_card("KH"))
    }
    _, (event,) = apply(state, parse_action("0 timeout"))
    assert isinstance(event, Discarded)
    assert left[event.card] == min(left.values())


def test_section_6_a_taken_card_that_may_go_back_goes_back() -> None:
    _, events = play_script("players 0 1\nrule return_taken_card allowed\nopen 4S\n> 0 draw pile\n> 0 timeout")
    assert events[-1] == Discarded(0, parse_card("4S"), auto=True)


@pytest.mark.parametrize("limit", range(1, 11))
def test_section_6_missed_turns_in_a_row_drop_the_seat(limit: int) -> None:
    state, _ = play_script(f"seats 8\nplayers 0 1 2\ndealer 7\nrule missed_turns_to_drop {limit}")
    for turn in range(1, limit):
        state, _ = apply(state, Timeout(0))
        assert state.seat(0).misses == turn
        state = own_turn(own_turn(state))
    state, events = apply(state, Timeout(0))
    assert [type(event) for event in events] == [DrewFromStock, Discarded, WentOut]
    assert events[-1] == WentOut(0, HowOut.MISSED_TURNS, 40)
    assert (state.turn_seat, state.turn_number) == (1, 3 * limit - 1)


def own_turn(state: HandState) -> HandState:
    """The seat on turn draws and discards by itself."""
    assert state.turn_seat is not None
    state, _ = apply(state, DrawFromStock(state.turn_seat))
    assert state.drawn is not None
    assert state.turn_seat is not None
    return apply(state, Discard(state.turn_seat, state.drawn.card))[0]


@pytest.mark.parametrize(
    ("own", "misses"),
    [
        ("> 0 draw stock\n> 0 discard 5C", 0),
        ("> 0 draw pile\n> 0 discard 5C", 0),
        ("> 0 draw stock\n> 0 timeout", 1),
        ("> 0 timeout", 3),
    ],
)
def test_section_6_any_own_action_sets_the_count_back(own: str, misses: int) -> None:
    two_missed = "> 0 timeout\n> 1 draw stock\n> 1 discard 8C\n> 0 timeout\n> 1 draw stock\n> 1 discard 9C\n"
    state, _ = play_script(
        f"players 0 1\nrule missed_turns_to_drop 4\ncards 0 5C\ncards 1 8C 9C\nopen 2D\n{two_missed}{own}"
    )
    assert state.seat(0).misses == misses


def test_section_6_a_seat_counts_only_its_own_missed_turns() -> None:
    state, _ = play_script("players 0 1 3\n> 0 timeout\n> 1 timeout\n> 3 timeout\n> 0 timeout")
    assert [state.seat(seat).misses for seat in (0, 1, 3)] == [2, 1, 1]


def test_section_6_dropping_the_last_but_one_ends_the_hand() -> None:
    state, events = play_script("players 0 1\nrule missed_turns_to_drop 1\n> 0 timeout")
    assert events[-2:] == (
        WentOut(0, HowOut.MISSED_TURNS, 40),
        HandEnded(Outcome.LAST_IN, 1, ((0, 40), (1, 0))),
    )
    assert state.is_over


def test_section_6_with_nobody_there_the_hand_ends_by_itself() -> None:
    state, _ = play_script("seats 8")
    turns = 0
    while state.turn_seat is not None:
        state, _ = apply(state, Timeout(state.turn_seat))
        turns += 1
    assert turns == 7 * 3 + 2
    assert state.ended == HandEnded(Outcome.LAST_IN, 7, (*((seat, 40) for seat in range(7)), (7, 0)))


def test_sections_6_and_7_a_clock_that_finds_no_card_voids_the_hand() -> None:
    timeouts = "\n".join(f"> {turn % 6} timeout" for turn in range(27))
    state, events = play_script(f"seats 6\nrule missed_turns_to_drop 10\nrule reshuffles_allowed 0\n{timeouts}")
    assert [type(event) for event in events[-3:]] == [Discarded, HandVoided, HandEnded]
    assert state.is_over


def test_sections_6_and_7_a_clock_reshuffles_before_it_draws() -> None:
    timeouts = "\n".join(f"> {turn % 6} timeout" for turn in range(27))
    _, events = play_script(f"seats 6\nrule missed_turns_to_drop 10\n{timeouts}")
    assert [type(event) for event in events[-3:]] == [StockReshuffled, DrewFromStock, Discarded]
