"""What every response and every change from a browser must satisfy: headers, origin, and the CSRF header."""

from collections.abc import Iterable, Sequence
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.web.addresses import is_encrypted
from server.web.errors import HttpRefusal, RefusalCode, refusal_response

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
_ENCRYPTED_HEADERS: Final = {"strict-transport-security": "max-age=31536000"}
"""RFC 6797; without the subdomains, which may be somebody else's."""
_API_HEADERS: Final = {"cache-control": "no-store"}


def origin_allowed(headers: Headers, encrypted: bool, allowed_origins: Iterable[str]) -> bool:
    """A browser names the page's origin: it must be the server's own or a listed one. Other clients name none.

    encrypted: over https a page that came over http is a stranger, whatever its host.
    """
    origin = headers.get("origin")
    if origin is None:
        return True
    scheme, _, host = origin.partition("://")
    own = bool(host) and host == headers.get("host") and (scheme == "https" or not encrypted)
    return own or origin in allowed_origins


class SecurityMiddleware:
    """Plain ASGI, so that it costs a socket nothing after its handshake."""

    def __init__(self, app: ASGIApp, allowed_origins: Sequence[str], always_encrypted: bool) -> None:
        self._app = app
        self._allowed_origins = tuple(allowed_origins)
        self._always_encrypted = always_encrypted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        encrypted = is_encrypted(HTTPConnection(scope), self._always_encrypted)
        added = {
            **_SECURITY_HEADERS,
            **(_ENCRYPTED_HEADERS if encrypted else {}),
            **(_API_HEADERS if scope["path"].startswith("/api/") else {}),
        }

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in added.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope, encrypted)
        if refusal is not None:
            await refusal_response(refusal)(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope, encrypted: bool) -> HttpRefusal | None:
        if scope["method"] in _SAFE_METHODS:
            return None
        headers = Headers(scope=scope)
        if not origin_allowed(headers, encrypted, self._allowed_origins):
            words = "this page's origin may not change anything here"
            return HttpRefusal(403, RefusalCode.FORBIDDEN_ORIGIN, words, ["the house's own pages"])
        if CSRF_HEADER not in headers:
            words = f"changes carry the header {CSRF_HEADER}: 1"
            return HttpRefusal(403, RefusalCode.CSRF_HEADER_MISSING, words, [CSRF_HEADER])
        return None
