"""`python -m server serve`: database, migrations, tables, practice bots, and the address to open."""

import asyncio
import contextlib
import ipaddress
import secrets
import signal
import socket
import time
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType
from typing import Final

import structlog
import uvicorn
from sqlalchemy.exc import DBAPIError

from server.app import create_app
from server.database import create_engine, house_connections, migrate
from server.house_folder import database_of, note_address, only_house_of
from server.logs import configure_logs
from server.opening import new_operator_code
from server.practice_bots import practice_bots
from server.settings import Settings

_log = structlog.get_logger(__name__)

_GRACEFUL_SECONDS: Final = 10


class CannotServe(Exception):
    """The server can't start; the message is one line that says what to do."""


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM. Raises CannotServe, FolderInUse."""
    configure_logs(settings.log_level)
    listener = _listen(settings)
    with (
        only_house_of(settings.data_dir),
        database_of(settings) as url,
        asyncio.Runner(loop_factory=_loop_factory()) as runner,
    ):
        runner.run(_serve(settings, url, listener))


def _loop_factory() -> type[asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:  # Windows has none, and serves all the same.
        return None
    return uvloop.Loop


def _listen(settings: Settings) -> socket.socket:
    listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as fault:
        listener.close()
        raise CannotServe(
            f"{settings.host}:{settings.port} cannot be used ({fault.strerror}): choose another with RUMMY_PORT"
        ) from None
    return listener


async def _serve(settings: Settings, database_url: str, listener: socket.socket) -> None:
    print("database: bringing the schema up to date", flush=True)
    try:
        await migrate(database_url)
    except (DBAPIError, OSError) as fault:
        raise CannotServe(f"the database cannot be used: {str(fault).splitlines()[0]}") from fault
    await _tell_of_another_house(database_url)
    app = create_app(settings, database_url)
    config = uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_max_size=4 * settings.message_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_graceful_shutdown=_GRACEFUL_SECONDS,
        log_level="warning",
        access_log=False,
        server_header=False,
    )
    server = _Server(config, lambda: app.state.services.drain.run())
    serving = asyncio.create_task(server.serve(sockets=[listener]), name="uvicorn")
    opened = asyncio.create_task(server.opened.wait())
    await asyncio.wait({serving, opened}, return_when=asyncio.FIRST_COMPLETED)
    opened.cancel()
    if not server.started:
        await serving
        raise CannotServe("the server could not start; its reasons are in the lines above")
    url = _address(listener)
    note_address(settings.data_dir, url)
    await _announce(settings, database_url, url)
    async with practice_bots(settings, url, lambda: server.is_stopping):
        await serving
    await server.drained()


class _Server(uvicorn.Server):
    """Says when it has opened, and ends on a signal by returning: what comes after it must still be closed.

    The first signal drains, with the doors open so that whoever loses a line comes back to their hand; a second one
    ends at once.
    """

    def __init__(self, config: uvicorn.Config, drain: Callable[[], Coroutine[None, None, None]]) -> None:
        super().__init__(config)
        self.opened = asyncio.Event()
        self._drain = drain
        self._draining: asyncio.Task[None] | None = None
        self._loop = asyncio.get_running_loop()

    @property
    def is_stopping(self) -> bool:
        return self._draining is not None or self.should_exit

    async def drained(self) -> None:
        """Raises what broke the drain, if something did."""
        if self._draining is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._draining

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """In the middle of whatever Python code runs: only leave word."""
        self._loop.call_soon_threadsafe(self._asked_to_stop)

    def _asked_to_stop(self) -> None:
        if self._draining is None and not self.should_exit:
            self._draining = asyncio.create_task(self._drain_and_exit(), name="drain")
        else:
            self.should_exit = True
            if self._draining is not None:
                self._draining.cancel()

    async def _drain_and_exit(self) -> None:
        try:
            await self._drain()
        finally:
            self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.opened.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {each: signal.signal(each, self.handle_exit) for each in signals}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    shown = "127.0.0.1" if ipaddress.ip_address(host).is_unspecified else host
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


async def _tell_of_another_house(database_url: str) -> None:
    """Two houses on one database do no harm, but the later one takes the tables over: nobody should wonder why."""
    connections = await house_connections(database_url)
    if connections:
        _log.warning("another_house_on_this_database", connections=connections, meaning="its tables are taken over")


async def _announce(settings: Settings, database_url: str, url: str) -> None:
    engine = create_engine(database_url)
    try:
        code = await new_operator_code(engine, secrets.token_bytes, settings, time.time_ns() // 1_000_000)
    finally:
        await engine.dispose()
    print(
        f"\n  The rummy house is open:  {url}\n"
        f"  Operator's one-time sign-in (for {settings.operator_code_minutes} minutes; then a password and an app):\n"
        f"    {url}/operator/sign-in?code={code}\n\n"
        "  Stop with Ctrl-C; everything is kept.\n",
        flush=True,
    )
