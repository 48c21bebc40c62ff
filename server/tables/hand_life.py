"""One hand from its seeds to its settlement, whichever game it is; `opener` is what comes before.

Everything is computed first, made durable next, and only then adopted and shown. All endings leave through one door,
`_store_and_show`: the last events, the reveal, the settlement and the release of the holds are one append.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic
from uuid import UUID

from fairness.encoding import Hash
from fairness.events import (
    Event,
    Outcome,
    PlayerEvent,
    RosterClosed,
    SeedRevealed,
    Settled,
    SettleLine,
    Shown,
    Voided,
    VoidReason,
)
from server.protocol.commands import Contribute, Reveal, TurnCommand
from server.tables import views
from server.tables.durable import DurableJournal
from server.tables.game import HandOutcome, PrivateShowing, State, Step
from server.tables.match_life import MatchLife
from server.tables.phases import Playing, Result, Seeds
from server.tables.ports import Clock, HandClosing
from server.tables.publisher import Publisher
from server.tables.record import HandRecord
from server.tables.replies import Asked
from server.tables.seeds import text_bytes
from server.tables.table import Table
from server.tables.turn_clock import TurnClock


@dataclass(slots=True)
class _Unfolding(Generic[State]):
    """What several steps in a row did, as one."""

    state: State
    events: list[Event]
    showings: list[PrivateShowing]

    @classmethod
    def of(cls, step: Step[State], before: Sequence[Event] = ()) -> "_Unfolding[State]":
        unfolding = cls(step.state, list(before), [])
        unfolding.add(step)
        return unfolding

    def add(self, step: Step[State]) -> None:
        offset = len(self.events)
        self.events += step.events
        self.showings += [replace(showing, place=showing.place + offset) for showing in step.showings]
        self.state = step.state


class HandLife(Generic[State]):
    def __init__(
        self,
        table: Table[State],
        publisher: Publisher[State],
        journal: DurableJournal,
        clock: Clock,
        matches: MatchLife[State],
        tokens_moved: Callable[[Iterable[UUID]], None],
        ended: Callable[[str], None],
    ) -> None:
        self._table = table
        self._publisher = publisher
        self._journal = journal
        self._clock = clock
        self._matches = matches
        self._tokens_moved = tokens_moved
        self._ended = ended

    # --- the seeds ---

    async def contribute(self, phase: Seeds, seat: int, command: Contribute) -> None:
        """Step A for one seat. Raises Refused."""
        table, record = self._table, phase.record
        contribution_hash = Hash(bytes.fromhex(command.hash))
        if phase.round.take_hash(seat, contribution_hash):
            await self._journal.call(
                lambda journal: journal.record_hash(table.id, table.epoch, record.id_bytes, seat, contribution_hash)
            )
            self._publisher.publish()
        receipt = record.contribution_receipt(table.id, seat, contribution_hash, self._clock.now_ms())
        self._publisher.tell(record.player_at(seat), receipt)

    async def reveal(self, phase: Seeds, seat: int, command: Reveal) -> None:
        """Step B for one seat. Raises Refused."""
        table, record = self._table, phase.record
        nonce, text = bytes.fromhex(command.nonce), text_bytes(command.text)
        if phase.round.take_reveal(seat, nonce, text):
            await self._journal.call(
                lambda journal: journal.record_reveal(table.id, table.epoch, record.id_bytes, seat, nonce, text)
            )
            self._publisher.publish()
        contribution_hash = phase.round.hash_of(seat)
        assert contribution_hash is not None, "a reveal was accepted without its hash"
        receipt = record.reveal_receipt(table.id, seat, contribution_hash, self._clock.now_ms())
        self._publisher.tell(record.player_at(seat), receipt)

    async def close_windows(self) -> None:
        """End each window of the seeds that is over: its time has come, or nobody is left to wait for."""
        while isinstance(phase := self._table.phase, Seeds):
            is_due = self._clock.now_ms() >= phase.deadline_ms
            if not is_due and not phase.round.waits_for_nobody(self._table.gone_seats()):
                return
            if phase.round.stage == "hashes":
                await self._close_hashes(phase)
            else:
                await self._deal(phase)

    async def _close_hashes(self, phase: Seeds) -> None:
        table, record = self._table, phase.record
        receipt = record.sign_hashes(phase.round.hashes, self._clock.now_ms())
        await self._journal.call(
            lambda journal: journal.close_hashes(table.id, table.epoch, record.id_bytes, receipt.to_json())
        )
        phase.round.close_hashes()
        record.keep_hashes(receipt)
        table.phase = replace(phase, deadline_ms=self._clock.now_ms() + table.timing.seeds_window_ms)
        self._publisher.publish()
        for seat in record.seats:
            for message in record.hashes_receipts(table.id):
                self._publisher.tell(record.player_at(seat), message)

    async def _deal(self, phase: Seeds) -> None:
        """Close the roster and deal; a hand that everybody left meanwhile is void."""
        record = phase.record
        if set(record.seats) <= set(self._table.gone_seats()):
            await self._void_before_deal(phase, VoidReason.NOT_ENOUGH_PLAYERS)
            return
        at_ms = record.stamp_ms(self._clock.now_ms())
        roster = phase.round.close()
        dealt = self._table.game.start(record.terms, record.hand_key(roster), at_ms)
        await self._store_and_show(record, _Unfolding.of(dealt, before=(RosterClosed(at_ms, roster),)), None)

    # --- the play ---

    async def move(self, phase: Playing[State], seat: int, command: TurnCommand, asked: Asked) -> None:
        """A player's own move. Raises Refused."""
        step = self._table.game.apply(phase.state, seat, command, self._stamp_ms(phase))
        await self._play(phase, step, asked)

    async def drop(self, phase: Playing[State], seat: int, asked: Asked) -> None:
        """The drop that a player asked for beforehand. Raises Refused."""
        await self._play(phase, self._table.game.drop(phase.state, seat, self._stamp_ms(phase)), asked)

    async def time_out(self, phase: Playing[State]) -> None:
        seat = phase.clock.seat
        step = self._table.game.timeout(phase.state, self._stamp_ms(phase))
        notes = self._table.notes.of(phase.record.player_at(seat))
        dropped = seat not in self._table.game.seats_in(step.state)
        notes.was_played_for(phase.record.terms.hand_no, self._table.game.played_card(step.events), dropped)
        await self._play(phase, step)

    async def remove_gone(self) -> None:
        """Take whoever has left out of the hand: at once in the play, with the deal while the seeds are gathered."""
        phase = self._table.phase
        if isinstance(phase, Seeds):
            await self.close_windows()
        elif isinstance(phase, Playing):
            leavers = self._leavers(phase.state)
            if leavers:
                step = self._table.game.leave(phase.state, leavers[0], self._stamp_ms(phase))
                await self._play(phase, step)

    async def void(self, reason: VoidReason, match_too: bool = False) -> None:
        """End the running hand without a result; nothing happens when none runs.

        match_too: and with it the match that it is part of.
        """
        phase = self._table.phase
        if isinstance(phase, Seeds):
            await self._void_before_deal(phase, reason, match_too)
        elif isinstance(phase, Playing):
            step = self._table.game.void(phase.state, reason, self._stamp_ms(phase))
            outcome = self._table.game.outcome(step.state)
            assert outcome is not None, "a void hand is over"
            await self._close(phase.record, step.state, outcome, step.events, step.showings, void_match=match_too)

    async def _void_before_deal(self, phase: Seeds, reason: VoidReason, match_too: bool = False) -> None:
        record = phase.record
        at_ms = record.stamp_ms(self._clock.now_ms())
        outcome = HandOutcome.void_before_deal(record.seats, reason)
        lines = tuple(SettleLine(line.seat, line.points, line.delta) for line in outcome.lines)
        events = (
            RosterClosed(at_ms, phase.round.close_unfinished()),
            Voided(at_ms, reason),
            Settled(at_ms, Outcome.VOID, None, lines, outcome.commission),
        )
        await self._close(record, None, outcome, events, (), void_match=match_too)

    def _stamp_ms(self, phase: Playing[State]) -> int:
        return phase.record.stamp_ms(self._clock.now_ms())

    def _leavers(self, state: State) -> tuple[int, ...]:
        gone = self._table.gone_seats()
        return tuple(seat for seat in self._table.game.seats_in(state) if seat in gone)

    async def _play(self, phase: Playing[State], step: Step[State], asked: Asked | None = None) -> None:
        await self._store_and_show(phase.record, _Unfolding.of(step), phase.clock, asked)

    def _carry_out_wishes(self, unfolding: _Unfolding[State], at_ms: int) -> None:
        """Whoever has left leaves the hand, and whoever asked for it drops as their turn begins."""
        game = self._table.game
        while leavers := self._leavers(unfolding.state):
            unfolding.add(game.leave(unfolding.state, leavers[0], at_ms))
        while (turn := game.turn(unfolding.state)) is not None and turn.may_drop and self._wants_to_drop(turn.seat):
            unfolding.add(game.drop(unfolding.state, turn.seat, at_ms))

    def _wants_to_drop(self, seat: int) -> bool:
        chair = self._table.seating.at(seat)
        return chair is not None and self._table.notes.of(chair.player.player_id).drop_next

    async def _store_and_show(
        self, record: HandRecord, unfolding: _Unfolding[State], clock: TurnClock | None, asked: Asked | None = None
    ) -> None:
        """Make what happened durable, adopt it, show it. clock: None for the deal. asked: the command that did it."""
        table = self._table
        at_ms = unfolding.events[-1].at_ms
        self._carry_out_wishes(unfolding, at_ms)
        turn = table.game.turn(unfolding.state)
        outcome = table.game.outcome(unfolding.state)
        if turn is None:
            assert outcome is not None, "nobody is on turn in a hand that goes on"
            await self._close(record, unfolding.state, outcome, unfolding.events, unfolding.showings, asked)
            return
        if clock is None:
            settings = table.game.settings
            starts_ms = at_ms + table.timing.grace_ms
            clock = TurnClock.first(turn, starts_ms, settings.turn_ms, settings.bank_ms, record.seats)
        else:
            clock = clock.at_turn(turn, at_ms)
        first = len(record.events)
        rows = record.extend(unfolding.events, unfolding.showings, {**clock.to_stored(), **_stored(asked)})
        await self._journal.call(lambda journal: journal.append(table.id, table.epoch, record.id_bytes, rows))
        table.phase = Playing(record, unfolding.state, clock)
        self._publisher.publish(record.public_events(first))
        self._give_state_receipts(record, record.seats if first == 0 else _acting_seats(unfolding.events))

    async def _close(
        self,
        record: HandRecord,
        state: State | None,
        outcome: HandOutcome,
        events: Sequence[Event],
        showings: Sequence[PrivateShowing],
        asked: Asked | None = None,
        void_match: bool = False,
    ) -> None:
        """The one door through which every hand ends."""
        table = self._table
        first = len(record.events)
        reveal = SeedRevealed(events[-1].at_ms, record.server_seed)
        rows = record.extend((*events, reveal), showings, _stored(asked))
        in_match = self._matches.after_hand(outcome, void_match)
        closing = HandClosing(
            outcome=outcome.outcome,
            void_reason=None if outcome.void_reason is None else outcome.void_reason.word,
            server_seed=record.server_seed,
            deltas=tuple((record.player_at(line.seat), line.delta) for line in outcome.lines),
            commission=outcome.commission,
            match=None if in_match is None else in_match[1],
        )
        await self._journal.call(lambda journal: journal.append(table.id, table.epoch, record.id_bytes, rows, closing))
        players = {chair.seat: chair.player for chair in table.seating.chairs if chair.seat in record.seats}
        counted = None if table.match is None else table.match.points_of(outcome)
        view = views.result_view(record, outcome, players, counted)
        if in_match is not None:
            self._matches.adopt(in_match[0])
        table.phase = Result(record, state, view, self._clock.now_ms() + self._pause_ms())
        for line in view.lines:
            notes = table.notes.of(record.player_at(line.seat))
            notes.drop_next = False
            notes.hand_ended(record.terms.hand_no, line)
        self._publisher.publish(record.public_events(first))
        self._give_state_receipts(record, record.seats)
        self._tokens_moved(record.player_at(seat) for seat in record.seats)
        self._ended(outcome.outcome)

    def _pause_ms(self) -> int:
        """How long the result stands before the next hand."""
        match = self._table.match
        return self._table.timing.pause_ms(match is not None and bool(match.state.offers))

    def _give_state_receipts(self, record: HandRecord, seats: Iterable[int]) -> None:
        for seat in seats:
            receipt = record.sign_state(self._table.id, seat, self._clock.now_ms())
            self._publisher.tell(record.player_at(seat), receipt)


def _stored(asked: Asked | None) -> Mapping[str, Any]:
    return {} if asked is None else asked.to_stored()


def _acting_seats(events: Iterable[Event]) -> tuple[int, ...]:
    """Whose own doing these events were, the clock's for them included, each seat once."""
    acting = [event.seat for event in events if isinstance(event, PlayerEvent) and not isinstance(event, Shown)]
    return tuple(dict.fromkeys(acting))
