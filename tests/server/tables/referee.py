"""A second opinion on a finished hand, from its public events alone: whose turn, which price, whose tokens.

Written from the rules and not from `rummy`, so that both can only agree when both are right (rules sections 2, 5 to 9).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from fairness.events import (
    Declared,
    Discarded,
    DrewFromPile,
    DrewFromStock,
    Event,
    How,
    Outcome,
    Reshuffled,
    SeedRevealed,
    Settled,
    Shown,
    Voided,
    WentOut,
)
from fairness.terms import Terms

DROP, MIDDLE_DROP, WRONG_DECLARE = 20, 40, 80


@dataclass
class Referee:
    """Give it every event of one hand in order; it raises AssertionError at the first that breaks a rule."""

    terms: Terms
    turn: int = -1
    has_card: bool = False
    playing: list[int] = field(default_factory=list)
    drew: set[int] = field(default_factory=set)
    misses: Counter[int] = field(default_factory=Counter)
    owes: dict[int, int] = field(default_factory=dict)
    winner: int | None = None
    is_void: bool = False
    happened: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.playing = list(self.terms.occupied)
        self.turn = self._next(self.terms.dealer)

    def judge(self, events: Sequence[Event]) -> Counter[str]:
        """Returns what happened, by name."""
        assert isinstance(events[-1], SeedRevealed)
        for event in events:
            self._see(event)
        return self.happened

    def _next(self, seat: int) -> int:
        seats = self.terms.seats
        return next(number for step in range(1, seats + 1) if (number := (seat + step) % seats) in self.playing)

    def _see(self, event: Event) -> None:
        match event:
            case DrewFromStock(_, seat, auto):
                self._draws(seat, auto, "stock")
            case DrewFromPile(_, seat, auto, _):
                self._draws(seat, auto, "pile")
            case Discarded(_, seat, auto, _):
                self._discards(seat, bool(auto))
            case Declared():
                self._declares(event)
            case WentOut():
                self._goes_out(event)
            case Reshuffled(_, number, _):
                self.happened["reshuffle"] += 1
                assert number == self.happened["reshuffle"]
                assert number <= int(self.terms.rules["reshuffles_allowed"])
            case Shown(_, seat, points, _):
                assert seat in self.playing
                assert seat != self.winner
                assert 0 <= points <= 130
                self.owes[seat] = points
            case Voided(_, reason):
                self.is_void = True
                self.happened[f"void {reason.word}"] += 1
            case Settled():
                self._settles(event)

    def _draws(self, seat: int, auto: object, source: str) -> None:
        assert (seat, False) == (self.turn, self.has_card), f"seat {seat} draws out of turn"
        self.has_card = True
        self.drew.add(seat)
        if not auto:
            self.misses[seat] = 0
        self.happened[f"draw from the {source}"] += 1

    def _discards(self, seat: int, auto: bool) -> None:
        assert (seat, True) == (self.turn, self.has_card), f"seat {seat} discards out of turn"
        self.misses[seat] = self.misses[seat] + 1 if auto else 0
        self.happened["timeout"] += auto
        self._end_turn()

    def _declares(self, event: Declared) -> None:
        assert (event.seat, True) == (self.turn, self.has_card), f"seat {event.seat} declares out of turn"
        if event.valid:
            self.winner = event.seat
            self.happened["valid declare"] += 1
            return
        self.happened["wrong declare"] += 1
        self._out(event.seat, WRONG_DECLARE)

    def _goes_out(self, event: WentOut) -> None:
        assert event.seat in self.playing
        self.happened[event.how.word] += 1
        match event.how:
            case How.FIRST_DROP | How.MIDDLE_DROP:
                assert (event.seat, False) == (self.turn, self.has_card), f"seat {event.seat} drops out of turn"
                price = MIDDLE_DROP if event.seat in self.drew else DROP
                assert (event.how is How.MIDDLE_DROP) == (price == MIDDLE_DROP)
            case How.LEFT:
                price = MIDDLE_DROP
            case How.MISSED_TURNS:
                assert self.misses[event.seat] == int(self.terms.rules["missed_turns_to_drop"])
                price = MIDDLE_DROP
        assert event.points == price
        self._out(event.seat, price)

    def _out(self, seat: int, points: int) -> None:
        self.owes[seat] = points
        self.playing.remove(seat)
        if len(self.playing) == 1:
            (self.winner,) = self.playing
            self.happened["last in"] += 1
        elif seat == self.turn:
            self._end_turn()

    def _end_turn(self) -> None:
        self.has_card = False
        self.turn = self._next(self.turn)

    def _settles(self, event: Settled) -> None:
        lines = {line.seat: (line.points, line.delta) for line in event.lines}
        assert tuple(lines) == self.terms.occupied
        if self.is_void:
            assert event.outcome is Outcome.VOID
            assert (event.winner, event.commission, set(lines.values())) == (None, 0, {(0, 0)})
            return
        assert event.winner == self.winner is not None
        losers = {seat: points for seat, points in self.owes.items() if seat != self.winner}
        assert set(losers) == set(self.terms.occupied) - {self.winner}
        win = sum(losers.values()) * self.terms.rate
        commission = win * self.terms.commission_bp // 10_000
        assert event.commission == commission
        for seat, points in losers.items():
            assert lines[seat] == (points, -points * self.terms.rate)
        assert lines[event.winner] == (0, win - commission)
