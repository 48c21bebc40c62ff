"""Cards, actions, events and whole hands as text."""

import pytest

from rummy.actions import Action, Declare, Discard, DrawFromPile, DrawFromStock, Drop, Leave, Timeout, Void, VoidReason
from rummy.cards import Card, UnreadableCard, deck_size
from rummy.hand import IllegalAction
from rummy.notation import UnreadableAction, action_text, card_text, event_text, parse_action, parse_card, parse_cards
from rummy.rules import ReturnTakenCard, TakeWildFromPile
from rummy.script import UnreadableScript, play_script, read_script, transcript, turned_over


def test_every_card_of_three_decks_has_a_text_of_its_own() -> None:
    pack = [Card(card) for card in range(deck_size(3))]
    texts = [card_text(card) for card in pack]
    assert len(set(texts)) == len(pack)
    assert [parse_card(text) for text in texts] == pack
    assert [card_text(card) for card in (Card(0), Card(53 + 48), Card(158))] == ["AC", "10S'", "PJ''"]


@pytest.mark.parametrize("text", ["", "1H", "ah", "10", "PJ H", "'AH"])
def test_a_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(UnreadableCard):
        parse_card(text)


ACTIONS: list[tuple[str, Action]] = [
    ("0 draw stock", DrawFromStock(0)),
    ("3 draw pile", DrawFromPile(3)),
    ("1 discard KH'", Discard(1, parse_card("KH'"))),
    ("1 declare KH", Declare(1, parse_card("KH"))),
    ("1 declare KH: AC 2C | PJ'", Declare(1, parse_card("KH"), (parse_cards("AC 2C"), parse_cards("PJ'")))),
    ("2 drop", Drop(2)),
    ("2 leave", Leave(2)),
    ("2 timeout", Timeout(2)),
    ("void server_failure", Void(VoidReason.SERVER_FAILURE)),
]


@pytest.mark.parametrize(("text", "action"), ACTIONS)
def test_an_action_is_read_and_written_alike(text: str, action: Action) -> None:
    assert parse_action(text) == action
    assert action_text(action) == text


@pytest.mark.parametrize("text", ["0 fly", "0", "draw stock", "void", "void boredom", "0 discard", "0 declare 9"])
def test_a_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_action(text)


def test_an_unknown_verb_is_named() -> None:
    with pytest.raises(UnreadableAction, match="'fly' is no action"):
        parse_action("0 fly")


def test_a_script_places_cards_and_fills_up_in_card_order() -> None:
    setup = read_script("players 0 2\ndealer 2\ncards 2 KS QS\nwild 7H\nopen 9C\nstock PJ AD").setup
    state, _ = play_script("players 0 2\ndealer 2\ncards 2 KS QS\nwild 7H\nopen 9C\nstock PJ AD")
    assert setup.reshuffle is turned_over
    assert state.seat(0).cards == parse_cards("AC 2C 3C 4C 5C 6C 7C 8C 10C JC QC KC 2D")
    assert state.seat(2).cards[:3] == parse_cards("KS QS 3D")
    assert (state.turned, state.discard_pile, state.stock[:2]) == (
        parse_card("7H"),
        parse_cards("9C"),
        parse_cards("PJ AD"),
    )


def test_a_script_sets_the_table() -> None:
    rules = read_script(
        "seats 8 # remark\nrule return_taken_card allowed\nrule take_wild_from_pile never\nrule reshuffles_allowed 0\n"
    ).setup.rules
    assert (rules.seat_count, rules.decks, rules.reshuffles_allowed) == (8, 3, 0)
    assert rules.return_taken_card is ReturnTakenCard.ALLOWED
    assert rules.take_wild_from_pile is TakeWildFromPile.NEVER


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("players 0 1\nchairs 4", r"line 2, 'chairs 4': 'chairs' sets nothing"),
        ("> 0 fly", r"line 1, '> 0 fly': 'fly' is no action"),
        ("wild 7X", r"line 1, 'wild 7X': '7X' is no card"),
        ("rule luck high", r"line 1, 'rule luck high': 'luck' is no table rule"),
        ("seats four", r"line 1, 'seats four'"),
    ],
)
def test_a_line_that_says_nothing_is_named(text: str, words: str) -> None:
    with pytest.raises(UnreadableScript, match=words):
        read_script(text)


@pytest.mark.parametrize(
    "text", ["players 0", "seats 5", "rule reshuffles_allowed 11", "cards 0 AC AC", "wild 7H\nopen 7H", "wild 7H''"]
)
def test_a_table_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_script(text)


def test_a_script_stops_at_the_first_illegal_action() -> None:
    with pytest.raises(IllegalAction):
        play_script("> 0 discard AC\n> 0 draw stock")


def test_a_transcript_answers_between_the_lines_and_comes_back_as_it_is() -> None:
    written = transcript("players 0 1\n# a remark\n> 0 draw stock   # another\n> 1 drop\n")
    assert written == transcript(written)
    assert "> 0 draw stock   # another\n    0 drew from the stock [" in written
    assert "> 1 drop\n    refused: not_your_turn; allowed now: leave\n" in written
    assert written.endswith("]\n")


def test_no_event_text_names_a_hidden_card() -> None:
    _, events = play_script("players 0 1\nstock KH\n> 0 draw stock")
    assert event_text(events[-1]) == "0 drew from the stock"
