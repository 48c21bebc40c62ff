"""Rummy as the conformance suite drives it: whole matches of hands, in any format and at tables of any size."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from random import Random
from typing import ClassVar

from rummy import actions
from rummy.actions import Action
from rummy.cards import Card, deck_size
from rummy.events import Event
from rummy.formats.counting import HandLine
from rummy.formats.kinds import MATCH_FORMATS
from rummy.formats.match import Declined, HandCounted, HandWasVoid, MatchState, Rejoined, begin, evolve
from rummy.hand import apply, start
from rummy.hand import evolve as evolve_hand
from rummy.random_play import random_action, random_setup, random_temper, seeded_reshuffle
from rummy.refusals import ActionName, IllegalAction, allowed_actions, legal_discards
from rummy.rules import TableRules
from rummy.state import HandSetup, HandState, check_invariants


@dataclass(frozen=True)
class RummyMatch:
    """rules: of its table."""

    rules: TableRules
    state: MatchState


class RummyGame:
    illegal_action: ClassVar[type[Exception]] = IllegalAction

    def begin(self, random: Random) -> RummyMatch:
        setup = random_setup(random)
        return RummyMatch(setup.rules, begin(MATCH_FORMATS[random.choice(sorted(MATCH_FORMATS))], setup.players))

    def is_over(self, match: RummyMatch) -> bool:
        return match.state.is_over

    def start(self, match: RummyMatch, random: Random) -> HandState:
        cards = deck_size(match.rules.decks)
        deck = tuple(map(Card, random.sample(range(cards), cards)))
        reshuffle = partial(seeded_reshuffle, random.getrandbits(64))
        dealer = random.randrange(match.rules.seat_count)
        state, _ = start(HandSetup(match.rules, match.state.seats_in, dealer, deck, reshuffle))
        return state

    def on_turn(self, state: HandState) -> int | None:
        return state.turn_seat

    def random_action(self, match: RummyMatch, state: HandState, random: Random) -> Action:
        return random_action(state, random_temper(random), random)

    def apply(self, state: HandState, seat: int, action: Action) -> tuple[HandState, tuple[Event, ...]]:
        """An action of rummy names its seat itself."""
        return apply(state, action)

    def fold(self, start: HandState, events: Sequence[Event]) -> HandState:
        return reduce(evolve_hand, events, start)

    def check(self, state: HandState) -> None:
        check_invariants(state)
        if state.turn_seat is None:
            assert state.ended is not None
            assert not any(allowed_actions(state, seat) for seat in range(state.rules.seat_count))

    def after(self, match: RummyMatch, state: HandState, random: Random) -> RummyMatch:
        """The match after a hand; those who are offered to come back do, or do not."""
        after = evolve(match.state, _result(state))
        while after.offers:
            seat = random.choice(after.offers)
            after = evolve(after, random.choice([Rejoined(seat), Declined((seat,))]))
        return RummyMatch(match.rules, after)

    def forbidden(self, state: HandState) -> Iterator[tuple[int, Action]]:
        """What each seat may not ask for by name, and discards that may not be made."""
        for seat in range(-1, state.rules.seat_count + 1):
            allowed = allowed_actions(state, seat)
            for name, action in (
                (ActionName.DRAW_STOCK, actions.DrawFromStock(seat)),
                (ActionName.DRAW_PILE, actions.DrawFromPile(seat)),
                (ActionName.DROP, actions.Drop(seat)),
                (ActionName.LEAVE, actions.Leave(seat)),
                (ActionName.DISCARD, actions.Discard(seat, Card(0))),
                (ActionName.DECLARE, actions.Declare(seat, Card(0))),
            ):
                if name not in allowed:
                    yield seat, action
            if ActionName.DISCARD in allowed:
                legal = legal_discards(state, seat)
                yield from ((seat, actions.Discard(seat, card)) for card in state.setup.deck if card not in legal)


def _result(state: HandState) -> HandCounted | HandWasVoid:
    assert state.ended is not None, "the hand is over"
    if state.ended.winner is None:
        return HandWasVoid()
    lines = []
    for seat, points in state.ended.points:
        out = state.seat(seat).out
        lines.append(HandLine(seat, points, None if out is None else out.by))
    return HandCounted(state.ended.winner, tuple(lines))
