"""What holds for every hand: random legal play to the end on every kind of table, and every action tried everywhere."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy import actions
from rummy.actions import Action, VoidReason
from rummy.cards import Card
from rummy.events import (
    Dealt,
    Declared,
    Discarded,
    DrewFromPile,
    DrewFromStock,
    Event,
    HandEnded,
    HandVoided,
    HowOut,
    Outcome,
    PileOpened,
    Shown,
    StockReshuffled,
    WentOut,
    WildTurned,
)
from rummy.fold import evolve, fold
from rummy.hand import HandState, IllegalAction, apply, start
from rummy.random_play import play_random_hand, random_action, random_setup, random_temper
from rummy.refusals import ActionName, allowed_actions, legal_discards, refusal_of
from rummy.replay import UnlawfulEvent, replay
from rummy.scoring import settle_points
from rummy.solver import can_declare, fewest_points
from rummy.state import HandSetup, OutBy

SEEDS = st.integers(0, 2**64 - 1)


def play(seed: int) -> tuple[HandState, tuple[Event, ...]]:
    return play_random_hand(Random(seed))


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_replay_equals_play(seed: int) -> None:
    state, events = play(seed)
    assert fold(state.setup, events) == state
    assert replay(state.setup, events) == state


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_the_new_state_is_the_old_one_with_the_events_folded_in(seed: int) -> None:
    rng = Random(seed)
    temper = random_temper(rng)
    state, _ = start(random_setup(rng))
    while not state.is_over:
        after, events = apply(state, random_action(state, temper, rng))
        folded = state
        for event in events:
            folded = evolve(folded, event)
        assert events
        assert folded == after
        state = after


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_every_hand_ends_once_with_points_that_its_events_explain(seed: int) -> None:
    state, events = play(seed)
    assert [event for event in events if isinstance(event, HandEnded)] == [events[-1]]
    ended = events[-1]
    assert isinstance(ended, HandEnded)
    assert ended == state.ended
    assert dict(ended.points) == points_told_by(state.setup, events, ended)
    settlement = settle_points(ended, rate=125, commission_bp=550)
    assert sum(line.delta for line in settlement.lines) + settlement.commission == 0


def points_told_by(setup: HandSetup, events: tuple[Event, ...], ended: HandEnded) -> dict[int, int]:
    """A second opinion on the result, from what everybody could see."""
    if ended.outcome is Outcome.VOID:
        return dict.fromkeys(setup.players, 0)
    told = {}
    for event in events:
        if isinstance(event, WentOut | Shown):
            told[event.seat] = event.points
        elif isinstance(event, Declared):
            told[event.seat] = 0 if event.valid else 80
    still_in = set(setup.players) - set(told)
    if ended.outcome is Outcome.LAST_IN:
        assert still_in == {ended.winner}
        return told | dict.fromkeys(still_in, 0)
    assert not still_in
    assert told[ended.winner if ended.winner is not None else -1] == 0
    return told


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_prices_and_missed_turns_follow_from_the_public_events(seed: int) -> None:
    """What a verifier counts without any card: who drew, how often the clock played in a row, what leaving cost."""
    state, events = play(seed)
    drew: set[int] = set()
    misses: Counter[int] = Counter()
    for event in events:
        match event:
            case DrewFromStock(seat, auto) | DrewFromPile(seat, _, auto):
                drew.add(seat)
                misses[seat] *= auto
            case Discarded(seat, _, auto):
                misses[seat] = misses[seat] + 1 if auto else 0
                assert misses[seat] <= state.rules.missed_turns_to_drop
            case WentOut(seat, HowOut.FIRST_DROP, points):
                assert (seat in drew, points) == (False, 20)
            case WentOut(seat, HowOut.MIDDLE_DROP, points):
                assert (seat in drew, points) == (True, 40)
            case WentOut(_, HowOut.LEFT, points):
                assert points == 40
            case WentOut(seat, HowOut.MISSED_TURNS, points):
                assert (misses[seat], points) == (state.rules.missed_turns_to_drop, 40)
            case _:
                pass
    for seat in state.setup.players:
        assert state.seat(seat).has_drawn == (seat in drew)
        assert state.seat(seat).misses == misses[seat]


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_validity_and_shown_points_are_the_solvers(seed: int) -> None:
    state, events = play(seed)
    for event in events:
        if isinstance(event, Declared):
            cards = tuple(card for group in event.groups for card in group)
            assert sorted(cards) == sorted(state.seat(event.seat).cards)
            assert can_declare(cards, state.wild_rank) == event.valid
        if isinstance(event, Shown):
            assert event.cards == tuple(sorted(state.seat(event.seat).cards))
            assert event.points == fewest_points(event.cards, state.wild_rank)


def every_action(state: HandState, rng: Random) -> Iterator[Action]:
    """Every kind of action by every seat of the table and one beyond, with cards held, not held and not of the pack."""
    for seat in range(-1, state.rules.seat_count + 1):
        yield from (actions.DrawFromStock(seat), actions.DrawFromPile(seat), actions.Drop(seat))
        yield from (actions.Leave(seat), actions.Timeout(seat))
        for card in (*(state.seat(seat).cards if state.is_playing(seat) else ()), Card(rng.randrange(159)), Card(-1)):
            yield actions.Discard(seat, card)
        yield actions.Declare(seat, Card(rng.randrange(159)))
        yield actions.Declare(seat, Card(0), ((Card(0),), (Card(1), Card(2))))
    yield from (actions.Void(reason) for reason in VoidReason)


@settings(max_examples=25, deadline=None)
@given(SEEDS)
def test_an_illegal_action_changes_nothing_and_a_legal_one_is_done(seed: int) -> None:
    rng = Random(seed)
    temper = random_temper(rng)
    state, happened = start(random_setup(rng))
    while not state.is_over:
        for action in every_action(state, rng):
            refusal = refusal_of(state, action)
            if refusal is None:
                apply(state, action)
                continue
            with pytest.raises(IllegalAction) as refused:
                apply(state, action)
            assert (refused.value.code, refused.value.words) == (refusal.code, refusal.words)
        assert state == fold(state.setup, happened)
        for _ in range(rng.randint(1, 12)):
            if not state.is_over:
                state, events = apply(state, random_action(state, temper, rng))
                happened += events
    assert all(refusal_of(state, action) is not None for action in every_action(state, rng))


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_what_is_said_to_be_allowed_is_what_is_not_refused(seed: int) -> None:
    rng = Random(seed)
    temper = random_temper(rng)
    state, _ = start(random_setup(rng))
    while not state.is_over:
        for seat in range(state.rules.seat_count):
            assert set(allowed_actions(state, seat)) == {
                name for name, action in one_of_each(state, seat) if refusal_of(state, action) is None
            }
        state, _ = apply(state, random_action(state, temper, rng))
    assert not any(allowed_actions(state, seat) for seat in range(state.rules.seat_count))


def one_of_each(state: HandState, seat: int) -> Iterator[tuple[ActionName, Action]]:
    may_go = legal_discards(state, seat)
    card = may_go[0] if may_go else Card(0)
    yield ActionName.DRAW_STOCK, actions.DrawFromStock(seat)
    yield ActionName.DRAW_PILE, actions.DrawFromPile(seat)
    yield ActionName.DISCARD, actions.Discard(seat, card)
    yield ActionName.DECLARE, actions.Declare(seat, card)
    yield ActionName.DROP, actions.Drop(seat)
    yield ActionName.LEAVE, actions.Leave(seat)


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.data())
def test_events_with_one_lie_are_found_where_it_stands(seed: int, data: st.DataObject) -> None:
    state, events = play(seed)
    index = data.draw(st.integers(0, len(events) - 1))
    for lie in lies(events[index]):
        with pytest.raises(UnlawfulEvent) as found:
            replay(state.setup, (*events[:index], lie, *events[index + 1 :]))
        assert found.value.index in (index, index + 1)


def lies(event: Event) -> Iterator[Event]:
    """Changes that no other legal action explains: another discard, say, may well be another lawful hand."""
    match event:
        case WildTurned(card) | PileOpened(card):
            yield replace(event, card=Card((card + 1) % 106))
        case DrewFromStock(seat):
            yield replace(event, seat=seat + 1)
        case DrewFromPile(seat, card, auto):
            yield replace(event, seat=seat + 1)
            yield replace(event, card=Card(card + 53))
            yield replace(event, auto=not auto)
        case Discarded(seat):
            yield replace(event, seat=seat + 1)
            yield replace(event, card=Card(-1))
        case WentOut(_, how, points):
            yield replace(event, points=points + 1)
            if how is not HowOut.MISSED_TURNS:
                yield replace(event, how=HowOut.MISSED_TURNS)
        case Declared(seat, valid):
            yield replace(event, seat=seat + 1)
            yield replace(event, valid=not valid)
            yield replace(event, groups=event.groups[1:])
        case StockReshuffled(number, stock_count):
            yield replace(event, number=number + 1)
            yield replace(event, stock_count=stock_count - 1)
        case Shown(_, points, cards):
            yield replace(event, points=points + 1)
            yield replace(event, cards=cards[::-1])
        case HandVoided(reason):
            other = VoidReason.OPERATOR if reason is VoidReason.STOCK_EXHAUSTED else VoidReason.STOCK_EXHAUSTED
            if other is VoidReason.STOCK_EXHAUSTED:
                yield replace(event, reason=other)
        case HandEnded(outcome, winner, points):
            yield replace(event, winner=(winner or 0) + 1)
            yield replace(event, points=points[1:])
            yield replace(event, outcome=Outcome.VOID if outcome is not Outcome.VOID else Outcome.LAST_IN)
        case Dealt():
            pass


@settings(max_examples=60, deadline=None)
@given(SEEDS, st.data())
def test_events_with_one_left_out_or_added_are_not_lawful(seed: int, data: st.DataObject) -> None:
    state, events = play(seed)
    index = data.draw(st.integers(0, len(events) - 2))
    with pytest.raises(UnlawfulEvent):
        replay(state.setup, (*events, events[index]))
    # People leave, and operators end a hand, at any moment: a move just before that may as well not have been.
    following = events[index + 1]
    any_moment = isinstance(following, HandVoided) or (isinstance(following, WentOut) and following.how is HowOut.LEFT)
    if not any_moment and not isinstance(events[index], WentOut):
        with pytest.raises(UnlawfulEvent):
            replay(state.setup, events[:index] + events[index + 1 :])


def test_random_play_reaches_every_kind_of_end() -> None:
    """Else the properties above would say less than they seem to."""
    ends: Counter[str] = Counter()
    for seed in range(300):
        state, _ = play_random_hand(Random(seed))
        assert state.ended is not None
        ends[state.ended.outcome] += 1
        ends[state.void_reason or "-"] += 1
        ends[f"reshuffled {min(state.reshuffles_done, 4)}"] += 1
        ends[f"players {len(state.setup.players)}"] += 1
        for seat in state.setup.players:
            out = state.seat(seat).out
            ends[out.by if out else "in"] += 1
    wanted = {*Outcome, *VoidReason, *OutBy, "in"}
    wanted |= {f"reshuffled {count}" for count in range(5)} | {f"players {count}" for count in range(2, 9)}
    assert {str(name) for name in wanted} <= set(ends), ends
