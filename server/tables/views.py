"""What a table shows: one public part for all, a small private one for each seat's player; built from nothing."""

from collections.abc import Mapping
from typing import Final, Literal, assert_never

from server.protocol.messages import (
    HandView,
    Player,
    PublicView,
    ResultLine,
    ResultView,
    SeatPrivate,
    SeatView,
    TableSummary,
    TurnView,
    WaiterView,
)
from server.tables.audience import Audience
from server.tables.game import HandFrame, HandOutcome, HandStage, SeatCards, State
from server.tables.lineup import lineup, running_match
from server.tables.match_views import match_view
from server.tables.phases import Countdown, Phase, Playing, Result, Seeds, Waiting, deadline_of
from server.tables.ports import Chair
from server.tables.record import ContributionWord, HandRecord
from server.tables.table import Table

PhaseWord = Literal["waiting", "countdown", "seeds", "playing", "result"]
WhyWaiting = Literal["next_hand", "next_match", "not_enough_tokens", "sitting_out"]

_NO_CARDS: Final = SeatCards(cards=(), drawn_card=None, allowed=(), drop_points=None, drop_units=None)


def summary(table: Table[State]) -> TableSummary:
    config = table.config
    present = table.seating.present
    return TableSummary(
        table_id=config.table_id,
        name=config.name,
        asset="PT" if config.asset == "PT" else "HT",
        practice=config.practice,
        seat_count=table.seating.seat_count,
        seated=len(present),
        bots=sum(chair.player.bot for chair in present),
        rate=config.rate,
        buy_in=config.buy_in,
        commission_bp=config.commission_bp,
        rules=table.game.settings.rules_view,
        hand_running=table.running is not None,
        free=table.free_chairs,
        waiting=len(table.waiting),
        host=config.host,
        watching=table.customs.watching,
        chat=table.customs.chat,
        match_running=running_match(table) is not None,
    )


def public_view(table: Table[State], audience: Audience) -> PublicView:
    """What any watcher may know."""
    phase = table.phase
    return PublicView(
        table=summary(table),
        phase=_phase_word(phase),
        phase_deadline_ms=deadline_of(phase),
        dealer=table.dealer,
        seats=[_seat_view(table, audience, seat) for seat in range(table.seating.seat_count)],
        hand=_hand_view(table),
        result=phase.view if isinstance(phase, Result) else None,
        spectators=audience.people_besides(frozenset(chair.player.player_id for chair in table.seating.present)),
        waiting=[WaiterView(player=each.player, offer_until_ms=each.offer_until_ms) for each in table.waiting],
        joining=table.customs.joining,
        match=None if table.match is None else match_view(table.match),
    )


def private_view(table: Table[State], chair: Chair, may_act: bool) -> SeatPrivate:
    """What only the player of this chair may know."""
    notes = table.notes.of(chair.player.player_id)
    cards = _own_cards(table, chair)
    return SeatPrivate(
        seat=chair.seat,
        may_act=may_act,
        cards=list(cards.cards),
        drawn_card=cards.drawn_card,
        allowed=list(_allowed(table, chair, cards)) if may_act else [],
        drop_points=cards.drop_points,
        drop_cost=cards.drop_units,
        drop_next=notes.drop_next,
        away=notes.away,
    )


def allowed(table: Table[State], chair: Chair) -> tuple[str, ...]:
    """The names of everything that the player of this chair may ask for now."""
    return _allowed(table, chair, _own_cards(table, chair))


def may_be_ready(table: Table[State], chair: Chair) -> bool:
    return table.running is None and chair in lineup(table)


def result_view(
    record: HandRecord, outcome: HandOutcome, players: dict[int, Player], counted: Mapping[int, int] | None
) -> ResultView:
    """How a hand ended, for everybody. players: who played it, by seat. counted: in its match, None in points."""
    return ResultView(
        hand_id=record.hand_id,
        hand_no=record.terms.hand_no,
        outcome=outcome.outcome,
        void_reason=None if outcome.void_reason is None else outcome.void_reason.word,
        winner=outcome.winner,
        lines=[
            ResultLine(
                seat=line.seat,
                player=players[line.seat],
                points=line.points,
                match_points=None if counted is None else counted.get(line.seat),
                delta=line.delta,
                out=line.out,
                arrangement=line.arrangement,
            )
            for line in outcome.lines
        ],
        commission=outcome.commission,
    )


def _allowed(table: Table[State], chair: Chair, cards: SeatCards) -> tuple[str, ...]:
    names = [name for name in cards.allowed if name != "leave_table"]
    if cards.cards and isinstance(table.phase, Playing):
        names.append("arrange")
        if table.still_plays(chair):
            names.append("drop_next")
    if isinstance(table.phase, Seeds) and table.seat_in_hand(chair) is not None:
        names += table.phase.round.allowed(chair.seat)
    if may_be_ready(table, chair):
        names.append("ready")
    match, player_id = running_match(table), chair.player.player_id
    if match is not None and match.offer_to(player_id) is not None:
        names.append("rejoin")
    if match is None or match.seat_in(player_id) is None:
        names.append("sit_out")
    return (*names, "leave_table")


def _phase_word(phase: Phase[State]) -> PhaseWord:
    match phase:
        case Waiting():
            return "waiting"
        case Countdown():
            return "countdown"
        case Seeds():
            return "seeds"
        case Playing():
            return "playing"
        case Result():
            return "result"
        case _:
            assert_never(phase)


def _seat_view(table: Table[State], audience: Audience, seat: int) -> SeatView:
    chair = table.seating.at(seat)
    if chair is None:
        return SeatView(seat=seat, player=None)
    notes = table.notes.of(chair.player.player_id)
    in_hand = table.seat_in_hand(chair) is not None
    state = table.game_state
    shown = table.game.seat_view(state, seat) if in_hand and state is not None else None
    return SeatView(
        seat=seat,
        player=chair.player,
        connected=audience.is_connected(chair.player.player_id),
        ready=notes.ready,
        sitting_out=chair.sitting_out,
        leaving=chair.leaving or chair.gone,
        why_waiting=_why_waiting(table, chair, notes.refused),
        in_hand=in_hand,
        card_count=0 if shown is None else shown.card_count,
        out=None if shown is None else shown.out,
        points=None if shown is None else shown.points,
        misses=0 if shown is None else shown.misses,
        bank_ms=_bank_ms(table, seat) if in_hand else 0,
        contribution=_contribution(table, seat) if in_hand else None,
    )


def _own_cards(table: Table[State], chair: Chair) -> SeatCards:
    state = table.game_state
    seat = table.seat_in_hand(chair)
    return _NO_CARDS if state is None or seat is None else table.game.cards_view(state, seat)


def _why_waiting(table: Table[State], chair: Chair, refused: bool) -> WhyWaiting | None:
    if chair.gone:
        return None
    if chair.sitting_out:
        return "not_enough_tokens" if refused else "sitting_out"
    match = running_match(table)
    if match is not None:
        return "next_match" if match.seat_in(chair.player.player_id) is None else None
    return "next_hand" if table.running is not None and table.seat_in_hand(chair) is None else None


def _bank_ms(table: Table[State], seat: int) -> int:
    return table.phase.clock.banks[seat] if isinstance(table.phase, Playing) else 0


def _contribution(table: Table[State], seat: int) -> ContributionWord | None:
    if isinstance(table.phase, Seeds):
        return table.phase.round.word_for(seat)
    record = table.record
    return None if record is None else record.contributions.get(seat)


def _hand_view(table: Table[State]) -> HandView | None:
    record = table.record
    return None if record is None else table.game.hand_view(_frame(table, record), table.game_state)


def _frame(table: Table[State], record: HandRecord) -> HandFrame:
    phase = table.phase
    stage: HandStage = "ended"
    if isinstance(phase, Seeds):
        stage = phase.round.stage
    elif isinstance(phase, Playing):
        stage = "playing"
    return HandFrame(
        hand_id=record.hand_id,
        hand_no=record.terms.hand_no,
        stage=stage,
        stage_deadline_ms=phase.deadline_ms if isinstance(phase, Seeds) else None,
        dealer=record.terms.dealer,
        players=record.seats,
        commitment=record.commitment.hex(),
        turn=_turn_view(table),
    )


def _turn_view(table: Table[State]) -> TurnView | None:
    if not isinstance(table.phase, Playing):
        return None
    turn, clock = table.game.turn(table.phase.state), table.phase.clock
    assert turn is not None, "a hand that is played has somebody on turn"
    return TurnView(
        seat=turn.seat, number=turn.number, stage=turn.stage, clock_ms=clock.clock_ms, deadline_ms=clock.deadline_ms
    )
