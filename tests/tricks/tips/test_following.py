"""How tips are followed: in order, each among what is left, and named in the answer."""

from enum import StrEnum
from random import Random
from typing import Any

import pytest

from tests.conformance.trick_games import TRICK_GAMES
from tricks.players import baloot, klaverjas, thousand
from tricks.players.tips import Tip, advise


class Name(StrEnum):
    EVEN = "even"
    LARGE = "large"
    NOTHING = "nothing"


EVEN: Tip[int, int] = Tip(Name.EVEN, lambda _, numbers: [number for number in numbers if number % 2 == 0])
LARGE: Tip[int, int] = Tip(Name.LARGE, lambda least, numbers: [number for number in numbers if number >= least])
NOTHING: Tip[int, int] = Tip(Name.NOTHING, lambda _, numbers: ())


@pytest.mark.parametrize(
    ("tips", "choices", "choice", "followed"),
    [
        ([EVEN, LARGE], [1, 2, 5, 6], 6, [Name.EVEN, Name.LARGE]),
        ([LARGE, EVEN], [1, 2, 5, 7], 5, [Name.LARGE]),  # nothing even is left: the second tip has no say
        ([NOTHING, EVEN], [3, 4, 6], 4, [Name.EVEN]),
        ([EVEN], [8, 2], 8, []),  # both follow it: the fixed order decides
        ([EVEN, LARGE], [7], 7, []),
    ],
)
def test_each_tip_narrows_what_the_earlier_ones_left(
    tips: list[Tip[int, int]], choices: list[int], choice: int, followed: list[Name]
) -> None:
    advice = advise(tips, 5, choices)
    assert (advice.choice, list(advice.followed)) == (choice, followed)


@pytest.mark.parametrize(
    ("name", "player", "tips"),
    [
        ("klaverjas", klaverjas.TipFollower(), klaverjas.TipName),
        ("baloot", baloot.TipFollower(), baloot.TipName),
        ("thousand", thousand.TipFollower(), thousand.TipName),
    ],
)
def test_every_tip_decides_something_in_play(name: str, player: Any, tips: type[StrEnum]) -> None:
    game, random, silent = TRICK_GAMES[name], Random(1), set(tips)
    match = game.begin(random)
    for _ in range(400):
        state = game.start(match, random)
        while (seat := state.on_turn) is not None:
            advice = player.advise(game.seen_from(match, state, seat))
            silent -= set(advice.followed)
            state, _ = game.apply(state, seat, advice.choice)
        match = game.after(match, state, random)
        match = game.begin(random) if match.is_over else match
        if not silent:
            break
    assert not silent
