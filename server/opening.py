"""What the house has from its first start on: a table of each size and an operator."""

from typing import Final
from uuid import UUID, uuid4

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

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


async def open_house(engine: AsyncEngine, now_ms: int) -> None:
    """Idempotent: what is there already stays as it is."""
    async with engine.begin() as database:
        await _ensure_operator(database, now_ms)
        if await queries.table_count(database) == 0:
            for seat_count in SEAT_COUNTS:
                await queries.create_table(database, practice_table(seat_count), now_ms)


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
