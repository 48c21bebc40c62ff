"""What is read of matches: those that go on, for the tables that play them, and ended ones, for everybody."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.json_form import JsonObject
from fairness.match_file import match_file as make_match_file
from server.eventlog.driver import Driver, driver_of
from server.protocol.messages import Player
from server.tables.match_ports import MatchStart, StoredMatch

_NEWEST: Final = """
SELECT m.match_id, m.table_id, m.format, m.buy_in, m.commission_bp
FROM unnest($1::uuid[], $2::bigint[]) AS asked (table_id, after_ms)
CROSS JOIN LATERAL (SELECT * FROM matches WHERE matches.table_id = asked.table_id ORDER BY opened_ms DESC LIMIT 1) AS m
WHERE m.status = 'open' OR m.closed_ms > asked.after_ms
"""
_PLAYERS: Final = """
SELECT match_id, seat, player_id, name, kind = 'bot' AS bot
FROM match_players JOIN players USING (player_id) WHERE match_id = ANY ($1::uuid[]) ORDER BY match_id, seat
"""
_STEPS: Final = """
SELECT match_id, events FROM match_steps WHERE match_id = ANY ($1::uuid[]) ORDER BY match_id, number
"""
_ENDED: Final = """
SELECT match_id, table_id, format, buy_in, commission_bp, outcome, commission
FROM matches WHERE match_id = $1 AND status = 'closed'
"""
_RESULT: Final = """
SELECT seat, player_id, score, standing, staked, delta FROM match_players WHERE match_id = $1 ORDER BY seat
"""
_HANDS: Final = "SELECT hand_id FROM hands WHERE rules ? 'match' AND rules ->> 'match' = $1 ORDER BY hand_no"

Row = Mapping[str, Any]


async def stored_matches(driver: Driver, table_ids: Sequence[UUID], after_ms: Sequence[int]) -> dict[UUID, StoredMatch]:
    """Each table's newest match that goes on, or ended after that time, by table."""
    matches = await driver.fetch(_NEWEST, table_ids, after_ms)
    match_ids = [row["match_id"] for row in matches]
    players: dict[UUID, dict[int, Player]] = {match_id: {} for match_id in match_ids}
    for row in await driver.fetch(_PLAYERS, match_ids):
        players[row["match_id"]][row["seat"]] = Player(player_id=row["player_id"], name=row["name"], bot=row["bot"])
    steps: dict[UUID, list[tuple[Mapping[str, Any], ...]]] = {match_id: [] for match_id in match_ids}
    for row in await driver.fetch(_STEPS, match_ids):
        steps[row["match_id"]].append(tuple(row["events"]))
    return {row["table_id"]: _stored(row, players[row["match_id"]], steps[row["match_id"]]) for row in matches}


def _stored(row: Row, players: Mapping[int, Player], steps: Sequence[tuple[Mapping[str, Any], ...]]) -> StoredMatch:
    start = MatchStart(row["match_id"], row["format"], row["buy_in"], row["commission_bp"])
    return StoredMatch(start, players, tuple(steps))


async def match_file(connection: AsyncConnection, match_id: UUID) -> JsonObject | None:
    """The public file of a match that has ended; None for an unknown one, and while it goes on."""
    driver = await driver_of(connection)
    found = await driver.fetch(_ENDED, match_id)
    if not found:
        return None
    match = found[0]
    steps = await driver.fetch(_STEPS, [match_id])
    hands = await driver.fetch(_HANDS, match_id.hex)
    return make_match_file(
        match_id=match_id.bytes,
        table_id=match["table_id"].bytes,
        format_name=match["format"],
        buy_in=match["buy_in"],
        commission_bp=match["commission_bp"],
        hands=[row["hand_id"].bytes for row in hands],
        events=[event for row in steps for event in row["events"]],
        outcome=match["outcome"],
        commission=match["commission"],
        lines=[{**dict(row), "player_id": row["player_id"].hex} for row in await driver.fetch(_RESULT, match_id)],
    )
