"""Folding events: an event that cannot have happened in a state breaks an assertion, never the state."""

import pytest

from rummy.cards import Card
from rummy.events import (
    Dealt,
    Declared,
    Discarded,
    DrewFromPile,
    DrewFromStock,
    Event,
    HowOut,
    PileOpened,
    StockReshuffled,
    WentOut,
    WildTurned,
)
from rummy.fold import before_deal, evolve, fold
from rummy.notation import parse_card
from rummy.script import play_script, read_script
from rummy.state import HandSetup, Phase

TABLE = "players 0 1 3\nwild 7H\nopen 9C\nstock KH"


def test_folding_the_events_gives_the_state_that_playing_gave() -> None:
    script = TABLE + "\n> 0 draw pile\n> 0 timeout\n> 1 timeout\n> 3 leave\n> 0 draw stock\n> 1 leave"
    state, events = play_script(script)
    assert fold(state.setup, events) == state
    assert fold(state.setup, ()) == before_deal(state.setup)


def test_before_the_deal_the_whole_deck_is_the_stock() -> None:
    setup = read_script(TABLE).setup
    state = before_deal(setup)
    assert (state.phase, state.stock, state.turn_seat) == (Phase.DEALING, setup.deck, None)


@pytest.mark.parametrize(
    ("lines", "event"),
    [
        ("", DrewFromStock(1, auto=False)),
        ("> 0 draw stock", DrewFromStock(0, auto=False)),
        ("", DrewFromPile(0, parse_card("KH"), auto=False)),
        ("> 0 draw pile\n> 0 leave", DrewFromPile(1, parse_card("9C"), auto=False)),
        ("", Discarded(0, Card(0), auto=False)),
        ("> 0 draw stock", Discarded(0, parse_card("9C"), auto=False)),
        ("> 0 draw stock", Discarded(1, parse_card("KH"), auto=True)),
        ("> 0 draw stock", Declared(1, True, Card(0), ())),
        ("> 0 draw stock", Declared(0, True, parse_card("9C"), ())),
        ("> 0 drop", WentOut(0, HowOut.LEFT, 40)),
        ("", StockReshuffled(1, 0)),
    ],
)
def test_an_event_that_cannot_have_happened_is_an_assertion(lines: str, event: Event) -> None:
    state, _ = play_script(f"{TABLE}\n{lines}")
    with pytest.raises(AssertionError):
        evolve(state, event)


def test_a_deal_of_other_cards_is_an_assertion() -> None:
    setup = read_script(TABLE).setup
    dealt = evolve(before_deal(setup), Dealt())
    with pytest.raises(AssertionError, match="turned up"):
        evolve(dealt, WildTurned(parse_card("8H")))
    with pytest.raises(AssertionError, match="opens the pile"):
        evolve(evolve(dealt, WildTurned(parse_card("7H"))), PileOpened(parse_card("8H")))


@pytest.mark.parametrize(
    ("number", "count", "words"),
    [(2, 26, "out of order"), (1, 25, "another count"), (0, 26, "out of order")],
)
def test_a_reshuffle_that_was_not_due_is_an_assertion(number: int, count: int, words: str) -> None:
    timeouts = "\n".join(f"> {turn % 6} timeout" for turn in range(26))
    state, _ = play_script(f"seats 6\nrule missed_turns_to_drop 10\n{timeouts}")
    with pytest.raises(AssertionError, match=words):
        evolve(state, StockReshuffled(number, count))
    assert evolve(state, StockReshuffled(1, 26)).reshuffles_done == 1


def test_a_reshuffle_that_changes_cards_is_an_assertion() -> None:
    timeouts = "\n".join(f"> {turn % 6} timeout" for turn in range(26))
    played, events = play_script(f"seats 6\nrule missed_turns_to_drop 10\n{timeouts}")
    setup = played.setup
    forged = HandSetup(setup.rules, setup.players, setup.dealer, setup.deck, lambda _, pile: (pile[0],) * len(pile))
    with pytest.raises(AssertionError, match="changed the cards"):
        evolve(fold(forged, events), StockReshuffled(1, 26))
