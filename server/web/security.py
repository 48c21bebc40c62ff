"""What every response and every change from a browser must satisfy: headers, origin, and the CSRF header."""

from collections.abc import Iterable, Sequence
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.web.errors import HttpRefusal, refusal_response

CSRF_HEADER: Final = "x-rummy"
"""A header that no plain form or cross-site image can send."""

_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_SECURITY_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def origin_allowed(headers: Headers, allowed_origins: Iterable[str]) -> bool:
    """A browser names the page's origin: it must be the server's own or a listed one. Other clients name none."""
    origin = headers.get("origin")
    if origin is None:
        return True
    _, _, host = origin.partition("://")
    return (bool(host) and host == headers.get("host")) or origin in allowed_origins


class SecurityMiddleware:
    """Plain ASGI, so that it costs a socket nothing after its handshake."""

    def __init__(self, app: ASGIApp, allowed_origins: Sequence[str]) -> None:
        self._app = app
        self._allowed_origins = tuple(allowed_origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal_response(refusal)(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> HttpRefusal | None:
        if scope["method"] in _SAFE_METHODS:
            return None
        headers = Headers(scope=scope)
        if not origin_allowed(headers, self._allowed_origins):
            return HttpRefusal(403, "forbidden_origin", "this page's origin may not change anything here")
        if CSRF_HEADER not in headers:
            return HttpRefusal(403, "csrf_header_missing", f"changes carry the header {CSRF_HEADER}: 1", [CSRF_HEADER])
        return None
