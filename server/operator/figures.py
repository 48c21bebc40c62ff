"""The figures of a stretch of time, whole and by hour or day, each counted from the ledger and the journal anew.

Turnover is what losers paid and commission the house's part of it, by the ledger's settlements. Hands, players and
tables are those of hands that closed in the time, by the journal.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import Asset

HOUR_MS: Final = 3_600_000
DAY_MS: Final = 24 * HOUR_MS
MOST_STEPS: Final = 1_000
"""Points of one series: 41 days by the hour, or almost three years by the day."""


class StepLength(StrEnum):
    HOUR = "hour"
    DAY = "day"

    @property
    def ms(self) -> int:
        return HOUR_MS if self is StepLength.HOUR else DAY_MS


@dataclass(frozen=True, slots=True)
class FigureFilter:
    """From from_ms on and before to_ms; None asks nothing. rate: units a point."""

    from_ms: int
    to_ms: int
    asset: Asset
    table_id: UUID | None = None
    rate: int | None = None
    format: str | None = None


@dataclass(frozen=True, slots=True)
class Figures:
    """turnover, commission: units. seats: dealt in, over all hands; seats_cut_off: of them, those whose player lost the
    line at least once. disconnect_bp: the share of the latter in 1/10,000."""

    hands: int = 0
    voids: int = 0
    tables: int = 0
    players: int = 0
    seats: int = 0
    seats_cut_off: int = 0
    disconnect_bp: int = 0
    settled: int = 0
    turnover: int = 0
    commission: int = 0


@dataclass(frozen=True, slots=True)
class FiguresStep:
    """One point of a series: from from_ms on, as long as a step."""

    from_ms: int
    figures: Figures


@dataclass(frozen=True, slots=True)
class FigureSeries:
    total: Figures
    steps: tuple[FiguresStep, ...]


_SPAN: Final = text(
    "SELECT min(entry_id) AS first, max(entry_id) AS last"
    " FROM wallet.entries WHERE at_ms >= :from_ms AND at_ms < :to_ms"
)
_SETTLED: Final = """
SELECT (e.at_ms + :offset_ms) / :step_ms AS step, count(*) AS settled
FROM wallet.entries e {joined}
WHERE e.kind = 'settle' AND e.asset = :asset AND e.at_ms >= :from_ms AND e.at_ms < :to_ms
  AND e.entry_id BETWEEN :first AND :last {filtered}
GROUP BY 1
"""
_MONEY: Final = """
SELECT (e.at_ms + :offset_ms) / :step_ms AS step,
       -sum(least(p.available_change + p.held_change, 0))::bigint AS turnover,
       coalesce(sum(p.available_change) FILTER (WHERE p.account_id = ANY (:commission_accounts)), 0)::bigint
           AS commission
FROM wallet.entries e JOIN wallet.postings p USING (entry_id) {joined}
WHERE e.kind = 'settle' AND e.asset = :asset AND e.at_ms >= :from_ms AND e.at_ms < :to_ms
  AND e.entry_id BETWEEN :first AND :last AND p.entry_id BETWEEN :first AND :last {filtered}
GROUP BY 1
"""
_COMMISSION_ACCOUNTS: Final = text(
    "SELECT account_id FROM wallet.accounts"
    " WHERE player_id = '00000000-0000-0000-0000-000000000000' AND asset = :asset AND kind = 'commission'"
)
_HANDS: Final = """
WITH met AS (
    SELECT (h.closed_ms + :offset_ms) / :step_ms AS step, h.table_id, count(*) AS hands,
           count(*) FILTER (WHERE h.outcome = 'void') AS voids
    FROM hands h {joined} WHERE {closed} {filtered} GROUP BY 1, 2
)
SELECT step, sum(hands)::bigint AS hands, sum(voids)::bigint AS voids, count(*) AS tables FROM met GROUP BY step
UNION ALL
SELECT NULL, sum(hands)::bigint, sum(voids)::bigint, count(DISTINCT table_id) FROM met
"""
_SEATS: Final = """
WITH met AS (
    SELECT (h.closed_ms + :offset_ms) / :step_ms AS step, p.player_id, count(*) AS seats
    FROM hands h JOIN hand_players p USING (hand_id) {joined} WHERE {closed} {filtered} GROUP BY 1, 2
)
SELECT step, sum(seats)::bigint AS seats, count(*) AS players FROM met GROUP BY step
UNION ALL
SELECT NULL, sum(seats)::bigint, count(DISTINCT player_id) FROM met
"""
_CUT_OFF: Final = """
SELECT c.step, count(*) AS seats_cut_off
FROM (SELECT DISTINCT (h.closed_ms + :offset_ms) / :step_ms AS step, d.hand_id, d.player_id
      FROM hands h JOIN hand_disconnects d USING (hand_id) {joined} WHERE {closed} {filtered}) c
GROUP BY 1
"""
_CLOSED: Final = "h.status = 'closed' AND h.closed_ms >= :from_ms AND h.closed_ms < :to_ms AND h.asset = :asset"


_SUMMED: Final = ("seats_cut_off", "settled", "turnover", "commission")
"""What a whole time is the sum of its steps in; nobody is counted twice there."""

# Nothing here asks for an order, and hashing what is counted takes half the time of sorting it.
_UNSORTED: Final = text("SELECT set_config('enable_sort', 'off', true)")


@dataclass(slots=True)
class _Counted:
    """By step, None for the whole time."""

    by_step: dict[int | None, dict[str, int]] = field(default_factory=lambda: {None: {}})

    def add(self, rows: Any) -> None:
        for row in rows:
            named = {name: value or 0 for name, value in row._mapping.items() if name != "step"}
            self.by_step.setdefault(row.step, {}).update(named)
            for name in _SUMMED:
                if name in named:
                    self.by_step[None][name] = self.by_step[None].get(name, 0) + named[name]

    def figures(self, step: int | None) -> Figures:
        named = self.by_step.get(step, {})
        seats = named.get("seats", 0)
        cut_off = named.get("seats_cut_off", 0)
        return Figures(**named, disconnect_bp=round(10_000 * cut_off / seats) if seats else 0)


async def figure_series(
    connection: AsyncConnection, wanted: FigureFilter, length: StepLength, offset_ms: int
) -> FigureSeries:
    """offset_ms: how far the house's day is ahead of UTC's. At most MOST_STEPS points, those without a hand included.

    Raises ValueError for a longer time.
    """
    first = (wanted.from_ms + offset_ms) // length.ms
    count = -((-wanted.to_ms - offset_ms) // length.ms) - first
    if not 1 <= count <= MOST_STEPS:
        raise ValueError(f"{count} steps: a series has 1 to {MOST_STEPS}")
    values = {
        "from_ms": wanted.from_ms,
        "to_ms": wanted.to_ms,
        "asset": wanted.asset.value,
        "step_ms": length.ms,
        "offset_ms": offset_ms,
    }
    counted = _Counted()
    await connection.execute(_UNSORTED)
    for query in (_HANDS, _SEATS, _CUT_OFF):
        counted.add(await _ask(connection, query, wanted, values))
    for rows in await _money(connection, wanted, values):
        counted.add(rows)
    steps = tuple(
        FiguresStep(step * length.ms - offset_ms, counted.figures(step)) for step in range(first, first + count)
    )
    return FigureSeries(counted.figures(None), steps)


async def _ask(connection: AsyncConnection, query: str, wanted: FigureFilter, values: dict[str, Any]) -> Any:
    joined = "" if wanted.format is None else "JOIN tables t ON t.table_id = h.table_id"
    filtered, named = _filters(wanted, table="h.table_id", rate="h.rate")
    statement = query.format(joined=joined, filtered=filtered, closed=_CLOSED)
    return await connection.execute(text(statement), values | named)


async def _money(connection: AsyncConnection, wanted: FigureFilter, values: dict[str, Any]) -> tuple[Any, ...]:
    """Two answers: how many hands and matches moved tokens, and how much."""
    span = (await connection.execute(_SPAN, {"from_ms": wanted.from_ms, "to_ms": wanted.to_ms})).one()
    if span.first is None:
        return ()
    accounts = list((await connection.execute(_COMMISSION_ACCOUNTS, {"asset": wanted.asset.value})).scalars())
    joined = "" if wanted.format is None else "JOIN tables t ON t.table_id = e.table_id"
    if wanted.rate is not None:
        joined += " JOIN hands h ON h.hand_id = e.hand_id"
    filtered, named = _filters(wanted, table="e.table_id", rate="h.rate")
    given = values | named | {"first": span.first, "last": span.last, "commission_accounts": accounts}
    settled = await connection.execute(text(_SETTLED.format(joined=joined, filtered=filtered)), given)
    return settled, await connection.execute(text(_MONEY.format(joined=joined, filtered=filtered)), given)


def _filters(wanted: FigureFilter, table: str, rate: str) -> tuple[str, dict[str, Any]]:
    chosen = {
        f"{table} = :table_id": ("table_id", wanted.table_id),
        f"{rate} = :rate": ("rate", wanted.rate),
        "t.format = :format": ("format", wanted.format),
    }
    given = {condition: pair for condition, pair in chosen.items() if pair[1] is not None}
    return "".join(f" AND {condition}" for condition in given), dict(given.values())
