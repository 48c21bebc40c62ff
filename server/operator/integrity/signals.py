"""From what was counted to signals: who stands out, by how much, and on what evidence.

A score is how many usual spreads something lies from what was to be expected, so that all kinds are read alike. Above
ALARM_SCORE a signal is an alarm: among twenty thousand honest pairs chance alone comes that far less than once in a
hundred times. Nothing here judges anybody: a signal is a reason to look at hands.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection

ALARM_SCORE: Final = 5.0
WATCH_SCORE: Final = 3.0
"""Below it nothing is kept."""
LEAST_HANDS: Final = 10
"""Hands of both before a pair's flow says anything."""
LEAST_DISCARDS: Final = 40
LEAST_MOVES: Final = 300
MOST_SIGNALS: Final = 500
"""Of one kind."""
CAREFUL_HANDS: Final = 40
"""What others' results weigh before they are believed: so many hands in which nobody wins or loses."""
MOST_SHARERS: Final = 20
"""Accounts behind one address, or in one browser, beyond which it tells nothing."""
HUMAN_SPREAD: Final = 0.6
"""The spread of people's thinking times over their mean; a program's is far smaller."""
SPREAD_OF_SPREADS: Final = 0.06


class SignalKind(StrEnum):
    ONE_SIDED_FLOW = "one_sided_flow"
    """player_ids: who gains, who loses."""
    SOFT_PLAY = "soft_play"
    """player_ids: who feeds, who takes."""
    SHARED_DEVICE = "shared_device"
    MACHINE_TIMING = "machine_timing"


_STORE: Final = """
INSERT INTO integrity_signals AS known
    (signal_id, kind, asset, player_ids, score, alarm, evidence, first_ms, updated_ms)
SELECT gen_random_uuid(), '{kind}', asset, player_ids, score, {alarm}, evidence, :at_ms, :at_ms FROM found
WHERE score >= :watch_score ORDER BY score DESC LIMIT :most
ON CONFLICT (kind, asset, player_ids) DO UPDATE SET
    score = excluded.score, alarm = excluded.alarm, evidence = excluded.evidence, updated_ms = excluded.updated_ms
"""

# What a pair's hands were to bring: half the difference of what each brings home a hand against everybody else. How far
# chance may lead from there: the spread of one hand between any two players, over the root of their hands.
_FLOW: Final = """
WITH sides AS (
    SELECT asset, first_id AS player_id, second_id AS other_id, hands, flow_points AS flow, flow_units AS units
    FROM integrity_pairs
    UNION ALL
    SELECT asset, second_id, first_id, hands, -flow_points, -flow_units FROM integrity_pairs
), players AS (
    SELECT asset, player_id, sum(hands) AS hands, sum(flow) AS flow FROM sides GROUP BY 1, 2
), spreads AS (
    SELECT asset, sqrt(sum(flow_squares)::double precision / sum(hands)) AS spread FROM integrity_pairs GROUP BY 1
), judged AS (
    SELECT s.asset, s.player_id, s.other_id, s.hands, s.flow, s.units, p.spread * sqrt(s.hands) AS spread,
           s.hands / 2.0 * ((mine.flow - s.flow) / (mine.hands - s.hands + :careful)
                            - (other.flow + s.flow) / (other.hands - s.hands + :careful)) AS expected
    FROM sides s JOIN spreads p USING (asset)
    JOIN players mine ON mine.asset = s.asset AND mine.player_id = s.player_id
    JOIN players other ON other.asset = s.asset AND other.player_id = s.other_id
    WHERE s.hands >= :least AND s.flow > 0 AND p.spread > 0
), found AS (
    SELECT asset, ARRAY[player_id, other_id] AS player_ids, ((flow - expected) / spread)::double precision AS score,
           jsonb_build_object('hands', hands, 'flow_points', flow, 'flow_units', units, 'expected_points',
                              round(expected), 'spread_points', round(spread::numeric)) AS evidence
    FROM judged
)
"""

# How often a discard is taken depends on who takes and on who throws; a pair is held against both of them with others.
_SOFT: Final = """
WITH takers AS (
    SELECT asset, taker_id, sum(discards) AS discards, sum(taken) AS taken FROM integrity_feeds GROUP BY 1, 2
), feeders AS (
    SELECT asset, feeder_id, sum(discards) AS discards, sum(taken) AS taken FROM integrity_feeds GROUP BY 1, 2
), every AS (
    SELECT asset, sum(taken)::double precision / sum(discards) AS share FROM integrity_feeds GROUP BY 1
), judged AS (
    SELECT f.asset, f.feeder_id, f.taker_id, f.discards, f.taken, least(0.95, greatest(0.01,
               (t.taken - f.taken + :careful * e.share) / (t.discards - f.discards + :careful)
               * (g.taken - f.taken + :careful * e.share) / (g.discards - f.discards + :careful) / e.share)) AS share
    FROM integrity_feeds f JOIN every e USING (asset) JOIN takers t USING (asset, taker_id)
    JOIN feeders g USING (asset, feeder_id)
    WHERE f.discards >= :least AND e.share > 0
), found AS (
    SELECT asset, ARRAY[feeder_id, taker_id] AS player_ids,
           ((taken - discards * share) / sqrt(discards * share * (1 - share)))::double precision AS score,
           jsonb_build_object('discards', discards, 'taken', taken, 'expected', round((discards * share)::numeric, 1))
               AS evidence
    FROM judged
)
"""

# Two accounts of one browser at one table are an alarm; an address is shared by households and whole networks. One that
# too many share is a proxy's, and says nothing.
_SHARED: Final = """
WITH places AS (
    SELECT DISTINCT s.player_id, p.place, p.device
    FROM sessions s JOIN players who USING (player_id)
    CROSS JOIN LATERAL (VALUES (s.device_id::text, true), (nullif(s.address, ''), false)) p (place, device)
    WHERE p.place IS NOT NULL AND who.role = 'player'
), telling AS (
    SELECT place, device FROM places GROUP BY 1, 2 HAVING count(*) BETWEEN 2 AND :most_sharers
), joined AS (
    SELECT a.player_id AS first_id, b.player_id AS second_id, bool_or(a.device) AS device
    FROM telling t JOIN places a USING (place, device) JOIN places b USING (place, device)
    WHERE a.player_id < b.player_id GROUP BY 1, 2
), found AS (
    SELECT p.asset, ARRAY[p.first_id, p.second_id] AS player_ids,
           (CASE WHEN j.device THEN 5 ELSE 3 END + least(4, ln(p.hands)))::double precision AS score, j.device,
           jsonb_build_object('hands', p.hands, 'device', j.device, 'address', NOT j.device) AS evidence
    FROM joined j JOIN integrity_pairs p USING (first_id, second_id)
)
"""

# Declared bots are bots; whoever else moves as evenly as one is looked at.
_TIMING: Final = """
WITH judged AS (
    SELECT t.player_id, t.moves, t.sum_ms::double precision / t.moves AS mean_ms,
           sqrt(greatest(0, t.sum_squares / t.moves - (t.sum_ms::double precision / t.moves) ^ 2)) AS spread_ms
    FROM integrity_paces t JOIN players who USING (player_id) WHERE t.moves >= :least AND who.kind <> 'bot'
), found AS (
    SELECT NULL::text AS asset, ARRAY[player_id] AS player_ids,
           ((:human_spread - spread_ms / mean_ms) / :spread_of_spreads)::double precision AS score,
           jsonb_build_object('moves', moves, 'mean_ms', round(mean_ms), 'spread_ms', round(spread_ms)) AS evidence
    FROM judged
)
"""

_FADE: Final = text("UPDATE integrity_signals SET alarm = false WHERE alarm AND updated_ms < :at_ms")


def _statement(kind: SignalKind, found: str, alarm: str = "score >= :alarm_score") -> TextClause:
    return text(found + _STORE.format(kind=kind.value, alarm=alarm))


_ASSESSED: Final[tuple[tuple[TextClause, dict[str, float]], ...]] = (
    (_statement(SignalKind.ONE_SIDED_FLOW, _FLOW), {"least": LEAST_HANDS, "careful": CAREFUL_HANDS}),
    (_statement(SignalKind.SOFT_PLAY, _SOFT), {"least": LEAST_DISCARDS, "careful": CAREFUL_HANDS}),
    (_statement(SignalKind.SHARED_DEVICE, _SHARED, alarm="device"), {"most_sharers": MOST_SHARERS}),
    (
        _statement(SignalKind.MACHINE_TIMING, _TIMING),
        {"least": LEAST_MOVES, "human_spread": HUMAN_SPREAD, "spread_of_spreads": SPREAD_OF_SPREADS},
    ),
)


@dataclass(frozen=True, slots=True)
class Assessed:
    signals: int


async def assess(connection: AsyncConnection, at_ms: int) -> Assessed:
    """Judge everybody by what was counted so far; what does not stand out any more is no alarm. The caller commits."""
    stored = 0
    for statement, values in _ASSESSED:
        limits: dict[str, float] = {"at_ms": at_ms, "watch_score": WATCH_SCORE, "most": MOST_SIGNALS}
        if "alarm_score" in statement.text:
            limits["alarm_score"] = ALARM_SCORE
        stored += (await connection.execute(statement, limits | values)).rowcount
    await connection.execute(_FADE, {"at_ms": at_ms})
    return Assessed(stored)
