"""What a table is asked by people who need no chair for it: to sit down, to wait, and to run a table of their own."""

from datetime import UTC, datetime
from typing import Any, Generic
from uuid import UUID

from server.protocol.lobby_commands import HostTable, JoinWaiting, LeaveWaiting, RemoveWaiting
from server.protocol.messages import ErrorCode
from server.tables.chairs import Chairs
from server.tables.door import Door
from server.tables.durable import DurableJournal
from server.tables.game import State
from server.tables.host import TableHost
from server.tables.inbox import SeatRequest
from server.tables.ports import Connection
from server.tables.refusal import Refused
from server.tables.waiting_room import WaitingRoom
from server.tables.watching import Watching

AtReception = JoinWaiting | LeaveWaiting | RemoveWaiting | HostTable


class Reception(Generic[State]):
    def __init__(
        self,
        journal: DurableJournal,
        door: Door[State],
        chairs: Chairs[State],
        waiting: WaitingRoom[State],
        watching: Watching[State],
        host: TableHost[State],
    ) -> None:
        self._journal = journal
        self._door = door
        self._chairs = chairs
        self._waiting = waiting
        self._watching = watching
        self._host = host

    async def sit(self, connection: Connection, seat: int | None) -> int:
        """A chair for somebody who has none, and its controls for this connection; returns the seat. Raises Refused."""
        player = connection.player
        self._door.check_sit(player.player_id)
        await self._check_break(player.player_id)
        taken = await self._chairs.sit(player, seat, self._waiting.kept_for_others(player.player_id))
        self._waiting.took_chair(player.player_id)
        self._watching.watch(connection, None)
        return taken

    async def seat(self, request: SeatRequest) -> None:
        """Answer somebody who asks several tables, one after the other, whatever happens here."""
        try:
            seat = await self.sit(request.connection, None)
        except Refused as refusal:
            request.refused(refusal)
        except BaseException:
            request.refused(None)
            raise
        else:
            request.seated(seat)

    async def do(self, connection: Connection, command: AtReception) -> dict[str, Any] | None:
        """Returns what the ack carries. Raises Refused."""
        player_id = connection.player.player_id
        match command:
            case JoinWaiting():
                self._door.check_wait(player_id)
                await self._check_break(player_id)
                return {"position": self._waiting.join(connection)}
            case LeaveWaiting():
                self._waiting.leave(player_id)
            case RemoveWaiting():
                self._door.check_host(player_id)
                self._waiting.remove(command.player_id)
            case HostTable():
                self._door.check_host(player_id)
                await self._host.change(command)
        return None

    async def _check_break(self, player_id: UUID) -> None:
        """A chair is no use to somebody who does not play. Raises Refused."""
        own = await self._journal.call(lambda journal: journal.own_break(player_id))
        if own is None:
            return
        if own.until_ms is None:
            words = "An operator has frozen this account: you can't play until that is settled."
            raise Refused(ErrorCode.ACCOUNT_FROZEN, words, ("watch_table",))
        until = datetime.fromtimestamp(own.until_ms / 1000, UTC)
        words = f"You have chosen not to play until {until:%Y-%m-%d %H:%M} UTC."
        raise Refused(ErrorCode.OWN_BREAK, words, ("watch_table",))
