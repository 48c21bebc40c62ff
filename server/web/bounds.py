"""How much, how often and in which form an address may ask over HTTP: checked before anything is read or looked up."""

import asyncio
from collections.abc import Callable
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from server.web.addresses import client_address
from server.web.errors import HttpRefusal, RefusalCode, refusal_response
from server.web.limits import KeyedLimit

MOST_BODY_BYTES: Final = 16_384
"""The largest request that the house knows is a few hundred bytes."""
BODY_SECONDS: Final = 10.0
JSON: Final = "application/json"

_WITHOUT_BODY: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class BoundsMiddleware:
    """Plain ASGI: reads the whole small body, or refuses it, before the app sees the request."""

    def __init__(self, app: ASGIApp, requests_per_minute: int, now_ms: Callable[[], int]) -> None:
        self._app = app
        self._per_address = KeyedLimit.a_minute(requests_per_minute, now_ms)
        self._per_minute = requests_per_minute

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            self._require_allowance(scope)
            within = receive if scope["method"] in _WITHOUT_BODY else await _read(HTTPConnection(scope), receive)
        except HttpRefusal as refusal:
            await refusal_response(refusal)(scope, receive, send)
            return
        await self._app(scope, within, send)

    def _require_allowance(self, scope: Scope) -> None:
        if scope["path"].startswith("/api/") and not self._per_address.take(client_address(HTTPConnection(scope))):
            words = f"at most {self._per_minute} requests a minute from one address"
            raise HttpRefusal(429, RefusalCode.TOO_MANY, words, wait_ms=1_000)


async def _read(connection: HTTPConnection, receive: Receive) -> Receive:
    """The body, read to its end within the bounds, as something to receive it from. Raises HttpRefusal."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await _whole_body(receive)
    except TimeoutError:
        words = f"a request's body comes within {BODY_SECONDS:.0f} seconds"
        raise HttpRefusal(408, RefusalCode.TOO_SLOW, words) from None
    media_type = connection.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and media_type != JSON:
        raise HttpRefusal(415, RefusalCode.WRONG_CONTENT_TYPE, f"a body is JSON, sent as {JSON}", [JSON])
    unread = [body]

    async def replay() -> Message:
        if unread:
            return {"type": "http.request", "body": unread.pop(), "more_body": False}
        return await receive()

    return replay


async def _whole_body(receive: Receive) -> bytes:
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b""
        body += message.get("body", b"")
        if len(body) > MOST_BODY_BYTES:
            raise HttpRefusal(413, RefusalCode.TOO_LARGE, f"a request has at most {MOST_BODY_BYTES} bytes")
        if not message.get("more_body", False):
            return bytes(body)
