"""A guest's socket without the client library: any bytes can be sent, and everything that came can be looked at."""

import asyncio
import contextlib
import itertools
import json
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from clients.python.account import Account, sign_in_as_guest
from clients.python.fair_seat import SeatContribution

Document = dict[str, Any]
WAIT_SECONDS = 60
SIGNED_OUT = 4401


class RawSeat:
    """One connection. What the house says is kept in `heard`, in order."""

    def __init__(self, account: Account, socket: ClientConnection) -> None:
        self.account = account
        self.socket = socket
        self.heard: list[Document] = []
        self.texts: list[str] = []
        self.contribution: SeatContribution | None = None
        self._run = secrets.token_hex(4)
        self._ids = itertools.count(1)
        self._news = asyncio.Condition()
        self.is_closed = False

    async def listen(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in self.socket:
                async with self._news:
                    self.texts.append(str(text))
                    self.heard.append(json.loads(text))
                    self._news.notify_all()
        async with self._news:
            self.is_closed = True
            self._news.notify_all()

    async def until(self, found: Callable[[], Any]) -> Any:
        """What `found` returns as soon as it is something; it is asked again with every message."""
        async with asyncio.timeout(WAIT_SECONDS), self._news:
            while not (result := found()):
                assert not self.is_closed, f"the house closed with {self.socket.close_code}"
                await self._news.wait()
            return result

    async def send(self, message: Document | str | bytes) -> None:
        await self.socket.send(json.dumps(message) if isinstance(message, dict) else message)

    async def ask(self, message: Document | str | bytes) -> Document:
        """Send a message and return its ack or error. An id is made for a document without one."""
        if isinstance(message, dict):
            message = {"id": f"{self._run}-{next(self._ids)}"} | message
        start = len(self.heard)
        await self.send(message)
        own_id = message["id"] if isinstance(message, dict) else None

        def answer() -> Document | None:
            kinds = ("ack", "error", "pong")
            answers = (m for m in self.heard[start:] if m["type"] in kinds)
            return next((m for m in answers if own_id is None or m["id"] in (own_id, None)), None)

        answered: Document = await self.until(answer)
        return answered

    async def unasked(self) -> list[Document]:
        """What the house has said of itself since the last look; everything that came before now is in it."""
        await self.ask({"type": "ping"})
        said = [message for message in self.heard if message["type"] not in ("pong", "ack", "error")]
        self.heard = self.heard[:0]
        return said

    def of_kind(self, kind: str, /, **fields: Any) -> Document | None:
        """The newest message of a kind with these fields."""
        matching = (m for m in reversed(self.heard) if m["type"] == kind and fields.items() <= m.items())
        return next(matching, None)

    async def close_code(self) -> int | None:
        """Wait for the house to close."""
        async with asyncio.timeout(WAIT_SECONDS), self._news:
            await self._news.wait_for(lambda: self.is_closed)
        return self.socket.close_code


class AtTable(RawSeat):
    """The same at one table, with the newest state at hand."""

    table_id: UUID

    @property
    def table(self) -> Document:
        """The newest state of the table."""
        found = self.of_kind("table", table_id=str(self.table_id))
        assert found is not None, "no table was shown"
        return found

    @property
    def seat(self) -> int:
        seat: int = self.table["you"]["seat"]
        return seat

    @property
    def cards(self) -> list[int]:
        cards: list[int] = self.table["you"]["cards"]
        return cards

    @property
    def is_on_turn(self) -> bool:
        hand = self.table["public"]["hand"]
        return hand is not None and hand["turn"] is not None and hand["turn"]["seat"] == self.seat

    def command(self, kind: str, **fields: Any) -> Document:
        return {"type": kind, "table_id": str(self.table_id)} | fields

    def turn(self) -> Document:
        hand = self.table["public"]["hand"]
        return {"hand_id": hand["hand_id"], "turn": hand["turn"]["number"]}

    async def do(self, kind: str, **fields: Any) -> Document:
        """Ask, and have it done."""
        answer = await self.ask(self.command(kind, **fields))
        assert answer["type"] == "ack", answer
        return answer

    async def move(self, kind: str, **fields: Any) -> Document:
        return await self.do(kind, **self.turn(), **fields)

    async def in_phase(self, phase: str) -> None:
        await self.until(lambda: self.table["public"]["phase"] == phase)

    async def contribute(self) -> None:
        receipt = await self.until(lambda: self.of_kind("receipt", kind="commit", hand_id=self._hand_id()))
        self.contribution = SeatContribution.for_commitment(receipt["receipt"], self.account.player_id)
        await self.do("contribute", hand_id=receipt["hand_id"], hash=self.contribution.hash.hex())

    async def reveal(self) -> None:
        own = self.contribution
        assert own is not None
        await self.until(lambda: self.of_kind("receipt", kind="hashes", hand_id=str(own.hand_id)))
        await self.do("reveal", hand_id=str(own.hand_id), nonce=own.nonce.hex(), text=own.text)

    def _hand_id(self) -> str | None:
        hand = self.table["public"]["hand"]
        return None if hand is None else hand["hand_id"]


@asynccontextmanager
async def raw_seat(
    url: str, name: str = "Guest", account: Account | None = None, table_id: UUID | None = None
) -> AsyncIterator[AtTable]:
    """A guest of the house, greeted; the same one again with `account`."""
    if account is None:
        async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
            account = await sign_in_as_guest(http, url, name, bot=False)
    headers = {"authorization": account.headers["authorization"]}
    async with connect(
        url.replace("http", "ws") + "/ws",
        additional_headers=headers,
        proxy=None,
        compression=None,
        max_size=1 << 20,
        max_queue=None,
    ) as socket:
        seat = AtTable(account, socket)
        if table_id is not None:
            seat.table_id = table_id
        listening = asyncio.create_task(seat.listen())
        try:
            assert (await seat.ask({"type": "hello", "protocol": 1}))["type"] == "ack"
            yield seat
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


async def table_of_size(url: str, seats: int) -> UUID:
    """The house's first table with so many chairs."""
    async with httpx.AsyncClient(trust_env=False, timeout=30) as http:
        tables = (await http.get(f"{url}/api/tables")).json()
    return UUID(next(table["table_id"] for table in tables if table["seat_count"] == seats))


@asynccontextmanager
async def seated(url: str, count: int, size: int = 4) -> AsyncIterator[list[AtTable]]:
    """So many guests on the chairs of a table where nobody else sits; they leave it again."""
    table_id = await table_of_size(url, size)
    async with contextlib.AsyncExitStack() as stack:
        seats = [
            await stack.enter_async_context(raw_seat(url, f"Guest {number}", table_id=table_id))
            for number in range(count)
        ]
        for seat in seats:
            await seat.do("watch_table")
            await seat.do("sit")
        try:
            yield seats
        finally:
            for seat in seats:
                await _leave(seat)


async def _leave(seat: AtTable) -> None:
    """Give the chair up, over a new connection if this one is gone; whoever has signed out stays sitting."""
    if not seat.is_closed:
        await seat.ask(seat.command("leave_table"))
    elif seat.socket.close_code != SIGNED_OUT:
        # A house that is down has failed its test already.
        with contextlib.suppress(OSError):
            async with raw_seat(seat.account.url, account=seat.account) as back:
                await back.ask(seat.command("leave_table"))


@asynccontextmanager
async def dealt(url: str, count: int = 3, size: int = 4) -> AsyncIterator[list[AtTable]]:
    """The same, and a hand is dealt: the first of the list is on turn, the others follow in turn order."""
    async with seated(url, count, size) as seats:
        await deal(seats)
        first = next(index for index, seat in enumerate(seats) if seat.is_on_turn)
        yield seats[first:] + seats[:first]


async def deal(seats: Sequence[AtTable]) -> None:
    """Take everybody through the seeds of the hand that opens next."""
    for seat in seats:
        await seat.in_phase("seeds")
        await seat.contribute()
    for seat in seats:
        await seat.reveal()
    for seat in seats:
        await seat.in_phase("playing")
