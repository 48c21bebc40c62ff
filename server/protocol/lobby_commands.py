"""Finding a chair: quick seat, waiting lists, private tables and their invite links."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from server.protocol.command_base import CommandBase, TableCommand
from server.protocol.message_base import FormatWord

Asset = Literal["HT", "PT"]
SeatCount = Literal[4, 6, 8]
RateUnits = Annotated[int, Field(ge=1, le=1_000_000)]
"""Token units (1/100) per point. A house opens private tables within narrower bounds of its own."""

FormatKind = Literal["points", "pool", "deals"]

BuyInUnits = Annotated[int, Field(ge=1, le=100_000_000)]
"""Token units (1/100) for one match."""

Watching = Literal["anyone", "nobody"]
"""Who may watch without a chair: anyone who may come to the table, or nobody."""

ChatRule = Literal["free", "phrases", "off"]
"""What seated players may say: anything, the quick phrases alone, or nothing."""

InviteCode = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$")]


class QuickSeat(CommandBase):
    """Take a chair at the open table that suits these wishes best; wishes left out do not matter."""

    type: Literal["quick_seat"]
    format: FormatKind = "points"
    """Points alone unless another is wished for: nobody is seated for a buy-in unasked."""
    asset: Asset | None = None
    practice: bool | None = None
    seat_count: SeatCount | None = None
    min_rate: RateUnits | None = None
    max_rate: RateUnits | None = None


class JoinWaiting(TableCommand):
    """Wait in line for a chair; a free one is offered to the first."""

    type: Literal["join_waiting"]


class LeaveWaiting(TableCommand):
    type: Literal["leave_waiting"]


class PrivateRules(BaseModel):
    """The rules that whoever opens a private table may choose; the defaults are the house's."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    min_players: Annotated[int, Field(ge=2, le=8)] = 2
    turn_seconds: Annotated[int, Field(ge=5, le=120)] = 30
    time_bank_seconds: Annotated[int, Field(ge=0, le=120)] = 30
    missed_turns_to_drop: Annotated[int, Field(ge=1, le=10)] = 3
    take_wild_from_pile: Literal["allowed", "first_turn_only", "never"] = "allowed"
    return_taken_card: Literal["forbidden", "allowed"] = "forbidden"
    reshuffles_allowed: Annotated[int, Field(ge=0, le=10)] = 3


class OpenTable(CommandBase):
    """Open a private table: not in the lobby, found by its invite code alone. The house fixes the commission."""

    type: Literal["open_table"]
    asset: Asset
    seat_count: SeatCount
    format: FormatWord = "points"
    rate: RateUnits | None = None
    """Of points, and needed there."""
    buy_in: BuyInUnits | None = None
    """Of a format that plays matches, and needed there."""
    rules: PrivateRules = PrivateRules()
    watching: Watching = "anyone"
    chat: ChatRule = "free"


class UseInvite(CommandBase):
    """Be let in to a private table. Once is enough: who was let in needs the code no more."""

    type: Literal["use_invite"]
    code: InviteCode


class NewInvite(TableCommand):
    """As the host: a new code; the one before lets nobody in any more."""

    type: Literal["new_invite"]


class HostTable(TableCommand):
    """As the host: close or open joining, forbid or allow spectators, change the chat rule. None leaves as it is."""

    type: Literal["host_table"]
    joining: bool | None = None
    watching: Watching | None = None
    chat: ChatRule | None = None


class RemoveWaiting(TableCommand):
    """As the host: take somebody out of the waiting list."""

    type: Literal["remove_waiting"]
    player_id: UUID
