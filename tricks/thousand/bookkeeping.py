"""What a deal does to the scores of a game: bids, zeros, write-offs, the barrel, the win (sections 6 to 8)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tricks.thousand.bidding import STEP
from tricks.thousand.scoring import SEATS

WRITE_OFF_POINTS: Final = 60
FINE: Final = 120
MARKS_PER_FINE: Final = 3
BARREL: Final = 880
BARREL_DEALS: Final = 3
OFF_THE_BARREL: Final = 760
WINNING_SCORE: Final = 1000


def rounded(points: int) -> int:
    """To the nearest multiple of 5; no tie is possible between whole numbers."""
    return (points + 2) // STEP * STEP


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """zeros, write_offs: marks since the last fine. barrel: deals left on it, None when not on it."""

    score: int
    zeros: int = 0
    write_offs: int = 0
    barrel: int | None = None


@dataclass(frozen=True, slots=True)
class DealEnd:
    """What was played for. took: points by seat; means nothing when the declarer wrote the deal off."""

    declarer: int
    bid: int
    took: tuple[int, ...]
    wrote_off: bool = False


@dataclass(frozen=True, slots=True)
class Settlement:
    """points: of the deal by seat, before fines and barrel. winner: who has won the game, if anybody."""

    points: tuple[int, ...]
    after: tuple[PlayerScore, ...]
    winner: int | None


def settle(players: Sequence[PlayerScore], end: DealEnd) -> Settlement:
    """A deal's bookkeeping, in the order of section 8."""
    points = tuple(_points(end, seat) for seat in range(SEATS))
    scored = [_with_points(players[seat], end, seat, points[seat]) for seat in range(SEATS)]
    winner = _winner(scored, end.declarer)
    after = tuple(_with_barrel(players[seat], scored[seat]) for seat in range(SEATS))
    return Settlement(points, after, winner)


def _points(end: DealEnd, seat: int) -> int:
    if end.wrote_off:
        return 0 if seat == end.declarer else WRITE_OFF_POINTS
    if seat == end.declarer:
        return end.bid if end.took[seat] >= end.bid else -end.bid
    return rounded(end.took[seat])


def _with_points(player: PlayerScore, end: DealEnd, seat: int, points: int) -> PlayerScore:
    """Steps 1 and 2: points, of which a player on the barrel gets only their own bid, and fines."""
    is_declarer = seat == end.declarer
    counted = points if is_declarer or player.barrel is None else 0
    zeros = player.zeros + (not is_declarer and not end.wrote_off and points == 0)
    write_offs = player.write_offs + (is_declarer and end.wrote_off)
    fines = (zeros == MARKS_PER_FINE) + (write_offs == MARKS_PER_FINE)
    return replace(
        player,
        score=player.score + counted - FINE * fines,
        zeros=zeros % MARKS_PER_FINE,
        write_offs=write_offs % MARKS_PER_FINE,
    )


def _winner(scored: Sequence[PlayerScore], declarer: int) -> int | None:
    """Step 3: the declarer before the others, then the higher score, then the nearer one clockwise."""
    there = [seat for seat in range(SEATS) if scored[seat].score >= WINNING_SCORE]
    if not there:
        return None
    if declarer in there:
        return declarer
    return max(there, key=lambda seat: (scored[seat].score, -((seat - declarer) % SEATS)))


def _with_barrel(before: PlayerScore, scored: PlayerScore) -> PlayerScore:
    """Steps 4 and 5."""
    if before.barrel is None or scored.score >= WINNING_SCORE:
        mounts = BARREL <= scored.score < WINNING_SCORE
        return replace(scored, score=BARREL, barrel=BARREL_DEALS) if mounts else replace(scored, barrel=None)
    if scored.score < BARREL:
        return replace(scored, barrel=None)
    if before.barrel == 1:
        return replace(scored, score=OFF_THE_BARREL, barrel=None)
    return replace(scored, score=BARREL, barrel=before.barrel - 1)
