"""How many cards a declare is away."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.solver_hands import RUMMY_PACKS, Pack, dense, make, mixed, near_declare
from rummy.cards import FACES_PER_DECK, PRINTED_JOKER, Card, Face, Rank, cards_from_names, face_of
from rummy.declare_distance import declare_distance
from rummy.solver import best_discard, can_declare
from tests.rummy.test_groups import wild_named


def test_nothing_to_exchange_exactly_when_it_can_be_declared() -> None:
    for maker in (mixed, dense):
        for hand in make(maker, 60, 1, RUMMY_PACKS):
            assert (declare_distance(hand.cards, hand.wild_rank) == 0) is can_declare(hand.cards, hand.wild_rank)


def test_one_card_to_exchange_exactly_when_one_draw_makes_it() -> None:
    for hand in make(near_declare, 60, 2, RUMMY_PACKS):
        distance = declare_distance(hand.cards, hand.wild_rank)
        one_draw = any(
            best_discard([*hand.cards, copy_beside(hand.cards, face)], hand.wild_rank).declares
            for face in map(Face, range(FACES_PER_DECK))
            if any(Card(face + FACES_PER_DECK * deck) not in hand.cards for deck in range(3))
        )
        assert (distance <= 1) is one_draw


def copy_beside(cards: tuple[Card, ...], face: Face) -> Card:
    return next(Card(face + FACES_PER_DECK * deck) for deck in range(3) if face + FACES_PER_DECK * deck not in cards)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 12), st.integers(0, 3 * FACES_PER_DECK - 1).map(Card))
def test_one_exchange_changes_the_distance_by_one_at_most(seed: int, index: int, card: Card) -> None:
    hand = near_declare(Random(seed), Pack(3))
    cards = list(hand.cards)
    before = declare_distance(cards, hand.wild_rank)
    if card not in cards:
        cards[index] = card
    assert abs(declare_distance(cards, hand.wild_rank) - before) <= 1


@pytest.mark.parametrize("seed", range(3))
def test_some_exchange_comes_one_nearer_and_none_two(seed: int) -> None:
    hand = next(
        hand for hand in make(near_declare, 50, seed, RUMMY_PACKS) if declare_distance(hand.cards, hand.wild_rank) == 2
    )
    after = set()
    for face in map(Face, range(FACES_PER_DECK)):
        for given_up in hand.cards:
            if face == PRINTED_JOKER or face_of(given_up) != face:
                kept = tuple(card for card in hand.cards if card != given_up)
                copies = [face + FACES_PER_DECK * deck for deck in range(3)]
                if not set(copies) <= set(hand.cards):
                    after.add(declare_distance((*kept, copy_beside(hand.cards, face)), hand.wild_rank))
    assert min(after) == 1


@pytest.mark.parametrize(
    ("cards", "wild", "distance"),
    [
        ("2H 3H 4H 6S 7S 8S KC KD KH 9C 9D 9H 9S", "PJ", 0),
        ("2H 3H 4H 6S 7S 8S KC KD KH 9C 9D 9H 2C", "PJ", 1),
        ("2H 3H 4H 6S 7S JS KC KD KH 9C 9D 9H 2C", "PJ", 2),
        # The pure run is what lacks: a wild card in its place would not do.
        ("2H PJ 4H 6S PJ 8S KC KD KH 9C 9D 9H 9S", "PJ", 1),
        ("PJ PJ PJ JC JC JC JD JD JD JH JH JH JS", "J", 2),
        # 9H 10H and a jack, 6C 7C and a joker, 2H 2D and a joker, JC AC and two jokers: five come in.
        ("2H 5D 8S JC 2D 6C 9H QD 3S 7C 10H KS AC", "PJ", 5),
    ],
)
def test_distances_by_hand(cards: str, wild: str, distance: int) -> None:
    assert declare_distance(cards_from_names(cards.split()), wild_named(wild)) == distance


def test_another_number_of_cards_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="expected 13"):
        declare_distance([Card(1)], Rank(2))
