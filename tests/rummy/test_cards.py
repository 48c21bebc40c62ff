"""Cards as numbers and as text: FAIRNESS_SPEC section 2, rules sections 2 and 4."""

import pytest

from rummy.cards import (
    PRINTED_JOKER,
    RANK_NAMES,
    Card,
    Face,
    Rank,
    Suit,
    UnreadableCard,
    card_name,
    cards_from_names,
    deck_size,
    face_name,
    face_of,
    face_points,
    is_printed_joker,
    is_wild,
    natural_face,
    parse_face,
    parse_rank,
    rank_of,
    suit_of,
    wild_rank_of,
)

# card | name | suit and rank by the spec, None for a printed joker
CARDS = [
    (0, "AC", 0, 1),
    (12, "KC", 0, 13),
    (13, "AD", 1, 1),
    (35, "10H", 2, 10),
    (39, "AS", 3, 1),
    (51, "KS", 3, 13),
    (52, "PJ", None, None),
    (53, "AC", 0, 1),
    (105, "PJ", None, None),
    (106 + 49, "JS", 3, 11),
    (158, "PJ", None, None),
]


@pytest.mark.parametrize(("number", "name", "suit", "rank"), CARDS)
def test_fairness_section_2_numbers_cards(number: int, name: str, suit: int | None, rank: int | None) -> None:
    face = face_of(Card(number))
    assert card_name(Card(number)) == face_name(face) == name
    assert is_printed_joker(face) == (suit is None)
    if suit is not None and rank is not None:
        assert (suit_of(face), rank_of(face)) == (suit, rank)
        assert natural_face(Rank(rank), Suit(suit)) == face


def test_a_pack_has_53_faces_a_deck() -> None:
    assert (deck_size(2), deck_size(3)) == (106, 159)
    assert len({face_name(Face(face)) for face in range(53)}) == 53


def test_every_face_is_read_as_it_is_written() -> None:
    assert [parse_face(face_name(Face(face))) for face in range(53)] == list(range(53))


@pytest.mark.parametrize("text", ["", "1C", "11H", "ac", "A", "C", "A C", "AC ", "JP", "10"])
def test_a_text_that_is_no_card_says_what_is(text: str) -> None:
    with pytest.raises(UnreadableCard, match="or PJ"):
        parse_face(text)


def test_ranks_are_read() -> None:
    assert [parse_rank(name) for name in ("A", "2", "10", "J", "Q", "K")] == [1, 2, 10, 11, 12, 13]
    for text in ("", "1", "PJ", "a", "14"):
        with pytest.raises(UnreadableCard, match="no rank"):
            parse_rank(text)


def test_copies_of_a_face_come_from_one_deck_after_the_other() -> None:
    assert cards_from_names(["AC", "PJ", "AC", "AC", "PJ"]) == (0, 52, 53, 106, 105)


def test_section_2_the_turned_card_makes_its_rank_wild_and_a_printed_joker_none() -> None:
    assert wild_rank_of(Card(35)) == 10
    assert wild_rank_of(Card(105)) is None


def test_section_2_wild_is_the_rank_in_all_four_suits_and_the_printed_joker_always() -> None:
    wild = [face_name(Face(face)) for face in range(53) if is_wild(Face(face), Rank(7))]
    assert wild == ["7C", "7D", "7H", "7S", "PJ"]
    assert [Face(face) for face in range(53) if is_wild(Face(face), None)] == [PRINTED_JOKER]


def test_section_4_points() -> None:
    counted = [face_points(parse_face(f"{rank}H"), Rank(7)) for rank in RANK_NAMES]
    assert counted == [10, 2, 3, 4, 5, 6, 0, 8, 9, 10, 10, 10, 10]
    assert face_points(PRINTED_JOKER, None) == 0
    assert face_points(parse_face("7H"), None) == 7
    assert face_points(parse_face("AH"), Rank(1)) == 0
