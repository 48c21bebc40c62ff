"""One signed-in player's socket: commands out, each answered; messages in; reconnecting by itself.

A command is sent again with the same id after a lost connection until the house has answered it, so it is done
once however bad the line. Tables that were watched are watched again from the last message seen.
"""

import asyncio
import itertools
import random
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final, Self
from uuid import UUID

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from clients.python.account import Account
from server.protocol import PROTOCOL_VERSION
from server.protocol.commands import Command, Hello, Ping, ResumePoint, Sit, UnwatchTable, WatchTable
from server.protocol.lobby_commands import JoinWaiting
from server.protocol.messages import (
    SERVER_MESSAGE,
    Ack,
    Error,
    ErrorCode,
    Pong,
    ServerMessage,
    Table,
    TableGone,
    WaitingPlace,
    Welcome,
)

_FIRST_DELAY: Final = 0.1
_LONGEST_DELAY: Final = 5.0
_PING_SECONDS: Final = 10.0
_FINAL_CLOSE_CODES: Final = frozenset({4401, 4403})
_MESSAGE_BYTES: Final = 1 << 20


class CommandRefused(Exception):
    """The house answered with an error; nothing was done."""

    def __init__(self, code: ErrorCode, message: str, allowed: list[str]) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.allowed = allowed


class SignedOut(Exception):
    """The house no longer knows this session, or does not want this client: reconnecting is no use."""


class HouseClient:
    """Use as a context manager; `on_message` hears every message that is no answer, in order."""

    def __init__(self, account: Account, on_message: Callable[[ServerMessage], None]) -> None:
        self.account = account
        self._on_message = on_message
        self._ids = (f"{random.getrandbits(32):08x}-{number}" for number in itertools.count(1))
        self._unanswered: dict[str, tuple[Command, asyncio.Future[dict[str, Any] | None]]] = {}
        self._watched: dict[UUID, ResumePoint | None] = {}
        self._waiting: set[UUID] = set()
        self._socket: ClientConnection | None = None
        self._runner: asyncio.Task[None] | None = None
        self._welcomed = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._runner = asyncio.create_task(self._run())
        waiting = asyncio.create_task(self._welcomed.wait())
        await asyncio.wait({self._runner, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if self._runner.done():
            self._runner.result()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._runner is not None
        self._runner.cancel()
        await asyncio.gather(self._runner, return_exceptions=True)

    def new_id(self) -> str:
        return next(self._ids)

    async def ask(self, command: Command) -> dict[str, Any] | None:
        """Send one command and wait for its answer, across reconnects. Raises CommandRefused, SignedOut."""
        if isinstance(command, WatchTable):
            self._watched[command.table_id] = None
        if isinstance(command, UnwatchTable):
            self._watched.pop(command.table_id, None)
        answer: asyncio.Future[dict[str, Any] | None] = asyncio.get_running_loop().create_future()
        self._unanswered[command.id] = (command, answer)
        try:
            await self._send(command)
            result = await answer
            if isinstance(command, Sit):
                # Whoever sits is shown the table, and has to ask for it again after a lost connection.
                self._watched.setdefault(command.table_id, None)
            if isinstance(command, JoinWaiting):
                self._waiting.add(command.table_id)
            return result
        finally:
            self._unanswered.pop(command.id, None)

    async def _send(self, command: Command) -> None:
        if self._socket is None:
            return
        try:
            await self._socket.send(command.model_dump_json())
        except ConnectionClosed:
            return  # It stays unanswered, and goes out again on the next socket.

    async def _run(self) -> None:
        delay = _FIRST_DELAY
        try:
            while True:
                try:
                    await self._converse()
                    delay = _FIRST_DELAY
                except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError) as fault:
                    if isinstance(fault, ConnectionClosed) and fault.rcvd and fault.rcvd.code in _FINAL_CLOSE_CODES:
                        raise SignedOut(fault.rcvd.reason) from fault
                self._socket = None
                await asyncio.sleep(delay * random.uniform(0.5, 1.5))
                delay = min(delay * 2, _LONGEST_DELAY)
        except BaseException as fault:
            self._fail_unanswered(fault)
            raise

    async def _converse(self) -> None:
        async with connect(
            self.account.socket_url,
            additional_headers={"authorization": self.account.headers["authorization"]},
            max_size=_MESSAGE_BYTES,
            compression=None,
            proxy=None,
        ) as socket:
            await socket.send(Hello(type="hello", id=self.new_id(), protocol=PROTOCOL_VERSION).model_dump_json())
            pinging = asyncio.create_task(self._keep_alive(socket))
            try:
                async for text in socket:
                    await self._receive(socket, SERVER_MESSAGE.validate_json(text))
            finally:
                pinging.cancel()

    async def _keep_alive(self, socket: ClientConnection) -> None:
        while True:
            await asyncio.sleep(_PING_SECONDS)
            await socket.send(Ping(type="ping", id=self.new_id()).model_dump_json())

    async def _receive(self, socket: ClientConnection, message: ServerMessage) -> None:
        match message:
            case Welcome():
                self._socket = socket
                await self._catch_up()
                self._welcomed.set()
                self._on_message(message)
            case Ack():
                self._answer(message.id, lambda future: future.set_result(message.result))
            case Error():
                refused = CommandRefused(message.code, message.message, message.allowed)
                self._answer(message.id, lambda future: future.set_exception(refused))
            case Pong():
                return
            case _:
                self._remember(message)
                self._on_message(message)

    async def _catch_up(self) -> None:
        for table_id, resume in self._watched.items():
            await self._send(WatchTable(type="watch_table", id=self.new_id(), table_id=table_id, resume=resume))
        for table_id in self._waiting:
            await self._send(JoinWaiting(type="join_waiting", id=self.new_id(), table_id=table_id))
        for command, _ in tuple(self._unanswered.values()):
            await self._send(command)

    def _remember(self, message: ServerMessage) -> None:
        match message:
            case Table() if message.table_id in self._watched:
                self._watched[message.table_id] = ResumePoint(epoch=message.epoch, seq=message.seq)
            case WaitingPlace(position=None):
                self._waiting.discard(message.table_id)
            case TableGone():
                self._watched.pop(message.table_id, None)

    def _answer(self, command_id: str | None, give: Callable[[asyncio.Future[dict[str, Any] | None]], None]) -> None:
        waiting = self._unanswered.get(command_id) if command_id is not None else None
        if waiting is not None and not waiting[1].done():
            give(waiting[1])

    def _fail_unanswered(self, fault: BaseException) -> None:
        for _, answer in self._unanswered.values():
            if not answer.done():
                if isinstance(fault, asyncio.CancelledError):
                    answer.cancel()
                else:
                    answer.set_exception(fault)
