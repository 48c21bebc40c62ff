"""Stopping without taking a hand from anybody: no new hands, running ones may end, then every socket says goodbye."""

from collections.abc import Callable

from server.protocol.messages import Notice
from server.tables.hub import House
from server.web.connection import CLOSE_RESTARTING
from server.web.sockets import Sockets


class Drain:
    """patience_ms: how long running hands may go on."""

    def __init__(self, house: House, sockets: Sockets, now_ms: Callable[[], int], patience_ms: int) -> None:
        self._house = house
        self._sockets = sockets
        self._now_ms = now_ms
        self._patience_ms = patience_ms
        self.notice: Notice | None = None
        """What everybody who is here, or comes meanwhile, is told; None while the house does not stop."""

    async def run(self) -> None:
        """Returns once the house has stopped: what still ran stands in the journal and goes on at the next start."""
        until_ms = self._now_ms() + self._patience_ms
        self.notice = Notice(
            code="draining",
            message="The house restarts soon: no new hand begins. A hand that still runs then goes on afterwards.",
            until_ms=until_ms,
        )
        text = self.notice.model_dump_json()
        for connection in self._sockets:
            connection.send(text)
        await self._house.drain(until_ms)
        await self._house.stop()
        self._sockets.close_all(CLOSE_RESTARTING, "the server restarts: come back in a moment")
