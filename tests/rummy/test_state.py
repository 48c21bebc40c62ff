"""What a hand may be set up with, and the invariants that stop a table when they break."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rummy.cards import Card, deck_size
from rummy.events import HandEnded, HowOut, Outcome
from rummy.rules import TableRules
from rummy.script import play_script, turned_over
from rummy.state import Drawn, DrawnFrom, HandSetup, HandState, Out, OutBy, Phase, check_invariants

PACK = tuple(Card(card) for card in range(deck_size(2)))


def setup_with(**changes: Any) -> HandSetup:
    fixed: dict[str, Any] = {
        "rules": TableRules(4),
        "players": (0, 2),
        "dealer": 0,
        "deck": PACK,
        "reshuffle": turned_over,
    }
    return HandSetup(**(fixed | changes))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"players": ()}, "at least two"),
        ({"players": (1,)}, "at least two"),
        ({"players": (2, 0)}, "ascending"),
        ({"players": (0, 0)}, "each once"),
        ({"players": (0, 4)}, "seats 0 to 3"),
        ({"players": (-1, 2)}, "seats 0 to 3"),
        ({"dealer": 4}, "dealer is 4"),
        ({"dealer": -1}, "dealer is -1"),
        ({"deck": PACK[:-1]}, "every card of 2 decks once"),
        ({"deck": (*PACK[:-1], PACK[0])}, "every card of 2 decks once"),
        ({"deck": (*PACK[:-1], Card(106))}, "every card of 2 decks once"),
        ({"rules": TableRules(8)}, "every card of 3 decks once"),
    ],
)
def test_an_impossible_setup_is_our_mistake(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        setup_with(**changes)


def test_the_dealer_button_may_be_at_an_empty_seat() -> None:
    assert setup_with(dealer=1).deal_order == (2, 0)


def test_a_state_answers_who_plays_and_who_is_in() -> None:
    state, _ = play_script("players 0 1 3\n> 0 drop")
    assert state.seats_in == (1, 3)
    assert [state.is_playing(seat) for seat in (-1, 0, 1, 2, 3, 4)] == [False, True, True, False, True, False]
    for seat in (-1, 2, 4):
        with pytest.raises(KeyError, match=f"seat {seat} plays no part"):
            state.seat(seat)


def test_every_way_out_has_its_name_in_the_state() -> None:
    assert {how.value for how in HowOut} | {"wrong_declare"} == {by.value for by in OutBy}


DRAWING, _ = play_script("players 0 1 3\ndealer 3")
DRAWN, _ = play_script("players 0 1 3\ndealer 3\n> 0 draw stock")
LEFT, _ = play_script("players 0 1 3\ndealer 3\n> 0 draw stock\n> 0 leave")
ENDED, _ = play_script("players 0 1 3\ndealer 3\n> void operator")


def with_cards(state: HandState, seat: int, cards: tuple[Card, ...]) -> HandState:
    held = replace(state.seat(seat), cards=cards)
    return replace(state, seats=(*state.seats[:seat], held, *state.seats[seat + 1 :]))


def drawing(state: HandState, seat: int) -> HandState:
    return replace(with_cards(state, seat, (*state.seat(seat).cards, state.stock[0])), stock=state.stock[1:])


def giving_back(state: HandState, seat: int) -> HandState:
    first, *rest = state.seat(seat).cards
    return replace(with_cards(state, seat, tuple(rest)), stock=(first, *state.stock))


def out(state: HandState, seat: int) -> HandState:
    held = replace(state.seat(seat), out=Out(OutBy.FIRST_DROP, 20))
    return replace(state, seats=(*state.seats[:seat], held, *state.seats[seat + 1 :]))


BROKEN: list[tuple[Callable[[], HandState], str]] = [
    (lambda: replace(DRAWING, stock=DRAWING.stock[1:]), "105 cards instead of 106"),
    (lambda: replace(DRAWING, stock=(*DRAWING.stock, DRAWING.stock[0])), "107 cards instead of 106"),
    (lambda: replace(DRAWING, stock=(DRAWING.stock[1], *DRAWING.stock[1:])), "a card lies in two places"),
    (lambda: replace(DRAWING, turned=None), "105 cards"),
    (lambda: replace(DRAWING, finish_card=Card(0)), "107 cards"),
    (lambda: replace(DRAWING, discard_pile=()), "105 cards"),
    (lambda: drawing(DRAWING, 1), "seat 1 holds 14 cards"),
    (lambda: drawing(DRAWING, 0), "seat 0 holds 14 cards"),
    (lambda: drawing(DRAWN, 0), "seat 0 holds 15 cards"),
    (lambda: drawing(DRAWN, 1), "seat 1 holds 14 cards"),
    (lambda: drawing(LEFT, 0), "seat 0 holds 15 cards"),
    (lambda: drawing(drawing(ENDED, 0), 0), "seat 0 holds 15 cards"),
    (lambda: giving_back(DRAWN, 0), "seat 0 holds 13 cards"),
    (lambda: giving_back(DRAWING, 3), "seat 3 holds 12 cards"),
    (lambda: giving_back(giving_back(LEFT, 0), 0), "seat 0 holds 12 cards"),
    (lambda: with_cards(DRAWN, 0, DRAWN.seat(0).cards[::-1]), "the drawn card is the newest"),
    (lambda: replace(DRAWING, turn_seat=None), "a turn belongs to a hand that is played"),
    (lambda: replace(ENDED, turn_seat=0), "a turn belongs to a hand that is played"),
    (lambda: replace(DRAWING, drawn=Drawn(Card(0), DrawnFrom.STOCK)), "the drawn card belongs to the discard"),
    (lambda: replace(DRAWN, drawn=None), "the drawn card belongs to the discard"),
    (lambda: out(DRAWING, 0), "seat 0 is out and on turn"),
    (lambda: out(out(DRAWING, 1), 3), "fewer than two players"),
    (lambda: replace(DRAWING, reshuffles_done=4), "more reshuffles than the table allows"),
    (lambda: replace(ENDED, ended=None), "an ended hand has a result"),
    (lambda: replace(ENDED, ended=HandEnded(Outcome.VOID, None, ((0, 0),))), "the result leaves a player out"),
]


@pytest.mark.parametrize(("broken", "words"), BROKEN, ids=[f"{n}-{words}" for n, (_, words) in enumerate(BROKEN)])
def test_a_broken_invariant_is_found(broken: Callable[[], HandState], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_invariants(broken())


def test_whole_states_pass() -> None:
    for state in (DRAWING, DRAWN, LEFT, ENDED):
        check_invariants(state)
    assert DRAWN.phase is Phase.DISCARD
