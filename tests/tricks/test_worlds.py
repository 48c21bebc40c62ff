"""Worlds that agree with what was shown: counted, drawn evenly, listed; and what play reveals of a hand."""

from collections import Counter
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tricks.vectors import read_cards
from tricks.cards import PACK_32, Card, Suit, card_name, read_suit
from tricks.duties import Choice
from tricks.klaverjas import deal as klaverjas
from tricks.klaverjas.following import Variant, choice
from tricks.knowledge import Played, SeenPlay, excluded, seen_by
from tricks.play import Taken
from tricks.worlds import NoWorld, Unknown, all_worlds, count_worlds, sample_world


def could_play(variant: Variant, trump: Suit, hand: tuple[Card, ...], at: Played) -> Choice:
    return choice(variant, trump, hand, at.upon)


@st.composite
def unknowns(draw: st.DrawFn) -> Unknown:
    """A few cards with three other seats, and what each of these can't hold; a world is not certain to exist."""
    room = (0, *draw(st.tuples(*[st.integers(0, 3)] * 3)))
    unseen = tuple(PACK_32[: sum(room)])
    excluded_ = tuple(frozenset(draw(st.sets(st.sampled_from(unseen or PACK_32)))) for _ in room)
    return Unknown(unseen, room, excluded_)


@given(unknowns())
@settings(deadline=None, max_examples=200)
def test_every_world_is_counted_once_and_agrees(unknown: Unknown) -> None:
    worlds = list(all_worlds(unknown))
    assert len(worlds) == len(set(worlds)) == count_worlds(unknown)
    for world in worlds:
        assert tuple(map(len, world)) == unknown.room
        assert sorted(card for hand in world for card in hand) == sorted(unknown.unseen)
        assert not any(set(hand) & no for hand, no in zip(world, unknown.excluded, strict=True))
    if worlds:
        assert sample_world(unknown, Random(1)) in worlds
    else:
        with pytest.raises(NoWorld):
            sample_world(unknown, Random(1))


def test_every_world_is_as_likely_as_any_other() -> None:
    spades = tuple(Card(card) for card in range(6))
    none: frozenset[Card] = frozenset()
    unknown = Unknown(spades, (0, 2, 2, 2), (none, frozenset(spades[:2]), frozenset(spades[2:3]), none))
    random, draws = Random(3), 4_000
    drawn = Counter(sample_world(unknown, random) for _ in range(draws))
    expected = draws / count_worlds(unknown)
    chi_square = sum((drawn[world] - expected) ** 2 / expected for world in all_worlds(unknown))
    freedom = count_worlds(unknown) - 1
    assert chi_square < freedom + 4 * (2 * freedom) ** 0.5


def test_who_does_not_follow_is_void_and_who_does_not_trump_has_none() -> None:
    trick = read_cards(["AH", "7C"])
    seen = SeenPlay(2, read_cards(["KH"]), 0, trick, (), (7, 7, 8, 8))
    unseen = seen.unseen(PACK_32)
    shown = excluded(seen, unseen, partial(could_play, Variant.AMSTERDAM, read_suit("S")))
    assert shown[0] == shown[3] == frozenset()
    assert {card_name(card)[1] for card in shown[1]} == {"H", "S"}


def test_who_trumps_low_has_none_higher() -> None:
    taken = Taken(0, read_cards(["AH", "TS", "8S", "7H"]), 1)
    seen = SeenPlay(3, (), 1, (), (taken,), (7, 7, 7, 7))
    shown = excluded(seen, seen.unseen(PACK_32), partial(could_play, Variant.ROTTERDAM, read_suit("S")))
    assert {card_name(card) for card in shown[2] if card_name(card)[1] == "S"} == {"JS", "9S", "AS"}


@pytest.mark.parametrize("seed", range(20))
def test_what_is_excluded_is_never_held(seed: int) -> None:
    """In a whole random deal, at every card, for every seat."""
    random = Random(seed)
    deck = tuple(random.sample(PACK_32, 32))
    state = klaverjas.start(klaverjas.Setup(random.choice(list(Variant)), random.randrange(4), deck))
    while state.on_turn is not None:
        state, _ = klaverjas.apply(state, state.on_turn, random.choice(klaverjas.legal_actions(state)))
        if state.trump is None:
            continue
        following = partial(could_play, state.setup.variant, state.trump)
        for seat in range(4):
            seen = seen_by(state.play, seat)
            shown = excluded(seen, seen.unseen(PACK_32), following)
            assert not any(set(hand) & no for hand, no in zip(state.play.hands, shown, strict=True))
