"""A whole house in the test's own process, over real sockets and PostgreSQL, by a clock that the test moves."""

import argparse
import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import httpx
import pyotp
import uvicorn
from sqlalchemy import text
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from server import staff_command
from server.app import create_app
from server.settings import Settings
from server.web.services import Services
from tests.server.tables.doubles import JumpingClock

CHANGE = {"x-rummy": "1"}
PASSWORD = "four unrelated words here"
STEP_MS = 30_000


class _Server(uvicorn.Server):
    """Leaves signals to pytest."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class ClockedHouse:
    def __init__(self, url: str, database_url: str, clock: JumpingClock, services: Services) -> None:
        self.url = url
        self._database_url = database_url
        self.clock = clock
        self.services = services

    def browser(self, **headers: str) -> httpx.AsyncClient:
        """Somebody with a cookie jar of their own."""
        return httpx.AsyncClient(base_url=self.url, trust_env=False, headers={**CHANGE, **headers})

    @contextlib.asynccontextmanager
    async def guest(self, name: str = "", **headers: str) -> AsyncIterator[httpx.AsyncClient]:
        async with self.browser(**headers) as browser:
            await done(browser.post("/api/guests", json={"name": name}), 201)
            yield browser

    @contextlib.asynccontextmanager
    async def member(self, name: str, password: str = PASSWORD) -> AsyncIterator[httpx.AsyncClient]:
        async with self.guest() as browser:
            await done(browser.post("/api/me/account", json={"name": name, "password": password}))
            yield browser

    @contextlib.asynccontextmanager
    async def staff(self, *wanted: str) -> AsyncIterator[tuple[httpx.AsyncClient, "App"]]:
        """Somebody new at the desk, made as `python -m server operator create` makes them, and fully enrolled."""
        async with self.browser() as browser:
            link = (await self.command("create", *wanted)).split()[-1]
            assert (await browser.get(link)).status_code == 303
            yield browser, await self.enrolled(browser, wanted[0])

    async def enrolled(self, browser: httpx.AsyncClient, name: str) -> "App":
        """Choose name and password and enrol an app, from a session without either."""
        await done(browser.post("/api/me/account", json={"name": name, "password": PASSWORD}))
        offered = await done(browser.post("/api/me/second-factor", json={"password": PASSWORD}), 201)
        app = App(self, offered["secret"])
        await done(browser.post("/api/me/second-factor/confirm", json={"code": app.code()}))
        return app

    async def command(self, *arguments: str) -> str:
        """What `python -m server operator ...` prints; links lead to this house. By this house's clock."""
        parser = argparse.ArgumentParser()
        staff_command.add_arguments(parser)
        settings = self.services.settings.model_copy(
            update={"database_url": self._database_url, "port": urlsplit(self.url).port}
        )
        return await staff_command.act(parser.parse_args(arguments), settings, self.clock.now_ms)

    @contextlib.asynccontextmanager
    async def socket(self, browser: httpx.AsyncClient, **headers: str) -> AsyncIterator[ClientConnection]:
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        url = self.url.replace("http", "ws") + "/ws"
        async with connect(url, additional_headers={"cookie": cookie, **headers}, proxy=None) as opened:
            yield opened

    async def sit(self, browser: httpx.AsyncClient) -> str:
        """Take a chair at the first table in the lobby: `ack`, or the code of the refusal."""
        table_id = (await done(browser.get("/api/tables")))[0]["table_id"]
        ask = str(uuid4())
        async with self.socket(browser) as opened:
            await greet(opened)
            await opened.send(json.dumps({"type": "sit", "id": ask, "table_id": table_id}))
            while (answer := json.loads(await opened.recv())).get("id") != ask:
                pass
            return str(answer["type"] if answer["type"] == "ack" else answer["code"])

    async def settled(self, table_id: str) -> None:
        """Return when a table has done what it was told."""
        table = self.services.house._tables.get(UUID(table_id))
        if table is not None:
            await table.inbox.all_done()

    async def sql(self, statement: str, **values: Any) -> Any:
        """One value, as the server's own role reads or writes it."""
        async with self.services.engine.begin() as database:
            result = await database.execute(text(statement), values)
            return result.scalar() if result.returns_rows else None

    def later(self, ms: int) -> None:
        self.clock.jump_to(self.clock.now_ms() + ms)


class App:
    """An authenticator app that never shows a code twice: it moves the house's clock on instead."""

    def __init__(self, house: ClockedHouse, secret: str) -> None:
        self._house = house
        self._codes = pyotp.TOTP(secret)

    def code(self) -> str:
        self._house.later(STEP_MS)
        return self.code_again()

    def code_again(self) -> str:
        return self._codes.at(self._house.clock.now_ms() // 1000)


@contextlib.asynccontextmanager
async def clocked_house(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[ClockedHouse]:
    clock = JumpingClock()
    app = create_app(Settings(data_dir=folder, practice_bots=0, **settings), database_url, clock)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = _Server(uvicorn.Config(app, ws="websockets-sansio", log_level="warning", access_log=False))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started and not serving.done():
            await asyncio.sleep(0.005)
        if serving.done():
            serving.result()
        try:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            yield ClockedHouse(url, database_url, clock, app.state.services)
        finally:
            server.should_exit = True
            await serving


async def done(request: Any, status: int = 200) -> Any:
    """The body of an answer that has to be this one."""
    answer = await request
    assert answer.status_code == status, (answer.status_code, answer.text)
    return answer.json() if answer.content else None


async def refused(request: Any, status: int, code: str) -> dict[str, Any]:
    """The error of a request that has to be refused so; it says something to a person."""
    answer = await request
    error: dict[str, Any] = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (status, code), answer.text
    assert error["message"]
    return error


async def greet(opened: ClientConnection) -> None:
    await opened.send(json.dumps({"type": "hello", "id": "h", "protocol": 1}))
    while json.loads(await opened.recv())["type"] != "ack":
        pass


async def closed_with(opened: ClientConnection) -> tuple[int | None, str | None]:
    """Read until the house closes; with which code and words."""
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(20):
            while True:
                await opened.recv()
    return opened.close_code, opened.close_reason
