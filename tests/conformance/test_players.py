"""Every computer player of every trick game: whole matches, and that it knows only what its seat may know.

RUMMY_TRICK_MATCHES says how many matches of each (1), RUMMY_KNOWLEDGE_POSITIONS in how many positions (100).
"""

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.conformance.elsewhere import Played, elsewhere
from tests.conformance.trick_games import TRICK_GAMES
from tricks.baloot.seen import Seen as BalootSeen
from tricks.players.player import Player

MATCHES = int(os.environ.get("RUMMY_TRICK_MATCHES", "1"))
POSITIONS = int(os.environ.get("RUMMY_KNOWLEDGE_POSITIONS", "100"))
MOST_DEALS = 300
MOST_TRIES = 20

every_player = pytest.mark.parametrize(
    ("name", "player"),
    [
        pytest.param(name, player, id=f"{name}-{by}")
        for name, game in TRICK_GAMES.items()
        for by, player in game.players.items()
    ],
)


@every_player
def test_whole_matches(name: str, player: Player[Any, Any]) -> None:
    game = TRICK_GAMES[name]
    for seed in range(MATCHES):
        random = Random(seed)
        match = game.begin(random)
        for _ in range(MOST_DEALS):
            if match.is_over:
                break
            state = game.start(match, random)
            while (seat := state.on_turn) is not None:
                state, _ = game.apply(state, seat, player.choose(game.seen_from(match, state, seat)))
                game.check(state)
            match = game.after(match, state, random)
        assert match.is_over


@every_player
def test_unseen_cards_elsewhere_change_no_choice(name: str, player: Player[Any, Any]) -> None:
    game, random = TRICK_GAMES[name], Random(5)
    compared = 0
    for played in positions(name, random):
        seat = played.state.on_turn
        seen = game.seen_from(played.match, played.state, seat)
        for _ in range(MOST_TRIES):
            other = elsewhere(name, played, seat, random)
            if other is None:
                continue
            seen_there = game.seen_from(played.match, other, seat)
            if _told(seen_there) != _told(seen):
                continue
            assert seen_there == seen
            assert player.choose(seen_there) == player.choose(seen)
            compared += 1
            break
        if compared == POSITIONS:
            return


def _told(seen: Any) -> Any:
    """Projects of Baloot are announced and shown, so what makes them is no unseen card; other games have none."""
    return (seen.announced, seen.shown) if isinstance(seen, BalootSeen) else None


def positions(name: str, random: Random) -> Iterator[Played]:
    """Now and then a position of a random deal."""
    game = TRICK_GAMES[name]
    while True:
        match = game.begin(random)
        setup = match.next_deal(game.random_deck(random))
        state, actions = game.deal.start(setup), ()
        while (seat := state.on_turn) is not None:
            if random.random() < 0.3:
                yield Played(match, setup, state, actions)
            action = game.random_action(match, state, random)
            state, _ = game.apply(state, seat, action)
            actions = (*actions, action)
