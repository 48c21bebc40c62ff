"""The desk over HTTP: a one-time code opens it, and nobody else is told that it exists."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse, RedirectResponse, Response

from server.identity import accounts
from server.identity.secrets import new_secret
from server.operator.overview import overview
from server.web.authentication import Desk, SharedServices, set_session_cookie

router = APIRouter(tags=["desk"])

_CODE_REFUSED = "This sign-in link is unknown, used or too old. The server prints a new one each time it starts.\n"


@router.get("/operator/sign-in", include_in_schema=False)
async def sign_in(services: SharedServices, code: Annotated[str, Query(max_length=100)] = "") -> Response:
    """Redeem a one-time code and go to the desk."""
    now_ms = services.now_ms()
    async with services.engine.begin() as database:
        player_id = await accounts.use_operator_code(database, code, now_ms)
        if player_id is None:
            return PlainTextResponse(_CODE_REFUSED, 403)
        token = new_secret(services.random)
        await accounts.create_session(database, player_id, token, now_ms, services.settings.session_days)
    response = RedirectResponse("/operator", 303)
    set_session_cookie(response, token, services)
    return response


@router.get("/api/operator/overview")
async def desk_overview(_: Desk, services: SharedServices) -> dict[str, Any]:
    async with services.engine.connect() as database:
        return await overview(database, services.house.summaries())
