"""Field reports of cards and rules, each by its number."""

import pytest

from rummy.actions import Discard, DrawFromStock
from rummy.cards import Card, Rank, deck_size
from rummy.events import StockReshuffled
from rummy.groups import GroupKind, classify_group
from rummy.hand import apply, start
from rummy.notation import parse_cards
from rummy.random_play import seeded_reshuffle
from rummy.refusals import legal_discards
from rummy.rules import TableRules
from rummy.solver import best_arrangement
from rummy.state import HandSetup, HandState, check_invariants
from tests.rummy.slow_solver import solve

PURE, IMPURE, SET = GroupKind.PURE_SEQUENCE, GroupKind.IMPURE_SEQUENCE, GroupKind.SET
SEVEN, FIVE, KING = Rank(7), Rank(5), Rank(13)

# cards | wild rank | what they are together
JOKERS_THAT_HIDE_NOTHING = [
    ("7S 7S' PJ", FIVE, None),
    ("7S 7S' 7H", FIVE, None),
    ("7S 7H 7D 7C PJ", FIVE, None),
    ("7S 7H 7D 7C 5C", FIVE, None),
    ("7S 7H PJ", FIVE, SET),
    ("7S 7H 7D 7C", FIVE, SET),
    ("KS AS 2S", FIVE, None),
    ("KS AS 2S PJ", FIVE, None),
    ("AS 2S 3S", FIVE, PURE),
    ("QS KS AS", FIVE, PURE),
    ("8S 8S' 9S 10S", FIVE, None),
    ("8S 8S' 9S PJ", FIVE, None),
    ("8S 9S 10H", FIVE, None),
    ("8S PJ 10S", FIVE, IMPURE),
    ("4S 5S 6S", FIVE, PURE),
    ("4S 5H 6S", FIVE, IMPURE),
    ("5S 5H 5D", FIVE, IMPURE),
    ("QS KH AS", KING, IMPURE),
    ("QS KS AS", KING, PURE),
]


@pytest.mark.parametrize(("cards", "wild", "kind"), JOKERS_THAT_HIDE_NOTHING)
def test_a_joker_makes_no_illegal_group_legal_b24(cards: str, wild: Rank, kind: GroupKind | None) -> None:
    assert classify_group(parse_cards(cards), wild) is kind


@pytest.mark.parametrize(
    "hand",
    [
        "AS 2S 3S 7S 7S' PJ 9C 9D 9H JC JD JS 4H",
        "KS AS 2S 3S 4S 5S 6S 7H 7D 7C PJ 8C 8D",
        "5S 5H 5D 5C 5S' 6S 7S 8S 9S QH KH AH PJ",
        "2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH AH",
    ],
)
@pytest.mark.parametrize("wild", ["5", "7", "A", "PJ"])
def test_a_whole_hand_is_worth_what_a_brute_force_says_b24(hand: str, wild: str) -> None:
    rank = None if wild == "PJ" else Rank({"A": 1}.get(wild) or int(wild))
    found = best_arrangement(parse_cards(hand), rank)
    plain = [card.rstrip("'") for card in hand.split()]
    assert (found.points, found.complete) == solve(plain, wild)


def idle_turn(state: HandState) -> tuple[HandState, list[StockReshuffled]]:
    """Draw from the stock and throw what nobody can use: the newest card."""
    assert state.turn_seat is not None
    state, events = apply(state, DrawFromStock(state.turn_seat))
    shuffles = [event for event in events if isinstance(event, StockReshuffled)]
    if not state.is_over:
        assert state.turn_seat is not None
        state, _ = apply(state, Discard(state.turn_seat, legal_discards(state, state.turn_seat)[-1]))
    check_invariants(state)
    return state, shuffles


def test_the_stock_runs_out_with_six_seats_up_to_the_end_by_rule_b25() -> None:
    deck = [Card(card) for card in range(deck_size(2))]
    setup = HandSetup(TableRules(6), tuple(range(6)), 0, tuple(deck), lambda n, pile: seeded_reshuffle(9, n, pile))
    state, _ = start(setup)
    numbers: list[int] = []
    turns = 0
    while not state.is_over:
        state, shuffles = idle_turn(state)
        numbers += [shuffle.number for shuffle in shuffles]
        # What is shuffled is the pile but its top card, and it is drawn from at once.
        assert all(shuffle.stock_count == 106 - 6 * 13 - 1 - 1 for shuffle in shuffles)
        turns += 1
        assert turns < 1_000
    assert numbers == [1, 2, 3]
    assert state.void_reason is not None
    assert state.void_reason.value == "stock_exhausted"
    assert state.ended is not None
    assert {points for _, points in state.ended.points} == {0}
