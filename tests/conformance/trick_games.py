"""The trick games as the tests drive them: deals, matches, what a seat knows, and the players that there are.

RUMMY_STRONG_PLAYERS=1 puts the strong players beside those that follow tips: through whole matches, through every tip
and through the test of what they know. That takes long.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any, ClassVar

from tricks.baloot import deal as baloot_deal
from tricks.baloot import seen as baloot_seen
from tricks.baloot.match import Match as BalootMatch
from tricks.cards import PACK_24, PACK_32, Card
from tricks.klaverjas import deal as klaverjas_deal
from tricks.klaverjas import seen as klaverjas_seen
from tricks.klaverjas.following import Variant
from tricks.klaverjas.match import Match as KlaverjasMatch
from tricks.moves import PlayCard
from tricks.players import baloot as baloot_tips
from tricks.players import baloot_sampler, klaverjas_sampler, thousand_sampler
from tricks.players import klaverjas as klaverjas_tips
from tricks.players import thousand as thousand_tips
from tricks.players.player import Player
from tricks.refusals import IllegalAction
from tricks.search.solver import Solver
from tricks.thousand import deal as thousand_deal
from tricks.thousand import seen as thousand_seen
from tricks.thousand.match import Match as ThousandMatch


@dataclass(frozen=True)
class TrickGame:
    """deal: the module of its deals. result: what a finished deal gives its match. seen_from: by match, deal and seat.

    players: by name, each computer player of the game. sense: the chance that random play asks the tips what to do.
    """

    deal: ModuleType
    pack: tuple[Card, ...]
    begin: Callable[[Random], Any]
    result: Callable[[Any], Any]
    check_result: Callable[[Any], None]
    seen_from: Callable[[Any, Any, int], Any]
    players: dict[str, Player[Any, Any]]
    sense: float = 0

    illegal_action: ClassVar[type[Exception]] = IllegalAction

    def random_deck(self, random: Random) -> tuple[Card, ...]:
        return tuple(random.sample(self.pack, len(self.pack)))

    def is_over(self, match: Any) -> bool:
        return bool(match.is_over)

    def start(self, match: Any, random: Random) -> Any:
        return self.deal.start(match.next_deal(self.random_deck(random)))

    def on_turn(self, state: Any) -> int | None:
        seat: int | None = state.on_turn
        return seat

    def random_action(self, match: Any, state: Any, random: Random) -> Any:
        if random.random() < self.sense:
            return self.players["tips"].choose(self.seen_from(match, state, state.on_turn))
        return random_action(self.deal.legal_actions(state), random)

    def apply(self, state: Any, seat: int, action: Any) -> tuple[Any, tuple[Any, ...]]:
        after, events = self.deal.apply(state, seat, action)
        return after, events

    def fold(self, start: Any, events: Sequence[Any]) -> Any:
        return self.deal.fold(start, events)

    def check(self, state: Any) -> None:
        """Every card is in at most one place, and in play nobody is more than one card ahead of anybody."""
        held = [card for hand in state.play.hands for card in hand]
        seen = [*held, *state.play.trick, *state.play.gone]
        assert len(seen) == len(set(seen))
        assert set(seen) <= set(self.pack)
        sizes = [len(hand) for hand in state.play.hands]
        assert max(sizes) - min(sizes) <= 3
        if state.play.taken:
            assert set(seen) == set(self.pack)
            assert max(sizes) - min(sizes) <= 1
        if state.on_turn is None:
            assert self.deal.legal_actions(state) == ()
            self.check_result(state)

    def after(self, match: Any, state: Any, random: Random) -> Any:
        return match.after(self.result(state))

    def forbidden(self, state: Any) -> Iterator[tuple[int, Any]]:
        """Cards that may not be played, and anything out of turn."""
        seat = state.on_turn
        legal = self.deal.legal_actions(state)
        seats = range(len(state.play.hands))
        yield from ((other, action) for other in seats if other != seat for action in legal[:1])
        yield from ((seat or 0, PlayCard(card)) for card in self.pack if PlayCard(card) not in legal)


def random_action(actions: tuple[Any, ...], random: Random) -> Any:
    """Any action; but bidders of Thousand mostly pass or write off."""
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


def _players(tips: Player[Any, Any], strong: Callable[[Solver], Player[Any, Any]]) -> dict[str, Player[Any, Any]]:
    is_wanted = os.environ.get("RUMMY_STRONG_PLAYERS") == "1"
    return {"tips": tips, "strong": strong(Solver())} if is_wanted else {"tips": tips}


TRICK_GAMES = {
    "klaverjas": TrickGame(
        klaverjas_deal,
        PACK_32,
        lambda random: KlaverjasMatch(random.choice(list(Variant)), random.randrange(4)),
        lambda state: state.score,
        _check_klaverjas,
        klaverjas_seen.seen_from,
        _players(klaverjas_tips.TipFollower(), klaverjas_sampler.SamplingPlayer),
    ),
    "baloot": TrickGame(
        baloot_deal,
        PACK_32,
        lambda random: BalootMatch(random.randrange(4)),
        lambda state: state.score,
        _check_baloot,
        baloot_seen.seen_from,
        _players(baloot_tips.TipFollower(), baloot_sampler.SamplingPlayer),
    ),
    "thousand": TrickGame(
        thousand_deal,
        PACK_24,
        lambda random: ThousandMatch(random.randrange(3)),
        lambda state: state.end,
        _check_thousand,
        thousand_seen.seen_from,
        _players(thousand_tips.TipFollower(), thousand_sampler.SamplingPlayer),
        # Who plays anything hardly ever makes a bid, and without one nobody wins.
        sense=0.75,
    ),
}
