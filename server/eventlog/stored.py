"""What is stored about the tables and hands of a batch, read in one query, and more only for calls made again.

Under the lock of the node's own row nobody else writes for these tables, so what is read here holds until commit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from server.eventlog.driver import Driver
from server.eventlog.units import (
    AppendEvents,
    CloseHashes,
    OpenHand,
    RecordHash,
    RecordReveal,
    SaveChairs,
    StepMatch,
    TableUnit,
)
from server.tables.ports import StoredContribution

_LOOK: Final = """
SELECT asked.table_id, asked.hand_id, t.epoch, t.owner, t.status AS table_status, t.last_hand_no,
       h.table_id AS hand_table, h.status AS hand_status, h.terms_hash, h.commitment, h.asset, h.hashes_closed,
       (SELECT max(k) FROM hand_events AS e WHERE e.hand_id = h.hand_id) AS last_k
FROM unnest($1::uuid[], $2::uuid[]) AS asked (table_id, hand_id)
JOIN tables AS t USING (table_id)
LEFT JOIN hands AS h ON h.hand_id = asked.hand_id
"""
_CONTRIBUTIONS: Final = """
SELECT hand_id, seat, hash, nonce, text FROM hand_contributions WHERE hand_id = ANY ($1::uuid[])
"""
_HEADS: Final = """
SELECT e.hand_id, e.k, e.head
FROM unnest($1::uuid[], $2::int[], $3::int[]) AS asked (hand_id, first_k, last_k)
JOIN hand_events AS e ON e.hand_id = asked.hand_id AND e.k BETWEEN asked.first_k AND asked.last_k
"""
_MATCHES: Final = """
SELECT m.match_id, m.table_id, m.asset, m.status, s.events,
       (SELECT count(*)::int FROM match_steps AS every WHERE every.match_id = m.match_id) AS step_count
FROM unnest($1::uuid[], $2::int[]) AS asked (match_id, number)
JOIN matches AS m USING (match_id)
LEFT JOIN match_steps AS s ON s.match_id = m.match_id AND s.number = asked.number
"""
_RECEIPTS: Final = "SELECT hand_id, commit_receipt FROM hands WHERE hand_id = ANY ($1::uuid[])"


@dataclass(frozen=True, slots=True)
class StoredHand:
    """contributions: by seat, read for contribution units only. heads: by k, read for events sent again only."""

    table_id: UUID
    is_open: bool
    terms_hash: bytes
    commitment: bytes
    asset: str
    hashes_closed: bool
    next_k: int
    contributions: Mapping[int, StoredContribution] = field(default_factory=dict, repr=False)
    heads: Mapping[int, bytes] = field(default_factory=dict)
    commit_receipt: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class StandingMatch:
    """A match as a step between hands finds it. events: what is stored under the step's number, None if nothing is."""

    table_id: UUID
    asset: str
    is_open: bool
    step_count: int
    events: Sequence[Mapping[str, Any]] | None


@dataclass(frozen=True, slots=True)
class Stored:
    """Where one unit's table stands, and its hand if there is one yet. match: of a unit that is a step of one."""

    epoch: int
    owner: UUID | None
    table_is_open: bool
    last_hand_no: int
    hand: StoredHand | None
    match: StandingMatch | None = None


async def look_up(driver: Driver, units: Sequence[TableUnit]) -> dict[UUID, Stored]:
    """How the tables of these units stand, by table; at most one unit a table. Unknown tables are left out."""
    rows = await driver.fetch(_LOOK, [unit.table_id for unit in units], [_hand_of(unit) for unit in units])
    last_k = {row["hand_id"]: row["last_k"] for row in rows if row["hand_table"] is not None}
    contributions = await _contributions(driver, units)
    heads = await _heads_sent_again(driver, units, last_k)
    receipts = await _receipts_asked_again(driver, units, last_k)
    matches = await _matches(driver, units)
    return {
        row["table_id"]: Stored(
            row["epoch"],
            row["owner"],
            row["table_status"] == "open",
            row["last_hand_no"],
            _hand(row, contributions, heads, receipts),
            matches.get(row["table_id"]),
        )
        for row in rows
    }


def _hand_of(unit: TableUnit) -> UUID | None:
    return None if isinstance(unit, SaveChairs | StepMatch) else unit.hand_id


def _hand(
    row: Mapping[str, Any],
    contributions: Mapping[UUID, Mapping[int, StoredContribution]],
    heads: Mapping[UUID, Mapping[int, bytes]],
    receipts: Mapping[UUID, Mapping[str, Any]],
) -> StoredHand | None:
    if row["hand_table"] is None:
        return None
    hand_id = row["hand_id"]
    return StoredHand(
        row["hand_table"],
        row["hand_status"] == "open",
        row["terms_hash"],
        row["commitment"],
        row["asset"],
        row["hashes_closed"],
        0 if row["last_k"] is None else row["last_k"] + 1,
        contributions.get(hand_id, {}),
        heads.get(hand_id, {}),
        receipts.get(hand_id),
    )


async def _contributions(driver: Driver, units: Sequence[TableUnit]) -> dict[UUID, dict[int, StoredContribution]]:
    hand_ids = [unit.hand_id for unit in units if isinstance(unit, RecordHash | RecordReveal | CloseHashes)]
    found: dict[UUID, dict[int, StoredContribution]] = {}
    if hand_ids:
        for row in await driver.fetch(_CONTRIBUTIONS, hand_ids):
            contribution = StoredContribution(row["seat"], row["hash"], row["nonce"], row["text"])
            found.setdefault(row["hand_id"], {})[contribution.seat] = contribution
    return found


async def _matches(driver: Driver, units: Sequence[TableUnit]) -> dict[UUID, StandingMatch]:
    """The matches of the units that are steps of one, by the unit's table."""
    steps = {unit.step.match_id: unit for unit in units if isinstance(unit, StepMatch)}
    if not steps:
        return {}
    rows = await driver.fetch(_MATCHES, list(steps), [unit.step.number for unit in steps.values()])
    return {
        steps[row["match_id"]].table_id: StandingMatch(
            row["table_id"], row["asset"], row["status"] == "open", row["step_count"], row["events"]
        )
        for row in rows
    }


async def _heads_sent_again(
    driver: Driver, units: Sequence[TableUnit], last_k: Mapping[UUID, int | None]
) -> dict[UUID, dict[int, bytes]]:
    again = [
        (unit.hand_id, unit.rows[0].k, unit.rows[-1].k)
        for unit in units
        if isinstance(unit, AppendEvents) and _comes_again(unit, last_k.get(unit.hand_id))
    ]
    found: dict[UUID, dict[int, bytes]] = {}
    if again:
        hand_ids, first, last = zip(*again, strict=True)
        for row in await driver.fetch(_HEADS, hand_ids, first, last):
            found.setdefault(row["hand_id"], {})[row["k"]] = row["head"]
    return found


def _comes_again(unit: AppendEvents, last_k: int | None) -> bool:
    return last_k is not None and unit.rows[0].k <= last_k


async def _receipts_asked_again(
    driver: Driver, units: Sequence[TableUnit], known: Mapping[UUID, object]
) -> dict[UUID, Mapping[str, Any]]:
    again = [unit.hand_id for unit in units if isinstance(unit, OpenHand) and unit.hand_id in known]
    if not again:
        return {}
    return {row["hand_id"]: row["commit_receipt"] for row in await driver.fetch(_RECEIPTS, again)}
