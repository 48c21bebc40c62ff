"""What a seat knows, in every trick game: what it may do, and what it may rule out, over random deals."""

from random import Random

import pytest

from tests.conformance.trick_games import TRICK_GAMES
from tricks.moves import PlayCard

DEALS = 15


@pytest.mark.parametrize("name", TRICK_GAMES)
def test_a_seat_knows_its_options_and_rules_out_nothing_that_is_held(name: str) -> None:
    game, random = TRICK_GAMES[name], Random(9)
    ruled_out = 0
    for _ in range(DEALS):
        match = game.begin(random)
        state = game.start(match, random)
        while (seat := state.on_turn) is not None:
            legal = game.deal.legal_actions(state)
            assert game.seen_from(match, state, seat).options == legal
            if isinstance(legal[0], PlayCard):
                for watcher, own in enumerate(state.play.hands):
                    seen = game.seen_from(match, state, watcher)
                    assert seen.hand == own
                    excluded = seen.excluded()
                    ruled_out += sum(map(len, excluded))
                    others = [other for other in range(len(state.play.hands)) if other != watcher]
                    assert not any(excluded[other] & set(state.play.hands[other]) for other in others)
            state, _ = game.apply(state, seat, game.random_action(match, state, random))
    assert ruled_out > 30 * DEALS
