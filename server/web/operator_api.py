"""The desk over HTTP: a one-time code opens it, and nobody else is told that it exists."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import RedirectResponse, Response

from server.identity import accounts
from server.identity.secrets import new_secret
from server.operator.overview import overview
from server.web.authentication import Desk, SharedServices, set_session_cookie
from server.web.errors import HttpRefusal

router = APIRouter(tags=["desk"])


@router.get("/operator/sign-in", include_in_schema=False)
async def sign_in(code: Annotated[str, Query(max_length=100)], services: SharedServices) -> Response:
    """Redeem a one-time code and go to the desk."""
    now_ms = services.now_ms()
    async with services.engine.begin() as database:
        player_id = await accounts.use_operator_code(database, code, now_ms)
        if player_id is None:
            raise HttpRefusal(
                403, "code_refused", "this code is unknown, used or too old: the server prints a new one when it starts"
            )
        token = new_secret(services.random)
        await accounts.create_session(database, player_id, token, now_ms, services.settings.session_days)
    response = RedirectResponse("/operator", 303)
    set_session_cookie(response, token, services)
    return response


@router.get("/api/operator/overview")
async def desk_overview(_: Desk, services: SharedServices) -> dict[str, Any]:
    async with services.engine.connect() as database:
        return await overview(database, services.house.summaries())
