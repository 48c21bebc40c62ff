"""Rules section 3: what is a group, and of which kind."""

import pytest

from rummy.cards import Rank, cards_from_names, parse_rank
from rummy.groups import Arrangement, Group, GroupKind, classify_group

# cards | wild rank, or PJ when only printed jokers are wild | kind, or - for none
GROUPS = [
    # pure sequences
    ("5H 6H 7H", "PJ", "pure"),
    ("7H 5H 6H", "PJ", "pure"),
    ("AH 2H 3H", "PJ", "pure"),
    ("QH KH AH", "PJ", "pure"),
    ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", "PJ", "pure"),
    ("KH AH 2H", "PJ", "-"),
    ("QH KH AH 2H", "PJ", "-"),
    ("5H 6H", "PJ", "-"),
    ("5H 6H 8H", "PJ", "-"),
    ("5H 6H 7D", "PJ", "-"),
    ("5H 6H 7H 7H", "PJ", "-"),
    # a wild card as itself is natural
    ("5H 6H 7H", "6", "pure"),
    ("QH KH AH", "A", "pure"),
    # impure sequences
    ("5H PJ 7H", "PJ", "impure"),
    ("5H JC 7H", "J", "impure"),
    ("PJ 6H 7H", "PJ", "impure"),
    ("5H PJ PJ", "PJ", "impure"),
    ("5H PJ PJ 8H", "PJ", "impure"),
    ("5H PJ 8H", "PJ", "-"),
    ("KH PJ AH", "PJ", "impure"),
    ("KH AH PJ PJ", "PJ", "impure"),
    ("AH PJ 3H", "PJ", "impure"),
    ("AH PJ KH 2H", "PJ", "-"),
    ("KH PJ 2H", "PJ", "-"),
    ("5H 6H PJ 6H", "PJ", "-"),
    ("2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH PJ", "PJ", "impure"),
    # sets
    ("7H 7S 7D", "PJ", "set"),
    ("7H 7S 7D 7C", "PJ", "set"),
    ("7H 7S PJ", "PJ", "set"),
    ("7H 7S 7D PJ", "PJ", "set"),
    ("7H 7S 4D", "4", "set"),
    ("7H 7S", "PJ", "-"),
    ("7H 7H 7D", "PJ", "-"),
    ("7H 7H PJ", "PJ", "-"),
    ("7H 7S 7D 7C PJ", "PJ", "-"),
    ("AH AS AD", "PJ", "set"),
    # one natural card with two wild cards is a run before it is a set
    ("7H PJ PJ PJ", "PJ", "impure"),
    # wild cards alone
    ("PJ PJ PJ", "PJ", "impure"),
    ("JH PJ JC", "J", "impure"),
    ("JH JC JS", "J", "impure"),
    ("PJ PJ", "PJ", "-"),
    # two equal wild-rank cards, at most one of them as itself
    ("6H 6H 7H", "6", "impure"),
    ("5H 6H 7H 6H", "6", "impure"),
    ("6H 6H 9H", "6", "impure"),
    ("6H 6H 8S 8D", "6", "set"),
    ("9S 6H 6H 10S", "6", "impure"),
]


def wild_named(name: str) -> Rank | None:
    return None if name == "PJ" else parse_rank(name)


@pytest.mark.parametrize(("cards", "wild", "kind"), GROUPS)
def test_section_3_kinds(cards: str, wild: str, kind: str) -> None:
    found = classify_group(cards_from_names(cards.split()), wild_named(wild))
    assert (found.value if found else "-") == kind


@pytest.mark.parametrize(("cards", "wild", "kind"), GROUPS)
def test_order_of_cards_does_not_matter(cards: str, wild: str, kind: str) -> None:
    given = cards_from_names(cards.split())
    assert classify_group(given[::-1], wild_named(wild)) == classify_group(given, wild_named(wild))


def test_no_cards_and_too_many_are_no_group() -> None:
    assert classify_group((), None) is None
    assert classify_group(cards_from_names(["PJ"] * 3 + ["2S"] * 10), Rank(2))
    assert classify_group(cards_from_names(["AS", "AS", *["PJ"] * 3, *["2S"] * 9]), None) is None


def test_an_arrangement_is_complete_when_nothing_is_loose() -> None:
    run = Group(GroupKind.PURE_SEQUENCE, cards_from_names(["5H", "6H", "7H"]))
    assert Arrangement((run,), (), 0).complete
    assert not Arrangement((run,), cards_from_names(["PJ"]), 0).complete
    assert not Arrangement((), (), 0).complete


def test_sequences_are_told_from_sets() -> None:
    assert GroupKind.PURE_SEQUENCE.is_sequence
    assert GroupKind.IMPURE_SEQUENCE.is_sequence
    assert not GroupKind.SET.is_sequence
