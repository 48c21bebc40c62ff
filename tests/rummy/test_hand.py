"""The deal, turns, declares and the ways out, by the sections of the rules. Whole hands are in `vectors/hands/`."""

import json
from pathlib import Path
from typing import Any

import pytest

from rummy.actions import Declare, VoidReason
from rummy.cards import Card
from rummy.events import (
    Dealt,
    Declared,
    Discarded,
    DrewFromPile,
    DrewFromStock,
    HandEnded,
    HandVoided,
    HowOut,
    Outcome,
    PileOpened,
    Shown,
    WentOut,
    WildTurned,
)
from rummy.groups import classify_group
from rummy.hand import HandState, Phase, apply, start
from rummy.notation import parse_action, parse_card, parse_cards
from rummy.rules import TableRules
from rummy.script import play_script, read_script, turned_over
from rummy.solver import fewest_points
from rummy.state import HandSetup, Out, OutBy

VECTORS = Path(__file__).parents[1] / "vectors" / "fairness.json"
DEALS = json.loads(VECTORS.read_text(encoding="utf-8"))["deal"]

READY = "2S 3S 4S 5S 9H 10H JH QC QD QS KC KD KH"
"""13 cards that can be declared: two pure sequences and two sets."""

HOPELESS = "AC AC' AD AD' AH AH' AS AS' JC JC' JD JD' JS'"
"""13 cards without a pure sequence: 130 points."""


def after(state: HandState, *lines: str) -> HandState:
    for line in lines:
        state, _ = apply(state, parse_action(line))
    return state


# Section 2: deal, wild card, turns


@pytest.mark.parametrize("vector", DEALS, ids=[vector["id"] for vector in DEALS])
def test_section_2_deals_as_the_fairness_vectors_do(vector: dict[str, Any]) -> None:
    terms, output = vector["input"]["terms"], vector["output"]
    players = tuple(player["seat"] for player in terms["players"])
    setup = HandSetup(TableRules(terms["seats"]), players, terms["dealer"], tuple(output["deck"]), turned_over)
    state, events = start(setup)
    assert setup.deal_order == tuple(output["deal_order"])
    assert {str(seat): list(state.seat(seat).cards) for seat in players} == output["hands"]
    assert events == (Dealt(), WildTurned(output["wild"]), PileOpened(output["open"]))
    assert (state.turned, state.discard_pile) == (output["wild"], (output["open"],))
    assert list(state.stock) == output["stock"]
    assert (state.phase, state.turn_seat, state.turn_number) == (Phase.DRAW, output["deal_order"][0], 1)


@pytest.mark.parametrize(
    ("players", "dealer", "deal_order"),
    [
        ("0 1 2 3", 0, (1, 2, 3, 0)),
        ("0 1 2 3", 3, (0, 1, 2, 3)),
        ("0 2", 1, (2, 0)),
        ("1 3", 0, (1, 3)),
        ("1 3", 3, (1, 3)),
        ("1 3", 1, (3, 1)),
    ],
)
def test_section_2_turns_go_round_from_the_left_of_the_dealer(
    players: str, dealer: int, deal_order: tuple[int, ...]
) -> None:
    state, _ = play_script(f"players {players}\ndealer {dealer}")
    assert state.setup.deal_order == deal_order
    for number, seat in enumerate((*deal_order, *deal_order), start=1):
        assert (state.turn_seat, state.turn_number, state.phase) == (seat, number, Phase.DRAW)
        state = after(state, f"{seat} timeout")


def test_section_2_a_turned_printed_joker_makes_no_rank_wild() -> None:
    assert play_script("wild PJ")[0].wild_rank is None
    assert play_script("wild QH'")[0].wild_rank == 12


def test_section_2_a_draw_from_the_stock_is_face_down_and_one_from_the_pile_is_open() -> None:
    state, _ = play_script("players 0 1\nopen 9C\nstock KH")
    _, closed = apply(state, parse_action("0 draw stock"))
    opened_state, opened = apply(state, parse_action("0 draw pile"))
    assert closed == (DrewFromStock(0, auto=False),)
    assert opened == (DrewFromPile(0, parse_card("9C"), auto=False),)
    assert opened_state.discard_pile == ()


def test_section_2_a_discard_lies_on_top_and_the_next_seat_begins() -> None:
    state, events = play_script("players 0 1 3\nopen 9C\nstock KH\n> 0 draw stock\n> 0 discard KH")
    assert events[-1] == Discarded(0, parse_card("KH"), auto=False)
    assert state.discard_pile == parse_cards("9C KH")
    assert (state.turn_seat, state.turn_number, state.drawn) == (1, 2, None)


# Section 2, steps 4 and 5: declare, count


def test_section_2_a_valid_declare_ends_the_hand_and_shows_everybody_still_in() -> None:
    state, events = play_script(
        f"seats 6\ncards 0 {READY}\nwild 7H\nstock 8D\n> 2 leave\n> 0 draw stock\n> 0 declare 8D"
    )
    declared, *shown, ended = events[-6:]
    assert isinstance(declared, Declared)
    assert declared.valid
    assert [show.seat for show in shown if isinstance(show, Shown)] == [1, 3, 4, 5]
    for show in shown:
        assert isinstance(show, Shown)
        assert show.cards == tuple(sorted(state.seat(show.seat).cards))
        assert show.points == fewest_points(show.cards, state.wild_rank)
    points = {show.seat: show.points for show in shown if isinstance(show, Shown)} | {0: 0, 2: 40}
    assert ended == HandEnded(Outcome.DECLARED, 0, tuple(sorted(points.items())))
    assert (state.declarer, state.finish_card, state.turn_seat) == (0, parse_card("8D"), None)


def test_section_2_a_declare_without_groups_shows_the_best_arrangement() -> None:
    state, events = play_script(f"players 0 1\ncards 0 {READY}\nwild 7H\nstock 8D\n> 0 draw stock\n> 0 declare 8D")
    (declared,) = (event for event in events if isinstance(event, Declared))
    assert sorted(card for group in declared.groups for card in group) == sorted(state.seat(0).cards)
    assert all(classify_group(group, state.wild_rank) for group in declared.groups)


def test_section_2_a_wrong_declare_without_groups_shows_all_13_cards_too() -> None:
    state, events = play_script("players 0 1\ncards 0 2S 3S 4S 5S 9H JH KD\nwild 7H\n> 0 draw stock\n> 0 declare KD")
    (declared,) = (event for event in events if isinstance(event, Declared))
    assert not declared.valid
    assert sorted(card for group in declared.groups for card in group) == sorted(state.seat(0).cards)
    assert all(classify_group(group, state.wild_rank) for group in declared.groups[:-1])


def test_section_2_the_last_card_of_the_stock_may_be_the_one_that_declares() -> None:
    timeouts = "\n".join(f"> {turn % 6} timeout" for turn in range(25))
    state, _ = play_script(
        f"seats 6\nrule missed_turns_to_drop 10\ncards 1 {READY}\nwild 7H\n{timeouts}\n> 1 draw stock"
    )
    assert state.stock == ()
    assert state.drawn is not None
    state, events = apply(state, Declare(1, state.drawn.card))
    assert state.ended is not None
    assert (state.ended.outcome, state.ended.winner) == (Outcome.DECLARED, 1)
    assert sum(isinstance(event, Shown) for event in events) == 5


# Section 5: leaving a hand


def test_section_5_a_first_drop_is_20_before_any_draw_and_a_middle_drop_40() -> None:
    state, events = play_script("players 0 1 3\n> 0 drop")
    assert events[-1] == WentOut(0, HowOut.FIRST_DROP, 20)
    assert state.seat(0).out == Out(OutBy.FIRST_DROP, 20)
    _, events = play_script(
        "players 0 1 3\nstock KH\n> 0 draw stock\n> 0 discard KH\n> 1 timeout\n> 3 timeout\n> 0 drop"
    )
    assert events[-1] == WentOut(0, HowOut.MIDDLE_DROP, 40)


def test_section_5_a_draw_by_the_clock_makes_the_next_drop_a_middle_drop() -> None:
    _, events = play_script("players 0 1 3\n> 0 timeout\n> 1 timeout\n> 3 timeout\n> 0 drop")
    assert events[-1] == WentOut(0, HowOut.MIDDLE_DROP, 40)


@pytest.mark.parametrize(
    ("before", "leaver", "turn_seat", "turn_number"),
    [
        ("", 3, 0, 1),
        ("", 0, 1, 2),
        ("> 0 draw stock", 0, 1, 2),
        ("> 0 draw stock", 1, 0, 1),
        ("> 0 draw pile", 0, 1, 2),
    ],
)
def test_section_5_leaving_takes_effect_at_once_on_turn_or_off(
    before: str, leaver: int, turn_seat: int, turn_number: int
) -> None:
    state, events = play_script(f"players 0 1 3\n{before}\n> {leaver} leave")
    assert events[-1] == WentOut(leaver, HowOut.LEFT, 40)
    assert (state.turn_seat, state.turn_number) == (turn_seat, turn_number)


def test_section_5_leaving_off_turn_lets_the_seat_on_turn_finish_its_turn() -> None:
    state, _ = play_script("players 0 1 3\nstock KH\n> 0 draw stock\n> 3 leave\n> 0 discard KH\n> 1 timeout")
    assert (state.turn_seat, state.turn_number) == (0, 3)


def test_section_5_the_last_one_in_wins_without_showing() -> None:
    state, events = play_script("players 0 1 3\n> 0 drop\n> 3 leave")
    assert events[-1] == HandEnded(Outcome.LAST_IN, 1, ((0, 20), (1, 0), (3, 40)))
    assert not any(isinstance(event, Shown) for event in events)
    assert (state.phase, state.turn_seat) == (Phase.ENDED, None)


def test_section_5_the_seat_on_turn_may_be_the_last_one_in_with_14_cards() -> None:
    state, events = play_script("players 0 1\n> 0 draw stock\n> 1 leave")
    assert events[-1] == HandEnded(Outcome.LAST_IN, 0, ((0, 0), (1, 40)))
    assert len(state.seat(0).cards) == 14


def test_section_5_a_wrong_declare_is_80_and_its_finish_card_can_be_taken() -> None:
    state, events = play_script(f"players 0 1 3\ncards 0 {HOPELESS}\nwild 7H\nstock KH\n> 0 draw stock\n> 0 declare KH")
    (declared,) = (event for event in events if isinstance(event, Declared))
    assert not declared.valid
    assert state.seat(0).out == Out(OutBy.WRONG_DECLARE, 80)
    assert (state.turn_seat, state.turn_number, state.discard_pile[-1]) == (1, 2, parse_card("KH"))
    assert after(state, "1 draw pile").seat(1).cards[-1] == parse_card("KH")


def test_section_5_a_wrong_declare_by_the_last_but_one_ends_the_hand() -> None:
    state, events = play_script(
        f"players 0 1 3\ncards 1 {HOPELESS}\nwild 7H\nstock 9D\n> 0 drop\n> 1 draw stock\n> 1 declare 9D"
    )
    assert events[-1] == HandEnded(Outcome.LAST_IN, 3, ((0, 20), (1, 80), (3, 0)))
    assert state.discard_pile[-1] == parse_card("9D")


def test_section_5_after_a_valid_declare_those_who_are_out_owe_what_they_left_for() -> None:
    _, events = play_script(
        f"seats 8\nplayers 0 2 3 5 6\ndealer 7\ncards 2 {HOPELESS}\ncards 6 {READY}\nwild 7H\nstock 8D 8S 5D\n"
        "> 0 drop\n> 2 draw stock\n> 2 declare 8D\n> 3 draw stock\n> 3 leave\n> 5 timeout\n"
        "> 6 draw pile\n> 6 declare 5D"
    )
    shown, ended = events[-2:]
    assert isinstance(shown, Shown)
    assert shown.seat == 5
    assert ended == HandEnded(Outcome.DECLARED, 6, ((0, 20), (2, 80), (3, 40), (5, shown.points), (6, 0)))


# Void hands


@pytest.mark.parametrize("reason", [VoidReason.OPERATOR, VoidReason.NOT_ENOUGH_PLAYERS, VoidReason.SERVER_FAILURE])
@pytest.mark.parametrize("before", ["", "> 0 draw stock", "> 0 drop"])
def test_a_void_hand_counts_nothing_for_anybody(reason: VoidReason, before: str) -> None:
    state, events = play_script(f"players 0 1 3\n{before}\n> void {reason}")
    assert events[-2:] == (HandVoided(reason), HandEnded(Outcome.VOID, None, ((0, 0), (1, 0), (3, 0))))
    assert state.is_over
    assert state.void_reason is reason


def test_the_state_before_an_action_is_untouched() -> None:
    state, _ = start(read_script("players 0 1").setup)
    before = (state.stock, state.seats, state.turn_number)
    after(state, "0 draw stock", "0 discard AC")
    assert (state.stock, state.seats, state.turn_number) == before


def test_cards_keep_the_order_in_which_they_came() -> None:
    state, _ = play_script("players 0 1\ncards 0 KS 2C 9H\nstock 5S\n> 0 draw stock\n> 0 discard 2C")
    assert state.seat(0).cards[:2] == parse_cards("KS 9H")
    assert state.seat(0).cards[-1] == Card(parse_card("5S"))
