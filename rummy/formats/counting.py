"""What one hand counts for one player of a match. Source: docs/formats.md section 2."""

from dataclasses import dataclass
from typing import assert_never

from rummy.formats.kinds import FULL_COUNT, MatchFormat
from rummy.state import OutBy


@dataclass(frozen=True, slots=True)
class HandLine:
    """One player's part in a hand that was won: the points by the rules of the hand, and why they left it, if so."""

    seat: int
    points: int
    out: OutBy | None = None


def match_points(format_: MatchFormat, line: HandLine) -> int:
    """0 to 80: dropping costs what the format says, everything else the hand's points, at most a full count."""
    match line.out:
        case OutBy.FIRST_DROP:
            return format_.first_drop
        case OutBy.MIDDLE_DROP | OutBy.LEFT | OutBy.MISSED_TURNS:
            return format_.middle_drop
        case OutBy.WRONG_DECLARE:
            return FULL_COUNT
        case None:
            return min(line.points, FULL_COUNT)
        case _:
            assert_never(line.out)
