"""The WebSocket endpoint: who is there, what do they ask, and to whom does it go."""

from typing import assert_never

from starlette.websockets import WebSocket

from server.protocol import PROTOCOL_VERSION
from server.protocol.chat_commands import Mute, ReportChat, Say, SayPhrase
from server.protocol.commands import (
    Command,
    Hello,
    Ping,
    TableCommand,
    UnwatchLobby,
    UnwatchTable,
    WatchLobby,
    WatchTable,
)
from server.protocol.lobby_commands import NewInvite, OpenTable, QuickSeat, UseInvite
from server.protocol.messages import Ack, Error, ErrorCode, Pong, Welcome
from server.protocol.parse import Refused, parse_command
from server.web.addresses import client_address, is_encrypted
from server.web.authentication import find_session, services_of
from server.web.connection import (
    CLOSE_FORBIDDEN_ORIGIN,
    CLOSE_SIGNED_OUT,
    CLOSE_TOO_MANY,
    CLOSE_TOO_SLOW,
    CLOSE_TRY_AGAIN,
    SocketConnection,
)
from server.web.errors import DATABASE_AWAY
from server.web.limits import TokenBucket
from server.web.security import origin_allowed
from server.web.services import Services, balance_map

_WARNINGS_BEFORE_CLOSE = 50
"""How many commands over the limit are answered with an error before the socket is closed."""

_FOR_STAFF = (Hello, Ping, WatchLobby, UnwatchLobby, WatchTable, UnwatchTable)
_STAFF_MAY = ("watch_lobby", "unwatch_lobby", "watch_table", "unwatch_table")


async def socket_endpoint(websocket: WebSocket) -> None:
    services = services_of(websocket)
    # A refused handshake tells a browser nothing, so every refusal is a close code on an accepted socket.
    await websocket.accept()
    encrypted = is_encrypted(websocket, services.settings.secure_cookies)
    if not origin_allowed(websocket.headers, encrypted, services.settings.allowed_origins):
        await websocket.close(CLOSE_FORBIDDEN_ORIGIN, "this page's origin may not open a socket here")
        return
    with services.sockets.arrived(client_address(websocket)) as count:
        if count > services.settings.sockets_per_address:
            await websocket.close(CLOSE_TOO_MANY, "too many sockets from this address")
            return
        await _converse(websocket, services)


async def _converse(websocket: WebSocket, services: Services) -> None:
    try:
        session = await find_session(websocket)
    except DATABASE_AWAY:
        await websocket.close(CLOSE_TRY_AGAIN, "the house can't look you up now: try again soon")
        return
    if session is None:
        await websocket.close(CLOSE_SIGNED_OUT, "sign in first")
        return
    connection = SocketConnection(websocket, session, services.settings.outbox_messages)
    services.sockets.add(connection)
    services.measures.socket_opened()
    try:
        await connection.run(Conversation(websocket, connection, services).read())
    finally:
        services.sockets.remove(connection)
        services.measures.socket_closed(connection.close_code, connection.close_code == CLOSE_TOO_SLOW)
        services.house.disconnected(connection)
        if not services.sockets.of_player(connection.player.player_id):
            services.chat.forget(connection.player.player_id)


class Conversation:
    """Reads one socket's commands in order and hands each to whom it is for."""

    def __init__(self, websocket: WebSocket, connection: SocketConnection, services: Services) -> None:
        self._websocket = websocket
        self._connection = connection
        self._services = services
        self._greeted = False
        settings = services.settings
        self._bucket = TokenBucket(settings.messages_per_second, settings.message_burst, services.now_ms())
        self._warnings = 0

    async def read(self) -> None:
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not self._within_limit():
                if self._warnings > _WARNINGS_BEFORE_CLOSE:
                    self._connection.close(CLOSE_TOO_MANY, "too many messages")
                    return
                continue
            text = message.get("text")
            if text is None:
                self._refuse(Refused(ErrorCode.MALFORMED, "messages are JSON text, not binary"))
                continue
            try:
                command = parse_command(text, self._services.settings.message_bytes)
            except Refused as refusal:
                self._refuse(refusal)
                continue
            await self._handle(command)

    def _within_limit(self) -> bool:
        settings = self._services.settings
        if not self._bucket.take(self._services.now_ms()):
            words = f"at most {settings.messages_per_second} messages a second; this one was not read"
        elif not self._services.command_limit.take(self._connection.player.player_id):
            words = f"at most {settings.account_messages_per_second} messages a second over all connections of yours"
        else:
            self._warnings = 0
            return True
        self._warnings += 1
        self._refuse(Refused(ErrorCode.TOO_MANY, words))
        return False

    async def _handle(self, command: Command) -> None:
        if not self._greeted and not isinstance(command, Hello):
            self._refuse(Refused(ErrorCode.SAY_HELLO, "say hello first", command.id, ["hello"]))
            return
        if self._connection.session.identity.is_staff and not isinstance(command, _FOR_STAFF):
            words = "Operators and auditors watch and do not play."
            self._refuse(Refused(ErrorCode.PLAYERS_ONLY, words, command.id, [*_STAFF_MAY]))
            return
        match command:
            case Hello():
                await self._hello(command)
            case Ping():
                self._connection.send(Pong(id=command.id, now_ms=self._services.now_ms()).model_dump_json())
            case WatchLobby():
                self._services.house.watch_lobby(self._connection)
                self._ack(command.id)
            case UnwatchLobby():
                self._services.house.unwatch_lobby(self._connection)
                self._ack(command.id)
            case QuickSeat():
                self._services.house.quick_seat(self._connection, command)
            case OpenTable() | UseInvite() | NewInvite() | Mute() | ReportChat():
                await self._services.house_commands.answer(self._connection, command)
            case Say() | SayPhrase():
                self._services.house.say(self._connection, command)
            case TableCommand():
                self._services.house.post(self._connection, command)
            case _:
                assert_never(command)

    async def _hello(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL_VERSION:
            words = f"this house speaks protocol {PROTOCOL_VERSION}, not {hello.protocol}"
            self._refuse(Refused(ErrorCode.UNSUPPORTED_PROTOCOL, words, hello.id, [str(PROTOCOL_VERSION)]))
            return
        player = self._connection.player
        try:
            async with self._services.engine.connect() as database:
                balances = await balance_map(database, player.player_id)
            muted = await self._services.chat.greet(player.player_id)
        except DATABASE_AWAY:
            self._connection.close(CLOSE_TRY_AGAIN, "the house can't look you up now: try again soon")
            return
        welcome = Welcome(
            protocol=PROTOCOL_VERSION,
            now_ms=self._services.now_ms(),
            player=player,
            balances=balances,
            seated_at=self._services.house.seated_at(player.player_id),
            waiting_at=self._services.house.waiting_at(player.player_id),
            hosting=self._services.house.hosted_by(player.player_id),
            muted=muted,
        )
        self._greeted = True
        self._connection.send(welcome.model_dump_json())
        self._ack(hello.id)
        if self._services.drain.notice is not None:
            self._connection.send(self._services.drain.notice.model_dump_json())

    def _ack(self, command_id: str) -> None:
        self._connection.send(Ack(id=command_id).model_dump_json())

    def _refuse(self, refusal: Refused) -> None:
        self._services.measures.refused_unread(refusal.code.value)
        error = Error(id=refusal.command_id, code=refusal.code, message=refusal.words, allowed=refusal.allowed)
        self._connection.send(error.model_dump_json())
