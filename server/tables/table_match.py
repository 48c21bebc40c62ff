"""The match at one table: whose it is, how it stands, and what its next hand is bound to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Self
from uuid import UUID

from fairness.encoding import as_id
from fairness.json_form import Fields
from fairness.match_events import match_event_to_json, read_match_event
from fairness.match_terms import MatchTerms
from rummy.formats.counting import HandLine, match_points
from rummy.formats.kinds import MATCH_FORMATS, FormatName
from rummy.formats.match import MatchEvent, MatchState, begin, fold
from rummy.formats.payout import Payout, payout_of, pot_of
from rummy.state import OutBy
from server.protocol.messages import Player
from server.tables.game import HandOutcome
from server.tables.match_ports import MatchEnd, MatchEndLine, MatchOutcome, MatchStart, MatchStep, Rejoin, StoredMatch


@dataclass(frozen=True, slots=True)
class TableMatch:
    """players: by seat, as the match began; a chair may have another owner by now. steps: how many are stored."""

    start: MatchStart
    players: Mapping[int, Player]
    state: MatchState
    steps: int = 0

    @classmethod
    def begin(cls, start: MatchStart, players: Mapping[int, Player]) -> Self:
        state = begin(MATCH_FORMATS[FormatName(start.format)], players)
        return cls(start, MappingProxyType(dict(players)), state)

    @classmethod
    def restore(cls, stored: StoredMatch) -> Self:
        fresh = cls.begin(stored.start, stored.players)
        events = [read_match_event(Fields(event, "match event")) for step in stored.steps for event in step]
        return replace(fresh, state=fold(fresh.state, events), steps=len(stored.steps))

    @property
    def match_id(self) -> UUID:
        return self.start.match_id

    @property
    def is_over(self) -> bool:
        return self.state.is_over

    @property
    def hand(self) -> int:
        """The number of the hand that runs or comes next; of the last one when the match is over."""
        return self.state.hands + self.state.voids + (0 if self.is_over else 1)

    @property
    def pot(self) -> int:
        return pot_of(self.state, self.start.buy_in)

    @property
    def payout(self) -> Payout | None:
        """None while the match goes on."""
        return payout_of(self.state, self.start.buy_in, self.start.commission_bp) if self.is_over else None

    @property
    def outcome(self) -> MatchOutcome:
        return self.state.outcome

    def seat_in(self, player_id: UUID) -> int | None:
        """The seat of a player who is in; None for anybody else."""
        return next((seat for seat in self.state.seats_in if self.players[seat].player_id == player_id), None)

    def offer_to(self, player_id: UUID) -> int | None:
        """The seat of a player who may rejoin now."""
        return next((seat for seat in self.state.offers if self.players[seat].player_id == player_id), None)

    def hand_rules(self) -> dict[str, str]:
        """What the next hand's terms say of the match, besides the table's rules."""
        terms = MatchTerms(
            FormatName(self.start.format),
            self.start.buy_in,
            as_id(self.match_id.bytes, "a match id"),
            self.hand,
            tuple((seat, self.state.player(seat).score) for seat in self.state.seats_in),
        )
        return terms.to_map()

    def points_of(self, outcome: HandOutcome) -> Mapping[int, int]:
        """What a hand of the match counts in it, by seat; empty for a void one."""
        if outcome.winner is None:
            return {}
        return {
            line.seat: 0 if line.seat == outcome.winner else match_points(self.state.format, line)
            for line in hand_lines(outcome)
        }

    def after(self, events: Sequence[MatchEvent]) -> Self:
        return replace(self, state=fold(self.state, events), steps=self.steps + 1)

    def step(self, events: Sequence[MatchEvent], at_ms: int, rejoin: Rejoin | None = None) -> MatchStep:
        """What to store so that the match becomes `after(events)`."""
        later = self.after(events)
        return MatchStep(
            self.match_id, self.steps, at_ms, tuple(map(match_event_to_json, events)), rejoin, later._end()
        )

    def _end(self) -> MatchEnd | None:
        payout = self.payout
        if payout is None:
            return None
        lines = tuple(
            MatchEndLine(
                line.seat,
                self.players[line.seat].player_id,
                self.state.player(line.seat).score,
                self.state.player(line.seat).standing.value,
                line.staked,
                line.delta,
            )
            for line in payout.lines
        )
        return MatchEnd(self.outcome, lines, payout.commission)


def hand_lines(outcome: HandOutcome) -> tuple[HandLine, ...]:
    return tuple(
        HandLine(line.seat, line.points, None if line.out is None else OutBy(line.out)) for line in outcome.lines
    )
