"""What every strategy keeps to, and what tells the strengths apart."""

from dataclasses import replace
from random import Random

import pytest

from clients.python.strategies import BeforeDraw, SeatKnowledge, Strategy, Strength, Taken, strategy_of
from clients.python.strategies.feeding import chance_taken, feeding_cost
from clients.python.strategies.outlook import Race, expected_gain, win_gain
from clients.python.strategies.prospects import Appraiser, Prospects, company, faces_mask
from rummy.cards import Card, Rank, cards_from_names, face_of, is_wild, parse_face, parse_rank
from rummy.rules import FIRST_DROP_POINTS, MIDDLE_DROP_POINTS
from rummy.solver import can_declare, fewest_points

EVERY_STRENGTH = pytest.mark.parametrize(
    "strategy", [strategy_of(each, seed=1) for each in Strength], ids=list(Strength)
)
BETTER_STRENGTHS = pytest.mark.parametrize(
    "strategy", [strategy_of(each, seed=1) for each in (Strength.MIDDLE, Strength.STRONG)], ids=["middle", "strong"]
)

TURNED = "2C"
ONE_SHORT = "4H 5H 6H 8C 9C 10C JS QS KS 7D 7S 3H KD"
"""Pure runs of hearts, clubs and spades; a third seven, or any wild card, makes it whole."""
HOPELESS = "AC 4D 7H 10S KC 9D QH 5S JD 8C 6H 3S KD"


def knowledge(hand: str, pile: str = "10D", wild: str = "2") -> SeatKnowledge:
    """A first turn with these cards, against three opponents."""
    cards = cards_from_names([*hand.split(), *pile.split(), TURNED])
    held = len(hand.split())
    return SeatKnowledge(
        cards=cards[:held],
        wild_rank=parse_rank(wild),
        pile=cards[held:-1],
        may_draw_pile=True,
        drop_points=FIRST_DROP_POINTS if held == 13 else None,
        not_returnable=None,
        decks=2,
        turned=cards[-1],
        turn_number=1,
        player_count=4,
        opponents=(1, 2, 3),
        owed_points=0,
        taken=(),
    )


def named(known: SeatKnowledge, name: str) -> Card:
    return next(card for card in known.cards if face_of(card) == parse_face(name))


def random_knowledge(seed: int, held: int) -> SeatKnowledge:
    rng = Random(seed)
    deck = [Card(card) for card in range(106)]
    rng.shuffle(deck)
    known = knowledge(ONE_SHORT)
    return replace(
        known,
        cards=tuple(deck[:held]),
        wild_rank=Rank(rng.randint(1, 13)),
        turned=deck[20],
        pile=tuple(deck[21 : 21 + rng.randint(1, 30)]),
        turn_number=rng.randint(1, 40),
        drop_points=MIDDLE_DROP_POINTS if held == 13 else None,
        taken=tuple(Taken(seat, card) for seat, card in zip((1, 2, 3), deck[60:63], strict=True)),
    )


@EVERY_STRENGTH
def test_declares_as_soon_as_it_can(strategy: Strategy) -> None:
    known = knowledge(ONE_SHORT + " 7H")
    finish = strategy.after_draw(known)
    assert finish.declare
    assert can_declare([card for card in known.cards if card != finish.card], known.wild_rank)


@EVERY_STRENGTH
def test_takes_from_the_pile_the_card_that_ends_the_hand(strategy: Strategy) -> None:
    assert strategy.before_draw(knowledge(ONE_SHORT, pile="7C")) is BeforeDraw.PILE


@EVERY_STRENGTH
def test_never_throws_a_wild_card_while_it_has_another(strategy: Strategy) -> None:
    for seed in range(6):
        known = random_knowledge(seed, held=14)
        finish = strategy.after_draw(known)
        assert finish.declare or not is_wild(face_of(finish.card), known.wild_rank)


@EVERY_STRENGTH
def test_keeps_the_face_that_the_table_forbids_to_return(strategy: Strategy) -> None:
    """Copies are alike: the other king of diamonds may not go either."""
    known = knowledge("KD KD 4H 5H 6H 8C 9C 10C JS QS 3C 7D 7S 3H")
    known = replace(known, not_returnable=named(known, "KD"))
    assert face_of(strategy.after_draw(known).card) != parse_face("KD")


@EVERY_STRENGTH
def test_the_same_knowledge_is_decided_alike_whatever_the_order_of_the_cards(strategy: Strategy) -> None:
    known = random_knowledge(3, held=14)
    turned_round = replace(known, cards=known.cards[::-1])
    assert strategy.after_draw(known) == strategy.after_draw(known) == strategy.after_draw(turned_round)


@BETTER_STRENGTHS
def test_leaves_on_the_pile_what_helps_nothing(strategy: Strategy) -> None:
    """The five of clubs is cheaper than a king, and no more than that."""
    assert strategy.before_draw(knowledge("4H 5H 6H 9D 10D QD QC AS 2H 2S 8S KS KC", pile="5C")) is BeforeDraw.STOCK


@BETTER_STRENGTHS
def test_takes_the_card_that_makes_the_pure_run(strategy: Strategy) -> None:
    assert strategy.before_draw(knowledge("4H 5H 9D 10D QC AS AD 2H 2S 8S KS KC 7C", pile="6H")) is BeforeDraw.PILE


@BETTER_STRENGTHS
def test_drops_a_hopeless_hand_before_the_first_draw(strategy: Strategy) -> None:
    assert strategy.before_draw(knowledge(HOPELESS, pile="10C")) is BeforeDraw.DROP


@EVERY_STRENGTH
def test_never_asks_for_what_is_not_allowed(strategy: Strategy) -> None:
    """No drop where none may be made, and no card from a pile that may not be drawn from."""
    known = replace(knowledge(HOPELESS, pile="2D"), drop_points=None, may_draw_pile=False)
    assert strategy.before_draw(known) is BeforeDraw.STOCK


def test_the_strong_one_plays_on_with_a_good_hand() -> None:
    assert strategy_of(Strength.STRONG, seed=1).before_draw(knowledge(ONE_SHORT)) is not BeforeDraw.DROP


def test_what_is_seen_is_not_imagined() -> None:
    """Own cards, the pile, the turned card and what others took from the pile: none of them can come."""
    known = replace(knowledge(ONE_SHORT, pile="7C 7H"), taken=(Taken(2, Card(parse_face("9S"))),))
    copies = known.unseen_copies()
    assert sum(copies) == 106 - 13 - 2 - 1 - 1
    assert copies[parse_face("7C")] == 1
    assert copies[parse_face("9S")] == 1
    assert copies[parse_face("9H")] == 2


@pytest.mark.parametrize(
    ("hand", "wild", "stage", "wilds"),
    [
        (HOPELESS, "2", 0, 0),
        ("4H 5H 6H 9D 10C QD QC AS 7S KS KC 3D 8S", "2", 1, 0),
        ("4H 5H 6H 9D 10D 2C QC AS 7S KS KC 3D 8S", "2", 2, 1),
        ("4H 5H 6H 9D 10D 2C QC AS 7S KS KC 3D PJ", "5", 2, 2),
    ],
)
def test_prospects_tell_the_stages_of_a_hand_apart(hand: str, wild: str, stage: int, wilds: int) -> None:
    known = knowledge(hand, wild=wild)
    points = fewest_points(known.cards, known.wild_rank)
    found = Appraiser(known.unseen_copies(), known.wild_rank).prospects(known.cards, points)
    assert (found.stage, found.wilds) == (stage, wilds)


def test_prospects_count_the_cards_that_would_help() -> None:
    """Four and six wait for two fives of hearts, ace and king of spades for two queens; two nines for four others."""
    known = knowledge("4H 6H 9D 9C AS KS 2D", pile="JD", wild="2")
    appraiser = Appraiser(known.unseen_copies(), known.wild_rank)
    found = appraiser.prospects(known.cards, points=58)
    unseen = sum(known.unseen_copies())
    assert found.run_outs == pytest.approx(10 * 4 / unseen)
    assert found.set_outs == pytest.approx(10 * 4 / unseen)
    assert found.lonely == 0


@pytest.mark.parametrize(
    ("card", "others", "count"),
    [("AH", "2H 3H KH QH AS 4H AH", 5), ("KH", "AH QH JH 2H 10H", 3), ("PJ", "AH QH", 0), ("5C", "3C 7C 8C 5D", 3)],
)
def test_company_is_near_in_the_suit_or_of_the_rank(card: str, others: str, count: int) -> None:
    assert company(Card(parse_face(card)), faces_mask(cards_from_names(others.split()))) == count


def test_fewer_points_and_more_wild_cards_are_expected_to_gain_more() -> None:
    race = Race(rounds=2, opponents=3, owed=0, taken=0)
    for stage in range(3):
        hand = Prospects(stage, points=40, wilds=1, run_outs=0.5, set_outs=0.5, lonely=2)
        assert expected_gain(replace(hand, points=30), race) > expected_gain(hand, race)
        assert expected_gain(replace(hand, wilds=2), race) > expected_gain(hand, race)


def test_a_win_brings_more_with_more_losers() -> None:
    race = Race(rounds=2, opponents=3, owed=0, taken=0)
    assert win_gain(replace(race, opponents=5)) > win_gain(replace(race, owed=20)) > win_gain(race)


def test_the_next_player_wants_what_lies_near_what_it_took() -> None:
    """The one after next does not matter: it never sees the card on top."""
    known = knowledge(HOPELESS)
    copies, card = known.unseen_copies(), named(known, "QH")
    watched = replace(known, taken=(Taken(1, Card(parse_face("10H"))),))
    far = replace(known, taken=(Taken(2, Card(parse_face("10H"))),))
    assert chance_taken(card, watched, copies) > chance_taken(card, known, copies) == chance_taken(card, far, copies)


def test_a_card_whose_neighbours_have_been_seen_is_safer() -> None:
    bare = knowledge(HOPELESS)
    seen = replace(bare, pile=(*bare.pile, *cards_from_names(["JH", "QC", "QD", "QS", "KH", "AH"])))
    card = named(bare, "QH")
    assert chance_taken(card, seen, seen.unseen_copies()) < chance_taken(card, bare, bare.unseen_copies())


def test_everybody_wants_a_wild_card_and_all_pay_for_it() -> None:
    known = knowledge(HOPELESS, wild="Q")
    copies, card = known.unseen_copies(), named(known, "QH")
    assert chance_taken(card, known, copies) == 1
    alone = replace(known, opponents=(1,))
    assert feeding_cost(card, alone, copies) > feeding_cost(card, known, copies)
