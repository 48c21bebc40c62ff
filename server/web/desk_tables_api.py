"""Tables over HTTP at the desk: opened, closed after the running hand, and set to other stakes for coming hands."""

from typing import Annotated, Any, Literal, Self
from uuid import UUID, uuid4

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from sqlalchemy.ext.asyncio import AsyncConnection

from rummy.formats.kinds import FormatName
from server.eventlog.orders import orders_of
from server.hosting.chosen_rules import chosen_rules
from server.hosting.house_tables import Record
from server.operator.acts import Act, record_act
from server.operator.reading import reading
from server.protocol.lobby_commands import BuyInUnits, PrivateRules, RateUnits, SeatCount
from server.protocol.messages import TableSummary
from server.tables.ports import NO_ORDERS, TableConfig, TableOrders
from server.web.authentication import Desk, FreshOperator, SharedServices
from server.web.errors import HttpRefusal, RefusalCode
from server.web.operator_acts_api import Reason, ReasonRequest, open_table
from server.web.services import Services
from wallet.accounts import Asset

router = APIRouter(prefix="/api/operator/tables", tags=["desk"])

MOST_COMMISSION_BP = 2_500
"""A quarter of a win: beyond that it is a mistake of the keyboard."""

TableName = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")
]
CommissionBp = Annotated[int, Field(strict=True, ge=0, le=MOST_COMMISSION_BP)]


class ComingStakes(BaseModel):
    """Of the next hand or match; null leaves as it is."""

    rate: int | None
    commission_bp: int | None


class DeskTable(BaseModel):
    """closing: it ends once no hand and no match runs there. coming: what was ordered and is not in force yet."""

    table: TableSummary
    closing: bool
    coming: ComingStakes | None


class OpenTableRequest(BaseModel):
    """rate: units a point, of points alone; buy_in: units, of every other format. PT tables are practice tables."""

    model_config = ConfigDict(extra="forbid")

    name: TableName
    asset: Asset
    format: FormatName = FormatName.POINTS
    seat_count: SeatCount
    rate: RateUnits | None = None
    buy_in: BuyInUnits | None = None
    commission_bp: CommissionBp
    rules: PrivateRules = PrivateRules()
    reason: Reason

    @model_validator(mode="after")
    def _has_one_price(self) -> Self:
        is_points = self.format is FormatName.POINTS
        if (self.rate is not None, self.buy_in is not None) != (is_points, not is_points):
            raise ValueError("points have a rate and no buy-in, every other format a buy-in and no rate")
        return self


class OpenedTable(BaseModel):
    table_id: UUID


class StakesRequest(BaseModel):
    """For coming hands and matches alone; what is left out stays as it is."""

    model_config = ConfigDict(extra="forbid")

    rate: RateUnits | None = None
    commission_bp: CommissionBp | None = None
    reason: Reason


@router.get("")
async def tables(_: Desk, services: SharedServices) -> list[DeskTable]:
    """Every open table, private ones too, with what operators have ordered of it."""
    summaries = [*services.house.summaries(), *services.house.private_tables()]
    async with reading(services.engine) as database:
        orders = await orders_of(database, [table.table_id for table in summaries])
    return [_desk_table(table, orders.get(table.table_id, NO_ORDERS)) for table in summaries]


@router.post("", status_code=201)
async def open_one(wanted: OpenTableRequest, session: FreshOperator, services: SharedServices) -> OpenedTable:
    """Open a table of the house; everybody sees it in the lobby at once."""
    try:
        rules = chosen_rules(wanted.seat_count, wanted.rules)
    except ValueError as fault:
        raise HttpRefusal(422, RefusalCode.MALFORMED, str(fault)) from None
    config = TableConfig(
        table_id=uuid4(),
        name=wanted.name,
        asset=wanted.asset.value,
        practice=wanted.asset is Asset.PT,
        rate=wanted.rate or 0,
        commission_bp=wanted.commission_bp,
        rules=rules,
        format=wanted.format,
        buy_in=wanted.buy_in or 0,
    )
    act = _recording(services, session.identity.player_id, Act.OPEN_TABLE, config.table_id, wanted.reason)
    await services.house_tables.open(config, act)
    return OpenedTable(table_id=config.table_id)


@router.post("/{table_id}/close", status_code=202)
async def close(
    table_id: UUID, wanted: ReasonRequest, session: FreshOperator, services: SharedServices
) -> dict[Literal["closing"], bool]:
    """Close a table once its running hand or match has ended; until then it opens no other."""
    open_table(services, table_id)
    act = _recording(services, session.identity.player_id, Act.CLOSE_TABLE, table_id, wanted.reason)
    await services.house_tables.close(table_id, act)
    return {"closing": True}


@router.post("/{table_id}/stakes", status_code=202)
async def set_stakes(
    table_id: UUID, wanted: StakesRequest, session: FreshOperator, services: SharedServices
) -> ComingStakes:
    """Another rate or commission from the next hand or match on; everybody at the table is told before it opens."""
    table = open_table(services, table_id)
    if wanted.rate is not None and table.rate == 0:
        words = "this table plays for buy-ins: only its commission can be changed"
        raise HttpRefusal(422, RefusalCode.OUT_OF_BOUNDS, words, ["commission_bp"])
    if wanted.rate is None and wanted.commission_bp is None:
        raise HttpRefusal(422, RefusalCode.MALFORMED, "nothing is to be changed", ["rate", "commission_bp"])
    reason = f"{wanted.reason} [{_words(wanted, table)}]"
    act = _recording(services, session.identity.player_id, Act.SET_STAKES, table_id, reason)
    await services.house_tables.set_stakes(table_id, wanted.rate, wanted.commission_bp, act)
    return ComingStakes(rate=wanted.rate, commission_bp=wanted.commission_bp)


def _recording(services: Services, operator_id: UUID, act: Act, table_id: UUID, reason: str) -> Record:
    async def record(database: AsyncConnection) -> None:
        await record_act(database, operator_id, act, table_id, reason, services.now_ms())

    return record


def _words(wanted: StakesRequest, table: TableSummary) -> str:
    changes: dict[str, tuple[Any, Any]] = {
        "rate": (table.rate, wanted.rate),
        "commission_bp": (table.commission_bp, wanted.commission_bp),
    }
    return ", ".join(f"{name} {old} -> {new}" for name, (old, new) in changes.items() if new is not None)


def _desk_table(table: TableSummary, orders: TableOrders) -> DeskTable:
    coming = None
    if orders.rate is not None or orders.commission_bp is not None:
        coming = ComingStakes(rate=orders.rate, commission_bp=orders.commission_bp)
    return DeskTable(table=table, closing=orders.closing, coming=coming)
