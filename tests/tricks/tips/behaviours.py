"""A tip of the rules as something that can be seen in play, whoever plays: where it is at stake, and what keeps it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any

from tests.conformance.trick_games import TrickGame

Choose = Callable[[Any, tuple[Any, ...], Random], Any]
"""(deal, legal actions, randomness) -> an action: how a deal is played that leads to positions."""


@dataclass(frozen=True)
class At:
    """A position: what the seat on turn knows of it. state: the deal with all hands, which the player never gets."""

    state: Any
    seen: Any


class Positions:
    """As many positions as are asked for, in a fixed order; made once, since several tips look through them."""

    def __init__(self, source: Iterator[At]) -> None:
        self._source = source
        self._made: list[At] = []

    def __iter__(self) -> Iterator[At]:
        index = 0
        while True:
            if index == len(self._made):
                self._made.extend(islice(self._source, 100))
            yield self._made[index]
            index += 1


@dataclass(frozen=True)
class Behaviour:
    """name: the tip, with its number in the rules. applies: whether exactly this is at stake. kept: by an action."""

    name: str
    positions: Positions
    applies: Callable[[At], bool]
    kept: Callable[[At, Any], bool]


def walk(
    game: TrickGame,
    seed: int,
    choose: Choose,
    is_wanted: Callable[[Any], bool],
    is_done: Callable[[Any], bool] = lambda _: False,
    begin: Callable[[Random], Any] | None = None,
    deck: Callable[[Random], tuple[Any, ...]] | None = None,
) -> Iterator[At]:
    """The wanted positions of deal after deal, each dealt anew and played until it is done or over.

    begin, deck: other matches and decks than the game's random ones.
    """
    random = Random(seed)
    while True:
        match = (begin or game.begin)(random)
        state = game.deal.start(match.next_deal((deck or game.random_deck)(random)))
        while (seat := state.on_turn) is not None and not is_done(state):
            if is_wanted(state):
                yield At(state, game.seen_from(match, state, seat))
            action = choose(state, game.deal.legal_actions(state), random)
            state, _ = game.deal.apply(state, seat, action)
