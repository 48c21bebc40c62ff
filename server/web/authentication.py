"""Who a request or a socket speaks for: a session token in a cookie (browsers) or a Bearer header (programs)."""

from typing import Annotated, Final

from fastapi import Depends, Request
from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.identity import accounts
from server.identity.accounts import DAY_MS, Identity, Role
from server.web.errors import HttpRefusal
from server.web.services import Services

SESSION_COOKIE: Final = "rummy_session"


def services_of(request: HTTPConnection) -> Services:
    services: Services = request.app.state.services
    return services


def session_token(request: HTTPConnection) -> str | None:
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and credentials:
        return credentials
    return request.cookies.get(SESSION_COOKIE)


async def find_identity(request: HTTPConnection) -> Identity | None:
    token = session_token(request)
    if token is None:
        return None
    services = services_of(request)
    async with services.engine.connect() as database:
        return await accounts.find_session(database, token, services.now_ms())


async def signed_in(request: Request) -> Identity:
    identity = await find_identity(request)
    if identity is None:
        raise HttpRefusal(401, "sign_in", "sign in first: POST /api/guests", ["POST /api/guests"])
    return identity


async def desk(request: Request) -> Identity:
    """An operator or auditor; anyone else is told that there is nothing here."""
    identity = await find_identity(request)
    if identity is None or identity.role is Role.PLAYER:
        raise HttpRefusal(404, "not_found", "there is nothing here")
    return identity


def set_session_cookie(response: Response, token: str, services: Services) -> None:
    response.set_cookie(
        SESSION_COOKIE,
        token,
        max_age=services.settings.session_days * DAY_MS // 1000,
        httponly=True,
        samesite="strict",
        secure=services.settings.secure_cookies,
        path="/",
    )


SharedServices = Annotated[Services, Depends(services_of)]
SignedIn = Annotated[Identity, Depends(signed_in)]
Desk = Annotated[Identity, Depends(desk)]
