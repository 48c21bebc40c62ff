"""What anyone may read of the house: its tables, its closed hands, and the log that hands can't vanish from."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query
from pydantic import BaseModel

from server.eventlog import export, match_queries
from server.protocol.messages import TableSummary
from server.web.authentication import SharedServices
from server.web.errors import HttpRefusal

router = APIRouter(prefix="/api", tags=["house"])

_LARGEST_LOG = 2**62


@router.get("/tables")
async def tables(services: SharedServices) -> list[TableSummary]:
    return services.house.summaries()


class PrivateTablesAnswer(BaseModel):
    """What players may open. rates: from and to, in token units (1/100) per point.

    tables_per_player: open at the same time; 0 when nobody may open one.
    """

    rates: tuple[int, int]
    commission_bp: int
    tables_per_player: int


@router.get("/private-tables")
async def private_tables(services: SharedServices) -> PrivateTablesAnswer:
    settings = services.settings
    return PrivateTablesAnswer(
        rates=settings.private_rates,
        commission_bp=settings.private_commission_bp,
        tables_per_player=settings.private_tables_per_player,
    )


@router.get("/hands/{hand_id}")
async def hand(hand_id: UUID, services: SharedServices) -> dict[str, Any]:
    """The hand file of a closed hand: everything that `python -m fairness verify` and the browser need."""
    try:
        async with services.engine.connect() as database:
            file = await export.hand_file(database, hand_id.bytes)
    except export.DamagedRecord:
        words = "the record of this hand was damaged; the log still has its commitment, its seed and how it ended"
        raise HttpRefusal(410, "record_damaged", words) from None
    if file is None:
        raise HttpRefusal(404, "no_such_hand", "no closed hand has this id; a running hand is shown when it has ended")
    return file


@router.get("/matches/{match_id}")
async def match(match_id: UUID, services: SharedServices) -> dict[str, Any]:
    """A match that has ended: what `python -m fairness match` holds against the files of its hands."""
    async with services.engine.connect() as database:
        file = await match_queries.match_file(database, match_id)
    if file is None:
        raise HttpRefusal(404, "no_such_match", "no ended match has this id; one that goes on is shown when it ended")
    return file


@router.get("/fairness/keys")
async def keys(services: SharedServices) -> dict[str, Any]:
    """The house's public signing keys with their days of validity, old ones for ever."""
    async with services.engine.connect() as database:
        return await export.public_keys(database)


@router.get("/log/head")
async def log_head(services: SharedServices) -> dict[str, Any]:
    try:
        async with services.engine.connect() as database:
            return await export.log_head(database)
    except LookupError:
        raise HttpRefusal(404, "empty_log", "no tree head was signed yet: ask again in a second") from None


@router.get("/log/leaves")
async def log_leaves(
    services: SharedServices,
    start: Annotated[int, Query(alias="from", ge=0, le=_LARGEST_LOG)] = 0,
    end: Annotated[int | None, Query(alias="to", ge=0, le=_LARGEST_LOG)] = None,
) -> dict[str, Any]:
    """Leaves from..to (to not included), at most 1,000 at once."""
    stop = start + export.MOST_LEAVES if end is None else end
    async with services.engine.connect() as database:
        return await export.log_leaves(database, start, stop)


@router.get("/log/consistency")
async def log_consistency(
    services: SharedServices,
    start: Annotated[int, Query(alias="from", ge=0, le=_LARGEST_LOG)],
    end: Annotated[int, Query(alias="to", ge=0, le=_LARGEST_LOG)],
) -> dict[str, Any]:
    async with services.engine.connect() as database:
        proof = await export.log_consistency(database, start, end)
    if proof is None:
        raise HttpRefusal(404, "no_such_tree", "the log never had these two sizes")
    return proof


@router.get("/log/inclusion")
async def log_inclusion(services: SharedServices, hand: UUID) -> dict[str, Any]:
    async with services.engine.connect() as database:
        proof = await export.log_inclusion(database, hand.bytes)
    if proof is None:
        raise HttpRefusal(404, "no_such_hand", "the log has no hand with this id")
    return proof
