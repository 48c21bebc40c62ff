"""Taking tables over: a new epoch each, so that the owner before can store nothing more, and how they stood."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from fairness.sealing import SealRing
from fairness.terms import Terms
from server.eventlog.driver import Driver, driver_of
from server.eventlog.failure import Failure, failure_of
from server.eventlog.fence import hold_writers_off
from server.eventlog.rule_map import read_rules
from server.protocol.messages import Player
from server.tables.ports import (
    Chair,
    EventRow,
    JournalUnavailable,
    LiveHand,
    StoredContribution,
    StoredTable,
    TableConfig,
)

_TAKE: Final = """
WITH before AS (
    SELECT t.table_id, coalesce(n.last_alive_ms, t.created_ms) AS last_alive_ms
    FROM tables AS t LEFT JOIN journal_nodes AS n ON n.node_id = t.owner
    WHERE t.status = 'open' AND ($1::uuid IS NULL OR t.table_id = $1)
), taken AS (
    UPDATE tables AS t SET epoch = epoch + 1, owner = $2 FROM before WHERE t.table_id = before.table_id
    RETURNING t.table_id, t.name, t.asset, t.practice, t.seat_count, t.rate, t.commission_bp, t.rules, t.epoch,
              t.last_hand_no, t.dealer, t.created_ms, before.last_alive_ms
)
SELECT * FROM taken ORDER BY created_ms, table_id
"""
_CHAIRS: Final = """
SELECT table_id, seat, player_id, name, kind = 'bot' AS bot, sitting_out, leaving, gone
FROM table_chairs JOIN players USING (player_id) WHERE table_id = ANY ($1::uuid[]) ORDER BY table_id, seat
"""
_LIVE_HANDS: Final = """
SELECT hand_id, table_id, terms, rules, commitment, sealed_seed, commit_receipt, hashes_closed, hashes_receipt
FROM hands WHERE status = 'open' AND table_id = ANY ($1::uuid[])
"""
_CONTRIBUTIONS: Final = """
SELECT hand_id, seat, hash, nonce, text FROM hand_contributions WHERE hand_id = ANY ($1::uuid[]) ORDER BY hand_id, seat
"""
_EVENTS: Final = """
SELECT hand_id, k, data, head, clock FROM hand_events WHERE hand_id = ANY ($1::uuid[]) ORDER BY hand_id, k
"""

Row = Mapping[str, Any]


async def take_over(
    engine: AsyncEngine, node_id: UUID, seals: SealRing, table_id: UUID | None
) -> tuple[StoredTable, ...]:
    """Take over one open table, or every one, oldest first. An unknown or closed table is simply not among them.

    Raises JournalUnavailable, SealBroken when a live hand's seed does not open with these keys.
    """
    try:
        async with engine.begin() as connection:
            await hold_writers_off(connection, table_id)
            driver = await driver_of(connection)
            return await _load(driver, await driver.fetch(_TAKE, table_id, node_id), seals)
    except Exception as error:
        if failure_of(error, connection_closed=False) is Failure.REFUSED:
            raise
        raise JournalUnavailable("the tables could not be taken over now") from error


async def _load(driver: Driver, tables: Sequence[Row], seals: SealRing) -> tuple[StoredTable, ...]:
    table_ids = [row["table_id"] for row in tables]
    chairs = _by("table_id", await driver.fetch(_CHAIRS, table_ids))
    hands = await driver.fetch(_LIVE_HANDS, table_ids)
    hand_ids = [row["hand_id"] for row in hands]
    contributions = _by("hand_id", await driver.fetch(_CONTRIBUTIONS, hand_ids))
    events = _by("hand_id", await driver.fetch(_EVENTS, hand_ids))
    live = {
        row["table_id"]: _live_hand(row, contributions.get(row["hand_id"], ()), events.get(row["hand_id"], ()), seals)
        for row in hands
    }
    return tuple(
        StoredTable(
            _config(row),
            row["epoch"],
            tuple(_chair(chair) for chair in chairs.get(row["table_id"], ())),
            row["last_hand_no"],
            row["dealer"],
            live.get(row["table_id"]),
            row["last_alive_ms"],
        )
        for row in tables
    )


def _by(column: str, rows: Sequence[Row]) -> dict[UUID, list[Row]]:
    groups: dict[UUID, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[column], []).append(row)
    return groups


def _config(row: Row) -> TableConfig:
    return TableConfig(
        row["table_id"],
        row["name"],
        row["asset"],
        row["practice"],
        row["rate"],
        row["commission_bp"],
        read_rules(row["seat_count"], row["rules"]),
    )


def _chair(row: Row) -> Chair:
    player = Player(player_id=row["player_id"], name=row["name"], bot=row["bot"])
    return Chair(row["seat"], player, row["sitting_out"], row["leaving"], row["gone"])


def _live_hand(row: Row, contributions: Sequence[Row], events: Sequence[Row], seals: SealRing) -> LiveHand:
    terms = Terms.decode(row["terms"], row["rules"])
    return LiveHand(
        terms,
        row["commitment"],
        row["commit_receipt"],
        row["hashes_closed"],
        tuple(StoredContribution(each["seat"], each["hash"], each["nonce"], each["text"]) for each in contributions),
        tuple(EventRow(each["k"], each["data"], each["head"], each["clock"]) for each in events),
        seals.unseal(row["sealed_seed"], terms.hand_id, row["commitment"]),
        row["hashes_receipt"],
    )
