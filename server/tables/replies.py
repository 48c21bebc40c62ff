"""What each player's last commands were answered, so that the same command twice is done once."""

import hashlib
from collections import OrderedDict
from typing import Final
from uuid import UUID

from server.protocol.commands import TableCommand
from server.protocol.messages import ErrorCode
from server.tables.refusal import Refused

REMEMBERED_COMMANDS: Final = 64
"""Per player. A client repeats what it has no answer for, never more than a handful."""

REMEMBERED_PLAYERS: Final = 32
"""Per table: four times its chairs, so that people who come and go push nobody out who plays."""


class Replies:
    def __init__(self) -> None:
        self._by_player: OrderedDict[UUID, OrderedDict[str, tuple[bytes, str]]] = OrderedDict()

    def earlier(self, player_id: UUID, command: TableCommand) -> str | None:
        """The answer that this very command got before; None when it is new.

        Raises Refused when the id belongs to another command.
        """
        known = self._by_player.get(player_id, OrderedDict()).get(command.id)
        if known is None:
            return None
        if known[0] != _fingerprint(command):
            raise Refused(
                ErrorCode.SAME_ID_OTHER_COMMAND, "This id was used for another command: use a new id for each."
            )
        return known[1]

    def remember(self, player_id: UUID, command: TableCommand, reply: str) -> None:
        replies = self._by_player.setdefault(player_id, OrderedDict())
        self._by_player.move_to_end(player_id)
        replies[command.id] = (_fingerprint(command), reply)
        if len(replies) > REMEMBERED_COMMANDS:
            replies.popitem(last=False)
        if len(self._by_player) > REMEMBERED_PLAYERS:
            self._by_player.popitem(last=False)


def _fingerprint(command: TableCommand) -> bytes:
    """A hash, so that a nonce that a player sent is not kept."""
    return hashlib.sha256(command.model_dump_json().encode("utf-8", "surrogatepass")).digest()
