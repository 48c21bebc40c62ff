"""A match from hand to hand: what a hand's end means for it, who leaves, who comes back, and how it ends.

Everything is computed first, made durable next, and only then adopted and shown, as with hands. A hand's end and what
it does to the match are one append (`hand_life`); what happens between hands is a step of its own.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, Generic
from uuid import UUID

from fairness.commitment import RandomSource
from rummy.formats.kinds import FormatName
from rummy.formats.match import (
    Declined,
    Forfeited,
    HandCounted,
    HandWasVoid,
    MatchEvent,
    MatchVoided,
)
from rummy.formats.match import Rejoined as CameBack
from server.protocol.commands import Rejoin
from server.protocol.messages import ErrorCode
from server.tables.durable import DurableJournal
from server.tables.game import HandOutcome, State
from server.tables.lineup import running_match
from server.tables.match_ports import MatchStart, MatchStep
from server.tables.match_ports import Rejoin as RejoinHold
from server.tables.phases import Countdown, Result
from server.tables.ports import Chair, Clock, HoldsRefused
from server.tables.publisher import Publisher
from server.tables.refusal import Refused
from server.tables.refused_holds import SHORT_OF_TOKENS
from server.tables.table import Table
from server.tables.table_match import TableMatch, hand_lines

_CANNOT_PAY: Final = "You can't cover another buy-in, so you can't rejoin."
_OWN_LIMITS: Final = "Your own limits leave no room for another buy-in now, so you can't rejoin."


class MatchLife(Generic[State]):
    def __init__(
        self,
        table: Table[State],
        publisher: Publisher[State],
        journal: DurableJournal,
        clock: Clock,
        random: RandomSource,
        tokens_moved: Callable[[Iterable[UUID]], None],
    ) -> None:
        self._table = table
        self._publisher = publisher
        self._journal = journal
        self._clock = clock
        self._random = random
        self._tokens_moved = tokens_moved

    # --- with a hand ---

    def new_match(self, chairs: Sequence[Chair]) -> TableMatch | None:
        """The match that a hand of these chairs would begin; None when none is to begin."""
        config = self._table.config
        if config.format is FormatName.POINTS or running_match(self._table) is not None:
            return None
        match_id = UUID(bytes=self._random(16), version=4)
        start = MatchStart(match_id, config.format.value, config.buy_in, config.commission_bp)
        return TableMatch.begin(start, {chair.seat: chair.player for chair in chairs})

    def after_hand(self, outcome: HandOutcome, void_match: bool) -> tuple[TableMatch, MatchStep] | None:
        """What this end of its hand makes of the match, and the step to store with it; None in points."""
        match = running_match(self._table)
        if match is None:
            return None
        events: list[MatchEvent] = [_as_event(outcome)]
        after = match.after(events)
        if not after.is_over:
            if void_match:
                events.append(MatchVoided())
            elif leavers := self._leavers(after):
                events.append(Forfeited(leavers))
        return match.after(events), match.step(events, self._clock.now_ms())

    # --- between hands ---

    async def remove_leavers(self) -> None:
        """Take those who gave up their chairs out of the match; that may end it."""
        match = running_match(self._table)
        leavers = () if match is None else self._leavers(match)
        if match is not None and leavers:
            await self._take(match, (Forfeited(leavers),))

    async def close_offers(self) -> None:
        """The time to rejoin is over."""
        match = running_match(self._table)
        if match is not None and match.state.offers:
            await self._take(match, (Declined(match.state.offers),))

    async def void(self) -> None:
        """End the match without a result, between hands; nothing happens when none goes on."""
        match = running_match(self._table)
        if match is not None:
            await self._take(match, (MatchVoided(),))

    async def answer(self, chair: Chair, command: Rejoin) -> None:
        """A player takes the offer to come back, or leaves it. Raises Refused."""
        match = running_match(self._table)
        if match is None or match.match_id != command.match_id:
            raise Refused(ErrorCode.STALE_MATCH, "That was for an earlier match.", shows_table=True)
        seat = match.offer_to(chair.player.player_id)
        if seat is None:
            raise Refused(ErrorCode.NO_OFFER, "You have no open offer to rejoin this match.", shows_table=True)
        if not command.accept:
            await self._take(match, (Declined((seat,)),))
            return
        rejoin_id = UUID(bytes=self._random(16), version=4)
        hold = RejoinHold(rejoin_id, chair.player.player_id, match.start.buy_in)
        try:
            await self._take(match, (CameBack(seat),), hold)
        except HoldsRefused as refusal:
            short = SHORT_OF_TOKENS.issuperset(refusal.reasons.values())
            raise Refused(ErrorCode.NOT_ENOUGH_TOKENS, _CANNOT_PAY if short else _OWN_LIMITS) from None
        self._tokens_moved((chair.player.player_id,))

    def check_sitting_out(self, chair: Chair) -> None:
        """Raises Refused for a player of the match: they are dealt in as long as they are in."""
        match = running_match(self._table)
        if match is not None and match.seat_in(chair.player.player_id) is not None:
            words = "You are in a match: you are dealt into each of its hands. Leaving the table forfeits it."
            raise Refused(ErrorCode.NOT_NOW, words)

    def adopt(self, match: TableMatch) -> None:
        """It is stored."""
        self._table.match = match
        if match.is_over:
            self._tokens_moved(player.player_id for player in match.players.values())

    async def _take(self, match: TableMatch, events: tuple[MatchEvent, ...], rejoin: RejoinHold | None = None) -> None:
        table = self._table
        step = match.step(events, self._clock.now_ms(), rejoin)
        await self._journal.call(lambda journal: journal.step_match(table.id, table.epoch, step))
        self.adopt(match.after(events))
        if isinstance(table.phase, Result | Countdown) and match.after(events).is_over:
            # How it ended is shown as long as a hand's result, before another match begins.
            stands_until_ms = max(table.phase.deadline_ms, self._clock.now_ms() + table.timing.result_pause_ms)
            table.phase = replace(table.phase, deadline_ms=stands_until_ms)
        self._publisher.publish()

    def _leavers(self, match: TableMatch) -> tuple[int, ...]:
        """Seats of the match, or with an offer to come back, whose players have no chair to stay on."""
        staying = {chair.seat: chair.player.player_id for chair in self._table.seating.present if not chair.leaving}
        seats = sorted((*match.state.seats_in, *match.state.offers))
        return tuple(seat for seat in seats if staying.get(seat) != match.players[seat].player_id)


def _as_event(outcome: HandOutcome) -> MatchEvent:
    return HandWasVoid() if outcome.winner is None else HandCounted(outcome.winner, hand_lines(outcome))
