"""What is said at a table."""

from typing import Literal
from uuid import UUID

from server.protocol.chat_commands import Phrase
from server.protocol.message_base import Message, Ms, Player


class ChatLine(Message):
    """One line: either `text`, already cleaned, or a quick `phrase`. line_id grows with each line of the table."""

    line_id: int
    at_ms: Ms
    player: Player
    text: str | None = None
    phrase: Phrase | None = None


class Chat(Message):
    """Somebody said something."""

    type: Literal["chat"] = "chat"
    table_id: UUID
    line: ChatLine


class ChatHistory(Message):
    """The table's last lines, oldest first; sent when a table is watched, and again when you mute or unmute."""

    type: Literal["chat_history"] = "chat_history"
    table_id: UUID
    lines: list[ChatLine]


class Muted(Message):
    """Whom you do not hear; sent after each change."""

    type: Literal["muted"] = "muted"
    players: list[UUID]
