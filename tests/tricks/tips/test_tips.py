"""Each tip of the rules over many positions in which exactly it is at stake, by each computer player.

RUMMY_TIP_POSITIONS says in how many (200).
"""

import os
from itertools import islice
from typing import Any

import pytest

from tests.conformance.trick_games import TRICK_GAMES
from tests.tricks.tips import baloot, klaverjas, thousand
from tests.tricks.tips.behaviours import Behaviour
from tricks.players.player import Player

POSITIONS = int(os.environ.get("RUMMY_TIP_POSITIONS", "200"))
KEPT_PERCENT = 95
BEHAVIOURS = {"klaverjas": klaverjas.BEHAVIOURS, "thousand": thousand.BEHAVIOURS, "baloot": baloot.BEHAVIOURS}

CASES = [
    pytest.param(player, behaviour, id=f"{game}-{name}-{behaviour.name}")
    for game, behaviours in BEHAVIOURS.items()
    for name, player in TRICK_GAMES[game].players.items()
    for behaviour in behaviours
]


@pytest.mark.parametrize(("player", "behaviour"), CASES)
def test_the_tip_is_kept(player: Player[Any, Any], behaviour: Behaviour) -> None:
    found = list(islice(filter(behaviour.applies, behaviour.positions), POSITIONS))
    broken = [at for at in found if not behaviour.kept(at, player.choose(at.seen))]
    assert len(broken) * 100 <= len(found) * (100 - KEPT_PERCENT), broken[0].seen
