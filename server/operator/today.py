"""The desk's first page: is the house whole, what goes on now, and the figures of the time asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.operator.figures import FigureFilter, FigureSeries, StepLength, figure_series
from server.protocol.messages import TableSummary
from wallet import verbs
from wallet.accounts import Asset
from wallet.statement import TrialBalanceSide


@dataclass(frozen=True, slots=True)
class TokensNow:
    """How the ledger stands in one asset, in units.

    held: set aside for hands and matches that run. circulating: what all players have. trial_balance: over all
    accounts, 0 when the books balance.
    """

    asset: Asset
    held: int
    circulating: int
    commission: int
    trial_balance: int


@dataclass(frozen=True, slots=True)
class LiveNow:
    """seated, bots, waiting: people at tables; connected: who has a socket open. balances: all books sum to zero."""

    now_ms: int
    hands_running: int
    matches_running: int
    open_tables: int
    private_tables: int
    active_tables: int
    seated: int
    bots: int
    waiting: int
    connected: int
    draining: bool
    balances: bool
    tokens: tuple[TokensNow, ...]


@dataclass(frozen=True, slots=True)
class TableChoice:
    table_id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What the page's filters may be set to. rates: units a point, of tables that are or were."""

    tables: tuple[TableChoice, ...]
    rates: tuple[int, ...]
    formats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Today:
    """offset_minutes: how far the house's day is ahead of UTC's; `step` hours and days begin by it."""

    live: LiveNow
    from_ms: int
    to_ms: int
    step: StepLength
    offset_minutes: int
    series: FigureSeries
    choices: Choices


_MOST_CHOICES: Final = 500
_CHOSEN_TABLES: Final = text(
    "SELECT table_id, name FROM tables WHERE asset = :asset ORDER BY status DESC, created_ms DESC LIMIT :most"
)
_RATES: Final = text("SELECT DISTINCT rate FROM tables WHERE asset = :asset AND rate > 0 ORDER BY rate")
_FORMATS: Final = text("SELECT DISTINCT format FROM tables WHERE asset = :asset ORDER BY format")


async def today(
    connection: AsyncConnection,
    live: LiveNow,
    wanted: FigureFilter,
    step: StepLength,
    offset_minutes: int,
) -> Today:
    """Raises ValueError for too many steps."""
    series = await figure_series(connection, wanted, step, offset_minutes * 60_000)
    asked = {"asset": wanted.asset.value}
    tables = await connection.execute(_CHOSEN_TABLES, asked | {"most": _MOST_CHOICES})
    choices = Choices(
        tuple(TableChoice(*row) for row in tables),
        tuple((await connection.execute(_RATES, asked)).scalars()),
        tuple((await connection.execute(_FORMATS, asked)).scalars()),
    )
    return Today(live, wanted.from_ms, wanted.to_ms, step, offset_minutes, series, choices)


async def live_now(
    connection: AsyncConnection,
    now_ms: int,
    listed: Sequence[TableSummary],
    private: Sequence[TableSummary],
    connected: int,
    draining: bool,
) -> LiveNow:
    """What goes on, by the house itself, and where the tokens are, by the ledger."""
    every = [*listed, *private]
    tokens = await tokens_now(connection)
    return LiveNow(
        now_ms=now_ms,
        hands_running=sum(table.hand_running for table in every),
        matches_running=sum(table.match_running for table in every),
        open_tables=len(every),
        private_tables=len(private),
        active_tables=sum(table.hand_running or table.match_running for table in every),
        seated=sum(table.seated for table in every),
        bots=sum(table.bots for table in every),
        waiting=sum(table.waiting for table in every),
        connected=connected,
        draining=draining,
        balances=all(each.trial_balance == 0 for each in tokens),
        tokens=tokens,
    )


async def tokens_now(connection: AsyncConnection) -> tuple[TokensNow, ...]:
    """Per asset, from the ledger's accounts."""
    rows = await verbs.trial_balance(connection)
    sides = {(row.asset, row.side): row.balance for row in rows}
    return tuple(
        TokensNow(
            asset=asset,
            held=sides[asset, TrialBalanceSide.HELD],
            circulating=sides[asset, TrialBalanceSide.HELD] + sides[asset, TrialBalanceSide.AVAILABLE],
            commission=sides[asset, TrialBalanceSide.COMMISSION],
            trial_balance=sum(row.balance for row in rows if row.asset is asset),
        )
        for asset in Asset
    )
