"""Finding hands: every closed one, the last to close first, by whatever an operator knows of it."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import Asset

MAX_PAGE: Final = 200
MOST_NAMESAKES: Final = 200
"""Players whose name begins as asked; whoever types so little gets the first of them."""
EXPORT_ROWS: Final = 500
"""Hands that an export reads at a time."""


@dataclass(frozen=True, slots=True)
class HandFilter:
    """Which hands; None asks nothing.

    from_ms, to_ms: when it closed, the end not included. least_units, most_units: what some seat of it won or lost (the
    named player's, when one is named). player, table: an id, or how the name begins. rate: units a point.
    """

    hand_id: UUID | None = None
    player: str | None = None
    table: str | None = None
    from_ms: int | None = None
    to_ms: int | None = None
    least_units: int | None = None
    most_units: int | None = None
    asset: Asset | None = None
    format: str | None = None
    rate: int | None = None
    outcome: str | None = None


@dataclass(frozen=True, slots=True)
class HandCursor:
    """Where a page of hands ends; `str` and `parse` invert."""

    closed_ms: int
    hand_id: UUID

    def __str__(self) -> str:
        return f"{self.closed_ms}.{self.hand_id}"

    @classmethod
    def parse(cls, written: str) -> "HandCursor":
        """Raises ValueError for anything that no page ever gave."""
        closed_ms, _, hand_id = written.partition(".")
        if not (closed_ms.isascii() and closed_ms.isdecimal() and len(closed_ms) <= 18):
            raise ValueError("this is no cursor of a list of hands")
        return cls(int(closed_ms), UUID(hand_id))


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What one seat counted and got. delta: units, after commission for the winner; in a match, the match pays."""

    seat: int
    player_id: UUID
    name: str
    points: int
    delta: int


@dataclass(frozen=True, slots=True)
class SettledHand:
    """One closed hand. turnover: what its losers paid; commission: the house's part of it; in units.

    In a match's hand both are 0: its tokens move when the match ends.
    """

    hand_id: UUID
    table_id: UUID
    table_name: str
    format: str
    hand_no: int
    match_id: UUID | None
    asset: Asset
    rate: int
    commission_bp: int
    opened_ms: int
    closed_ms: int
    outcome: str
    void_reason: str | None
    turnover: int
    commission: int
    seats: tuple[SeatLine, ...]


@dataclass(frozen=True, slots=True)
class SettlementsPage:
    """next: the `before` of the page after this one; None at the end."""

    hands: tuple[SettledHand, ...]
    next: str | None


_NAMESAKES: Final = text(
    "SELECT player_id FROM players WHERE lower(name) LIKE :pattern ORDER BY created_ms DESC, player_id LIMIT :most"
)
_TABLES_CALLED: Final = text("SELECT table_id FROM tables WHERE lower(name) LIKE :pattern")
_LINES: Final = (
    "(SELECT jsonb_agg(jsonb_build_array(p.seat, p.player_id, who.name, p.points, p.delta) ORDER BY p.seat)"
    " FROM hand_players p JOIN players who USING (player_id) WHERE p.hand_id = h.hand_id) AS lines"
)
_COLUMNS: Final = (
    "h.hand_id, h.table_id, t.name AS table_name, t.format, h.hand_no, h.rules ->> 'match' AS match_id, h.asset,"
    " h.rate, h.commission_bp, h.opened_ms, h.closed_ms, h.outcome, h.void_reason"
)


async def settlements(
    connection: AsyncConnection, wanted: HandFilter, before: HandCursor | None, limit: int
) -> SettlementsPage:
    """One page of at most MAX_PAGE hands, the last to close first."""
    assert 1 <= limit <= MAX_PAGE, "the endpoint holds the bounds"
    statement, values = await settlements_query(connection, wanted, before, limit + 1)
    rows = (await connection.execute(statement, values)).all()
    hands = tuple(map(settled_hand, rows[:limit]))
    more = len(rows) > limit
    return SettlementsPage(hands, str(HandCursor(hands[-1].closed_ms, hands[-1].hand_id)) if more else None)


async def every_settlement(connection: AsyncConnection, wanted: HandFilter) -> AsyncIterator[SettledHand]:
    """All hands of a filter, the last to close first, a few at a time however many there are."""
    before: HandCursor | None = None
    while True:
        statement, values = await settlements_query(connection, wanted, before, EXPORT_ROWS)
        rows = (await connection.execute(statement, values)).all()
        for row in rows:
            yield settled_hand(row)
        if len(rows) < EXPORT_ROWS:
            return
        before = HandCursor(rows[-1].closed_ms, rows[-1].hand_id)


async def settlements_query(
    connection: AsyncConnection, wanted: HandFilter, before: HandCursor | None, limit: int
) -> tuple[TextClause, dict[str, Any]]:
    """The page's one statement: hands are chosen first, and only those are filled in."""
    where, values = await _conditions(connection, wanted)
    if before is not None:
        where.append("(h.closed_ms, h.hand_id) < (:before_ms, :before_id)")
        values |= {"before_ms": before.closed_ms, "before_id": before.hand_id}
    chosen = (
        f"SELECT {_COLUMNS} FROM hands h JOIN tables t USING (table_id) WHERE {' AND '.join(where)}"  # noqa: S608
        " ORDER BY h.closed_ms DESC, h.hand_id DESC LIMIT :enough"
    )
    statement = f"SELECT h.*, {_LINES} FROM ({chosen}) h ORDER BY h.closed_ms DESC, h.hand_id DESC"  # noqa: S608
    return text(statement), values | {"enough": limit}


async def _conditions(connection: AsyncConnection, wanted: HandFilter) -> tuple[list[str], dict[str, Any]]:
    where = ["h.status = 'closed'"]
    values: dict[str, Any] = {}

    def require(condition: str, **named: Any) -> None:
        if any(value is not None for value in named.values()):
            where.append(condition)
            values.update(named)

    require("h.hand_id = :hand_id", hand_id=wanted.hand_id)
    require("h.closed_ms >= :from_ms", from_ms=wanted.from_ms)
    require("h.closed_ms < :to_ms", to_ms=wanted.to_ms)
    require("h.asset = :asset", asset=None if wanted.asset is None else wanted.asset.value)
    require("t.format = :format", format=wanted.format)
    require("h.rate = :rate", rate=wanted.rate)
    require("h.outcome = :outcome", outcome=wanted.outcome)
    if wanted.table is not None:
        require("h.table_id = ANY (:tables)", tables=await _tables(connection, wanted.table))
    seat: list[str] = []
    if wanted.player is not None:
        seat.append("p.player_id = ANY (:players)")
        values["players"] = await players_called(connection, wanted.player)
    if wanted.least_units is not None or wanted.most_units is not None:
        seat.append("abs(p.delta) BETWEEN :least AND :most")
        values |= {"least": wanted.least_units or 0, "most": 2**62 if wanted.most_units is None else wanted.most_units}
    if seat:
        where.append(f"h.hand_id IN (SELECT p.hand_id FROM hand_players p WHERE {' AND '.join(seat)})")  # noqa: S608
    return where, values


async def players_called(connection: AsyncConnection, written: str) -> list[UUID]:
    """The player of this id, or those whose names begin so."""
    known = as_uuid(written)
    if known is not None:
        return [known]
    found = await connection.execute(_NAMESAKES, {"pattern": prefix_pattern(written), "most": MOST_NAMESAKES})
    return list(found.scalars())


async def _tables(connection: AsyncConnection, written: str) -> list[UUID]:
    known = as_uuid(written)
    if known is not None:
        return [known]
    return list((await connection.execute(_TABLES_CALLED, {"pattern": prefix_pattern(written)})).scalars())


def as_uuid(written: str) -> UUID | None:
    try:
        return UUID(written.strip())
    except ValueError:
        return None


def prefix_pattern(written: str) -> str:
    """For LIKE: what begins so, whatever the case."""
    plain = written.strip().lower().replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    return f"{plain}%"


def settled_hand(row: Any) -> SettledHand:
    seats = tuple(
        SeatLine(seat, UUID(player_id), name, points, delta) for seat, player_id, name, points, delta in row.lines
    )
    return SettledHand(
        hand_id=row.hand_id,
        table_id=row.table_id,
        table_name=row.table_name,
        format=row.format,
        hand_no=row.hand_no,
        match_id=None if row.match_id is None else UUID(row.match_id),
        asset=Asset(row.asset),
        rate=row.rate,
        commission_bp=row.commission_bp,
        opened_ms=row.opened_ms,
        closed_ms=row.closed_ms,
        outcome=row.outcome,
        void_reason=row.void_reason,
        turnover=turnover_of([line.delta for line in seats]),
        commission=-sum(line.delta for line in seats),
        seats=seats,
    )


def turnover_of(deltas: Sequence[int]) -> int:
    """What the losers paid."""
    return -sum(delta for delta in deltas if delta < 0)
