"""Table rules: rules section 8 has the values that are allowed and the defaults."""

import pytest

from rummy.rules import ReturnTakenCard, TableRules, TakeWildFromPile, decks_for


def test_section_8_defaults() -> None:
    assert TableRules(6).to_map() == {
        "min_players": "2",
        "turn_seconds": "30",
        "time_bank_seconds": "30",
        "missed_turns_to_drop": "3",
        "take_wild_from_pile": "allowed",
        "return_taken_card": "forbidden",
        "reshuffles_allowed": "3",
    }


def test_section_1_the_seats_of_the_table_decide_how_many_decks_are_played() -> None:
    assert [(seats, decks_for(seats), TableRules(seats).decks) for seats in (4, 6, 8)] == [
        (4, 2, 2),
        (6, 2, 2),
        (8, 3, 3),
    ]


# name | lowest and highest value that a table of six seats may set
RANGES = [
    ("min_players", 2, 6),
    ("turn_seconds", 5, 120),
    ("time_bank_seconds", 0, 120),
    ("missed_turns_to_drop", 1, 10),
    ("reshuffles_allowed", 0, 10),
]


@pytest.mark.parametrize(("name", "low", "high"), RANGES)
def test_section_8_ranges(name: str, low: int, high: int) -> None:
    for value in (low, high):
        assert TableRules(6, **{name: value}).to_map()[name] == str(value)  # type: ignore[arg-type]
    for value in (low - 1, high + 1):
        with pytest.raises(ValueError, match=f"{name} is {value}: allowed are {low} to {high}"):
            TableRules(6, **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [-1, 0, 2, 3, 5, 7, 9])
def test_section_1_a_table_has_4_6_or_8_seats(seats: int) -> None:
    with pytest.raises(ValueError, match="4, 6 or 8"):
        TableRules(seats)


def test_section_8_words_of_the_rule_map() -> None:
    rules = TableRules(
        4, take_wild_from_pile=TakeWildFromPile.FIRST_TURN_ONLY, return_taken_card=ReturnTakenCard.ALLOWED
    )
    assert rules.to_map()["take_wild_from_pile"] == "first_turn_only"
    assert rules.to_map()["return_taken_card"] == "allowed"
    assert all(text.isascii() and text.isprintable() for pair in rules.to_map().items() for text in pair)
