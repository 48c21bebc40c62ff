"""When the next hand opens, and who is in it: everything that a table decides while no hand runs."""

from collections.abc import Callable
from typing import Generic
from uuid import UUID

from rummy.formats.kinds import FormatName
from server.tables.audience import Audience
from server.tables.chairs import Chairs
from server.tables.game import State
from server.tables.lineup import least_players, lineup, running_match
from server.tables.match_life import MatchLife
from server.tables.opener import HandOpener
from server.tables.phases import Countdown, Result, Waiting, deadline_of
from server.tables.ports import Chair, Clock
from server.tables.publisher import Publisher
from server.tables.table import Table


class BetweenHands(Generic[State]):
    """may_open: False once the house opens no more hands, because it is about to stop."""

    def __init__(
        self,
        table: Table[State],
        publisher: Publisher[State],
        chairs: Chairs[State],
        matches: MatchLife[State],
        opener: HandOpener[State],
        audience: Audience,
        clock: Clock,
        may_open: Callable[[], bool],
    ) -> None:
        self._table = table
        self._publisher = publisher
        self._chairs = chairs
        self._matches = matches
        self._opener = opener
        self._audience = audience
        self._clock = clock
        self._may_open = may_open

    async def consider(self) -> None:
        """Look again whether a hand can open, after anything that may have changed it.

        A countdown goes on when somebody sits down or leaves, as long as enough players stay: nobody can hold up a
        table by coming and going.
        """
        table = self._table
        if table.running is not None:
            return
        await self._matches.remove_leavers()
        deadline_ms = deadline_of(table.phase)
        is_due = deadline_ms is not None and self._clock.now_ms() >= deadline_ms
        if self._enough() and (is_due or self._everyone_is_ready()):
            await self._open()
        elif isinstance(table.phase, Result) and not is_due:
            return
        elif not self._enough():
            self._wait()
        elif isinstance(table.phase, Waiting | Result):
            table.phase = Countdown(self._clock.now_ms() + self._countdown_ms())
            self._publisher.publish()

    def _wait(self) -> None:
        if not isinstance(self._table.phase, Waiting):
            self._table.phase = Waiting()
            self._publisher.publish()

    def _countdown_ms(self) -> int:
        """Longer before a match: whoever comes too late for it waits for the next one."""
        timing, config = self._table.timing, self._table.config
        plays_on = config.format is FormatName.POINTS or running_match(self._table) is not None
        return timing.countdown_ms if plays_on else timing.match_countdown_ms

    async def _open(self) -> None:
        if running_match(self._table) is None:
            await self._chairs.rest(self._idle(), self._absent())
        else:
            await self._matches.close_offers()
        if not await self._opener.open():
            self._wait()

    def _enough(self) -> bool:
        if self._table.orders.closing and running_match(self._table) is None:
            return False
        return self._may_open() and len(lineup(self._table)) >= least_players(self._table)

    def _everyone_is_ready(self) -> bool:
        """Whether all who would play, and are here to say so, want the hand now; an offer to rejoin has its time."""
        match = running_match(self._table)
        if match is not None and match.state.offers:
            return False
        here = [chair for chair in lineup(self._table) if self._audience.is_connected(_player_id(chair))]
        return bool(here) and all(self._table.notes.of(_player_id(chair)).ready for chair in here)

    def _idle(self) -> tuple[UUID, ...]:
        """Who has missed as many turns as drop a player, in one hand or several, and was not heard of since."""
        turns, notes = self._table.config.rules.missed_turns_to_drop, self._table.notes
        present = map(_player_id, self._table.seating.present)
        return tuple(player_id for player_id in present if notes.of(player_id).is_idle(turns))

    def _absent(self) -> tuple[UUID, ...]:
        """Who has been without a connection for long."""
        now_ms = self._clock.now_ms()
        self._audience.forget_absences(but=frozenset(_player_id(chair) for chair in self._table.seating.present))
        return tuple(
            _player_id(chair)
            for chair in self._table.seating.present
            if self._audience.absent_ms(_player_id(chair), now_ms) >= self._table.timing.absent_ms
        )


def _player_id(chair: Chair) -> UUID:
    return chair.player.player_id
