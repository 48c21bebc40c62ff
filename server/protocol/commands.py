"""What a client may ask, as one closed union.

Every command carries an id that the client made; the house answers each id exactly once with `ack` or `error`,
and does the same id of the same player only once. Commands that move a hand also carry the hand and the turn
that the client saw, so a command that comes late or again can never hit a turn that it was not meant for.
"""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from server.protocol.chat_commands import Mute, ReportChat, Say, SayPhrase
from server.protocol.command_base import CommandBase as CommandBase
from server.protocol.command_base import CommandId as CommandId
from server.protocol.command_base import TableCommand as TableCommand
from server.protocol.lobby_commands import (
    HostTable,
    JoinWaiting,
    LeaveWaiting,
    NewInvite,
    OpenTable,
    QuickSeat,
    RemoveWaiting,
    UseInvite,
)

CardNumber = Annotated[int, Field(ge=0, le=158)]
SeatIndex = Annotated[int, Field(ge=0, le=7)]
Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
TurnNumber = Annotated[int, Field(ge=1, le=1_000_000)]


class Hello(CommandBase):
    """First message of every socket: which protocol the client speaks."""

    type: Literal["hello"]
    protocol: Annotated[int, Field(ge=1, le=1_000)]


class Ping(CommandBase):
    """Answered at once; also what keeps a quiet connection alive."""

    type: Literal["ping"]


class WatchLobby(CommandBase):
    type: Literal["watch_lobby"]


class UnwatchLobby(CommandBase):
    type: Literal["unwatch_lobby"]


class ResumePoint(BaseModel):
    """The last table message that the client has: which run of the table, and its number."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    epoch: Annotated[int, Field(ge=0)]
    seq: Annotated[int, Field(ge=0)]


class WatchTable(TableCommand):
    """Follow a table: a seated player gets their own view, anyone else the public one."""

    type: Literal["watch_table"]
    resume: ResumePoint | None = None


class UnwatchTable(TableCommand):
    type: Literal["unwatch_table"]


class Sit(TableCommand):
    """Take a chair; the first free one when `seat` is not given."""

    type: Literal["sit"]
    seat: SeatIndex | None = None


class LeaveTable(TableCommand):
    """Give up the chair: now (in mid-hand that costs 40 points) or once the running hand has ended."""

    type: Literal["leave_table"]
    after_hand: bool = False


class SitOut(TableCommand):
    """Keep the chair but skip coming hands, or play again."""

    type: Literal["sit_out"]
    on: bool


class Ready(TableCommand):
    """The pause between hands may end as soon as every seated player is ready."""

    type: Literal["ready"]


class Rejoin(TableCommand):
    """Answer the offer to come back into a pool match: pay the buy-in again, or stay out."""

    type: Literal["rejoin"]
    match_id: UUID
    accept: bool


class HandCommand(TableCommand):
    hand_id: UUID


class Contribute(HandCommand):
    """Step A of the seeds: the hash of this seat's contribution (FAIRNESS_SPEC section 5)."""

    type: Literal["contribute"]
    hash: Hex32


class Reveal(HandCommand):
    """Step B of the seeds: the contribution itself."""

    type: Literal["reveal"]
    nonce: Hex32
    text: Annotated[str, Field(max_length=256)] = ""


class DropNext(HandCommand):
    """Drop at my next turn, or no longer."""

    type: Literal["drop_next"]
    on: bool


class Arrange(HandCommand):
    """Ask for the best arrangement of my cards; with 14 cards also what each discard would leave."""

    type: Literal["arrange"]


class TurnCommand(HandCommand):
    turn: TurnNumber


class Draw(TurnCommand):
    type: Literal["draw"]
    source: Literal["stock", "pile"]


class Discard(TurnCommand):
    type: Literal["discard"]
    card: CardNumber


class Declare(TurnCommand):
    """Show 13 of 14 cards. Groups are how the player likes to show them and decide nothing; may be empty."""

    type: Literal["declare"]
    finish_card: CardNumber
    groups: Annotated[list[Annotated[list[CardNumber], Field(min_length=1, max_length=13)]], Field(max_length=13)] = []


class Drop(TurnCommand):
    type: Literal["drop"]


Command = Annotated[
    Hello
    | Ping
    | WatchLobby
    | UnwatchLobby
    | QuickSeat
    | OpenTable
    | UseInvite
    | NewInvite
    | HostTable
    | JoinWaiting
    | LeaveWaiting
    | RemoveWaiting
    | Say
    | SayPhrase
    | Mute
    | ReportChat
    | WatchTable
    | UnwatchTable
    | Sit
    | LeaveTable
    | SitOut
    | Ready
    | Rejoin
    | Contribute
    | Reveal
    | DropNext
    | Arrange
    | Draw
    | Discard
    | Declare
    | Drop,
    Field(discriminator="type"),
]

COMMAND: TypeAdapter[Command] = TypeAdapter(Command)
