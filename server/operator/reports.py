"""Closing a day: what it brought by format and rate, what was still held at its end, and who signed it off.

The figures are the ledger's, counted when asked for. What was signed off is kept beside them only so that everybody can
see that they are still the same.
"""

import json
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.operator.figures import DAY_MS
from wallet.accounts import Asset

LATE_MS: Final = 60_000
"""An entry is stamped before it is stored: so long after its end a day is complete."""
MAX_PAGE: Final = 200


@dataclass(frozen=True, slots=True)
class DayRow:
    """One format at one rate (units a point; 0 in matches). settled: hands or matches that moved tokens."""

    format: str
    rate: int
    hands: int
    voids: int
    settled: int
    turnover: int
    commission: int


@dataclass(frozen=True, slots=True)
class AssetDay:
    """One asset's day, in units.

    granted: brought into circulation; adjusted: by corrections, below zero when they took more than they gave.
    held_over, contests_over: still set aside at the day's end, and for how many hands and matches.
    """

    asset: Asset
    hands: int
    voids: int
    settled: int
    turnover: int
    commission: int
    granted: int
    adjusted: int
    held_over: int
    contests_over: int
    rows: tuple[DayRow, ...]


@dataclass(frozen=True, slots=True)
class DayClose:
    """agrees: the ledger gives today what was signed off."""

    closed_by: UUID
    name: str
    closed_ms: int
    agrees: bool


@dataclass(frozen=True, slots=True)
class DayReport:
    """is_over: the day has ended and nothing can come into it any more, so it may be closed."""

    day: date
    from_ms: int
    to_ms: int
    is_over: bool
    closed: DayClose | None
    assets: tuple[AssetDay, ...]


@dataclass(frozen=True, slots=True)
class ClosedDay:
    day: date
    closed_by: UUID
    name: str
    closed_ms: int


@dataclass(frozen=True, slots=True)
class ClosedDays:
    """The newest day first; next: the `before` of the page after this one. first_ms: when the first hand ended."""

    days: tuple[ClosedDay, ...]
    next: str | None
    first_ms: int | None


_SPAN: Final = text(
    "SELECT min(entry_id) AS first, max(entry_id) AS last"
    " FROM wallet.entries WHERE at_ms >= :from_ms AND at_ms < :to_ms"
)
_MONEY: Final = text(
    "SELECT e.asset, t.format, coalesce(h.rate, 0) AS rate, count(DISTINCT e.entry_id) AS settled,"
    "       -sum(least(p.available_change + p.held_change, 0))::bigint AS turnover,"
    "       coalesce(sum(p.available_change) FILTER (WHERE a.kind = 'commission'), 0)::bigint AS commission"
    " FROM wallet.entries e JOIN wallet.postings p USING (entry_id) JOIN wallet.accounts a USING (account_id)"
    " JOIN tables t ON t.table_id = e.table_id LEFT JOIN hands h ON h.hand_id = e.hand_id"
    " WHERE e.kind = 'settle' AND e.at_ms >= :from_ms AND e.at_ms < :to_ms"
    "   AND e.entry_id BETWEEN :first AND :last AND p.entry_id BETWEEN :first AND :last"
    " GROUP BY 1, 2, 3"
)
_ISSUED: Final = text(
    "SELECT e.asset, e.kind, sum(p.available_change)::bigint AS units"
    " FROM wallet.entries e JOIN wallet.postings p USING (entry_id) JOIN wallet.accounts a USING (account_id)"
    " WHERE e.kind IN ('grant', 'adjust') AND a.kind = 'player' AND e.at_ms >= :from_ms AND e.at_ms < :to_ms"
    "   AND e.entry_id BETWEEN :first AND :last AND p.entry_id BETWEEN :first AND :last"
    " GROUP BY 1, 2"
)
_HANDS: Final = text(
    "SELECT h.asset, t.format, h.rate, count(*) AS hands, count(*) FILTER (WHERE h.outcome = 'void') AS voids"
    " FROM hands h JOIN tables t USING (table_id)"
    " WHERE h.status = 'closed' AND h.closed_ms >= :from_ms AND h.closed_ms < :to_ms GROUP BY 1, 2, 3"
)
# What ran at the moment: hands and matches that had begun, and ended later or still run.
_HELD: Final = text(
    "WITH ran AS ("
    "   SELECT 'hold:' || hand_id AS key FROM hands"
    "   WHERE status = 'closed' AND closed_ms >= :at_ms AND opened_ms < :at_ms AND NOT rules ? 'match'"
    "   UNION ALL"
    "   SELECT 'hold:' || hand_id FROM hands WHERE status = 'open' AND opened_ms < :at_ms AND NOT rules ? 'match'"
    " ), held AS ("
    "   SELECT entry_id FROM wallet.entries WHERE key IN (SELECT key FROM ran) AND at_ms < :at_ms"
    "   UNION ALL"
    "   SELECT e.entry_id FROM matches m JOIN wallet.entries e USING (match_id)"
    "   WHERE m.opened_ms < :at_ms AND (m.status = 'open' OR m.closed_ms >= :at_ms)"
    "     AND e.kind = 'hold' AND e.at_ms < :at_ms"
    " )"
    " SELECT e.entry_id, coalesce(e.match_id, e.hand_id) AS contest FROM held JOIN wallet.entries e USING (entry_id)"
)
_HELD_UNITS: Final = text(
    "SELECT a.asset, sum(p.held_change)::bigint AS units, array_agg(DISTINCT p.entry_id) AS entry_ids"
    " FROM wallet.postings p JOIN wallet.accounts a USING (account_id)"
    " WHERE p.entry_id = ANY (:entry_ids) GROUP BY a.asset"
)
_CLOSED: Final = text(
    "SELECT c.closed_by, who.name, c.closed_ms, c.figures"
    " FROM day_closes c JOIN players who ON who.player_id = c.closed_by WHERE c.day = :day"
)
_CLOSE: Final = text(
    "INSERT INTO day_closes (day, offset_minutes, closed_by, closed_ms, figures)"
    " VALUES (:day, :offset_minutes, :closed_by, :closed_ms, CAST(:figures AS jsonb)) ON CONFLICT (day) DO NOTHING"
)
_CLOSED_DAYS: Final = text(
    "SELECT c.day, c.closed_by, who.name, c.closed_ms"
    " FROM day_closes c JOIN players who ON who.player_id = c.closed_by"
    " WHERE c.day < :before ORDER BY c.day DESC LIMIT :enough"
)
_FIRST: Final = text("SELECT min(closed_ms) FROM hands WHERE status = 'closed'")


async def day_report(connection: AsyncConnection, day: date, offset_minutes: int, now_ms: int) -> DayReport:
    """A day that begins and ends by the house's own clock, offset_minutes ahead of UTC."""
    from_ms, to_ms = day_bounds(day, offset_minutes)
    assets = await _assets(connection, from_ms, to_ms)
    row = (await connection.execute(_CLOSED, {"day": day})).one_or_none()
    closed = None if row is None else DayClose(row.closed_by, row.name, row.closed_ms, row.figures == _kept(assets))
    return DayReport(day, from_ms, to_ms, now_ms >= to_ms + LATE_MS, closed, assets)


async def close_day(
    connection: AsyncConnection, report: DayReport, operator_id: UUID, offset_minutes: int, now_ms: int
) -> bool:
    """Sign a day off; False when that was done before. The caller has seen to it that the day is over, and commits."""
    assert report.is_over, "a day that goes on has no figures yet"
    signed = {
        "day": report.day,
        "offset_minutes": offset_minutes,
        "closed_by": operator_id,
        "closed_ms": now_ms,
        "figures": json.dumps(_kept(report.assets)),
    }
    return (await connection.execute(_CLOSE, signed)).rowcount == 1


async def closed_days(connection: AsyncConnection, before: date, limit: int) -> ClosedDays:
    rows = (await connection.execute(_CLOSED_DAYS, {"before": before, "enough": limit + 1})).all()
    days = tuple(ClosedDay(*row) for row in rows[:limit])
    first_ms = (await connection.execute(_FIRST)).scalar()
    return ClosedDays(days, days[-1].day.isoformat() if len(rows) > limit else None, first_ms)


def day_bounds(day: date, offset_minutes: int) -> tuple[int, int]:
    """From and to, in Unix milliseconds."""
    begins = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(minutes=offset_minutes)
    from_ms = round(begins.timestamp() * 1000)
    return from_ms, from_ms + DAY_MS


async def _assets(connection: AsyncConnection, from_ms: int, to_ms: int) -> tuple[AssetDay, ...]:
    span = {"from_ms": from_ms, "to_ms": to_ms}
    lines: dict[tuple[str, str, int], dict[str, int]] = {}

    def add(row: Any) -> None:
        named = dict(row._mapping)
        lines.setdefault((named.pop("asset"), named.pop("format"), named.pop("rate")), {}).update(named)

    for row in await connection.execute(_HANDS, span):
        add(row)
    entries = (await connection.execute(_SPAN, span)).one()
    issued: dict[tuple[str, str], int] = {}
    if entries.first is not None:
        within = span | {"first": entries.first, "last": entries.last}
        for row in await connection.execute(_MONEY, within):
            add(row)
        issued = {(row.asset, row.kind): row.units for row in await connection.execute(_ISSUED, within)}
    held = await _held_at(connection, to_ms)
    none = {"hands": 0, "voids": 0, "settled": 0, "turnover": 0, "commission": 0}
    rows = {key: DayRow(key[1], key[2], **{**none, **counted}) for key, counted in sorted(lines.items())}
    return tuple(
        _asset_day(
            asset,
            tuple(row for key, row in rows.items() if key[0] == asset.value),
            issued,
            held.get(asset.value, (0, 0)),
        )
        for asset in Asset
    )


async def _held_at(connection: AsyncConnection, at_ms: int) -> dict[str, tuple[int, int]]:
    """By asset: units that were set aside at a moment, and for how many hands and matches."""
    contests = {row.entry_id: row.contest for row in await connection.execute(_HELD, {"at_ms": at_ms})}
    rows = await connection.execute(_HELD_UNITS, {"entry_ids": list(contests)})
    return {row.asset: (row.units, len({contests[entry_id] for entry_id in row.entry_ids})) for row in rows}


def _asset_day(
    asset: Asset, rows: tuple[DayRow, ...], issued: dict[tuple[str, str], int], held: tuple[int, int]
) -> AssetDay:
    return AssetDay(
        asset=asset,
        hands=sum(row.hands for row in rows),
        voids=sum(row.voids for row in rows),
        settled=sum(row.settled for row in rows),
        turnover=sum(row.turnover for row in rows),
        commission=sum(row.commission for row in rows),
        granted=issued.get((asset.value, "grant"), 0),
        adjusted=issued.get((asset.value, "adjust"), 0),
        held_over=held[0],
        contests_over=held[1],
        rows=rows,
    )


def _kept(assets: tuple[AssetDay, ...]) -> Any:
    """As JSON gives it back."""
    return json.loads(json.dumps([asdict(each) for each in assets]))
