"""Rules section 7: the stock runs out, is filled again from the pile, and in the end voids the hand."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from rummy.actions import Discard, DrawFromStock, VoidReason
from rummy.cards import Card
from rummy.events import DrewFromStock, Event, HandEnded, HandVoided, Outcome, StockReshuffled
from rummy.hand import HandState, apply, start
from rummy.script import play_script, read_script
from rummy.state import HandSetup


def turns(state: HandState) -> Iterator[tuple[HandState, HandState, tuple[Event, ...]]]:
    """Everybody draws and discards that card until the hand ends; each draw with the state before, after and events."""
    while not state.is_over:
        assert state.turn_seat is not None
        drew, events = apply(state, DrawFromStock(state.turn_seat))
        yield state, drew, events
        if drew.drawn is None or drew.turn_seat is None:
            return
        state, _ = apply(drew, Discard(drew.turn_seat, drew.drawn.card))


@pytest.mark.parametrize("allowed", range(11))
@pytest.mark.parametrize("seats", [4, 6, 8])
def test_section_7_the_hand_is_void_when_the_stock_runs_out_once_more_than_it_is_reshuffled(
    seats: int, allowed: int
) -> None:
    state, _ = play_script(f"seats {seats}\nrule reshuffles_allowed {allowed}")
    run_outs = [(before, after, events) for before, after, events in turns(state) if not before.stock]
    assert len(run_outs) == allowed + 1
    for number, (before, after, events) in enumerate(run_outs[:-1], start=1):
        assert events == (
            StockReshuffled(number, len(before.discard_pile) - 1),
            DrewFromStock(after.turn_seat or 0, auto=False),
        )
        assert after.reshuffles_done == number
    before, after, events = run_outs[-1]
    nothing = tuple((seat, 0) for seat in range(seats))
    assert events == (HandVoided(VoidReason.STOCK_EXHAUSTED), HandEnded(Outcome.VOID, None, nothing))
    assert after.discard_pile == before.discard_pile


def test_section_7_by_default_the_fourth_run_out_voids_the_hand() -> None:
    state, _ = play_script("seats 6")
    *_, (_, after, _) = turns(state)
    assert (after.reshuffles_done, after.void_reason) == (3, VoidReason.STOCK_EXHAUSTED)


def test_section_7_the_pile_below_its_top_is_handed_over_bottom_first_and_index_0_is_drawn_first() -> None:
    asked: list[tuple[int, tuple[Card, ...]]] = []

    def reshuffle(number: int, pile: tuple[Card, ...]) -> tuple[Card, ...]:
        asked.append((number, pile))
        return pile[::-1]

    setup = read_script("seats 6").setup
    state, _ = start(HandSetup(setup.rules, setup.players, setup.dealer, setup.deck, reshuffle))
    before, after, _ = next(turn for turn in turns(state) if not turn[0].stock)
    assert set(asked) == {(1, before.discard_pile[:-1])}
    assert after.discard_pile == before.discard_pile[-1:]
    assert after.drawn is not None
    assert after.drawn.card == before.discard_pile[-2]
    assert after.stock == before.discard_pile[-3::-1]


def test_section_7_a_wrongly_declared_finish_card_on_top_of_the_pile_stays_there() -> None:
    hopeless = "AC AC' AD AD' AH AH' AS AS' JC JC' JD JD' JS'"
    timeouts = "\n".join(f"> {turn % 6} timeout" for turn in range(25))
    state, _ = play_script(
        f"seats 6\nrule missed_turns_to_drop 10\ncards 1 {hopeless}\nwild 7H\n{timeouts}\n"
        "> 1 draw stock\n> 1 declare JS'"
    )
    finish_card = state.discard_pile[-1]
    assert state.stock == ()
    state, events = apply(state, DrawFromStock(2))
    assert events[0] == StockReshuffled(1, 26)
    assert state.discard_pile == (finish_card,)
    assert not set(state.stock) & set(state.seat(1).cards)


@pytest.mark.parametrize(("pile", "can_reshuffle"), [(0, False), (1, False), (2, True)])
def test_section_7_a_pile_with_nothing_below_its_top_cannot_be_reshuffled(pile: int, can_reshuffle: bool) -> None:
    # No order of play gets here, because what leaves the stock comes to the pile. The rule stands all the same.
    state, _ = play_script("players 0 1 2 3")
    assert replace(state, stock=(), discard_pile=state.stock[:pile]).can_reshuffle is can_reshuffle


def test_section_7_the_stock_of_two_players_lasts_for_all_that_is_not_dealt() -> None:
    state, _ = play_script("players 0 1\nrule reshuffles_allowed 0")
    assert sum(1 for _ in turns(state)) == 106 - 2 * 13 - 2 + 1
