"""The desk over HTTP: read by operators and auditors, and nobody else is told that it exists."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from server.identity import staff
from server.identity.operator_codes import use_operator_code
from server.operator.overview import overview
from server.web.authentication import Desk, SharedServices
from server.web.signing_in import begin_session

router = APIRouter(tags=["desk"])

_CODE_REFUSED = "This sign-in link is unknown, used or too old. The server prints a new one each time it starts.\n"


@router.get("/operator/sign-in", include_in_schema=False)
async def sign_in(
    request: Request, services: SharedServices, code: Annotated[str, Query(max_length=100)] = ""
) -> Response:
    """Redeem a one-time code and go to the desk, which asks for what is still missing: password, second factor."""
    response = RedirectResponse("/operator", 303)
    async with services.engine.begin() as database:
        player_id = await use_operator_code(database, code, services.now_ms())
        identity = None if player_id is None else await staff.find_staff(database, player_id)
        if identity is None:
            return PlainTextResponse(_CODE_REFUSED, 403)
        await begin_session(database, services, request, response, identity)
    return response


@router.get("/api/operator/overview")
async def desk_overview(_: Desk, services: SharedServices) -> dict[str, Any]:
    async with services.engine.connect() as database:
        tables = [*services.house.summaries(), *services.house.private_tables()]
        return await overview(database, tables)
