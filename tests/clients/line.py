"""The line between a browser and the house: real TCP that can be cut and mended."""

import asyncio
from contextlib import suppress
from types import TracebackType


class Line:
    """Forwards a port of its own to the house's. `url` is where a browser reaches the house by it."""

    def __init__(self, house_port: int) -> None:
        self._house_port = house_port
        self._whole = True
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> "Line":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        await self.cut()

    async def cut(self) -> None:
        """Every connection breaks, and no new one comes through."""
        self._whole = False
        for writer in self._writers:
            writer.transport.abort()

    def mend(self) -> None:
        self._whole = True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._whole:
            writer.transport.abort()
            return
        house_reader, house_writer = await asyncio.open_connection("127.0.0.1", self._house_port)
        self._writers |= {writer, house_writer}
        try:
            await asyncio.gather(_pump(reader, house_writer), _pump(house_reader, writer))
        finally:
            self._writers -= {writer, house_writer}


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()
