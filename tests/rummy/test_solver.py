"""Rules sections 3 and 4: the best arrangement of 13 cards and what each discard of 14 leaves."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.solver_compare import compare
from bench.solver_hands import Pack, dense, near_declare
from rummy.cards import Card, Rank, card_name, cards_from_names, deck_size, face_of, face_points, is_wild
from rummy.groups import Arrangement, GroupKind, classify_group
from rummy.solver import (
    best_arrangement,
    best_discard,
    can_declare,
    discard_options,
    fewest_after_discard,
    fewest_points,
)
from tests.rummy.slow_solver import solve
from tests.rummy.test_groups import wild_named

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "solver_hands.json").read_text())

# what it shows | cards | wild | points | can be declared
HANDS = [
    ("no pure sequence: everything counts", "2H 2S 2D 3H 3S 3D 4C 5C 7C 8C 10C JC KC", "PJ", 69, False),
    (
        "two runs, a set of each other rank",
        "2H 3H 4H 9S 10S JS QS 7D 7C 7S KC KD KH",
        "PJ",
        0,
        True,
    ),
    ("one run only, the whole of it", "9S 10S JS QS KS 2D 4D 6D 8C 2C 4C 6H 8H", "PJ", 40, False),
    ("a set beside one run does not count", "2H 3H 4H 7D 7C 7S KC KD KH 9S JD 5C 2S", "PJ", 77, False),
    ("a second sequence lets the sets count", "2H 3H 4H 7D 7C 7S KC KD KH 9S 10S JS 2S", "PJ", 2, False),
    ("a run of six is two sequences", "2H 3H 4H 5H 6H 7H 8D 8C 8S KC KD KH KS", "PJ", 0, True),
    ("a run of five is one", "2H 3H 4H 5H 6H 8H 8D 8C 8S KC KD KH KS", "PJ", 72, False),
    ("thirteen of one suit", "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", "PJ", 0, True),
    ("the ace goes no way round the corner", "QH KH AH 2H 3H 5S 7S 9S JS 4C 6C 8C 10C", "PJ", 64, False),
    ("the wild card as itself makes the run pure", "5H 6H 7H 9S PJ JS 2C 2D 2S 4C 4D 4S KC", "6", 10, False),
    ("twice the same card, one of them substituting", "5H 3S JH 6H 8D 5D JH 10C 7H 4S 2H 2H 7S", "J", 27, False),
    ("wild cards alone are the second sequence", "5H 6H 7H 8H 9H PJ PJ PJ JC JD JH JS JS", "J", 0, True),
    ("nothing but wild cards: no points and no declare", "PJ PJ PJ JC JC JC JD JD JD JH JH JH JS", "J", 0, False),
    (
        "two natural cards and the one between them wild as itself",
        "5H 7H 6H PJ PJ PJ 6C 6C 6D 6D 6S 6S 6H",
        "6",
        0,
        True,
    ),
    ("a spare wild card does not spoil a declare", "2H 3H 4H 6S 7S 8S KC KD KH 9C 9D 9H PJ", "PJ", 0, True),
]


def shuffled(cards: Sequence[Card], seed: int) -> list[Card]:
    order = list(cards)
    Random(seed).shuffle(order)
    return order


def assert_legal(arrangement: Arrangement, cards: Sequence[Card], wild_rank: Rank | None) -> None:
    """Every card once, every group what it says it is, points and sequences as rules section 4 wants them."""
    laid = [card for group in arrangement.groups for card in group.cards]
    assert sorted([*laid, *arrangement.deadwood]) == sorted(cards)
    assert list(arrangement.deadwood) == sorted(arrangement.deadwood)
    for group in arrangement.groups:
        assert classify_group(group.cards, wild_rank) is group.kind
    assert arrangement.points == sum(face_points(face_of(card), wild_rank) for card in arrangement.deadwood)
    kinds = [group.kind for group in arrangement.groups]
    assert kinds == sorted(kinds, key=list(GroupKind).index)
    if kinds:
        assert kinds[0] is GroupKind.PURE_SEQUENCE
        assert len(kinds) == 1 or sum(kind.is_sequence for kind in kinds) >= 2


def test_all_vectors_come_out_right() -> None:
    for vector in VECTORS:
        cards = cards_from_names(vector["cards"])
        wild_rank = wild_named(vector["wild"])
        arrangement = best_arrangement(cards, wild_rank)
        assert (arrangement.points, arrangement.complete) == (vector["points"], vector["can_declare"]), vector
        assert fewest_points(cards, wild_rank) == vector["points"], vector
        assert can_declare(cards, wild_rank) is vector["can_declare"], vector
        assert_legal(arrangement, cards, wild_rank)


@pytest.mark.parametrize(
    ("cards", "wild", "points", "declares"), [hand[1:] for hand in HANDS], ids=[h[0] for h in HANDS]
)
def test_section_4_counts(cards: str, wild: str, points: int, declares: bool) -> None:
    hand = cards_from_names(cards.split())
    arrangement = best_arrangement(hand, wild_named(wild))
    assert (arrangement.points, arrangement.complete) == (points, declares)
    assert (fewest_points(hand, wild_named(wild)), can_declare(hand, wild_named(wild))) == (points, declares)
    assert solve(cards.split(), wild) == (points, declares)
    assert_legal(arrangement, hand, wild_named(wild))


def test_20_000_hands_agree_with_the_slow_solver() -> None:
    assert compare(range(20_000)) == 20_000


# Properties -----------------------------------------------------------------------------------------------------------

WILD_RANKS = st.one_of(st.none(), st.integers(1, 13).map(Rank))
SEEDS = st.integers(0, 2**32)


@st.composite
def hands(draw: st.DrawFn, size: int = 13) -> tuple[list[Card], Rank | None]:
    """Dealt, dense or nearly declared cards, in any order."""
    pack = Pack(draw(st.sampled_from((2, 3))))
    maker = draw(st.sampled_from((None, dense, near_declare)))
    if maker is None:
        numbers = st.integers(0, deck_size(pack.decks) - 1)
        cards = draw(st.lists(numbers.map(Card), min_size=size, max_size=size, unique=True))
        return cards, draw(WILD_RANKS)
    made = maker(Random(draw(SEEDS)), pack)
    return [*made.cards, made.extra][:size], made.wild_rank


@settings(max_examples=300, deadline=None)
@given(hands(), SEEDS)
def test_the_order_of_cards_never_matters(hand: tuple[list[Card], Rank | None], seed: int) -> None:
    cards, wild_rank = hand
    assert best_arrangement(shuffled(cards, seed), wild_rank) == best_arrangement(cards, wild_rank)


@settings(max_examples=300, deadline=None)
@given(hands())
def test_an_arrangement_is_legal_and_adds_up(hand: tuple[list[Card], Rank | None]) -> None:
    cards, wild_rank = hand
    arrangement = best_arrangement(cards, wild_rank)
    assert_legal(arrangement, cards, wild_rank)
    assert arrangement.points == fewest_points(cards, wild_rank)
    assert arrangement.complete == can_declare(cards, wild_rank)


@settings(max_examples=300, deadline=None)
@given(hands(), WILD_RANKS)
def test_a_wild_rank_never_raises_points(hand: tuple[list[Card], Rank | None], wild_rank: Rank | None) -> None:
    cards, _ = hand
    assert fewest_points(cards, wild_rank) <= fewest_points(cards, None)


@settings(max_examples=150, deadline=None)
@given(hands(14), SEEDS)
def test_14_cards_answer_as_14_hands_of_13(hand: tuple[list[Card], Rank | None], seed: int) -> None:
    cards, wild_rank = hand
    options = discard_options(cards, wild_rank)
    assert [option.card for option in options] == sorted(cards)
    for option in options:
        left = [card for card in cards if card != option.card]
        assert (option.points, option.declares) == (fewest_points(left, wild_rank), can_declare(left, wild_rank))
    assert discard_options(shuffled(cards, seed), wild_rank) == options


@settings(max_examples=150, deadline=None)
@given(hands(14), SEEDS)
def test_the_best_discard_leaves_the_fewest_points(hand: tuple[list[Card], Rank | None], seed: int) -> None:
    cards, wild_rank = hand
    options = discard_options(cards, wild_rank)
    best = best_discard(cards, wild_rank)
    fewest = min(option.points for option in options)
    assert best in options
    assert best.points == fewest
    assert fewest_after_discard(cards, wild_rank) == (fewest, any(option.declares for option in options))
    assert best_discard(shuffled(cards, seed), wild_rank) == best
    if is_wild(face_of(best.card), wild_rank):
        assert all(is_wild(face_of(option.card), wild_rank) for option in options if option.points == fewest)


# 14 cards -------------------------------------------------------------------------------------------------------------


def discard_named(cards: str, wild: str) -> tuple[str, int, bool]:
    given = cards.split()
    hand = cards_from_names(given)
    best = best_discard(hand, wild_named(wild))
    return given[hand.index(best.card)], best.points, best.declares


@pytest.mark.parametrize(
    ("cards", "wild", "best"),
    [
        # The dearest loose card goes, the ace before the king.
        ("2H 3H 4H 6S 7S 8S KC QD AC 9D 2C 4C 6D 8D", "PJ", ("AC", 49, False)),
        # A joker too many, and a king too many: the king goes.
        ("2H 3H 4H 6S 7S 8S QC QD QH 9C 9D 9H PJ KC", "PJ", ("KC", 0, True)),
        # Nothing is loose: a card for which the joker can stand goes, not the joker.
        ("2H 3H 4H 6S 7S 8S QC QD QH 9C 9D 9H 5H PJ", "PJ", ("QC", 0, True)),
        # No pure sequence.
        ("2H 3H 5H 6S 7S 9S QC QD QH 9C 9D 9H KC 2C", "PJ", ("KC", 91, False)),
    ],
)
def test_the_best_discard(cards: str, wild: str, best: tuple[str, int, bool]) -> None:
    assert discard_named(cards, wild) == best


def test_only_wild_cards_are_left_to_discard() -> None:
    cards = cards_from_names(("PJ PJ PJ " + "JC JD JH JS " * 3).split()[:14])
    options = discard_options(cards, Rank(11))
    assert {(option.points, option.declares) for option in options} == {(0, False)}
    assert best_discard(cards, Rank(11)) == options[0]


def test_nothing_but_wild_cards_beside_the_discard_is_no_declare() -> None:
    cards = cards_from_names([*("PJ PJ PJ " + "JC JD JH " * 3).split(), "JS", "5H"])
    assert discard_named(" ".join(map(card_name, cards)), "J") == ("5H", 0, False)
    assert fewest_after_discard(cards, Rank(11)) == (0, False)


def test_equal_copies_leave_the_same() -> None:
    kings = ["KC", "KC"]
    cards = cards_from_names([*kings, "2H", "3H", "4H", "6S", "7S", "8S", "AC", "9D", "2C", "4C", "6D", "8D"])
    left = {option.card: option.points for option in discard_options(cards, None)}
    assert left[cards[0]] == left[cards[1]] == 49


@pytest.mark.parametrize("count", [0, 12, 14])
def test_another_number_of_cards_is_our_mistake(count: int) -> None:
    cards = [Card(number) for number in range(count)]
    for question in (best_arrangement, fewest_points, can_declare):
        with pytest.raises(ValueError, match="expected 13 distinct cards"):
            question(cards, None)
    for ask in (discard_options, best_discard, fewest_after_discard):
        with pytest.raises(ValueError, match="expected 14 distinct cards"):
            ask([*cards, Card(40)], None)


def test_the_same_card_twice_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="expected 13 distinct cards"):
        best_arrangement([Card(1)] * 13, None)
