"""A table as the journal found it: the same cards, turn and misses, the clocks set on by our own outage."""

from dataclasses import replace

from fairness.event_codec import decode_event
from fairness.events import Event, RosterClosed, Voided
from fairness.json_form import Fields
from fairness.receipts import HashesReceipt
from fairness.signing import SigningKeys
from server.tables import views
from server.tables.away import from_record
from server.tables.damaged import DamagedHand
from server.tables.game import Game, HandOutcome, State
from server.tables.phases import Countdown, Phase, Playing, Result, Seeds, Waiting
from server.tables.ports import EndedHand, HandOpening, LiveHand, StoredTable
from server.tables.record import HandRecord
from server.tables.seating import Seating
from server.tables.seeds import SeedsRound
from server.tables.table import Table
from server.tables.table_match import TableMatch
from server.tables.timing import TableTiming
from server.tables.turn_clock import TurnClock
from server.tables.waiting import WaitingList


def recover(
    stored: StoredTable,
    game: Game[State],
    timing: TableTiming,
    keys: SigningKeys,
    now_ms: int,
    waiting: WaitingList,
) -> Table[State]:
    """The table as it stood; who waits for a chair is known from this run alone. Raises DamagedHand."""
    live = stored.live_hand
    match = None if stored.match is None else TableMatch.restore(stored.match)
    phase = _phase(stored, match, game, timing, keys, now_ms)
    table = Table(
        config=stored.config,
        game=game,
        timing=timing,
        epoch=stored.epoch,
        seating=Seating(game.settings.seat_count, tuple(sorted(stored.chairs, key=lambda chair: chair.seat))),
        dealer=stored.dealer if live is None else live.terms.dealer,
        last_hand_no=stored.last_hand_no,
        customs=stored.customs,
        orders=stored.orders,
        guests=stored.guests,
        waiting=waiting,
        phase=phase,
        # One that is over is shown beside its last hand's result, and not after it.
        match=match if match is not None and (not match.is_over or isinstance(phase, Result)) else None,
    )
    _remember_away(table)
    return table


def _remember_away(table: Table[State]) -> None:
    """What was played for those who were away, as far as the hand that is shown tells it."""
    record = table.record
    for chair in () if record is None else table.seating.chairs:
        assert record is not None
        seat = record.seat_of(chair.player.player_id)
        notes = table.notes.of(chair.player.player_id)
        notes.away = None if seat is None else from_record(record.events, seat, record.terms.hand_no)
    if isinstance(table.phase, Result):
        for line in table.phase.view.lines:
            table.notes.of(line.player.player_id).hand_ended(table.phase.view.hand_no, line)


def _phase(
    stored: StoredTable,
    match: TableMatch | None,
    game: Game[State],
    timing: TableTiming,
    keys: SigningKeys,
    now_ms: int,
) -> Phase[State]:
    live, ended = stored.live_hand, stored.ended_hand
    if live is not None:
        try:
            return _live_phase(live, stored, game, timing, keys, now_ms)
        except DamagedHand:
            raise
        except Exception as fault:
            # Whatever it was, it is in what was stored. What the fault says may name cards, so it goes no further.
            hand_id = live.terms.hand_id.hex()
            raise DamagedHand(f"hand {hand_id} cannot be recovered: {type(fault).__name__}") from None
    offered = match is not None and bool(match.state.offers)
    pause_ms = timing.pause_ms(offered)
    if ended is not None and stored.last_alive_ms < ended.closed_ms + pause_ms:
        away_ms = max(now_ms - max(stored.last_alive_ms, ended.closed_ms), 0)
        deadline_ms = ended.closed_ms + pause_ms + away_ms + timing.grace_ms
        return _result_phase(ended, stored, match, game, keys, deadline_ms)
    if match is not None and not match.is_over:
        # Whoever may rejoin could not answer while we were away: the offer's time begins anew.
        return Countdown(now_ms + timing.grace_ms + (timing.rejoin_ms if offered else timing.countdown_ms))
    return Waiting()


def _live_phase(
    live: LiveHand, stored: StoredTable, game: Game[State], timing: TableTiming, keys: SigningKeys, now_ms: int
) -> Phase[State]:
    record = _record(live, stored, game, keys)
    if not live.rows:
        # Nobody could contribute while we were away: the open window begins anew.
        deadline_ms = now_ms + timing.grace_ms + timing.seeds_window_ms
        seeds = SeedsRound.restore(record.terms_hash, record.seats, live.contributions, live.hashes_closed)
        return Seeds(record, seeds, deadline_ms)
    state = _replay(live, record, [decode_event(row.data) for row in live.rows], game)
    alive_ms = max(stored.last_alive_ms, record.events[-1].at_ms)
    clock = TurnClock.from_stored(live.rows[-1].clock, game.settings.turn_ms)
    return Playing(record, state, clock.later(max(now_ms - alive_ms, 0) + timing.grace_ms))


def _result_phase(
    ended: EndedHand,
    stored: StoredTable,
    match: TableMatch | None,
    game: Game[State],
    keys: SigningKeys,
    deadline_ms: int,
) -> Phase[State]:
    """The result goes on being shown for the time that it still had, and offers to rejoin with it."""
    try:
        record = _record(ended, stored, game, keys)
        state = _replay_ended(ended, record, game)
        outcome = _void_outcome(ended) if state is None else game.outcome(state)
    except Exception:
        # Its record was damaged: what is left to show of the hand is that it was void, or nothing.
        record, state = _record(replace(ended, hashes_receipt=None), stored, game, keys), None
        outcome = _void_outcome(ended)
    if outcome is None:
        return Waiting()
    counted = None if match is None else match.points_of(outcome)
    return Result(record, state, views.result_view(record, outcome, dict(ended.players), counted), deadline_ms)


def _void_outcome(ended: EndedHand) -> HandOutcome | None:
    """Of a hand without cards to show; None when it was not void, and its damaged record cannot tell how it ended."""
    try:
        voided = decode_event(ended.rows[-3].data)
    except (LookupError, ValueError):
        return None
    return HandOutcome.void_before_deal(ended.terms.occupied, voided.reason) if isinstance(voided, Voided) else None


def _record(hand: LiveHand | EndedHand, stored: StoredTable, game: Game[State], keys: SigningKeys) -> HandRecord:
    opening = HandOpening(hand.terms, hand.commitment, hand.server_seed, stored.config.asset, game.settings.hold_units)
    record = HandRecord(opening, hand.commit_receipt, keys)
    if hand.hashes_receipt is not None:
        record.keep_hashes(HashesReceipt.read(Fields(hand.hashes_receipt, "hashes receipt")))
    return record


def _replay_ended(ended: EndedHand, record: HandRecord, game: Game[State]) -> State | None:
    """The hand at its end; None when no card was dealt."""
    *events, reveal = [decode_event(row.data) for row in ended.rows]
    if isinstance(events[1], Voided):
        record.extend(events, (), {})
        state = None
    else:
        state = _replay(ended, record, events, game)
    record.extend((reveal,), (), {})
    return state


def _replay(hand: LiveHand | EndedHand, record: HandRecord, stored: list[Event], game: Game[State]) -> State:
    """Play the stored events again from the seed, and hold them against the chain that was stored with them."""
    roster, *events = stored
    if not isinstance(roster, RosterClosed):
        raise DamagedHand(f"hand {record.hand_id} does not begin with its roster")
    restored = game.restore(hand.terms, record.hand_key(roster.roster), events)
    chained = record.extend((roster,), (), {}) + record.extend(restored.events, restored.showings, {})
    if [row.head for row in chained] != [row.head for row in hand.rows[: len(stored)]]:
        raise DamagedHand(f"hand {record.hand_id}: the stored events do not give the stored chain")
    return restored.state
