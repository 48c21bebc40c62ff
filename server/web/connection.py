"""One socket as the tables see it: something that is told things and never makes anyone wait."""

import asyncio
from collections import deque
from collections.abc import Coroutine
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from server.identity.accounts import Identity, Kind
from server.identity.sessions import Session
from server.protocol.messages import Player

CLOSE_SIGNED_OUT: Final = 4401
CLOSE_FORBIDDEN_ORIGIN: Final = 4403
CLOSE_TOO_SLOW: Final = 4408
CLOSE_REPLACED: Final = 4409
CLOSE_TOO_MANY: Final = 4429
CLOSE_RESTARTING: Final = 1012
CLOSE_TRY_AGAIN: Final = 1013

_CLOSE_PATIENCE_SECONDS: Final = 5.0


class SocketConnection:
    """A bounded outbox with one writer behind it.

    `send` only queues. A client that lets `outbox_messages` pile up is closed with CLOSE_TOO_SLOW: it comes
    back with its last message number and is shown where things stand.
    """

    def __init__(self, websocket: WebSocket, session: Session, outbox_messages: int) -> None:
        self.session = session
        self._websocket = websocket
        self._player = shown_player(session.identity)
        self._outbox: deque[str] = deque()
        self._outbox_messages = outbox_messages
        self._wake = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._writer: asyncio.Future[None] | None = None
        self._patience: asyncio.TimerHandle | None = None

    @property
    def player(self) -> Player:
        return self._player

    @property
    def close_code(self) -> int | None:
        """With what code the house closed it; None when it did not."""
        return None if self._closing is None or self._closing[0] == 1000 else self._closing[0]

    def rename(self, player: Player) -> None:
        """The same player is called otherwise from now on."""
        self._player = player

    def send(self, text: str) -> None:
        if self._closing is not None:
            return
        if len(self._outbox) >= self._outbox_messages:
            self._outbox.clear()
            self.close(CLOSE_TOO_SLOW, "this connection could not keep up")
            return
        self._outbox.append(text)
        self._wake.set()

    def close(self, code: int, reason: str) -> None:
        """End the connection once what is queued is out. The first reason stands.

        A peer that stopped reading never lets that happen, so patience has an end too.
        """
        if self._closing is None:
            self._closing = (code, reason)
            self._wake.set()
            if self._writer is not None:
                self._patience = asyncio.get_running_loop().call_later(_CLOSE_PATIENCE_SECONDS, self._writer.cancel)

    async def run(self, read: Coroutine[None, None, None]) -> None:
        """Read and write until either side ends; both are over when this returns."""
        reader = asyncio.ensure_future(read)
        self._writer = asyncio.ensure_future(self._write())
        try:
            await asyncio.wait({reader, self._writer}, return_when=asyncio.FIRST_COMPLETED)
            if self._writer.done():
                reader.cancel()
            else:
                self.close(1000, "")
            results = await asyncio.gather(reader, self._writer, return_exceptions=True)
        finally:
            reader.cancel()
            self._writer.cancel()
            if self._patience is not None:
                self._patience.cancel()
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                raise result

    async def _write(self) -> None:
        try:
            while self._closing is None or self._outbox:
                if self._outbox:
                    await self._websocket.send_text(self._outbox.popleft())
                else:
                    self._wake.clear()
                    await self._wake.wait()
            code, reason = self._closing
            await self._websocket.close(code, reason)
        except (WebSocketDisconnect, RuntimeError):
            # The peer is gone, or the socket was closed under us: nothing is left to write to.
            return


def shown_player(identity: Identity) -> Player:
    """An account as others see it."""
    return Player(player_id=identity.player_id, name=identity.name, bot=identity.kind is Kind.BOT)
