"""What a table gives its journal to keep of a match, and finds again. The journal knows no format: it keeps steps."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from server.protocol.messages import Player

MatchOutcome = Literal["won", "shared", "void"]
StandingWord = Literal["in", "out", "left"]


@dataclass(frozen=True, slots=True)
class MatchStart:
    """A match that begins with its first hand, for that hand's players. buy_in: token units, held for each of them."""

    match_id: UUID
    format: str
    buy_in: int
    commission_bp: int


@dataclass(frozen=True, slots=True)
class Rejoin:
    """One more buy-in, held for a player who comes back. rejoin_id: names this hold for ever."""

    rejoin_id: UUID
    player_id: UUID
    units: int


@dataclass(frozen=True, slots=True)
class MatchEndLine:
    """staked, delta: token units; all lines and the commission sum to zero."""

    seat: int
    player_id: UUID
    score: int
    standing: StandingWord
    staked: int
    delta: int


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """How a match ended: its tokens move and its holds end with it. void: every buy-in goes back."""

    outcome: MatchOutcome
    lines: tuple[MatchEndLine, ...]
    commission: int


@dataclass(frozen=True, slots=True)
class MatchStep:
    """What happened in a match, stored whole or not at all. number: from 0 without a gap. events: as JSON."""

    match_id: UUID
    number: int
    at_ms: int
    events: tuple[Mapping[str, Any], ...]
    rejoin: Rejoin | None = None
    end: MatchEnd | None = None


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """A match that goes on. players: by seat, as it began. steps: the events of each step, in order."""

    start: MatchStart
    players: Mapping[int, Player]
    steps: tuple[tuple[Mapping[str, Any], ...], ...]
