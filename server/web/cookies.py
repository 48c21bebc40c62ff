"""The session's cookie: for this site only, for no script, and over https for no other host's planting."""

from typing import Final
from uuid import UUID

from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.web.addresses import is_encrypted

SESSION_COOKIE: Final = "rummy_session"
ENCRYPTED_SESSION_COOKIE: Final = f"__Host-{SESSION_COOKIE}"
"""Browsers take this name only over https, for this very host, so that a neighbour's page can't plant one
(RFC 6265bis, 4.1.3.2)."""

DEVICE_COOKIE: Final = "rummy_device"
_DEVICE_SECONDS: Final = 400 * 86_400
"""As long as browsers keep any cookie."""


def session_cookie(request: HTTPConnection) -> str | None:
    return request.cookies.get(_name(request))


def set_session_cookie(response: Response, token: str, request: HTTPConnection, seconds: int) -> None:
    response.set_cookie(
        _name(request), token, max_age=seconds, httponly=True, samesite="strict", secure=_encrypted(request), path="/"
    )


def delete_session_cookie(response: Response, request: HTTPConnection) -> None:
    response.delete_cookie(_name(request), path="/", httponly=True, samesite="strict", secure=_encrypted(request))


def device_of(request: HTTPConnection) -> UUID | None:
    """What this browser was called when somebody first signed in with it."""
    try:
        return UUID(request.cookies.get(DEVICE_COOKIE, ""))
    except ValueError:
        return None


def set_device_cookie(response: Response, device_id: UUID, request: HTTPConnection) -> None:
    """It opens nothing: it says only that two accounts were used on one device."""
    response.set_cookie(
        DEVICE_COOKIE,
        str(device_id),
        max_age=_DEVICE_SECONDS,
        httponly=True,
        samesite="strict",
        secure=_encrypted(request),
        path="/",
    )


def _name(request: HTTPConnection) -> str:
    return ENCRYPTED_SESSION_COOKIE if _encrypted(request) else SESSION_COOKIE


def _encrypted(request: HTTPConnection) -> bool:
    return is_encrypted(request, request.app.state.services.settings.secure_cookies)
