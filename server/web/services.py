"""What the endpoints share: made once by `server.app`, handed to every request."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from server.chat.moderation import Moderation
from server.hosting.house_tables import HouseTables
from server.identity.passwords import Passwords
from server.identity.second_factor import SecretSeals
from server.identity.secrets import RandomSource
from server.identity.sign_in_guard import SignInGuard
from server.measures import HouseMeasures
from server.protocol.messages import Balance, Balances
from server.settings import Settings
from server.tables.hub import House
from server.web.drain import Drain
from server.web.errors import DATABASE_AWAY
from server.web.house_commands import HouseCommands
from server.web.limits import KeyedLimit
from server.web.sockets import Sockets
from wallet import verbs

_RETRY_SECONDS: Final = 1.0

BalanceMap = dict[Literal["HT", "PT"], Balance]


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
    house_tables: HouseTables
    measures: HouseMeasures
    drain: Drain
    exports: asyncio.Semaphore
    """Files that may be read at once: each keeps a connection that the rest of the house goes without."""
    passwords: Passwords
    seals: SecretSeals
    sign_in_guard: SignInGuard
    chat: Moderation
    guest_limit: KeyedLimit
    """By address."""
    account_limit: KeyedLimit
    """Requests over HTTP, by account."""
    command_limit: KeyedLimit
    """Commands over all sockets of one account."""
