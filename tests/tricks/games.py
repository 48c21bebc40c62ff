"""The trick games as the tests drive them: deals, matches, what a seat knows, and the players that there are."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from types import ModuleType
from typing import Any

from tricks.baloot import deal as baloot_deal
from tricks.baloot import seen as baloot_seen
from tricks.baloot.match import Match as BalootMatch
from tricks.cards import PACK_24, PACK_32, Card
from tricks.klaverjas import deal as klaverjas_deal
from tricks.klaverjas import seen as klaverjas_seen
from tricks.klaverjas.following import Variant
from tricks.klaverjas.match import Match as KlaverjasMatch
from tricks.players import baloot as baloot_tips
from tricks.players import klaverjas as klaverjas_tips
from tricks.players import thousand as thousand_tips
from tricks.players.player import Player
from tricks.thousand import deal as thousand_deal
from tricks.thousand import seen as thousand_seen
from tricks.thousand.match import Match as ThousandMatch


@dataclass(frozen=True)
class Game:
    """deal: the module of its deals. result: what a finished deal gives its match. seen_from: by match, deal and seat.

    players: by name, each computer player of the game.
    """

    deal: ModuleType
    pack: tuple[Card, ...]
    begin: Callable[[Random], Any]
    result: Callable[[Any], Any]
    check_result: Callable[[Any], None]
    seen_from: Callable[[Any, Any, int], Any]
    players: dict[str, Player[Any, Any]] = field(default_factory=dict)

    def random_deck(self, random: Random) -> tuple[Card, ...]:
        return tuple(random.sample(self.pack, len(self.pack)))


def random_action(actions: tuple[Any, ...], random: Random) -> Any:
    """Any action; but bidders of Thousand mostly pass or write off, or nobody would ever come to 1000."""
    for cautious in (thousand_deal.Pass(), thousand_deal.WriteOff()):
        if cautious in actions and random.random() < 0.75:
            return cautious
    return random.choice(actions)


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
        klaverjas_seen.seen_from,
        {"tips": klaverjas_tips.TipFollower()},
    ),
    "baloot": Game(
        baloot_deal,
        PACK_32,
        lambda random: BalootMatch(random.randrange(4)),
        lambda state: state.score,
        _check_baloot,
        baloot_seen.seen_from,
        {"tips": baloot_tips.TipFollower()},
    ),
    "thousand": Game(
        thousand_deal,
        PACK_24,
        lambda random: ThousandMatch(random.randrange(3)),
        lambda state: state.end,
        _check_thousand,
        thousand_seen.seen_from,
        {"tips": thousand_tips.TipFollower()},
    ),
}
