"""The match of strengths on duplicate deals: that it counts right, and that bots know there what a client knows."""

from random import Random
from uuid import UUID

import pytest

from bench.bots import (
    Match,
    Side,
    deal,
    decide,
    duplicate_gain,
    gains,
    knowledge_at,
    play,
    play_deals,
    report,
    taken_after,
)
from clients.python.seat_player import knowledge_of
from clients.python.strategies import Strength, Taken, strategy_of
from rummy.actions import Action, Leave
from rummy.events import HandEnded, Outcome
from rummy.hand import apply, start
from rummy.random_play import RESTLESS, random_action
from rummy.state import HandState
from server.protocol import messages
from server.tables.game import HandFrame
from server.tables.rummy_views import cards_view, hand_view, seat_view

SOMEBODY = messages.Player(player_id=UUID(int=1), name="Somebody")


def test_a_winner_gains_what_the_others_count() -> None:
    ended = HandEnded(Outcome.DECLARED, 2, ((0, 20), (1, 53), (2, 0), (3, 80)))
    assert gains(ended) == {0: -20, 1: -53, 2: 153, 3: -80}


def test_a_void_hand_gains_nobody_anything() -> None:
    assert gains(HandEnded(Outcome.VOID, None, ((0, 0), (1, 0)))) == {0: 0, 1: 0}


@pytest.mark.parametrize("seats", [4, 6, 8])
def test_a_strength_gains_nothing_from_itself(seats: int) -> None:
    """Both seatings of a deal are the same hand then, and what one side gains in the first it loses in the second."""
    side = Side(strategy_of(Strength.MIDDLE, seed=1))
    assert duplicate_gain(deal(5, seats), side, side) == 0


def test_a_deal_is_played_alike_every_time() -> None:
    sides = [Side(strategy_of(strength, seed=1)) for strength in (*Strength, Strength.STRONG)]
    assert play(deal(7, 4), sides) == play(deal(7, 4), sides)
    assert len(sides[0].decision_us) > 0


def test_the_middle_strength_beats_the_weak_one() -> None:
    match = play_deals(Strength.MIDDLE, Strength.WEAK, 4, range(60))
    assert match.mean > match.margin


def test_the_strong_one_beats_the_weak_one() -> None:
    match = play_deals(Strength.STRONG, Strength.WEAK, 4, range(12))
    assert match.mean > match.margin


@pytest.mark.parametrize(
    ("gains", "second_us", "holds"), [((1.0, 3.0), 19_000, True), ((1.0, 3.0), 21_000, False), ((-1.0, 3.0), 1, False)]
)
def test_a_match_holds_when_the_first_is_better_for_sure_and_both_are_fast(
    gains: tuple[float, ...], second_us: int, holds: bool
) -> None:
    assert Match(gains, first_us=(1,), second_us=(second_us,)).holds is holds


def test_a_report_says_the_gain_its_interval_and_the_times() -> None:
    match = Match(gains=(1.0, 3.0), first_us=(1000, 3000), second_us=(100,))
    lines = report(Strength.STRONG, Strength.MIDDLE, 4, match).splitlines()
    assert lines[0].endswith("2 deals played twice: +2.00 points per hand and seat (95%: +0.04 to +3.96)")
    assert lines[1:] == [
        "  strong: 2 decisions, ms mean 2.00, p50 3.00, p99 3.00, max 3.00",
        "  middle: 1 decisions, ms mean 0.10, p50 0.10, p99 0.10, max 0.10",
    ]


@pytest.mark.parametrize("seats", [4, 8])
def test_bots_know_here_what_a_client_knows(seats: int) -> None:
    """Bots play, somebody now and then at random, and one leaves: before every move both views are the same."""
    rng = Random(seats)
    state, _ = start(deal(11, seats))
    taken: tuple[Taken, ...] = ()
    strategy = strategy_of(Strength.WEAK, seed=1)
    moves = 0
    while state.turn_seat is not None:
        seat = state.turn_seat
        known = knowledge_at(state, seat, taken)
        assert known == knowledge_of(*as_told(state, seat, taken))
        action: Action = decide(strategy, known, seat, state.phase)
        if moves == 9:
            action = Leave(seat)
        elif rng.random() < 0.5:
            action = random_action(state, RESTLESS, rng)
        state, events = apply(state, action)
        for event in events:
            taken = taken_after(taken, event)
        moves += 1
    assert moves > 20


def as_told(state: HandState, seat: int, taken: tuple[Taken, ...]) -> tuple[messages.Table, messages.SeatPrivate]:
    """What the house tells the client of this seat, put together from the views that the tables use."""
    assert state.turn_seat is not None
    turn = messages.TurnView(seat=seat, number=state.turn_number, stage=state.phase.value, clock_ms=0, deadline_ms=0)
    frame = HandFrame(UUID(int=2), 1, "playing", None, state.setup.dealer, state.setup.players, "", turn)
    cards = cards_view(state, seat, rate=100, format_=None)
    private = messages.SeatPrivate(
        seat=seat,
        may_act=True,
        cards=list(cards.cards),
        drawn_card=cards.drawn_card,
        allowed=list(cards.allowed),
        drop_points=cards.drop_points,
        drop_cost=cards.drop_units,
        drop_next=False,
        away=None,
    )
    public = messages.PublicView(
        table=summary(state),
        phase="playing",
        phase_deadline_ms=None,
        dealer=state.setup.dealer,
        seats=[chair(state, number) for number in state.setup.players],
        hand=hand_view(frame, state, [(one.seat, one.card) for one in taken]),
        result=None,
    )
    table = messages.Table(table_id=UUID(int=3), epoch=1, seq=1, now_ms=0, public=public, you=private)
    return table, private


def chair(state: HandState, seat: int) -> messages.SeatView:
    player = seat_view(state, seat)
    if player.out == "left":
        return messages.SeatView(seat=seat, player=None)
    return messages.SeatView(
        seat=seat, player=SOMEBODY, in_hand=True, card_count=player.card_count, out=player.out, points=player.points
    )


def summary(state: HandState) -> messages.TableSummary:
    rules = state.rules
    return messages.TableSummary(
        table_id=UUID(int=3),
        name="Table",
        asset="PT",
        practice=True,
        seat_count=rules.seat_count,
        seated=rules.seat_count,
        bots=rules.seat_count,
        rate=100,
        commission_bp=0,
        hand_running=True,
        rules=messages.Rules(
            min_players=rules.min_players,
            turn_seconds=rules.turn_seconds,
            time_bank_seconds=rules.time_bank_seconds,
            missed_turns_to_drop=rules.missed_turns_to_drop,
            take_wild_from_pile=rules.take_wild_from_pile.value,
            return_taken_card=rules.return_taken_card.value,
            reshuffles_allowed=rules.reshuffles_allowed,
        ),
    )
