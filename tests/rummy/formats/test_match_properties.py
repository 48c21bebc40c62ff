"""Whatever is played: the pot is conserved, every match ends, and whoever is out plays no more."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rummy.formats.counting import HandLine
from rummy.formats.kinds import MATCH_FORMATS, Deals, FormatName, Pool
from rummy.formats.match import (
    MOST_HANDS,
    MOST_TIE_BREAKS,
    MOST_VOIDS_IN_A_ROW,
    Declined,
    Forfeited,
    HandCounted,
    HandWasVoid,
    MatchEvent,
    MatchState,
    Rejoined,
    Standing,
    begin,
    evolve,
)
from rummy.formats.payout import payout_of, pot_of
from rummy.state import OutBy

NAMES = sorted(MATCH_FORMATS)
BUY_IN = 997
MOST_STEPS = 2_000


def next_event(data: st.DataObject, state: MatchState, dull: bool) -> MatchEvent:
    """One that can happen now. dull: only what moves the least, to see that even then it ends."""
    seats = state.seats_in
    if state.offers:
        seat = data.draw(st.sampled_from(state.offers))
        return data.draw(st.sampled_from((Rejoined(seat), Declined((seat,)), Forfeited((seat,)))))
    if not dull:
        what = data.draw(st.integers(0, 19))
        if what == 0:
            return HandWasVoid()
        if what == 1:
            return Forfeited(tuple(sorted(data.draw(st.sets(st.sampled_from(seats), min_size=1)))))
    winner = data.draw(st.sampled_from(seats))
    lines = []
    for seat in seats:
        out = None if dull or seat == winner else data.draw(st.sampled_from((None, None, *OutBy)))
        points = 0 if seat == winner else data.draw(st.integers(0, 1 if dull else 130))
        lines.append(HandLine(seat, points, out))
    return HandCounted(winner, tuple(lines))


def check(state: MatchState, before: MatchState, event: MatchEvent) -> None:
    if isinstance(state.format, Deals) and state.hands <= state.format.deals:
        assert sum(player.score for player in state.players) == state.format.chips * len(state.players)
        assert all(player.score >= 0 for player in state.players)
    for player in state.players:
        old = before.player(player.seat)
        if old.standing is Standing.LEFT:
            assert player == old, "whoever left comes back for nothing"
        elif old.standing is Standing.OUT and player.standing is Standing.IN:
            assert event == Rejoined(player.seat)
        if isinstance(state.format, Pool):
            assert player.rejoins <= state.format.rejoins
            if player.standing is Standing.IN:
                assert player.score < state.format.limit
    if isinstance(event, Rejoined):
        assert isinstance(state.format, Pool)
        assert state.comeback <= state.format.rejoin_at_most + 1 < state.format.limit
        assert all(before.player(seat).score <= state.comeback for seat in before.seats_in)
    assert len(state.seats_in) >= 2 or state.is_over
    assert state.hands <= (MOST_HANDS if isinstance(state.format, Pool) else state.format.deals + MOST_TIE_BREAKS)
    assert state.voids_in_a_row <= MOST_VOIDS_IN_A_ROW


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(NAMES), st.sets(st.integers(0, 7), min_size=2), st.integers(0, 10_000), st.booleans())
def test_a_match_ends_and_pays_out_what_was_paid_in(
    data: st.DataObject, name: FormatName, seats: set[int], commission_bp: int, dull: bool
) -> None:
    state = begin(MATCH_FORMATS[name], seats)
    rejoins = 0
    for _ in range(MOST_STEPS):
        if state.is_over:
            break
        before, event = state, next_event(data, state, dull)
        state = evolve(before, event)
        rejoins += isinstance(event, Rejoined)
        check(state, before, event)
    assert state.is_over
    assert pot_of(state, BUY_IN) == BUY_IN * (len(seats) + rejoins)
    payout = payout_of(state, BUY_IN, commission_bp)
    assert sum(line.delta for line in payout.lines) + payout.commission == 0
    for line in payout.lines:
        assert line.delta >= -line.staked, "nobody loses more than they paid in"
        if line.seat not in state.winners and not state.is_void:
            assert line.delta == -line.staked
    if state.is_void:
        assert {line.delta for line in payout.lines} == {0}
    else:
        assert all(state.player(seat).standing is not Standing.OUT for seat in state.winners)
    assert payout.commission <= payout.pot * commission_bp // 10_000
