"""One suite for every trick game: whole matches of random legal play, with every state checked.

RUMMY_TRICK_MATCHES says how many matches of each game (5).
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

import pytest

from tricks.baloot import deal as baloot_deal
from tricks.baloot.match import Match as BalootMatch
from tricks.cards import PACK_24, PACK_32, Card
from tricks.klaverjas import deal as klaverjas_deal
from tricks.klaverjas.following import Variant
from tricks.klaverjas.match import Match as KlaverjasMatch
from tricks.moves import PlayCard
from tricks.refusals import IllegalAction
from tricks.thousand import deal as thousand_deal
from tricks.thousand.match import Match as ThousandMatch

MATCHES = int(os.environ.get("RUMMY_TRICK_MATCHES", "5"))
MOST_DEALS = 2_000
"""Random Thousand players take long to reach 1000."""


@dataclass(frozen=True)
class Game:
    """deal: the module of its deals. result: what a finished deal gives its match."""

    deal: ModuleType
    pack: tuple[Card, ...]
    begin: Callable[[Random], Any]
    result: Callable[[Any], Any]
    check_result: Callable[[Any], None]


def _check_klaverjas(state: Any) -> None:
    score = state.score
    extras = sum(score.roem) + sum(score.pit)
    assert sum(score.cards) == 162
    assert sum(score.score) == 162 + extras


def _check_baloot(state: Any) -> None:
    score = state.score
    if score is None:
        assert state.is_thrown_in
        return
    assert sum(score.cards) == (162 if state.bought.contract.trump is not None else 130)
    assert score.project_points.count(0) >= 1
    assert sum(score.baloot) in (0, 2)


def _check_thousand(state: Any) -> None:
    if state.end is not None and not state.wrote_off:
        assert sum(state.end.took) in range(120, 120 + 280 + 1, 20)


GAMES = {
    "klaverjas": Game(
        klaverjas_deal,
        PACK_32,
        lambda random: KlaverjasMatch(random.choice(list(Variant)), random.randrange(4)),
        lambda state: state.score,
        _check_klaverjas,
    ),
    "baloot": Game(
        baloot_deal,
        PACK_32,
        lambda random: BalootMatch(random.randrange(4)),
        lambda state: state.score,
        _check_baloot,
    ),
    "thousand": Game(
        thousand_deal,
        PACK_24,
        lambda random: ThousandMatch(random.randrange(3)),
        lambda state: state.end,
        _check_thousand,
    ),
}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


def test_random_matches_keep_every_rule(game: Game) -> None:
    for seed in range(MATCHES):
        random = Random(seed)
        match = game.begin(random)
        for _ in range(MOST_DEALS):
            if match.is_over:
                break
            deck = tuple(random.sample(game.pack, len(game.pack)))
            state = play_deal(game, game.deal.start(match.next_deal(deck)), random)
            game.check_result(state)
            match = match.after(game.result(state))
        assert match.is_over


def play_deal(game: Game, start: Any, random: Random) -> Any:
    """A deal of random legal actions, checked after each."""
    state, events = start, []
    while state.on_turn is not None:
        action = _choose(game.deal.legal_actions(state), random)
        state, happened = game.deal.apply(state, state.on_turn, action)
        events.extend(happened)
        check_cards(game, state)
    assert game.deal.legal_actions(state) == ()
    assert game.deal.fold(start, events) == state
    return state


def check_cards(game: Game, state: Any) -> None:
    """Every card is in at most one place, and nobody is more than one card ahead of anybody."""
    held = [card for hand in state.play.hands for card in hand]
    seen = [*held, *state.play.trick, *state.play.gone]
    assert len(seen) == len(set(seen))
    assert set(seen) <= set(game.pack)
    sizes = [len(hand) for hand in state.play.hands]
    assert max(sizes) - min(sizes) <= 3
    if state.play.taken:
        assert set(seen) == set(game.pack)
        assert max(sizes) - min(sizes) <= 1


def _choose(actions: tuple[Any, ...], random: Random) -> Any:
    """Any action; but bidders of Thousand mostly pass or write off, or nobody would ever come to 1000."""
    for cautious in (thousand_deal.Pass(), thousand_deal.WriteOff()):
        if cautious in actions and random.random() < 0.75:
            return cautious
    return random.choice(actions)


def test_what_is_not_legal_is_refused_and_changes_nothing(game: Game) -> None:
    random = Random(7)
    for _ in range(20):
        deck = tuple(random.sample(game.pack, len(game.pack)))
        state = game.deal.start(game.begin(random).next_deal(deck))
        while state.on_turn is not None:
            legal = game.deal.legal_actions(state)
            for card in game.pack:
                if PlayCard(card) not in legal:
                    with pytest.raises(IllegalAction) as refused:
                        game.deal.apply(state, state.on_turn, PlayCard(card))
                    assert refused.value.words
            others = [seat for seat in range(len(state.play.hands)) if seat != state.on_turn]
            with pytest.raises(IllegalAction, match="not your turn"):
                game.deal.apply(state, others[0], legal[0])
            state, _ = game.deal.apply(state, state.on_turn, _choose(legal, random))
        with pytest.raises(IllegalAction, match="over"):
            game.deal.apply(state, 0, PlayCard(game.pack[0]))
