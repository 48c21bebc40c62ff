"""`python -m server serve`: database, migrations, tables, practice bots, and the address to open."""

import asyncio
import contextlib
import ipaddress
import secrets
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from typing import Final

import structlog
import uvicorn
from sqlalchemy.exc import DBAPIError

from server.app import create_app
from server.database import create_engine, house_connections, migrate
from server.house_folder import database_of, only_house_of
from server.logs import configure_logs
from server.opening import new_operator_code
from server.settings import Settings

_log = structlog.get_logger(__name__)

_BOTS_RESTART_SECONDS: Final = 2.0
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
    config = uvicorn.Config(
        create_app(settings, database_url),
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
    server = _Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]), name="uvicorn")
    opened = asyncio.create_task(server.opened.wait())
    await asyncio.wait({serving, opened}, return_when=asyncio.FIRST_COMPLETED)
    opened.cancel()
    if not server.started:
        await serving
        raise CannotServe("the server could not start; its reasons are in the lines above")
    url = _address(listener)
    await _announce(settings, database_url, url)
    async with _practice_bots(settings, url):
        await serving


class _Server(uvicorn.Server):
    """Says when it has opened, and ends on a signal by returning: what comes after it must still be closed."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.opened = asyncio.Event()

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


@contextlib.asynccontextmanager
async def _practice_bots(settings: Settings, url: str) -> AsyncIterator[None]:
    if settings.practice_bots == 0:
        yield
        return
    keeping = asyncio.create_task(_keep_bots(settings, url), name="practice bots")
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def _keep_bots(settings: Settings, url: str) -> None:
    """The bots are a client like any other, in a process of their own; they end when this one does, however it ends."""
    while True:
        bots = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "clients.house_bots", "--until-stdin-closes", "--url", url),
            *("--bots", str(settings.practice_bots), "--accounts", str(settings.data_dir / "practice_bots.json")),
            *("--think-ms", *map(str, settings.practice_think_ms)),
            stdin=asyncio.subprocess.PIPE,
        )
        try:
            code = await bots.wait()
        finally:
            if bots.returncode is None:
                bots.terminate()
                await bots.wait()
        print(f"practice bots ended with {code}; starting them again", file=sys.stderr, flush=True)
        await asyncio.sleep(_BOTS_RESTART_SECONDS)
