"""What closed hands say about pairs of players and about each player's pace, added up hand by hand, each hand once.

It reads what the journal has: who won how much from whom, which discards the next player took, how long moves took. All
of it is one transaction for a few hundred hands, and how far it came is part of that transaction.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.events import Declared, Discarded, DrewFromPile, DrewFromStock

BATCH: Final = 500
"""Hands of one transaction: some 20,000 events."""
LONGEST_THOUGHT_MS: Final = 60_000
"""Whoever takes longer is not thinking, but away."""

_PROGRESS: Final = text("SELECT next_leaf FROM integrity_progress FOR UPDATE")
_UNTIL: Final = text(
    "SELECT count(*) AS hands, max(close_leaf) + 1 AS next_leaf FROM"
    " (SELECT close_leaf FROM hands WHERE close_leaf >= :from_leaf ORDER BY close_leaf LIMIT :most) ended"
)
_ADVANCE: Final = text("UPDATE integrity_progress SET next_leaf = :next_leaf, looked_ms = :at_ms")

# A hand's winner is who has no points; the losers' points go to them. Void hands say nothing.
_PAIRS: Final = text("""
WITH seats AS (
    SELECT h.hand_id, h.asset, p.player_id, p.points, p.delta
    FROM hands h JOIN hand_players p USING (hand_id)
    WHERE h.close_leaf >= :from_leaf AND h.close_leaf < :next_leaf AND h.outcome <> 'void'
), met AS (
    SELECT a.asset, a.player_id AS first_id, b.player_id AS second_id,
           CASE WHEN a.points = 0 THEN b.points WHEN b.points = 0 THEN -a.points ELSE 0 END AS flow,
           CASE WHEN a.points = 0 THEN -b.delta WHEN b.points = 0 THEN a.delta ELSE 0 END AS units
    FROM seats a JOIN seats b ON a.hand_id = b.hand_id AND a.player_id < b.player_id
)
INSERT INTO integrity_pairs AS known (asset, first_id, second_id, hands, flow_points, flow_squares, flow_units)
SELECT asset, first_id, second_id, count(*), sum(flow), sum(flow * flow), sum(units) FROM met GROUP BY 1, 2, 3
ORDER BY 1, 2, 3
ON CONFLICT (asset, first_id, second_id) DO UPDATE SET
    hands = known.hands + excluded.hands, flow_points = known.flow_points + excluded.flow_points,
    flow_squares = known.flow_squares + excluded.flow_squares, flow_units = known.flow_units + excluded.flow_units
""")

# An event's type is its first byte, its time the next eight, its seat the tenth, and `auto` the eleventh.
_MOVES: Final = """
WITH events AS (
    SELECT h.hand_id, h.asset, e.k, get_byte(e.data, 0) AS kind, get_byte(e.data, 9) AS seat,
           length(e.data) > 10 AND get_byte(e.data, 10) = 1 AS flag,
           (get_byte(e.data, 3)::bigint << 40) + (get_byte(e.data, 4)::bigint << 32)
               + (get_byte(e.data, 5)::bigint << 24) + (get_byte(e.data, 6) << 16) + (get_byte(e.data, 7) << 8)
               + get_byte(e.data, 8) AS at_ms
    FROM hands h JOIN hand_events e USING (hand_id)
    WHERE h.close_leaf >= :from_leaf AND h.close_leaf < :next_leaf
), moves AS (
    SELECT *, lead(kind) OVER hand AS next_kind, lead(seat) OVER hand AS next_seat, lead(flag) OVER hand AS next_flag,
           lag(at_ms) OVER hand AS before_ms
    FROM events WINDOW hand AS (PARTITION BY hand_id ORDER BY k)
)
"""
_FEEDS: Final = text(f"""{_MOVES}
INSERT INTO integrity_feeds AS known (asset, feeder_id, taker_id, discards, taken)
SELECT m.asset, feeder.player_id, taker.player_id, count(*), count(*) FILTER (WHERE m.next_kind = {DrewFromPile.TYPE})
FROM moves m
JOIN hand_players feeder ON feeder.hand_id = m.hand_id AND feeder.seat = m.seat
JOIN hand_players taker ON taker.hand_id = m.hand_id AND taker.seat = m.next_seat
WHERE m.kind = {Discarded.TYPE} AND m.next_kind IN ({DrewFromStock.TYPE}, {DrewFromPile.TYPE})
  AND NOT m.flag AND NOT m.next_flag
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
ON CONFLICT (asset, feeder_id, taker_id) DO UPDATE SET
    discards = known.discards + excluded.discards, taken = known.taken + excluded.taken
""")  # noqa: S608
_PACES: Final = text(f"""{_MOVES}
INSERT INTO integrity_paces AS known (player_id, moves, sum_ms, sum_squares)
SELECT mover.player_id, count(*), sum(m.at_ms - m.before_ms), sum(((m.at_ms - m.before_ms) ^ 2)::double precision)
FROM moves m JOIN hand_players mover ON mover.hand_id = m.hand_id AND mover.seat = m.seat
WHERE (m.kind IN ({DrewFromStock.TYPE}, {DrewFromPile.TYPE}, {Discarded.TYPE}) AND NOT m.flag
       OR m.kind = {Declared.TYPE})
  AND m.at_ms - m.before_ms BETWEEN 1 AND :longest_ms
GROUP BY 1 ORDER BY 1
ON CONFLICT (player_id) DO UPDATE SET
    moves = known.moves + excluded.moves, sum_ms = known.sum_ms + excluded.sum_ms,
    sum_squares = known.sum_squares + excluded.sum_squares
""")  # noqa: S608


@dataclass(frozen=True, slots=True)
class Counted:
    """hands: of this batch; 0 when every closed hand is counted."""

    hands: int


async def count_next(connection: AsyncConnection, at_ms: int, most: int = BATCH) -> Counted:
    """Count the oldest hands that were not, at most so many. The caller commits."""
    from_leaf = (await connection.execute(_PROGRESS)).scalar_one()
    batch = (await connection.execute(_UNTIL, {"from_leaf": from_leaf, "most": most})).one()
    if batch.hands:
        leaves = {"from_leaf": from_leaf, "next_leaf": batch.next_leaf}
        await connection.execute(_PAIRS, leaves)
        await connection.execute(_FEEDS, leaves)
        await connection.execute(_PACES, leaves | {"longest_ms": LONGEST_THOUGHT_MS})
    await connection.execute(_ADVANCE, {"next_leaf": batch.next_leaf or from_leaf, "at_ms": at_ms})
    return Counted(batch.hands)
