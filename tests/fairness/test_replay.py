from dataclasses import replace
from random import Random
from typing import Any

import pytest

from fairness import events as record
from fairness.deck import hand_key
from fairness.events import RosterClosed, SeedRevealed
from fairness.rehearsal import RehearsedHand, RehearsedHouse
from fairness.rehearsed_players import eager, restless
from fairness.replay import (
    UnknownRules,
    game_events,
    hand_setup,
    is_dealt,
    recover,
    rules_map,
    showings,
    table_rules,
    to_game,
    to_record,
)
from fairness.terms import Terms
from rummy.hand import apply, start
from rummy.random_play import RESTLESS, random_action, random_setup
from rummy.rules import ReturnTakenCard, TableRules, TakeWildFromPile


@pytest.fixture(scope="module")
def hands() -> list[RehearsedHand]:
    house = RehearsedHouse(7)
    return [house.play(restless) for _ in range(15)] + [house.play(eager, TableRules(4), 2)]


def key_of(hand: RehearsedHand) -> bytes:
    first, last = hand.events[0], hand.events[-1]
    assert isinstance(first, RosterClosed)
    assert isinstance(last, SeedRevealed)
    return hand_key(last.server_seed, hand.terms.hash(), first.roster.hash())


def test_every_event_of_the_game_comes_back_from_the_record(hands: list[RehearsedHand]) -> None:
    for hand in hands:
        for event in hand.events:
            move = to_game(event)
            if move is None:
                assert isinstance(event, RosterClosed | SeedRevealed)
            else:
                assert to_record(move, event.at_ms, hand.terms) == event


def test_a_hand_recovers_to_the_same_state_after_every_action(hands: list[RehearsedHand]) -> None:
    terms = hands[0].terms
    rng = Random(3)
    key = rng.randbytes(32)
    state, moves = start(hand_setup(terms, key))
    recorded = [to_record(move, 1, terms) for move in moves]
    while not state.is_over:
        assert recover(terms, key, recorded) == state
        state, moves = apply(state, random_action(state, RESTLESS, rng))
        recorded += [to_record(move, 1, terms) for move in moves]
    assert recover(terms, key, recorded) == state


def test_showings_are_the_deal_and_every_own_draw_from_the_stock(hands: list[RehearsedHand]) -> None:
    for hand in hands:
        shown = showings(hand.terms, key_of(hand), hand.events)
        dealt = hand_setup(hand.terms, key_of(hand))
        for seat in hand.terms.occupied:
            first, *draws = shown[seat]
            place, players = dealt.deal_order.index(seat), len(dealt.players)
            assert (first.k, first.cards) == (1, dealt.deck[place : 13 * players : players])
            own = [
                k
                for k, event in enumerate(hand.events)
                if isinstance(event, record.DrewFromStock) and event.seat == seat
            ]
            assert [draw.k for draw in draws] == own
            assert all(len(draw.cards) == 1 for draw in draws)


def test_a_hand_that_was_never_dealt_shows_nothing() -> None:
    hand = RehearsedHouse(7).void_before_deal(hashes_closed=True)
    assert not is_dealt(hand.events)
    assert set(showings(hand.terms, key_of(hand), hand.events).values()) == {()}
    assert [type(move).__name__ for move in game_events(hand.events)] == ["HandVoided", "HandEnded"]


RULES = [random_setup(Random(seed)).rules for seed in range(10)] + [
    TableRules(8, take_wild_from_pile=TakeWildFromPile.NEVER, return_taken_card=ReturnTakenCard.ALLOWED)
]


@pytest.mark.parametrize("rules", RULES)
def test_rules_come_back_from_their_map(hands: list[RehearsedHand], rules: TableRules) -> None:
    assert table_rules(with_rules(hands[0].terms, rules.seat_count, rules_map(rules))) == rules


def test_rules_of_the_vectors_are_rules_that_we_play(vectors: dict[str, Any]) -> None:
    for case in vectors["deal"]:
        terms = Terms.from_json(case["input"]["terms"])
        assert table_rules(terms).reshuffles_allowed == int(terms.rules["reshuffles_allowed"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "pool"}, "the rule format is 'pool': this house plays deals_2"),
        ({"match_hand": "1"}, "belongs to a match"),
        ({"format": "pool_101"}, "the rule buy_in is missing"),
        ({"wild_only_group": "forbidden"}, "wild_only_group is 'forbidden': this house plays 'allowed'"),
        ({"aces_wild": "1"}, "the rule 'aces_wild' is unknown"),
        ({"turn_seconds": None}, "the rule turn_seconds is missing"),
        ({"format": None}, "the rule format is missing"),
        ({"turn_seconds": "030"}, "no leading zero"),
        ({"turn_seconds": "+30"}, "no sign"),
        ({"turn_seconds": ""}, "a number in decimal"),
        ({"turn_seconds": "4"}, "turn_seconds is 4: allowed are 5 to 120"),
        ({"take_wild_from_pile": "sometimes"}, "not one of its values"),
    ],
)
def test_rules_that_we_do_not_play_are_named(hands: list[RehearsedHand], change, words: str) -> None:
    rules = {name: value for name, value in (rules_map(TableRules(4)) | change).items() if value is not None}
    with pytest.raises(UnknownRules, match=words):
        table_rules(with_rules(hands[0].terms, 4, rules))


def with_rules(terms: Terms, seats: int, rules: dict[str, str]) -> Terms:
    players = tuple(terms.players[:2])
    return replace(
        terms,
        seats=seats,
        decks=3 if seats == 8 else 2,
        dealer=0,
        rules=rules,
        players=tuple((seat, player_id) for seat, (_, player_id) in enumerate(players)),
    )


def test_a_setup_does_not_show_its_key() -> None:
    hand = RehearsedHouse(7).play(restless)
    key = key_of(hand)
    setup = hand_setup(hand.terms, key)
    assert key.hex() not in repr(setup)
    assert repr(key) not in repr(setup)
