"""What the house has from its first start on: a table of each size, tables that play matches, and an operator."""

from typing import Final
from uuid import UUID, uuid4

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rummy.formats.kinds import FormatName
from rummy.rules import SEAT_COUNTS, TableRules
from server.eventlog import queries
from server.identity import accounts
from server.identity.accounts import Identity, Kind, Role
from server.identity.operator_codes import create_operator_code
from server.identity.secrets import RandomSource, new_secret
from server.settings import Settings
from server.tables.ports import TableConfig
from wallet.accounts import Asset

PRACTICE_RATE: Final = 100
"""One practice token per point."""
PRACTICE_COMMISSION_BP: Final = 500
PRACTICE_BUY_IN: Final = 50_000
"""500 practice tokens: a guest's welcome pays for twenty matches."""
HOUSE_BUY_IN: Final = 5_000
"""50 house tokens."""
HOUSE_COMMISSION_BP: Final = 500
MATCH_FORMATS: Final = (("Pool 101", FormatName.POOL_101, 6), ("Deals 2", FormatName.DEALS_2, 4))
"""Name, format and seats of the tables that play matches: one each for practice and for house tokens."""


def practice_table(seat_count: int) -> TableConfig:
    return TableConfig(
        table_id=uuid4(),
        name=f"Practice {seat_count}",
        asset=Asset.PT.value,
        practice=True,
        rate=PRACTICE_RATE,
        commission_bp=PRACTICE_COMMISSION_BP,
        rules=TableRules(seat_count),
    )


def match_table(name: str, format_: FormatName, seat_count: int, practice: bool) -> TableConfig:
    return TableConfig(
        table_id=uuid4(),
        name=f"Practice {name}" if practice else name,
        asset=Asset.PT.value if practice else Asset.HT.value,
        practice=practice,
        rate=0,
        commission_bp=PRACTICE_COMMISSION_BP if practice else HOUSE_COMMISSION_BP,
        rules=TableRules(seat_count),
        format=format_,
        buy_in=PRACTICE_BUY_IN if practice else HOUSE_BUY_IN,
    )


async def open_house(engine: AsyncEngine, now_ms: int) -> None:
    """Idempotent: what is there already stays as it is."""
    async with engine.begin() as database:
        await _ensure_operator(database, now_ms)
        tables = [practice_table(seat_count) for seat_count in SEAT_COUNTS]
        if await queries.table_count(database) > 0:
            tables = []
        if await queries.match_table_count(database) == 0:
            tables += [match_table(*match, practice) for practice in (True, False) for match in MATCH_FORMATS]
        # A millisecond apart, so that the lobby lists them in this order.
        for number, config in enumerate(tables):
            await queries.create_table(database, config, now_ms + number)


async def new_operator_code(engine: AsyncEngine, random: RandomSource, settings: Settings, now_ms: int) -> str:
    """A one-time code that signs the house's operator in."""
    code = new_secret(random)
    async with engine.begin() as database:
        operator = await _ensure_operator(database, now_ms)
        await create_operator_code(database, operator, code, now_ms, settings.operator_code_minutes)
    return code


async def _ensure_operator(database: AsyncConnection, now_ms: int) -> UUID:
    known = await accounts.house_operator(database)
    if known is not None:
        return known
    operator = Identity(uuid4(), "Operator", Kind.OPERATOR, Role.OPERATOR)
    await accounts.create_player(database, operator, now_ms)
    return operator.player_id
