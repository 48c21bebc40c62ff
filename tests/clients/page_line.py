"""The line between a page and its house: what went over it, and a break that nobody is told of."""

import asyncio
import json
from typing import Any

from playwright.async_api import Page, WebSocketRoute

Document = dict[str, Any]
WAIT_SECONDS = 30


class PageLine:
    """Sockets of one page from now on.

    A dead line carries nothing any more over the sockets that are open, and both ends go on believing in them; a new
    one gets no further than its dial, until the line is mended.
    """

    def __init__(self) -> None:
        self.sent: list[Document] = []
        """What the page said, carried or not."""
        self.heard: list[Document] = []
        """What reached the page."""
        self._flowing: set[WebSocketRoute] = set()
        self._dead = False
        self.sockets = 0
        """How often the page dialled."""
        self._news = asyncio.Event()

    @classmethod
    async def of(cls, page: Page) -> "PageLine":
        line = cls()
        await page.route_web_socket("**/ws", line._take)
        return line

    def die(self) -> None:
        self._dead = True
        self._flowing.clear()

    def mend(self) -> None:
        """The next dial of the page goes through; what was open stays dead."""
        self._dead = False

    def moves(self, *kinds: str) -> list[Document]:
        return [message for message in self.sent if message["type"] in kinds]

    def newest_table(self) -> Document:
        return next(message for message in reversed(self.heard) if message["type"] == "table")

    async def table_after(self, count: int) -> Document:
        """The first state of a table that reached the page behind its first `count` messages."""
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                for message in self.heard[count:]:
                    if message["type"] == "table":
                        return message
                self._news.clear()
                await self._news.wait()

    async def _take(self, page_end: WebSocketRoute) -> None:
        self.sockets += 1
        if self._dead:
            await page_end.close()
            return
        self._flowing.add(page_end)
        house_end = page_end.connect_to_server()

        def to_house(text: str | bytes) -> None:
            self.sent.append(json.loads(text))
            if page_end in self._flowing:
                house_end.send(text)

        def to_page(text: str | bytes) -> None:
            if page_end in self._flowing:
                self.heard.append(json.loads(text))
                page_end.send(text)
                self._news.set()

        page_end.on_message(to_house)
        house_end.on_message(to_page)
