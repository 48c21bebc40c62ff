"""What each player's last commands were answered, so that the same command twice is done once."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self
from uuid import UUID

from server.protocol.commands import CommandBase
from server.protocol.messages import Ack, ErrorCode
from server.tables.ports import EventRow
from server.tables.refusal import Refused

REMEMBERED_COMMANDS: Final = 64
"""Per player. A client repeats what it has no answer for, never more than a handful."""

REMEMBERED_PLAYERS: Final = 32
"""Of a table: four times its chairs, so that people who come and go push nobody out who plays."""


REMEMBERED_PLAYERS_OF_THE_HOUSE: Final = 5_000
"""For commands that no table answers."""


_KEPT_AS: Final = "asked"


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose command did something, kept beside the events that it led to: its answer survives a restart with them."""

    player_id: UUID
    command_id: str
    fingerprint: bytes

    @classmethod
    def of(cls, player_id: UUID, command: CommandBase) -> Self:
        return cls(player_id, command.id, _fingerprint(command))

    def to_stored(self) -> Mapping[str, Any]:
        kept = {"by": self.player_id.hex, "id": self.command_id, "print": self.fingerprint.hex()}
        return {_KEPT_AS: kept}

    @classmethod
    def from_stored(cls, clock: Mapping[str, Any]) -> Self | None:
        """None for what no player asked for, and for what can't be read: that is forgotten, as old answers are."""
        try:
            kept = clock[_KEPT_AS]
            return cls(UUID(kept["by"]), str(kept["id"]), bytes.fromhex(kept["print"]))
        except (LookupError, TypeError, ValueError, AttributeError):
            return None


class Replies:
    def __init__(self, most_players: int = REMEMBERED_PLAYERS) -> None:
        self._most_players = most_players
        self._by_player: OrderedDict[UUID, OrderedDict[str, tuple[bytes, str]]] = OrderedDict()

    def earlier(self, player_id: UUID, command: CommandBase) -> str | None:
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

    def remember(self, player_id: UUID, command: CommandBase, reply: str) -> None:
        self._keep(Asked.of(player_id, command), reply)

    def recall(self, rows: Iterable[EventRow]) -> None:
        """What was done before a restart: the events in `rows` say which commands they answered, all with ack."""
        for row in rows:
            asked = Asked.from_stored(row.clock)
            if asked is not None:
                self._keep(asked, Ack(id=asked.command_id).model_dump_json())

    def _keep(self, asked: Asked, reply: str) -> None:
        replies = self._by_player.setdefault(asked.player_id, OrderedDict())
        self._by_player.move_to_end(asked.player_id)
        replies[asked.command_id] = (asked.fingerprint, reply)
        if len(replies) > REMEMBERED_COMMANDS:
            replies.popitem(last=False)
        if len(self._by_player) > self._most_players:
            self._by_player.popitem(last=False)


def _fingerprint(command: CommandBase) -> bytes:
    """A hash, so that a nonce that a player sent is not kept."""
    return hashlib.sha256(command.model_dump_json().encode("utf-8", "surrogatepass")).digest()
