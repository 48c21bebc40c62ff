"""Opening a private table, and letting people in by its invite code.

The code has 256 bits and is stored as a hash alone: whoever has the database can't come in with it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid4

from sqlalchemy.ext.asyncio import AsyncEngine

from rummy.formats.kinds import FormatName
from rummy.rules import TableRules
from server.eventlog.customs import insert_customs
from server.eventlog.queries import create_table
from server.hosting import queries
from server.hosting.chosen_rules import chosen_rules
from server.identity.secrets import RandomSource, new_secret, secret_hash
from server.protocol.lobby_commands import NewInvite, OpenTable, UseInvite
from server.protocol.messages import ErrorCode, Player
from server.tables.hub import House
from server.tables.ports import Customs, StoredTable, TableConfig
from server.tables.refusal import Refused

_WORDS_UNKNOWN: Final = "This invite leads to no open table: it is mistyped, was replaced, or its table has closed."


@dataclass(frozen=True, slots=True)
class Offer:
    """What this house lets players open. rates: from and to, in token units per point; buy_ins: per match."""

    rates: tuple[int, int]
    buy_ins: tuple[int, int]
    commission_bp: int
    tables_per_player: int


class PrivateTables:
    """load takes a table over that has just been stored, so that the house can serve it."""

    def __init__(
        self,
        engine: AsyncEngine,
        house: House,
        load: Callable[[UUID], Awaitable[StoredTable]],
        offer: Offer,
        now_ms: Callable[[], int],
        random: RandomSource,
    ) -> None:
        self._engine = engine
        self._house = house
        self._load = load
        self._offer = offer
        self._now_ms = now_ms
        self._random = random

    async def open(self, host: Player, wish: OpenTable) -> dict[str, Any]:
        """Open a table; returns its id and its code, which nobody can read again. Raises Refused."""
        config = self._config(host, wish)
        customs = Customs(watching=wish.watching, chat=wish.chat)
        code = new_secret(self._random)
        async with self._engine.begin() as database:
            if await queries.count_open(database, host.player_id) >= self._offer.tables_per_player:
                words = f"You host {self._offer.tables_per_player} tables already: they close when nobody sits there."
                raise Refused(ErrorCode.TOO_MANY_TABLES, words)
            await create_table(database, config, self._now_ms())
            await insert_customs(database, config.table_id, customs)
            await queries.insert_private(database, config.table_id, host.player_id, secret_hash(code))
        await self._house.add_table(await self._load(config.table_id))
        return {"table_id": str(config.table_id), "code": code}

    async def use_invite(self, player: Player, wish: UseInvite) -> dict[str, Any]:
        """Let somebody in for as long as the table is open; returns the table as the lobby would show it.

        Raises Refused.
        """
        async with self._engine.begin() as database:
            invited = await queries.find_invite(database, secret_hash(wish.code))
            if invited is None:
                raise Refused(ErrorCode.INVITE_UNKNOWN, _WORDS_UNKNOWN)
            if not invited.joining and invited.host_id != player.player_id:
                raise Refused(ErrorCode.JOINING_CLOSED, "The host lets nobody else in at the moment.")
            await queries.admit(database, invited.table_id, player.player_id, self._now_ms())
        table = self._house.admit(invited.table_id, player.player_id)
        if table is None:
            raise Refused(ErrorCode.INVITE_UNKNOWN, _WORDS_UNKNOWN)
        return {"table_id": str(invited.table_id), "table": table.model_dump(mode="json")}

    async def new_invite(self, host: Player, wish: NewInvite) -> dict[str, Any]:
        """Raises Refused."""
        code = new_secret(self._random)
        async with self._engine.begin() as database:
            if not await queries.replace_code(database, wish.table_id, host.player_id, secret_hash(code)):
                raise Refused(ErrorCode.NOT_HOST, "You host no such open table.")
        return {"table_id": str(wish.table_id), "code": code}

    def _config(self, host: Player, wish: OpenTable) -> TableConfig:
        rate, buy_in = self._costs(wish)
        return TableConfig(
            table_id=uuid4(),
            name=host.name,
            asset=wish.asset,
            practice=wish.asset == "PT",
            rate=rate,
            commission_bp=self._offer.commission_bp,
            rules=_rules(wish),
            host=host,
            format=FormatName(wish.format),
            buy_in=buy_in,
        )

    def _costs(self, wish: OpenTable) -> tuple[int, int]:
        """Rate and buy-in, one of them 0. Raises Refused."""
        is_points = wish.format == "points"
        asked, other = (wish.rate, wish.buy_in) if is_points else (wish.buy_in, wish.rate)
        low, high = self._offer.rates if is_points else self._offer.buy_ins
        if asked is None or other is not None or not low <= asked <= high:
            what = "rate, and no buy-in," if is_points else "buy-in, and no rate,"
            words = f"Private tables of this format have a {what} from {low} to {high} units."
            raise Refused(ErrorCode.RATE_NOT_OFFERED, words, (str(low), str(high)))
        return (asked, 0) if is_points else (0, asked)


def _rules(wish: OpenTable) -> TableRules:
    """Raises Refused."""
    try:
        return chosen_rules(wish.seat_count, wish.rules)
    except ValueError as fault:
        raise Refused(ErrorCode.MALFORMED, str(fault)) from None
