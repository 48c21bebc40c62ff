"""What the endpoints share: made once by `server.app`, handed to every request."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.identity.secrets import RandomSource
from server.protocol.messages import Balance, Balances
from server.settings import Settings
from server.tables.hub import House
from server.web.connection import SocketConnection
from server.web.errors import DATABASE_AWAY
from server.web.house_commands import HouseCommands
from server.web.limits import KeyedLimit
from wallet import verbs

_RETRY_SECONDS: Final = 1.0

BalanceMap = dict[Literal["HT", "PT"], Balance]


class Sockets:
    """Every open socket, findable by player and by session."""

    def __init__(self) -> None:
        self._by_player: dict[UUID, set[SocketConnection]] = {}

    def add(self, connection: SocketConnection) -> None:
        self._by_player.setdefault(connection.player.player_id, set()).add(connection)

    def remove(self, connection: SocketConnection) -> None:
        player_id = connection.player.player_id
        connections = self._by_player.get(player_id, set())
        connections.discard(connection)
        if not connections:
            self._by_player.pop(player_id, None)

    def of_player(self, player_id: UUID) -> tuple[SocketConnection, ...]:
        return tuple(self._by_player.get(player_id, ()))

    def close_session(self, player_id: UUID, session: bytes, code: int, reason: str) -> None:
        for connection in self.of_player(player_id):
            if connection.session == session:
                connection.close(code, reason)

    def close_all(self, code: int, reason: str) -> None:
        for connections in tuple(self._by_player.values()):
            for connection in tuple(connections):
                connection.close(code, reason)


class BalanceNews:
    """Tells players their new balances after tokens moved: one task, however many hands end at once."""

    def __init__(self, engine: AsyncEngine, sockets: Sockets) -> None:
        self._engine = engine
        self._sockets = sockets
        self._moved: set[UUID] = set()
        self._wake = asyncio.Event()

    def tokens_moved(self, player_ids: Iterable[UUID]) -> None:
        self._moved.update(player_ids)
        self._wake.set()

    async def run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._tell()
            except DATABASE_AWAY:
                # The database is away: the news waits, as the tables do.
                await asyncio.sleep(_RETRY_SECONDS)
                self._wake.set()

    async def _tell(self) -> None:
        while self._moved:
            player_id = next(iter(self._moved))
            connections = self._sockets.of_player(player_id)
            if connections:
                async with self._engine.connect() as database:
                    news = Balances(balances=await balance_map(database, player_id)).model_dump_json()
                for connection in connections:
                    connection.send(news)
            self._moved.discard(player_id)


async def balance_map(database: AsyncConnection, player_id: UUID) -> BalanceMap:
    """What a player has, per asset, in 1/100 tokens."""
    return {
        asset.value: Balance(available=balance.available, held=balance.held)
        for asset, balance in (await verbs.balances(database, player_id)).items()
    }


@dataclass(frozen=True, slots=True)
class Services:
    settings: Settings
    engine: AsyncEngine
    house: House
    now_ms: Callable[[], int]
    random: RandomSource
    sockets: Sockets
    balance_news: BalanceNews
    house_commands: HouseCommands
    guest_limit: KeyedLimit
