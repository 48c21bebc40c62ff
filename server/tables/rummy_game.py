"""Rummy as a table sees it: the wire's commands become actions, and what happened becomes events of the record."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from fairness.events import Discarded, Event, VoidReason
from fairness.replay import hand_setup, rules_map, settlement_of, to_game, to_record
from fairness.terms import Terms
from rummy import actions
from rummy import events as game
from rummy.cards import Card
from rummy.fold import before_deal, evolve
from rummy.formats.kinds import MATCH_FORMATS
from rummy.hand import apply, start
from rummy.refusals import ActionName, IllegalAction, can_drop
from rummy.scoring import largest_loss
from rummy.state import HandState, Phase
from server.protocol.commands import Declare, Discard, Draw, Drop, TurnCommand
from server.protocol.messages import ErrorCode, HandView, Rules
from server.tables.game import (
    GameSettings,
    HandFrame,
    HandOutcome,
    OutcomeLine,
    PrivateShowing,
    SeatCards,
    SeatInHand,
    Step,
    Turn,
)
from server.tables.match_views import match_rules
from server.tables.ports import TableConfig
from server.tables.refusal import Refused
from server.tables.rummy_advice import advice
from server.tables.rummy_refusals import refused
from server.tables.rummy_views import (
    cards_view,
    command_names,
    hand_view,
    seat_view,
    shown_arrangement,
)

Stage = Literal["draw", "discard"]


@dataclass(frozen=True, slots=True)
class Taken:
    """A card that everybody saw a seat take from the pile, and that it has not discarded since."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class RummyHand:
    """The hand, its terms, and what attentive players remember of it."""

    terms: Terms
    state: HandState
    taken: tuple[Taken, ...] = ()


class RummyGame:
    """One rummy table's game; satisfies `server.tables.game.Game`."""

    def __init__(self, config: TableConfig) -> None:
        self._config = config
        self._format = MATCH_FORMATS.get(config.format)

    @cached_property
    def settings(self) -> GameSettings:
        rules = self._config.rules
        return GameSettings(
            seat_count=rules.seat_count,
            decks=rules.decks,
            min_players=rules.min_players,
            turn_ms=rules.turn_seconds * 1000,
            bank_ms=rules.time_bank_seconds * 1000,
            hold_units=self._config.buy_in if self._format is not None else largest_loss(self._config.rate),
            rules_map=rules_map(rules),
            rules_view=Rules(
                format=self._config.format.value,
                match=match_rules(self._config.format),
                min_players=rules.min_players,
                turn_seconds=rules.turn_seconds,
                time_bank_seconds=rules.time_bank_seconds,
                missed_turns_to_drop=rules.missed_turns_to_drop,
                take_wild_from_pile=rules.take_wild_from_pile.value,
                return_taken_card=rules.return_taken_card.value,
                reshuffles_allowed=rules.reshuffles_allowed,
            ),
        )

    def start(self, terms: Terms, hand_key: bytes, at_ms: int) -> Step[RummyHand]:
        setup = hand_setup(terms, hand_key)
        _, events = start(setup)
        return _step(RummyHand(terms, before_deal(setup)), events, at_ms)

    def restore(self, terms: Terms, hand_key: bytes, events: Sequence[Event]) -> Step[RummyHand]:
        hand, showings = _fold(RummyHand(terms, before_deal(hand_setup(terms, hand_key))), _game_events(events))
        return Step(hand, tuple(events), showings)

    def apply(self, state: RummyHand, seat: int, command: TurnCommand, at_ms: int) -> Step[RummyHand]:
        return _act(state, _action(seat, command), at_ms)

    def drop(self, state: RummyHand, seat: int, at_ms: int) -> Step[RummyHand]:
        return _act(state, actions.Drop(seat), at_ms)

    def leave(self, state: RummyHand, seat: int, at_ms: int) -> Step[RummyHand]:
        return _act(state, actions.Leave(seat), at_ms)

    def timeout(self, state: RummyHand, at_ms: int) -> Step[RummyHand]:
        seat = state.state.turn_seat
        assert seat is not None, "a clock ran out and nobody is on turn"
        return _act(state, actions.Timeout(seat), at_ms)

    def void(self, state: RummyHand, reason: VoidReason, at_ms: int) -> Step[RummyHand]:
        return _act(state, actions.Void(actions.VoidReason(reason.word)), at_ms)

    def turn(self, state: RummyHand) -> Turn | None:
        hand = state.state
        if hand.turn_seat is None:
            return None
        stage: Stage = "draw" if hand.phase is Phase.DRAW else "discard"
        return Turn(hand.turn_seat, hand.turn_number, stage, may_drop=can_drop(hand, hand.turn_seat))

    def seats_in(self, state: RummyHand) -> tuple[int, ...]:
        return state.state.seats_in if not state.state.is_over else ()

    def outcome(self, state: RummyHand) -> HandOutcome | None:
        ended = state.state.ended
        if ended is None:
            return None
        settlement = settlement_of(state.terms, ended)
        reason = state.state.void_reason
        return HandOutcome(
            outcome=ended.outcome.value,
            void_reason=None if reason is None else VoidReason.from_word(reason.value),
            winner=ended.winner,
            lines=tuple(
                OutcomeLine(
                    line.seat,
                    line.points,
                    line.delta,
                    seat_view(state.state, line.seat).out,
                    shown_arrangement(state.state, line.seat),
                )
                for line in settlement.lines
            ),
            commission=settlement.commission,
        )

    def played_card(self, events: Sequence[Event]) -> int | None:
        return next((event.card for event in events if isinstance(event, Discarded)), None)

    def hand_view(self, frame: HandFrame, state: RummyHand | None) -> HandView:
        if state is None:
            return hand_view(frame, None, ())
        return hand_view(frame, state.state, tuple((taken.seat, taken.card) for taken in state.taken))

    def seat_view(self, state: RummyHand, seat: int) -> SeatInHand:
        return seat_view(state.state, seat)

    def cards_view(self, state: RummyHand, seat: int) -> SeatCards:
        return cards_view(state.state, seat, self._config.rate, self._format)

    def hint(self, state: RummyHand, seat: int) -> dict[str, Any]:
        hand = state.state
        assert hand.turned is not None, "a hand is played once its wild card is turned"
        seen = frozenset((hand.turned, *hand.discard_pile, *(taken.card for taken in state.taken)))
        return advice(hand.seat(seat).cards, hand.wild_rank, hand.rules.decks, seen)


def _action(seat: int, command: TurnCommand) -> actions.Action:
    match command:
        case Draw(source="stock"):
            return actions.DrawFromStock(seat)
        case Draw(source="pile"):
            return actions.DrawFromPile(seat)
        case Discard():
            return actions.Discard(seat, Card(command.card))
        case Declare():
            groups = tuple(tuple(Card(card) for card in group) for group in command.groups)
            return actions.Declare(seat, Card(command.finish_card), groups)
        case Drop():
            return actions.Drop(seat)
        case _:
            raise Refused(ErrorCode.NOT_NOW, "Rummy knows no such move.", command_names(tuple(ActionName)))


def _act(hand: RummyHand, action: actions.Action, at_ms: int) -> Step[RummyHand]:
    try:
        _, events = apply(hand.state, action)
    except IllegalAction as illegal:
        raise refused(illegal) from None
    return _step(hand, events, at_ms)


def _step(hand: RummyHand, events: Sequence[game.Event], at_ms: int) -> Step[RummyHand]:
    after, showings = _fold(hand, events)
    return Step(after, tuple(to_record(event, at_ms, hand.terms) for event in events), showings)


def _fold(hand: RummyHand, events: Sequence[game.Event]) -> tuple[RummyHand, tuple[PrivateShowing, ...]]:
    """Fold events one by one, to see which cards each showed to one seat alone (FAIRNESS_SPEC section 8)."""
    state, taken = hand.state, hand.taken
    showings: list[PrivateShowing] = []
    for place, event in enumerate(events):
        state = evolve(state, event)
        taken = _taken_after(taken, event)
        match event:
            case game.Dealt():
                showings += [PrivateShowing(place, seat, state.seat(seat).cards) for seat in state.setup.players]
            case game.DrewFromStock():
                showings.append(PrivateShowing(place, event.seat, state.seat(event.seat).cards[-1:]))
            case _:
                pass
    return RummyHand(hand.terms, state, taken), tuple(showings)


def _taken_after(taken: tuple[Taken, ...], event: game.Event) -> tuple[Taken, ...]:
    match event:
        case game.DrewFromPile():
            return (*taken, Taken(event.seat, event.card))
        case game.Discarded():
            return tuple(one for one in taken if one.card != event.card)
        case game.Declared():
            return tuple(one for one in taken if one.card != event.finish_card)
        case _:
            return taken


def _game_events(events: Iterable[Event]) -> list[game.Event]:
    return [move for move in map(to_game, events) if move is not None]
