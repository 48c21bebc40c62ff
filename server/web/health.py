"""For whoever watches the process: is it alive, and can it serve?"""

from fastapi import APIRouter
from sqlalchemy import text

from server.web.authentication import SharedServices
from server.web.errors import DATABASE_AWAY, HttpRefusal, RefusalCode

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def alive() -> dict[str, str]:
    return {"status": "alive"}


@router.get("/readyz")
async def ready(services: SharedServices) -> dict[str, str]:
    """No while the house drains: send nobody new here."""
    if services.drain.notice is not None:
        raise HttpRefusal(503, RefusalCode.DRAINING, "the house is about to restart")
    try:
        async with services.engine.connect() as database:
            await database.execute(text("SELECT 1"))
    except DATABASE_AWAY:
        raise HttpRefusal(503, RefusalCode.DATABASE_AWAY, "the database does not answer") from None
    return {"status": "ready"}
