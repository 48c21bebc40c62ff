"""How the cards of an arrangement lie: runs upwards with substitutes where they stand, spare wild cards tucked away."""

import pytest

from rummy.cards import card_name, cards_from_names
from rummy.solver import best_arrangement
from tests.rummy.test_groups import wild_named

# what it shows | cards | wild | groups, and after ; the deadwood
LAID = [
    (
        "runs lie upwards, the ace low or high, sets by rank and suit",
        "3H 2H AH KS AS QS 9C 9D 9H 9S 7C 7S 7H",
        "PJ",
        "pure AH 2H 3H | pure QS KS AS | set 9C 9D 9H 9S | set 7C 7H 7S ;",
    ),
    (
        "a substitute lies in the gap",
        "5H 6H 7H 9S PJ JS KC KD KH 2C 4D 6D 8C",
        "PJ",
        "pure 5H 6H 7H | impure 9S PJ JS | set KC KD KH ; 2C 8C 4D 6D",
    ),
    (
        "at the end of a run a substitute lies above, under the highest of all below",
        "5H 6H 7H KS AS PJ KC KD KH 2C 4D 6D 8C",
        "PJ",
        "pure 5H 6H 7H | impure PJ KS AS | set KC KD KH ; 2C 8C 4D 6D",
    ),
    (
        "the wild card that is the very card of a gap fills it, so that the run is pure",
        "5H 6H 7H 9S PJ JS KC KD 10S 2C 4D 6D 8C",
        "10",
        "pure 5H 6H 7H | pure 9S 10S JS | set KC KD PJ ; 2C 8C 4D 6D",
    ),
    (
        "spare wild cards stay loose while a natural card is",
        "5H 6H 7H 9S 10S JS KC KD KH KS 4C 2D PJ",
        "PJ",
        "pure 9S 10S JS | pure 5H 6H 7H | set KC KD KH KS ; 4C 2D PJ",
    ),
    (
        "a spare wild card lengthens an impure sequence",
        "5H 6H 7H 9S PJ JS KC KD KH QC QD QH PJ",
        "PJ",
        "pure 5H 6H 7H | impure 9S PJ JS PJ | set KC KD KH | set QC QD QH ;",
    ),
    (
        "or else it makes a set of three one of four, and the second run stays pure",
        "5H 6H 7H 9S 10S JS KC KD KH QC QD QH PJ",
        "PJ",
        "pure 9S 10S JS | pure 5H 6H 7H | set KC KD KH PJ | set QC QD QH ;",
    ),
    (
        "or else the second run takes it",
        "3H 4H 5H 6H 9S 10S JS QS 2C 3C 4C 5C PJ",
        "PJ",
        "pure 9S 10S JS QS | pure 2C 3C 4C 5C | impure 3H 4H 5H 6H PJ ;",
    ),
    (
        "wild cards alone are the second sequence",
        "5H 6H 7H 8H 9H PJ PJ PJ JC JD JH JS JC",
        "J",
        "pure 5H 6H 7H 8H 9H | impure JC JD JH JS PJ JC PJ PJ ;",
    ),
    (
        "equal copies come from the lowest deck first",
        "5H 6H 7H 5H 6H 7H 7H KC 10D 2C 4D 6D 8C",
        "PJ",
        "pure 5H 6H 7H | pure 5H 6H 7H ; 2C 8C KC 4D 6D 10D 7H",
    ),
    (
        "one run alone",
        "9S 10S JS QS KS 2D 4D 6D 8C 2C 4C 6H 8H",
        "PJ",
        "pure 9S 10S JS QS KS ; 2C 4C 8C 2D 4D 6D 6H 8H",
    ),
]


@pytest.mark.parametrize(("cards", "wild", "laid"), [case[1:] for case in LAID], ids=[case[0] for case in LAID])
def test_how_an_arrangement_lies(cards: str, wild: str, laid: str) -> None:
    arrangement = best_arrangement(cards_from_names(cards.split()), wild_named(wild))
    groups = " | ".join(" ".join((group.kind.value, *map(card_name, group.cards))) for group in arrangement.groups)
    assert f"{groups} ; {' '.join(map(card_name, arrangement.deadwood))}".strip() == laid


def test_without_a_pure_sequence_nothing_is_laid() -> None:
    cards = cards_from_names(["2H", "2S", "2D", "3H", "3S", "3D", "4C", "5C", "7C", "8C", "10C", "JC", "KC"])
    arrangement = best_arrangement(cards, None)
    assert arrangement.groups == ()
    assert arrangement.deadwood == tuple(sorted(cards))


def test_copies_are_taken_from_the_lowest_deck() -> None:
    cards = cards_from_names(["5H", "6H", "7H", "7H", "9S", "10S", "JS", "KC", "10D", "2C", "4D", "6D", "8C"])
    arrangement = best_arrangement(cards, None)
    assert cards[2] in arrangement.groups[1].cards
    assert cards[3] in arrangement.deadwood
