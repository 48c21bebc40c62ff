"""What players may say at a table, and what they may do about what others say."""

from enum import StrEnum
from typing import Annotated, Final, Literal
from uuid import UUID

from pydantic import Field

from server.protocol.command_base import CommandBase, TableCommand

MOST_TYPED: Final = 400
"""Code points in a `say` command; what is left of them after cleaning may be shorter still (`server.tables.chat`)."""

MOST_NOTE: Final = 300
"""Code points in the note of a report."""


class Phrase(StrEnum):
    """Quick phrases: each client shows them in its own language."""

    HELLO = "hello"
    GOOD_LUCK = "good_luck"
    WELL_PLAYED = "well_played"
    THANKS = "thanks"
    SORRY = "sorry"
    OOPS = "oops"
    NICE_HAND = "nice_hand"
    SO_CLOSE = "so_close"
    ONE_MOMENT = "one_moment"
    YOUR_TURN = "your_turn"
    LAST_HAND = "last_hand"
    GOOD_GAME = "good_game"
    BYE = "bye"


class Say(TableCommand):
    """Say something to everyone at the table, from your chair."""

    type: Literal["say"]
    text: Annotated[str, Field(min_length=1, max_length=MOST_TYPED)]


class SayPhrase(TableCommand):
    type: Literal["say_phrase"]
    phrase: Phrase


class Mute(CommandBase):
    """No longer hear what a player says, at any table, or hear them again. Nobody is told."""

    type: Literal["mute"]
    player_id: UUID
    on: bool


class ReportChat(TableCommand):
    """Tell the operators what a player said; the table's last lines go along as evidence."""

    type: Literal["report_chat"]
    player_id: UUID
    reason: Literal["abuse", "cheating", "spam", "other"]
    note: Annotated[str, Field(max_length=MOST_NOTE)] = ""
