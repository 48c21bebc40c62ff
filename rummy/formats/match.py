"""A match as the fold of what happened in it: who stands where, who plays the next hand, and when it is over.

Nothing here waits, draws or knows tokens. Offers have no clock: whoever drives a match closes them with `Declined`.
Source: docs/formats.md.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from typing import Final, Literal, assert_never

from rummy.formats.counting import HandLine, match_points
from rummy.formats.kinds import Deals, MatchFormat, Pool
from rummy.state import OutBy

MOST_HANDS: Final = 100
"""Counted hands of a pool match. It cannot go on for ever, whatever is played."""
MOST_TIE_BREAKS: Final = 1
MOST_VOIDS_IN_A_ROW: Final = 5
"""So many void hands without a counted one between them, and the match is void too."""


Outcome = Literal["won", "shared", "void"]


class Standing(StrEnum):
    """Where a player stands in a match. Only those who are in play its hands."""

    IN = "in"
    OUT = "out"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class MatchPlayer:
    """score: points so far in a pool, chips in deals. rejoins: how often they bought in again."""

    seat: int
    score: int
    standing: Standing = Standing.IN
    rejoins: int = 0


@dataclass(frozen=True, slots=True)
class HandCounted:
    """A hand of the match was won; a line for each of its players."""

    winner: int
    lines: tuple[HandLine, ...]


@dataclass(frozen=True, slots=True)
class HandWasVoid:
    """A hand ended without a result: it counts for nothing and is played again."""


@dataclass(frozen=True, slots=True)
class Rejoined:
    seat: int


@dataclass(frozen=True, slots=True)
class Declined:
    """These open offers were refused, or their time is over."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Forfeited:
    """These players left the match for good, together."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchVoided:
    """The operator ended the match without a result."""


MatchEvent = HandCounted | HandWasVoid | Rejoined | Declined | Forfeited | MatchVoided


@dataclass(frozen=True, slots=True)
class MatchState:
    """players: ascending seats. hands: counted ones. offers: who may rejoin before the next hand, coming back at
    `comeback` points. winners: empty while the match goes on, and of a void one. last_in: who was in before the last
    change, for the case that nobody is now.
    """

    format: MatchFormat
    players: tuple[MatchPlayer, ...]
    hands: int = 0
    voids: int = 0
    voids_in_a_row: int = 0
    offers: tuple[int, ...] = ()
    comeback: int = 0
    winners: tuple[int, ...] = ()
    is_void: bool = False

    @property
    def is_over(self) -> bool:
        return self.is_void or bool(self.winners)

    @property
    def outcome(self) -> Outcome:
        """Of a match that is over."""
        if self.is_void:
            return "void"
        return "won" if len(self.winners) == 1 else "shared"

    @property
    def seats_in(self) -> tuple[int, ...]:
        return tuple(player.seat for player in self.players if player.standing is Standing.IN)

    @property
    def tie_break(self) -> bool:
        """Whether the next hand decides between equals."""
        return isinstance(self.format, Deals) and not self.is_over and self.hands >= self.format.deals

    def player(self, seat: int) -> MatchPlayer:
        """Raises KeyError for a seat that plays no part in the match."""
        return {player.seat: player for player in self.players}[seat]


class NotInThisMatch(ValueError):
    """An event that cannot happen where the match stands: the caller's mistake, never a player's."""


def begin(format_: MatchFormat, seats: Iterable[int]) -> MatchState:
    """A fresh match of two or more players, by seat."""
    ascending = sorted(seats)
    if len(ascending) < 2 or len(set(ascending)) != len(ascending):
        raise NotInThisMatch(f"a match of the seats {ascending}")
    score = format_.chips if isinstance(format_, Deals) else 0
    return MatchState(format_, tuple(MatchPlayer(seat, score) for seat in ascending))


def fold(state: MatchState, events: Iterable[MatchEvent]) -> MatchState:
    return reduce(evolve, events, state)


def evolve(state: MatchState, event: MatchEvent) -> MatchState:
    """The match after one event. Raises NotInThisMatch when it cannot happen there."""
    if state.is_over:
        raise NotInThisMatch("the match is over")
    match event:
        case HandCounted(winner, lines):
            return _after_hand(state, winner, lines)
        case HandWasVoid():
            row = state.voids_in_a_row + 1
            return replace(state, voids=state.voids + 1, voids_in_a_row=row, is_void=row >= MOST_VOIDS_IN_A_ROW)
        case Rejoined(seat):
            return _after_rejoin(state, seat)
        case Declined(seats):
            _require(set(seats) <= set(state.offers), f"the seats {seats} have no open offer")
            return replace(state, offers=_without(state.offers, seats))
        case Forfeited(seats):
            return _after_forfeit(state, seats)
        case MatchVoided():
            return replace(state, is_void=True, offers=())
        case _:
            assert_never(event)


def _after_hand(state: MatchState, winner: int, lines: tuple[HandLine, ...]) -> MatchState:
    seats = tuple(line.seat for line in lines)
    _require(seats == state.seats_in, f"a hand of the seats {seats}, and {state.seats_in} are in")
    _require(winner in seats, f"seat {winner} has won a hand that it did not play")
    _require(not state.offers, "a hand while an offer to rejoin stands open")
    counted = {line.seat: match_points(state.format, line) for line in lines if line.seat != winner}
    left = {line.seat for line in lines if line.out is OutBy.LEFT}
    played = replace(state, hands=state.hands + 1, voids_in_a_row=0)
    match state.format:
        case Pool():
            return _after_pool_hand(played, state.format, counted, left)
        case Deals():
            return _after_deal(played, state.format, winner, counted, left)
        case _:
            assert_never(state.format)


def _after_pool_hand(state: MatchState, pool: Pool, counted: dict[int, int], left: set[int]) -> MatchState:
    players = []
    for player in state.players:
        score = player.score + counted.get(player.seat, 0)
        standing = player.standing
        if player.seat in left:
            standing = Standing.LEFT
        elif standing is Standing.IN and score >= pool.limit:
            standing = Standing.OUT
        players.append(replace(player, score=score, standing=standing))
    after = replace(state, players=tuple(players))
    highest = max(player.score for player in after.players if player.standing is Standing.IN)
    may_come_back = len(after.seats_in) > 1 and highest <= pool.rejoin_at_most and after.hands < MOST_HANDS
    fallen = [seat for seat in state.seats_in if after.player(seat).standing is Standing.OUT]
    offers = tuple(seat for seat in fallen if may_come_back and after.player(seat).rejoins < pool.rejoins)
    return _decide(replace(after, offers=offers, comeback=highest + 1 if offers else 0))


def _after_deal(state: MatchState, deals: Deals, winner: int, counted: dict[int, int], left: set[int]) -> MatchState:
    won = sum(counted.values())
    players = tuple(
        replace(
            player,
            score=player.score + (won if player.seat == winner else -counted.get(player.seat, 0)),
            standing=Standing.LEFT if player.seat in left else player.standing,
        )
        for player in state.players
    )
    after = replace(state, players=players)
    if after.hands < deals.deals:
        return _decide(after)
    leaders = _leaders(after, most=True)
    beaten = tuple(
        replace(player, standing=Standing.OUT)
        if player.standing is Standing.IN and player.seat not in leaders
        else player
        for player in players
    )
    return _decide(replace(after, players=beaten))


def _after_rejoin(state: MatchState, seat: int) -> MatchState:
    _require(seat in state.offers, f"seat {seat} has no open offer")
    players = tuple(
        replace(player, score=state.comeback, standing=Standing.IN, rejoins=player.rejoins + 1)
        if player.seat == seat
        else player
        for player in state.players
    )
    return replace(state, players=players, offers=_without(state.offers, (seat,)))


def _after_forfeit(state: MatchState, seats: tuple[int, ...]) -> MatchState:
    still = {*state.seats_in, *state.offers}
    _require(bool(seats) and set(seats) <= still, f"of the seats {seats} some have nothing to forfeit")
    players = tuple(
        replace(player, standing=Standing.LEFT) if player.seat in seats else player for player in state.players
    )
    after = replace(state, players=players, offers=_without(state.offers, seats))
    if not after.seats_in:
        # Everybody who was still in has left at once: nobody of them has beaten another.
        return replace(after, winners=state.seats_in, offers=())
    return _decide(after)


def _decide(state: MatchState) -> MatchState:
    """Whether the match is won where it stands now."""
    seats = state.seats_in
    if len(seats) == 1:
        return replace(state, winners=seats, offers=())
    match state.format:
        case Pool() if state.hands >= MOST_HANDS:
            return replace(state, winners=_leaders(state, most=False), offers=())
        case Deals(deals) if state.hands >= deals + MOST_TIE_BREAKS:
            return replace(state, winners=_leaders(state, most=True))
    return state


def _leaders(state: MatchState, most: bool) -> tuple[int, ...]:
    """Of those who are in, who has the most, or the fewest, ascending."""
    scores = [player.score for player in state.players if player.standing is Standing.IN]
    best = max(scores) if most else min(scores)
    return tuple(seat for seat in state.seats_in if state.player(seat).score == best)


def _without(seats: tuple[int, ...], gone: Collection[int]) -> tuple[int, ...]:
    return tuple(seat for seat in seats if seat not in gone)


def _require(holds: bool, words: str) -> None:
    if not holds:
        raise NotInThisMatch(words)
