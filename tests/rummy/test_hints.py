"""Hints: from what the seat itself knows, for 13 and for 14 cards."""

import pytest

from rummy.cards import FACES_PER_DECK, Card, card_name, cards_from_names, deck_size, face_name, face_of
from rummy.hints import hint, useful_draws
from rummy.solver import best_arrangement, best_discard, discard_options

NEARLY = cards_from_names(["2H", "3H", "4H", "6S", "7S", "8S", "KC", "KD", "KH", "9C", "9D", "9H", "2C"])
DONE = cards_from_names(["2H", "3H", "4H", "6S", "7S", "8S", "KC", "KD", "KH", "9C", "9D", "9H", "9S"])


def test_13_cards() -> None:
    given = hint(NEARLY, None, decks=2)
    assert given.discard is None
    assert given.arrangement == best_arrangement(NEARLY, None)
    assert given.distance == 1
    assert all(draw.declares and draw.points == 0 for draw in given.useful_draws)
    assert {face_name(draw.face) for draw in given.useful_draws} == {"5S", "9S", "AH", "5H", "KS", "PJ"}
    assert [draw.face for draw in given.useful_draws] == sorted(draw.face for draw in given.useful_draws)


def test_14_cards_name_the_discard_and_hint_for_what_is_left() -> None:
    cards = (*NEARLY, cards_from_names(["JC"])[0])
    given = hint(cards, None, decks=2)
    assert given.discard is not None
    assert given.discard == best_discard(cards, None)
    assert card_name(given.discard.card) == "JC"
    assert given.arrangement == best_arrangement(NEARLY, None)
    assert given.distance == 1


def test_a_complete_hand_needs_nothing() -> None:
    given = hint(DONE, None, decks=2)
    assert given.arrangement.complete
    assert given.distance == 0
    assert given.useful_draws == ()


def test_only_unseen_copies_count() -> None:
    seen = [Card(cards_from_names(["PJ"])[0] + FACES_PER_DECK * deck) for deck in range(2)]
    seen += cards_from_names(["9S"])
    draws = {face_name(draw.face): draw.unseen for draw in hint(NEARLY, None, decks=2, seen=seen).useful_draws}
    assert draws == {"5S": 2, "9S": 1, "AH": 2, "5H": 2, "KS": 2}


def test_every_useful_draw_keeps_its_promise_and_no_other_helps() -> None:
    cards = cards_from_names(["5H", "3S", "JH", "6H", "8D", "5D", "JH", "10C", "7H", "4S", "2H", "2H", "7S"])
    now = best_arrangement(cards, None)
    promised = {draw.face: draw.points for draw in useful_draws(cards, None, 2, cards)}
    for card in map(Card, range(deck_size(2))):
        if card not in cards:
            fewest = min(option.points for option in discard_options([*cards, card], None))
            assert promised.get(face_of(card), now.points) == min(fewest, now.points)


@pytest.mark.parametrize("count", [12, 15])
def test_another_number_of_cards_is_our_mistake(count: int) -> None:
    with pytest.raises(ValueError, match=r"expected 1[34] distinct cards"):
        hint([Card(number) for number in range(count)], None, decks=2)
