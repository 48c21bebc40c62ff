"""One suite for every game of the house: whole matches of random legal play, with every state checked.

RUMMY_TRICK_MATCHES says how many matches of each game (5), RUMMY_TRICK_FIRST the seed of the first one (0).
"""

import os
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Protocol

import pytest

from tests.conformance.rummy_game import RummyGame
from tests.conformance.trick_games import TRICK_GAMES

FIRST = int(os.environ.get("RUMMY_TRICK_FIRST", "0"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("RUMMY_TRICK_MATCHES", "5")))
MOST_DEALS = 1_000
"""Random players of Thousand take long to reach 1000."""


class Game(Protocol):
    """A game as this suite drives it: matches of deals, deals of actions. Rummy calls its deals hands."""

    illegal_action: type[Exception]

    def begin(self, random: Random) -> Any: ...
    def is_over(self, match: Any) -> bool: ...
    def start(self, match: Any, random: Random) -> Any: ...
    def on_turn(self, state: Any) -> int | None: ...
    def random_action(self, match: Any, state: Any, random: Random) -> Any: ...
    def apply(self, state: Any, seat: int, action: Any) -> tuple[Any, tuple[Any, ...]]: ...
    def fold(self, start: Any, events: Sequence[Any]) -> Any: ...
    def check(self, state: Any) -> None: ...
    def after(self, match: Any, state: Any, random: Random) -> Any: ...
    def forbidden(self, state: Any) -> Iterator[tuple[int, Any]]: ...


GAMES: dict[str, Game] = {**TRICK_GAMES, "rummy": RummyGame()}


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return GAMES[request.param]


def test_random_matches_keep_every_rule(game: Game) -> None:
    for seed in SEEDS:
        random = Random(seed)
        match = game.begin(random)
        for _ in range(MOST_DEALS):
            if game.is_over(match):
                break
            match = game.after(match, play_deal(game, match, random), random)
        assert game.is_over(match), seed


def play_deal(game: Game, match: Any, random: Random) -> Any:
    """A deal of random legal actions, checked after each."""
    start = state = game.start(match, random)
    events: list[Any] = []
    while (seat := game.on_turn(state)) is not None:
        state, happened = game.apply(state, seat, game.random_action(match, state, random))
        assert happened
        events.extend(happened)
        game.check(state)
    assert game.fold(start, events) == state
    return state


def test_the_same_seed_gives_the_same_deal(game: Game) -> None:
    ends = []
    for _ in range(2):
        random = Random(11)
        ends.append(play_deal(game, game.begin(random), random))
    assert repr(ends[0]) == repr(ends[1])


def test_what_is_not_legal_is_refused_and_changes_nothing(game: Game) -> None:
    random = Random(7)
    for _ in range(10):
        match = game.begin(random)
        start = state = game.start(match, random)
        events: list[Any] = []
        while True:
            for seat, action in game.forbidden(state):
                with pytest.raises(game.illegal_action) as refused:
                    game.apply(state, seat, action)
                assert refused.value.words
            assert game.fold(start, events) == state
            if (seat := game.on_turn(state)) is None:
                break
            state, happened = game.apply(state, seat, game.random_action(match, state, random))
            events.extend(happened)
