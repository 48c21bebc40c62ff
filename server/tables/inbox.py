"""The one bounded line in which everything that happens to a table waits: commands, lost connections, the clock."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from server.protocol.commands import TableCommand
from server.protocol.messages import Player
from server.tables.ports import Clock, Connection, Customs, TableOrders
from server.tables.refusal import Refused

MOST_COMMANDS: Final = 256
"""Waiting commands of one table; beyond that the house says that it is busy."""

MOST_COMMANDS_OF_A_PLAYER: Final = 32
"""So that one player who floods a table keeps nobody else from it."""


@dataclass(frozen=True, slots=True)
class PlayerCommand:
    """began: when it came, by the house's measures."""

    connection: Connection
    command: TableCommand
    began: float = 0.0


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """A chair for somebody who looks for one at several tables; one of the two hears how it went.

    seated: with the seat. refused: with the reason, and None when the table ended before it could say.
    """

    connection: Connection
    seated: Callable[[int], None]
    refused: Callable[[Refused | None], None]


@dataclass(frozen=True, slots=True)
class GuestAdmitted:
    """Somebody used the invite of this private table; that is stored already."""

    player_id: UUID


@dataclass(frozen=True, slots=True)
class CustomsSet:
    """An operator changes who may watch and what may be said."""

    change: Callable[[Customs], Customs]


@dataclass(frozen=True, slots=True)
class OrdersGiven:
    """An operator wants this of the table once nothing runs; that is stored already."""

    orders: TableOrders


@dataclass(frozen=True, slots=True)
class BreakTaken:
    """A player has chosen not to play for a while; that is stored already."""

    player_id: UUID


@dataclass(frozen=True, slots=True)
class PlayerRenamed:
    """A player is called otherwise from now on; that is stored already."""

    player: Player


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    connection: Connection


@dataclass(frozen=True, slots=True)
class ClockStruck:
    """A deadline may have passed: look. Where it stands in the line decides between a move and a timeout."""


@dataclass(frozen=True, slots=True)
class VoidHand:
    """The operator ends the running hand without a result."""


@dataclass(frozen=True, slots=True)
class VoidMatch:
    """The operator ends the match that goes on, and its running hand, without a result."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End here; everything before it in the line is done first."""


FromPlayer = PlayerCommand | SeatRequest
"""What players ask for, and so what is bounded by count."""

FromHouse = (
    ConnectionLost
    | ClockStruck
    | VoidHand
    | VoidMatch
    | GuestAdmitted
    | PlayerRenamed
    | BreakTaken
    | CustomsSet
    | OrdersGiven
)

Insisted = FromHouse | Stop

Item = FromPlayer | Insisted


class Inbox:
    """First in, first out. Commands are bounded by count; the rest is bounded by its nature.

    A connection is lost once, the clock strikes once until it is set again, the house stops a table once, and guests
    and customs are stored one by one before they come.
    """

    def __init__(self) -> None:
        self._items: asyncio.Queue[Item] = asyncio.Queue()
        self._commands = 0
        self._by_player: Counter[UUID] = Counter()

    def offer(self, item: FromPlayer) -> bool:
        """False when the line is too long for this command; then it was not taken."""
        player_id = item.connection.player.player_id
        if self._commands >= MOST_COMMANDS or self._by_player[player_id] >= MOST_COMMANDS_OF_A_PLAYER:
            return False
        self._commands += 1
        self._by_player[player_id] += 1
        self._items.put_nowait(item)
        return True

    def insist(self, item: Insisted) -> None:
        self._items.put_nowait(item)

    async def take(self) -> Item:
        item = await self._items.get()
        self._uncount(item)
        return item

    def drain(self) -> list[FromPlayer]:
        """Everything that players still ask of a table that has ended, in order."""
        left: list[FromPlayer] = []
        while not self._items.empty():
            item = self._items.get_nowait()
            self._uncount(item)
            self._items.task_done()
            if isinstance(item, FromPlayer):
                left.append(item)
        return left

    def _uncount(self, item: Item) -> None:
        if isinstance(item, FromPlayer):
            player_id = item.connection.player.player_id
            self._commands -= 1
            self._by_player[player_id] -= 1
            if not self._by_player[player_id]:
                del self._by_player[player_id]

    def done(self) -> None:
        """The item taken last has been dealt with."""
        self._items.task_done()

    async def all_done(self) -> None:
        """Return when nothing waits and nothing is being dealt with."""
        await self._items.join()


class Alarm:
    """Strikes at a deadline, by a call that puts ClockStruck into an inbox.

    Set lazily: a deadline that moved later leaves the earlier alarm standing, which strikes in vain and is set again.
    So a table whose deadline moves with each turn starts one task per half minute, not one per move.
    """

    def __init__(self, clock: Clock, strike: Callable[[], None]) -> None:
        self._clock = clock
        self._strike = strike
        self._task: asyncio.Task[None] | None = None
        self._at_ms = 0

    def set(self, deadline_ms: int | None) -> None:
        """Strike at or before the deadline. Raises what broke an alarm that should have struck."""
        if self._task is not None and self._task.done():
            self._task.result()
            self._task = None
        if deadline_ms is None or (self._task is not None and self._at_ms <= deadline_ms):
            return
        self.cancel()
        self._at_ms = deadline_ms
        self._task = asyncio.create_task(self._wait(deadline_ms))

    def cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _wait(self, deadline_ms: int) -> None:
        await self._clock.sleep_until(deadline_ms)
        self._strike()
