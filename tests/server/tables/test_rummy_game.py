"""Rummy behind the table's game protocol: views, refusals, restoring, for any reachable hand."""

from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID

import pytest

from fairness.contributions import ContributionRound
from fairness.deck import hand_key
from fairness.encoding import Id
from fairness.events import VoidReason
from fairness.replay import rules_map, showings
from fairness.terms import Terms
from rummy import actions
from rummy.random_play import RESTLESS, random_action
from rummy.refusals import IllegalAction, RefusalCode
from rummy.rules import SEAT_COUNTS, TableRules
from server.protocol.commands import COMMAND, TurnCommand
from server.protocol.messages import ErrorCode
from server.tables.game import HandFrame, Step
from server.tables.ports import TableConfig
from server.tables.refusal import Refused
from server.tables.rummy_game import RummyGame, RummyHand
from server.tables.rummy_refusals import error_code, refused
from tests.server.tables.doubles import START_MS

HAND_ID = UUID(int=7)


def new_hand(rng: Random) -> tuple[RummyGame, Terms, bytes, Step[RummyHand]]:
    rules = TableRules(rng.choice(SEAT_COUNTS), missed_turns_to_drop=2)
    config = TableConfig(UUID(int=5), "table", "HT", False, 10, 500, rules)
    players = sorted(rng.sample(range(rules.seat_count), rng.randint(2, rules.seat_count)))
    terms = Terms(
        hand_id=Id(HAND_ID.bytes),
        table_id=Id(config.table_id.bytes),
        hand_no=1,
        seats=rules.seat_count,
        decks=rules.decks,
        dealer=players[0],
        rate=config.rate,
        commission_bp=config.commission_bp,
        rules=rules_map(rules),
        opened_ms=START_MS,
        players=tuple((seat, Id(rng.randbytes(16))) for seat in players),
    )
    roster = ContributionRound(terms.hash(), players).close()
    key = hand_key(rng.randbytes(32), terms.hash(), roster.hash())
    game = RummyGame(config)
    return game, terms, key, game.start(terms, key, START_MS)


def act(game: RummyGame, hand: RummyHand, action: actions.Action, at_ms: int) -> Step[RummyHand]:
    """The same action through the table's door."""
    match action:
        case actions.DrawFromStock():
            return game.apply(hand, action.seat, command("draw", source="stock"), at_ms)
        case actions.DrawFromPile():
            return game.apply(hand, action.seat, command("draw", source="pile"), at_ms)
        case actions.Discard():
            return game.apply(hand, action.seat, command("discard", card=action.card), at_ms)
        case actions.Declare():
            groups = [list(group) for group in action.groups]
            return game.apply(
                hand, action.seat, command("declare", finish_card=action.finish_card, groups=groups), at_ms
            )
        case actions.Drop():
            return game.drop(hand, action.seat, at_ms)
        case actions.Leave():
            return game.leave(hand, action.seat, at_ms)
        case actions.Timeout():
            return game.timeout(hand, at_ms)
        case actions.Void():
            return game.void(hand, VoidReason.from_word(action.reason.value), at_ms)


def command(type_: str, **fields: Any) -> TurnCommand:
    content = {"id": "x", "type": type_, "table_id": str(HAND_ID), "hand_id": str(HAND_ID), "turn": 1}
    parsed = COMMAND.validate_python(content | fields)
    assert isinstance(parsed, TurnCommand)
    return parsed


def frame(terms: Terms) -> HandFrame:
    return HandFrame(HAND_ID, 1, "playing", None, terms.dealer, terms.occupied, "00" * 32, None)


def whole_hand(rng: Random) -> tuple[RummyGame, Terms, bytes, list[Step[RummyHand]]]:
    game, terms, key, step = new_hand(rng)
    steps = [step]
    while not step.state.state.is_over:
        step = act(game, step.state, random_action(step.state.state, RESTLESS, rng), START_MS + len(steps))
        steps.append(step)
    return game, terms, key, steps


def views(game: RummyGame, terms: Terms, hand: RummyHand, seat: int | None) -> list[object]:
    """Everything that a seat, or a spectator, is shown of a hand."""
    shown: list[object] = [game.hand_view(frame(terms), hand), *(game.seat_view(hand, s) for s in terms.occupied)]
    return shown if seat is None else [*shown, game.cards_view(hand, seat), game.hint(hand, seat)]


def with_hidden_cards_shuffled(hand: RummyHand, seat: int | None, rng: Random) -> RummyHand:
    """The same hand as far as `seat` can tell: what it can't see lies elsewhere."""
    state = hand.state
    open_cards = {taken.card for taken in hand.taken}
    others = [s for s in state.setup.players if s != seat]
    hidden = [card for s in others for card in state.seat(s).cards if card not in open_cards] + list(state.stock)
    rng.shuffle(hidden)
    seats = list(state.seats)
    for other in others:
        own = state.seat(other)
        cards = tuple(card if card in open_cards else hidden.pop() for card in own.cards)
        seats[other] = replace(own, cards=cards)
    drawn = state.drawn
    if drawn is not None and state.turn_seat is not None and state.turn_seat != seat:
        on_turn = seats[state.turn_seat]
        assert on_turn is not None
        drawn = replace(drawn, card=on_turn.cards[-1])
    return replace(hand, state=replace(state, seats=tuple(seats), stock=tuple(hidden), drawn=drawn))


@pytest.mark.parametrize("seed", range(12))
def test_the_view_of_a_seat_is_the_same_whatever_the_others_hold(seed: int) -> None:
    rng = Random(seed)
    game, terms, _, steps = whole_hand(rng)
    running = [step.state for step in steps if not step.state.state.is_over]
    for hand in rng.sample(running, min(len(running), 8)):
        for seat in (None, *hand.state.seats_in):
            other = with_hidden_cards_shuffled(hand, seat, rng)
            assert other.state.stock != hand.state.stock
            assert views(game, terms, other, seat) == views(game, terms, hand, seat)


def test_advice_names_draws_that_may_still_come_and_help() -> None:
    for seed in range(6):
        game, terms, _, step = new_hand(Random(seed))
        hand = step.state
        for seat in terms.occupied:
            advice = game.hint(hand, seat)
            own = hand.state.seat(seat).cards
            assert sorted(_shown(advice["arrangement"])) == sorted(own)
            assert (advice["distance"] == 0) == advice["arrangement"]["can_declare"]
            for draw in advice["useful_draws"]:
                copies = [card for card in range(53 * hand.state.rules.decks) if card % 53 == draw["face"]]
                open_or_own = {*own, *hand.state.discard_pile, hand.state.turned}
                assert draw["unseen"] == len(set(copies) - open_or_own) > 0
                assert draw["can_declare"] or draw["points"] < advice["arrangement"]["points"]


def _shown(arrangement: dict[str, Any]) -> list[int]:
    return [*(card for group in arrangement["groups"] for card in group["cards"]), *arrangement["deadwood"]]


@pytest.mark.parametrize("seed", range(12))
def test_restoring_from_the_events_gives_the_same_hand_and_showings(seed: int) -> None:
    game, terms, key, steps = whole_hand(Random(100 + seed))
    events = [event for step in steps for event in step.events]
    restored = game.restore(terms, key, events)
    # Reshufflers are equal when their keys are, so whole states can be compared.
    assert restored.state == steps[-1].state
    shown: dict[int, list[tuple[int, ...]]] = {seat: [] for seat in terms.occupied}
    for showing in restored.showings:
        shown[showing.seat].append(showing.cards)
    independent = showings(terms, key, events)
    assert {seat: [one.cards for one in each] for seat, each in independent.items()} == shown


@pytest.mark.parametrize("seed", range(12))
def test_every_hand_ends_with_an_outcome_that_sums_to_zero(seed: int) -> None:
    game, terms, _, steps = whole_hand(Random(200 + seed))
    assert all(game.outcome(step.state) is None for step in steps[:-1])
    outcome = game.outcome(steps[-1].state)
    assert outcome is not None
    assert sum(line.delta for line in outcome.lines) + outcome.commission == 0
    assert tuple(line.seat for line in outcome.lines) == terms.occupied
    assert game.turn(steps[-1].state) is None
    assert game.seats_in(steps[-1].state) == ()
    for line in outcome.lines:
        must_show = outcome.outcome == "declared" and line.out is None
        assert (line.arrangement is not None) == (must_show or line.out == "wrong_declare")
        if must_show and line.arrangement is not None:
            assert line.arrangement.points == line.points


@pytest.mark.parametrize("code", list(RefusalCode))
def test_every_refusal_of_the_rules_has_a_code_on_the_wire(code: RefusalCode) -> None:
    assert isinstance(error_code(code), ErrorCode)
    words = refused(IllegalAction(code, "words", ()))
    assert (words.code, words.words, words.allowed) == (error_code(code), "words", ())


def test_a_command_of_another_game_is_refused() -> None:
    game, _, _, step = new_hand(Random(1))

    class Bid(TurnCommand):
        type: str = "bid"

    bid = Bid(id="x", table_id=HAND_ID, hand_id=HAND_ID, turn=1)
    with pytest.raises(Refused) as refusal:
        game.apply(step.state, 0, bid, START_MS)
    assert refusal.value.code is ErrorCode.NOT_NOW
    assert "draw_stock" in refusal.value.allowed
