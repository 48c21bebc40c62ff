"""Events are checked against the rules: what is wrong is named by its index, with what the rules give there."""

import pytest

from rummy.actions import VoidReason
from rummy.cards import Card
from rummy.events import (
    Dealt,
    Declared,
    Discarded,
    DrewFromStock,
    Event,
    HandVoided,
    HowOut,
    Shown,
    StockReshuffled,
    WentOut,
)
from rummy.notation import parse_card
from rummy.replay import UnlawfulEvent, replay
from rummy.script import play_script

TABLE = "players 0 1 3\nwild 7H\nopen 9C\nstock KH QH"


def test_lawful_events_lead_to_the_state_that_was_played_at_the_end_and_on_the_way() -> None:
    script = f"{TABLE}\n> 0 timeout\n> 1 draw pile"
    state, events = play_script(script)
    assert replay(state.setup, events) == state
    state, events = play_script(f"{script}\n> 1 leave\n> 3 leave")
    assert replay(state.setup, events) == state


@pytest.mark.parametrize(
    ("played", "event", "words"),
    [
        ("", DrewFromStock(1, auto=False), "It is the turn of seat 0"),
        ("", Discarded(0, Card(0), auto=False), "Draw a card first"),
        ("", WentOut(0, HowOut.MISSED_TURNS, 40), "no action leads to"),
        ("", WentOut(0, HowOut.MIDDLE_DROP, 40), "where the rules give"),
        ("", WentOut(0, HowOut.FIRST_DROP, 40), "where the rules give"),
        ("", WentOut(2, HowOut.LEFT, 40), "plays no part"),
        ("", StockReshuffled(1, 0), "no action leads to"),
        ("", HandVoided(VoidReason.STOCK_EXHAUSTED), "where the rules give"),
        ("", Dealt(), "no action leads to"),
        ("", Shown(0, 0, ()), "no action leads to"),
        ("> 0 draw stock", Discarded(0, parse_card("9C"), auto=False), "do not hold"),
        ("> 0 draw stock", Discarded(0, parse_card("AC"), auto=True), "where the rules give"),
        ("> 0 draw stock", Declared(0, True, parse_card("KH"), ()), "where the rules give"),
        ("> 0 drop\n> 1 leave", Dealt(), "no action leads to"),
        ("> 0 drop\n> 1 leave", DrewFromStock(3, auto=False), "hand is over"),
        ("> 0 drop\n> 1 leave", HandVoided(VoidReason.STOCK_EXHAUSTED), "hand is over"),
    ],
)
def test_an_event_that_the_rules_do_not_give_is_named(played: str, event: Event, words: str) -> None:
    state, events = play_script(f"{TABLE}\n{played}")
    with pytest.raises(UnlawfulEvent, match=words) as unlawful:
        replay(state.setup, (*events, event))
    assert unlawful.value.index == len(events)


def test_a_record_cut_off_in_the_middle_of_an_action_says_what_is_missing() -> None:
    state, events = play_script(f"{TABLE}\n> 0 timeout")
    with pytest.raises(UnlawfulEvent, match="is missing") as unlawful:
        replay(state.setup, events[:-1])
    assert (unlawful.value.index, unlawful.value.expected) == (len(events) - 1, events[-1])


def test_a_reshuffle_without_the_draw_that_needs_it_is_unlawful() -> None:
    timeouts = "\n".join(f"> {turn % 6} timeout" for turn in range(26))
    state, events = play_script(f"seats 6\nrule missed_turns_to_drop 10\n{timeouts}")
    for after in ((), (StockReshuffled(2, 1),)):
        with pytest.raises(UnlawfulEvent, match="no action leads to") as unlawful:
            replay(state.setup, (*events, StockReshuffled(1, 26), *after))
        assert unlawful.value.index == len(events)


def test_a_record_without_its_deal_is_unlawful() -> None:
    state, events = play_script(TABLE)
    for count in range(len(events)):
        with pytest.raises(UnlawfulEvent, match="is missing"):
            replay(state.setup, events[:count])
