"""Commands that the house answers from its database, and no table: each done once, whatever a client repeats."""

from typing import Any, assert_never

from server.chat.moderation import Moderation
from server.hosting.private_tables import PrivateTables
from server.protocol.chat_commands import Mute, ReportChat
from server.protocol.lobby_commands import NewInvite, OpenTable, UseInvite
from server.protocol.messages import Ack, Error, ErrorCode, Muted, Player
from server.tables.ports import Connection, JournalUnavailable
from server.tables.refusal import Refused
from server.tables.replies import REMEMBERED_PLAYERS_OF_THE_HOUSE, Replies
from server.web.errors import DATABASE_AWAY
from server.web.sockets import Sockets

HouseCommand = OpenTable | UseInvite | NewInvite | Mute | ReportChat

_AWAY = Refused(ErrorCode.BUSY, "The house can't reach its books just now: ask again in a moment.")


class HouseCommands:
    def __init__(self, private_tables: PrivateTables, chat: Moderation, sockets: Sockets) -> None:
        self._private_tables = private_tables
        self._chat = chat
        self._sockets = sockets
        self._replies = Replies(REMEMBERED_PLAYERS_OF_THE_HOUSE)

    async def answer(self, connection: Connection, command: HouseCommand) -> None:
        """Do it and send its ack or error."""
        player_id = connection.player.player_id
        try:
            reply = self._replies.earlier(player_id, command)
            if reply is None:
                result = await self._do(connection, command)
                reply = Ack(id=command.id, result=result).model_dump_json()
                self._replies.remember(player_id, command, reply)
        except Refused as refusal:
            reply = _error(command, refusal)
        except (JournalUnavailable, *DATABASE_AWAY):
            reply = _error(command, _AWAY)
        connection.send(reply)

    async def _do(self, connection: Connection, command: HouseCommand) -> dict[str, Any] | None:
        match command:
            case OpenTable():
                return await self._private_tables.open(connection.player, command)
            case UseInvite():
                return await self._private_tables.use_invite(connection.player, command)
            case NewInvite():
                return await self._private_tables.new_invite(connection.player, command)
            case Mute():
                await self._mute(connection.player, command)
                return None
            case ReportChat():
                return await self._chat.report(connection.player, command)
            case _:
                assert_never(command)

    async def _mute(self, player: Player, command: Mute) -> None:
        """All of the player's windows hear of it; nobody else does."""
        muted = Muted(players=await self._chat.mute(player, command)).model_dump_json()
        for window in self._sockets.of_player(player.player_id):
            window.send(muted)


def _error(command: HouseCommand, refusal: Refused) -> str:
    error = Error(id=command.id, code=refusal.code, message=refusal.words, allowed=list(refusal.allowed))
    return error.model_dump_json()
