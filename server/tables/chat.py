"""What is said at one table. It goes past the table's inbox, hand, journal and clock: talk can hold up no move.

The last lines are kept in memory for those who come later; they are in no log and gone with a restart of the house.
"""

from collections import deque
from typing import Final
from uuid import UUID

from server.protocol.chat_commands import Say, SayPhrase
from server.protocol.chat_messages import Chat, ChatHistory, ChatLine
from server.protocol.lobby_commands import ChatRule
from server.protocol.message_base import Player
from server.protocol.messages import Ack, ErrorCode
from server.tables.audience import Audience
from server.tables.chat_text import clean_line
from server.tables.ports import Clock, Connection
from server.tables.refusal import Refused
from server.tables.replies import Replies
from server.tables.voices import Voices

KEPT_LINES: Final = 50


class ChatRoom:
    """rule is the table's own, and kept true by it."""

    def __init__(self, table_id: UUID, audience: Audience, voices: Voices, clock: Clock) -> None:
        self._table_id = table_id
        self._audience = audience
        self._voices = voices
        self._clock = clock
        self._lines: deque[ChatLine] = deque(maxlen=KEPT_LINES)
        self._said = 0
        self._replies = Replies()
        self.rule: ChatRule = "free"

    def say(self, player: Player, is_seated: bool, command: Say | SayPhrase) -> str:
        """Tell everyone who watches and hears this player; returns the answer. Raises Refused."""
        earlier = self._replies.earlier(player.player_id, command)
        if earlier is not None:
            return earlier
        if not is_seated:
            raise Refused(ErrorCode.NOT_SEATED, "Who watches may read along; chat is for those who sit here.", ("sit",))
        line = self._new_line(player, command)
        self._lines.append(line)
        text = Chat(table_id=self._table_id, line=line).model_dump_json()
        for connection in tuple(self._audience):
            if self._voices.hears(connection.player.player_id, player.player_id):
                connection.send(text)
        reply = Ack(id=command.id, result={"line_id": line.line_id}).model_dump_json()
        self._replies.remember(player.player_id, command, reply)
        return reply

    def show_history(self, connection: Connection) -> None:
        """The last lines, as far as this player hears who said them."""
        listener_id = connection.player.player_id
        lines = [line for line in self._lines if self._voices.hears(listener_id, line.player.player_id)]
        connection.send(ChatHistory(table_id=self._table_id, lines=lines).model_dump_json())

    def greet(self, connection: Connection) -> None:
        """Show somebody who comes what was said; nothing when nothing was."""
        if self._lines:
            self.show_history(connection)

    def show_again(self, player_id: UUID) -> None:
        """A player hears others than before: their windows here are shown anew."""
        for connection in self._audience.of(player_id):
            self.show_history(connection)

    def evidence(self, speaker_id: UUID) -> list[ChatLine]:
        """The last lines, oldest first; none unless this player said one of them."""
        said_one = any(line.player.player_id == speaker_id for line in self._lines)
        return list(self._lines) if said_one else []

    def _new_line(self, player: Player, command: Say | SayPhrase) -> ChatLine:
        text = None
        if self.rule == "off":
            raise Refused(ErrorCode.CHAT_OFF, "Nobody chats at this table.")
        if isinstance(command, Say):
            if self.rule == "phrases":
                raise Refused(ErrorCode.CHAT_OFF, "At this table people chat in quick phrases.", ("say_phrase",))
            text = clean_line(command.text)
        self._voices.speak(player.player_id)
        self._said += 1
        return ChatLine(
            line_id=self._said,
            at_ms=self._clock.now_ms(),
            player=player,
            text=text,
            phrase=command.phrase if isinstance(command, SayPhrase) else None,
        )
