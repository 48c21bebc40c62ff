"""Waiting for a chair, as those who wait are told and as everyone at the table sees it."""

from typing import Literal
from uuid import UUID

from server.protocol.message_base import Message, Ms, Player


class WaiterView(Message):
    """Somebody who waits for a chair, in line. offer_until_ms: a chair is theirs to take until then."""

    player: Player
    offer_until_ms: Ms | None = None


class WaitingPlace(Message):
    """Where you stand in a table's waiting list; comes again whenever that changes.

    position: 1 for the first; None when you no longer wait, and `ended` says why. offer_until_ms: a chair is kept
    for you until then: take it with `sit`.
    """

    type: Literal["waiting"] = "waiting"
    table_id: UUID
    position: int | None
    waiting: int
    offer_until_ms: Ms | None = None
    ended: Literal["seated", "left", "offer_expired", "removed", "away", "closed"] | None = None
