"""The solver against plain minimax over the games' own state machines; it shares no code with the search.

RUMMY_TRICK_ENDINGS says how many endings of each game (100): whole last two tricks, and now and then a third.
"""

import os
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tricks.baloot import deal as baloot_deal
from tricks.cards import PACK_24, PACK_32, Card, Rank, rank_of, suit_of
from tricks.klaverjas import deal as klaverjas_deal
from tricks.klaverjas.following import Variant
from tricks.klaverjas.scoring import roem
from tricks.moves import CardPlayed, PlayCard
from tricks.search import solver
from tricks.search.search import Search
from tricks.search.solver import OpenDeal, Solver
from tricks.thousand import deal as thousand_deal
from tricks.thousand.marriages import MARRIAGE_POINTS, declaring_leads
from tricks.thousand.scoring import score_deal

ENDINGS = int(os.environ.get("RUMMY_TRICK_ENDINGS", "100"))


@dataclass(frozen=True)
class Game:
    """start: a random deal. wants: whether a bought deal is of this kind. side: 0 or 1.

    final: what side 0 has made at the end of a deal, against side 1. so_far: the same in the middle.
    """

    deal: ModuleType
    start: Callable[[Random], Any]
    wants: Callable[[Any], bool]
    open: Callable[[Any], OpenDeal]
    side: Callable[[Any, int], int]
    final: Callable[[Any], int]
    so_far: Callable[[Any], int]


def shuffled(random: Random, pack: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(random.sample(pack, len(pack)))


# Klaverjas ----------------------------------------------------------------------------------------------------------


def klaverjas(variant: Variant) -> Game:
    def so_far(state: Any) -> int:
        points = klaverjas_deal.ranking(state.trump).points_of
        return sum(
            (points(taken.cards) + roem(state.trump, taken.cards)) * (1 - 2 * (taken.winner % 2))
            for taken in state.play.taken
        )

    return Game(
        klaverjas_deal,
        start=lambda random: klaverjas_deal.start(
            klaverjas_deal.Setup(variant, random.randrange(4), shuffled(random, PACK_32))
        ),
        wants=lambda state: True,
        open=lambda state: solver.klaverjas(variant, state.trump, state.play),
        side=lambda state, seat: seat % 2,
        final=lambda state: state.score.made[0] - state.score.made[1],
        so_far=so_far,
    )


# Baloot -------------------------------------------------------------------------------------------------------------


def baloot(is_sun: bool) -> Game:
    def final(state: Any) -> int:
        score = state.score
        kaboot = 0 if score.kaboot is None else 90 - 180 * score.kaboot
        return int(score.cards[0] - score.cards[1] + kaboot)

    def so_far(state: Any) -> int:
        points = state.bought.contract.ranking.points_of
        return sum(points(taken.cards) * (1 - 2 * (taken.winner % 2)) for taken in state.play.taken)

    return Game(
        baloot_deal,
        start=lambda random: baloot_deal.start(baloot_deal.Setup(random.randrange(4), shuffled(random, PACK_32))),
        wants=lambda state: state.bought is not None and (state.bought.contract.trump is None) == is_sun,
        open=lambda state: solver.baloot(state.bought.contract, state.play),
        side=lambda state, seat: seat % 2,
        final=final,
        so_far=so_far,
    )


# Thousand -----------------------------------------------------------------------------------------------------------


def _thousand_so_far(state: Any) -> int:
    play, declarer = state.play, state.declarer
    took = score_deal(state.dealt, declarer, [taken.cards for taken in play.taken]).took[declarer]
    if play.trick and play.leader == declarer:
        held = (*play.hands[declarer], play.trick[0])
        if play.trick[0] in declaring_leads(held, len(play.taken) + 1):
            took += MARRIAGE_POINTS[suit_of(play.trick[0])]
    return took


THOUSAND = Game(
    thousand_deal,
    start=lambda random: thousand_deal.start(thousand_deal.Setup(random.randrange(3), shuffled(random, PACK_24))),
    wants=lambda state: bool(state.dealt) and not state.is_redealt,
    open=lambda state: solver.thousand(state.declarer, state.trump, state.play),
    side=lambda state, seat: int(seat != state.declarer),
    final=lambda state: state.end.took[state.declarer],
    so_far=_thousand_so_far,
)


GAMES = {
    "amsterdam": klaverjas(Variant.AMSTERDAM),
    "rotterdam": klaverjas(Variant.ROTTERDAM),
    "hokum": baloot(is_sun=False),
    "sun": baloot(is_sun=True),
    "thousand": THOUSAND,
}


def before_the_first_card(game: Game, random: Random) -> Any:
    """A deal that is bought and dealt, as the game's own machine leads there with random calls."""
    while True:
        state = game.start(random)
        while state.on_turn is not None and not _plays(game, state):
            state, _ = game.deal.apply(state, state.on_turn, random.choice(game.deal.legal_actions(state)))
        if state.on_turn is not None and game.wants(state):
            return state


def _plays(game: Game, state: Any) -> bool:
    return any(isinstance(action, PlayCard) for action in game.deal.legal_actions(state))


def cards_of(game: Game, state: Any) -> list[Card]:
    return [action.card for action in game.deal.legal_actions(state)]


def after(game: Game, state: Any, card: Card) -> Any:
    return game.deal.evolve(state, CardPlayed(state.on_turn, card))


def positions(game: Game, random: Random) -> Iterator[Any]:
    """A deal of random play, card by card. In Thousand kings and queens are kept while they can be, for marriages."""
    state = before_the_first_card(game, random)
    while state.on_turn is not None:
        yield state
        cards = cards_of(game, state)
        kept = [card for card in cards if rank_of(card) not in (Rank.KING, Rank.QUEEN)]
        state = after(game, state, random.choice(kept or cards))


def cards_left(state: Any) -> int:
    return sum(map(len, state.play.hands))


def endings(game: Game, count: int) -> Iterator[Any]:
    random = Random(9)
    while count > 0:
        tricks = 3 if random.randrange(12) == 0 else 2
        for state in positions(game, random):
            if count > 0 and cards_left(state) <= len(state.play.hands) * tricks:
                count -= 1
                yield state


def minimax(game: Game, state: Any) -> int:
    if state.on_turn is None:
        return game.final(state)
    choose = min if game.side(state, state.on_turn) else max
    return choose(minimax(game, after(game, state, card)) for card in cards_of(game, state))


@pytest.mark.parametrize("name", GAMES)
def test_every_card_is_worth_what_plain_minimax_says(name: str) -> None:
    game, solving = GAMES[name], Solver(table_bits=12)
    for state in endings(game, ENDINGS):
        cards = cards_of(game, state)
        solved = solving.solve(game.open(state), cards)
        assert not solved.is_cut
        so_far = game.so_far(state)
        expected = {card: minimax(game, after(game, state, card)) - so_far for card in cards}
        assert solved.values == expected


class TriesEverything(Search):
    """The same search without what it leaves out: every card is tried, and only what was searched bounds anything."""

    def use(self, *rules: Any) -> None:
        super().use(*rules)
        every = array("B", [place & 255 for place in range(2 * 256 * 256)])
        self.alike, self.weakest, self.strongest = every, every, every

    def _sure(self, leader: int, left: int) -> int:
        return 0

    def _most(self, left: int) -> int:
        return 800


@pytest.mark.parametrize("name", GAMES)
def test_what_the_search_leaves_out_changes_no_value(name: str) -> None:
    game, random = GAMES[name], Random(3)
    sparing, thorough = Solver(Search, table_bits=12), Solver(TriesEverything, table_bits=12)
    for _ in range(4):
        for state in positions(game, random):
            if 3 * len(state.play.hands) < cards_left(state) <= 4 * len(state.play.hands):
                question = game.open(state), cards_of(game, state)
                assert sparing.solve(*question).values == thorough.solve(*question).values
