"""A bad line to a house: a TCP proxy that a test can cut, freeze and let go on."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

CHUNK_BYTES: Final = 65_536


class Line:
    """Connect to `url` instead of to the house.

    lifetime: seconds until a new connection is cut by itself; None for never.
    """

    def __init__(self, house_port: int, lifetime: Callable[[], float] | None) -> None:
        self._house_port = house_port
        self._lifetime = lifetime
        self._open: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._is_up = True
        self.cuts = 0
        self.url = ""

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client's connection, for as long as it lasts."""
        task = asyncio.current_task()
        assert task is not None
        self._pumps.add(task)
        try:
            await self._connect(reader, writer)
        finally:
            self._pumps.discard(task)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._is_up:
            writer.transport.abort()
            return
        try:
            from_house, to_house = await asyncio.open_connection("127.0.0.1", self._house_port)
        except OSError:
            writer.transport.abort()
            return
        ends = (writer, to_house)
        self._open.update(ends)
        pumps = [asyncio.create_task(self._pump(reader, to_house)), asyncio.create_task(self._pump(from_house, writer))]
        seconds = None if self._lifetime is None else self._lifetime()
        try:
            done, _ = await asyncio.wait(pumps, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            self.cuts += not done
        finally:
            for pump in pumps:
                pump.cancel()
            self._open.difference_update(ends)
            for end in ends:
                end.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(CHUNK_BYTES):
                await self._flowing.wait()
                sink.write(data)
                await sink.drain()

    def cut(self) -> None:
        """Break every connection without a goodbye; new ones are taken."""
        for end in tuple(self._open):
            end.transport.abort()

    def go_down(self) -> None:
        """Break every connection and take none until `come_up`."""
        self._is_up = False
        self.cut()

    def come_up(self) -> None:
        self._is_up = True

    def freeze(self) -> None:
        """Nothing gets through either way, and nobody is told."""
        self._flowing.clear()

    def go_on(self) -> None:
        """What was sent meanwhile comes all at once."""
        self._flowing.set()

    async def close(self) -> None:
        for pump in self._pumps:
            pump.cancel()
        await asyncio.gather(*self._pumps, return_exceptions=True)


@asynccontextmanager
async def bad_line(house_port: int, lifetime: Callable[[], float] | None = None) -> AsyncIterator[Line]:
    line = Line(house_port, lifetime)
    server = await asyncio.start_server(line.take, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    line.url = f"http://127.0.0.1:{port}"
    try:
        yield line
    finally:
        server.close()
        await line.close()
