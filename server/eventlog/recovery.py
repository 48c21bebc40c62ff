"""Taking tables over: a new epoch each, so that the owner before can store nothing more, and how they stood."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from fairness.sealing import SealRing
from fairness.terms import Terms
from rummy.formats.kinds import FormatName
from server.eventlog.customs import load_customs, load_guests
from server.eventlog.driver import Driver, driver_of
from server.eventlog.failure import unavailable
from server.eventlog.fence import hold_writers_off
from server.eventlog.match_queries import stored_matches
from server.eventlog.orders import load_orders
from server.eventlog.rule_map import read_rules
from server.protocol.messages import Player
from server.tables.ports import (
    NO_ORDERS,
    Chair,
    Customs,
    EndedHand,
    EventRow,
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
              t.format, t.buy_in,
              t.last_hand_no, t.dealer, t.created_ms, before.last_alive_ms
)
SELECT taken.*, private.host_id, who.name AS host_name
FROM taken LEFT JOIN private_tables AS private USING (table_id) LEFT JOIN players AS who ON who.player_id = host_id
ORDER BY taken.created_ms, table_id
"""
_CHAIRS: Final = """
SELECT table_id, seat, player_id, name, kind = 'bot' AS bot, sitting_out, leaving, gone
FROM table_chairs JOIN players USING (player_id) WHERE table_id = ANY ($1::uuid[]) ORDER BY table_id, seat
"""
_LIVE_HANDS: Final = """
SELECT hand_id, table_id, terms, rules, commitment, sealed_seed, commit_receipt, hashes_closed, hashes_receipt
FROM hands WHERE status = 'open' AND table_id = ANY ($1::uuid[])
"""
_ENDED_HANDS: Final = """
SELECT h.hand_id, h.table_id, terms, h.rules, commitment, commit_receipt, hashes_receipt, server_seed, h.closed_ms
FROM hands AS h
JOIN unnest($1::uuid[], $2::bigint[], $3::bigint[]) AS last (table_id, hand_no, after_ms)
    ON h.table_id = last.table_id AND h.hand_no = last.hand_no AND h.closed_ms > last.after_ms
WHERE h.status = 'closed'
"""
_PLAYERS: Final = """
SELECT hand_id, seat, player_id, name, kind = 'bot' AS bot
FROM hand_players JOIN players USING (player_id) WHERE hand_id = ANY ($1::uuid[])
"""
_CONTRIBUTIONS: Final = """
SELECT hand_id, seat, hash, nonce, text FROM hand_contributions WHERE hand_id = ANY ($1::uuid[]) ORDER BY hand_id, seat
"""
_EVENTS: Final = """
SELECT hand_id, k, data, head, clock FROM hand_events WHERE hand_id = ANY ($1::uuid[]) ORDER BY hand_id, k
"""

LONGEST_RESULT_MS: Final = 600_000
"""No table shows a result for longer: what ended before is not looked at again."""

Row = Mapping[str, Any]


async def take_over(
    engine: AsyncEngine, node_id: UUID, seals: SealRing, table_id: UUID | None
) -> tuple[StoredTable, ...]:
    """Take over one open table, or every one, oldest first. An unknown or closed table is simply not among them.

    Raises JournalUnavailable, SealBroken when a live hand's seed does not open with these keys.
    """
    with unavailable("the tables could not be taken over now"):
        async with engine.begin() as connection:
            await hold_writers_off(connection, table_id)
            driver = await driver_of(connection)
            return await _load(driver, await driver.fetch(_TAKE, table_id, node_id), seals)


async def _load(driver: Driver, tables: Sequence[Row], seals: SealRing) -> tuple[StoredTable, ...]:
    table_ids = [row["table_id"] for row in tables]
    chairs = _by("table_id", await driver.fetch(_CHAIRS, table_ids))
    customs = await load_customs(driver, table_ids)
    guests = await load_guests(driver, table_ids)
    orders = await load_orders(driver, table_ids)
    hands = await driver.fetch(_LIVE_HANDS, table_ids)
    hand_ids = [row["hand_id"] for row in hands]
    contributions = _by("hand_id", await driver.fetch(_CONTRIBUTIONS, hand_ids))
    events = _by("hand_id", await driver.fetch(_EVENTS, hand_ids))
    live = {
        row["table_id"]: _live_hand(row, contributions.get(row["hand_id"], ()), events.get(row["hand_id"], ()), seals)
        for row in hands
    }
    matches = await stored_matches(driver, table_ids, [row["last_alive_ms"] - LONGEST_RESULT_MS for row in tables])
    ended = await _load_ended(driver, [row for row in tables if row["table_id"] not in live])
    return tuple(
        StoredTable(
            _config(row),
            row["epoch"],
            tuple(_chair(chair) for chair in chairs.get(row["table_id"], ())),
            row["last_hand_no"],
            row["dealer"],
            live.get(row["table_id"]),
            row["last_alive_ms"],
            ended.get(row["table_id"]),
            customs.get(row["table_id"], Customs()),
            guests.get(row["table_id"], frozenset()),
            matches.get(row["table_id"]),
            orders.get(row["table_id"], NO_ORDERS),
        )
        for row in tables
    )


async def _load_ended(driver: Driver, tables: Sequence[Row]) -> dict[UUID, EndedHand]:
    """The newest hand of each of these tables, where its result may still have been shown."""
    hands = await driver.fetch(
        _ENDED_HANDS,
        [row["table_id"] for row in tables],
        [row["last_hand_no"] for row in tables],
        [row["last_alive_ms"] - LONGEST_RESULT_MS for row in tables],
    )
    hand_ids = [row["hand_id"] for row in hands]
    players = _by("hand_id", await driver.fetch(_PLAYERS, hand_ids))
    events = _by("hand_id", await driver.fetch(_EVENTS, hand_ids))
    return {
        row["table_id"]: EndedHand(
            Terms.decode(row["terms"], row["rules"]),
            row["commitment"],
            row["commit_receipt"],
            row["hashes_receipt"],
            tuple(map(_event_row, events.get(row["hand_id"], ()))),
            row["server_seed"],
            row["closed_ms"],
            {each["seat"]: _player(each) for each in players[row["hand_id"]]},
        )
        for row in hands
    }


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
        None if row["host_id"] is None else Player(player_id=row["host_id"], name=row["host_name"]),
        FormatName(row["format"]),
        row["buy_in"],
    )


def _chair(row: Row) -> Chair:
    return Chair(row["seat"], _player(row), row["sitting_out"], row["leaving"], row["gone"])


def _player(row: Row) -> Player:
    return Player(player_id=row["player_id"], name=row["name"], bot=row["bot"])


def _event_row(row: Row) -> EventRow:
    return EventRow(row["k"], row["data"], row["head"], row["clock"])


def _live_hand(row: Row, contributions: Sequence[Row], events: Sequence[Row], seals: SealRing) -> LiveHand:
    terms = Terms.decode(row["terms"], row["rules"])
    return LiveHand(
        terms,
        row["commitment"],
        row["commit_receipt"],
        row["hashes_closed"],
        tuple(StoredContribution(each["seat"], each["hash"], each["nonce"], each["text"]) for each in contributions),
        tuple(map(_event_row, events)),
        seals.unseal(row["sealed_seed"], terms.hand_id, row["commitment"]),
        row["hashes_receipt"],
    )
