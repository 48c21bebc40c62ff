"""The packed search: its plans, what leads a group, and the answers for 14 cards."""

from random import Random

from bench.solver_hands import RUMMY_PACKS, dealt, dense, make, mixed
from rummy import search
from rummy.cards import cards_from_names, parse_face


def faces(*names: str) -> int:
    mask = 0
    for name in names:
        mask |= search.bit_of(parse_face(name))
    return mask


def options(ones: int, wilds: int) -> set[tuple[int, int, bool]]:
    return set(search.leading_options(ones, wilds))


def test_bits_run_from_the_dearest_down_and_suits_lie_together() -> None:
    names = [
        rank + suit for rank in ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2") for suit in "CDHS"
    ]
    assert [search.bit_of(parse_face(name)) for name in names] == [1 << number for number in range(52)]
    assert search.bit_numbers(faces("AC", "2S", "KC")) == [0, 4, 51]


def test_a_run_takes_every_card_on_its_way() -> None:
    held = faces("KH", "QH", "JH", "10H", "9H")
    assert options(held, 0) == {
        (faces("KH", "QH", "JH"), 0, True),
        (faces("KH", "QH", "JH", "10H"), 0, True),
        (held, 0, True),
    }
    assert options(held, 2) == options(held, 0)


def test_gaps_cost_wild_cards() -> None:
    held = faces("KH", "JH", "9H")
    assert options(held, 0) == set()
    assert options(held, 1) == {(faces("KH", "JH"), 1, True)}
    assert options(held, 2) == {(faces("KH", "JH"), 1, True), (held, 2, True)}


def test_the_ace_leads_both_ways() -> None:
    assert options(faces("AH", "KH", "QH", "2H", "3H"), 0) == {
        (faces("AH", "KH", "QH"), 0, True),
        (faces("AH", "2H", "3H"), 0, True),
    }
    assert options(faces("AH", "KH", "2H"), 1) == {(faces("AH", "KH"), 1, True), (faces("AH", "2H"), 1, True)}


def test_a_pair_is_a_set_only_when_no_third_suit_is_there() -> None:
    assert options(faces("8C", "8D"), 1) == {(faces("8C", "8D"), 1, False)}
    assert options(faces("8C", "8D", "8H"), 1) == {(faces("8C", "8D", "8H"), 0, False)}
    assert options(faces("8C", "8D", "8H", "8S"), 0) == {
        (faces("8C", "8D", "8H"), 0, False),
        (faces("8C", "8D", "8S"), 0, False),
        (faces("8C", "8H", "8S"), 0, False),
        (faces("8C", "8D", "8H", "8S"), 0, False),
    }


def test_one_card_with_two_wild_cards_is_a_run() -> None:
    assert options(faces("8C"), 2) == {(faces("8C"), 2, True)}
    assert options(faces("8C"), 1) == set()


def test_a_plan_names_the_pure_run_first_and_adds_up() -> None:
    cards = cards_from_names(["5H", "6H", "7H", "9S", "PJ", "JS", "KC", "KD", "KH", "2C", "4D", "6D", "8C"])
    plan = search.empty_plan()
    assert search.best_plan(cards, 0, plan) == 20
    end = plan.index(search.NO_OPTION)
    assert plan[0] == (faces("5H", "6H", "7H"), 0, True)
    assert set(plan[1:end]) == {(faces("9S", "JS"), 1, True), (faces("KC", "KD", "KH"), 0, False)}


def test_the_wild_card_as_itself_is_paid_for() -> None:
    cards = cards_from_names(["5H", "6H", "7H", "9S", "PJ", "JS", "2C", "2D", "2S", "4C", "4D", "4S", "KC"])
    plan = search.empty_plan()
    assert search.best_plan(cards, 6, plan) == 10
    assert plan[0] == (faces("5H", "7H"), 1, True)


def test_each_of_14_cards_given_up_leaves_what_13_count() -> None:
    for maker in (dealt, mixed, dense):
        for hand in make(maker, 100, 5, RUMMY_PACKS):
            cards = (*hand.cards, hand.extra)
            wild_rank = hand.wild_rank or 0
            left = [
                search.best_plan([card for card in cards if card != gone], wild_rank, search.empty_plan())
                for gone in cards
            ]
            assert search.points_after_each(cards, wild_rank) == left
            assert search.best_discard(cards, wild_rank)[0] == min(left)


def test_a_best_discard_is_named_unless_every_natural_card_is_grouped() -> None:
    for maker in (dealt, mixed, dense):
        for hand in make(maker, 500, 9, RUMMY_PACKS):
            cards = (*hand.cards, hand.extra)
            points, card = search.best_discard(cards, hand.wild_rank or 0)
            if card is None:
                assert points == 0
            else:
                kept = [other for other in cards if other != card]
                assert search.best_plan(kept, hand.wild_rank or 0, search.empty_plan()) == points


def test_cold_and_warm_tables_answer_alike() -> None:
    hands = make(mixed, 200, 6, RUMMY_PACKS)
    for table in search._OPTIONS:
        table.clear()
    cold = [search.best_plan(hand.cards, hand.wild_rank or 0, search.empty_plan()) for hand in hands]
    order = list(range(len(hands)))
    Random(1).shuffle(order)
    for number in order:
        hand = hands[number]
        assert search.best_plan(hand.cards, hand.wild_rank or 0, search.empty_plan()) == cold[number]
