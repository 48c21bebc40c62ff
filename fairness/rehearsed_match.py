"""A whole match played in a rehearsed house, every hand by the protocol: for tests and samples."""

from dataclasses import dataclass
from typing import Final

from fairness.encoding import Id
from fairness.json_form import JsonObject
from fairness.match_checks import hand_event
from fairness.match_events import match_event_to_json
from fairness.match_file import match_file
from fairness.match_terms import MatchTerms
from fairness.rehearsal import RehearsedHouse
from fairness.rehearsed_players import Mover
from fairness.replay import rules_map
from fairness.terms import Terms
from rummy.formats.kinds import MATCH_FORMATS, FormatName
from rummy.formats.match import Declined, MatchEvent, MatchState, Rejoined, begin, evolve
from rummy.formats.payout import payout_of
from rummy.rules import TableRules

BUY_IN: Final = 1_000
COMMISSION_BP: Final = 500


@dataclass(frozen=True, slots=True)
class RehearsedMatch:
    file: JsonObject
    hands: tuple[JsonObject, ...]
    state: MatchState


class _Match:
    def __init__(self, house: RehearsedHouse, name: FormatName, seats: int) -> None:
        self._house = house
        self._name = name
        self._match_id = house.new_id()
        self._table_id = house.new_id()
        self._players: dict[int, Id] = {seat: house.new_id() for seat in range(seats)}
        self._rules = TableRules(4)
        self.state = begin(MATCH_FORMATS[name], self._players)
        self._events: list[MatchEvent] = []
        self._hands: list[JsonObject] = []
        self._hand_ids: list[Id] = []

    def play(self, mover: Mover) -> RehearsedMatch:
        while not self.state.is_over:
            terms = self._terms()
            hand = self._house.play_by(terms, mover)
            self._hands.append(hand.public)
            self._hand_ids.append(terms.hand_id)
            self._happen(hand_event(hand.events))
            for seat in self.state.offers:
                self._happen(Rejoined(seat) if self._house.rng.random() < 0.7 else Declined((seat,)))
        return RehearsedMatch(self._file(), tuple(self._hands), self.state)

    def _happen(self, event: MatchEvent) -> None:
        self.state = evolve(self.state, event)
        self._events.append(event)

    def _terms(self) -> Terms:
        number, seats = len(self._hands) + 1, self.state.seats_in
        standing = tuple((seat, self.state.player(seat).score) for seat in seats)
        bound = MatchTerms(self._name, BUY_IN, self._match_id, number, standing)
        return Terms(
            hand_id=self._house.new_id(),
            table_id=self._table_id,
            hand_no=number,
            seats=self._rules.seat_count,
            decks=self._rules.decks,
            dealer=seats[number % len(seats)],
            rate=0,
            commission_bp=COMMISSION_BP,
            rules={**rules_map(self._rules), **bound.to_map()},
            opened_ms=self._house.tick(),
            players=tuple((seat, self._players[seat]) for seat in seats),
        )

    def _file(self) -> JsonObject:
        payout = payout_of(self.state, BUY_IN, COMMISSION_BP)
        lines: list[JsonObject] = [
            {
                "seat": line.seat,
                "player_id": self._players[line.seat].hex(),
                "score": player.score,
                "standing": player.standing.value,
                "staked": line.staked,
                "delta": line.delta,
            }
            for line, player in zip(payout.lines, self.state.players, strict=True)
        ]
        return match_file(
            match_id=self._match_id,
            table_id=self._table_id,
            format_name=self._name.value,
            buy_in=BUY_IN,
            commission_bp=COMMISSION_BP,
            hands=self._hand_ids,
            events=[match_event_to_json(event) for event in self._events],
            outcome=self.state.outcome,
            commission=payout.commission,
            lines=lines,
        )


def rehearse_match(house: RehearsedHouse, name: FormatName, seats: int, mover: Mover) -> RehearsedMatch:
    """One match of so many players (2 to 4) to its end; most of those who may rejoin do."""
    return _Match(house, name, seats).play(mover)
