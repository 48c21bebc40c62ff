"""What the journal is asked to store: one unit is stored whole or not at all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from server.tables.match_ports import MatchStep
from server.tables.ports import Chair, EventRow, HandClosing, HandOpening

Answer = Mapping[str, Any] | None
"""What a stored unit is answered with: the commit receipt for OpenHand, else nothing."""


@dataclass(frozen=True, slots=True)
class OpenHand:
    epoch: int
    opening: HandOpening

    @property
    def table_id(self) -> UUID:
        return UUID(bytes=self.opening.terms.table_id)

    @property
    def hand_id(self) -> UUID:
        return UUID(bytes=self.opening.terms.hand_id)


@dataclass(frozen=True, slots=True)
class RecordHash:
    table_id: UUID
    epoch: int
    hand_id: UUID
    seat: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class CloseHashes:
    table_id: UUID
    epoch: int
    hand_id: UUID
    receipt: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RecordReveal:
    table_id: UUID
    epoch: int
    hand_id: UUID
    seat: int
    nonce: bytes
    text: bytes


@dataclass(frozen=True, slots=True)
class AppendEvents:
    """rows: at least one, k ascending without a gap."""

    table_id: UUID
    epoch: int
    hand_id: UUID
    rows: tuple[EventRow, ...]
    closing: HandClosing | None


@dataclass(frozen=True, slots=True)
class StepMatch:
    """What happens in a match between two hands; a hand's end carries its step itself."""

    table_id: UUID
    epoch: int
    step: MatchStep


@dataclass(frozen=True, slots=True)
class SaveChairs:
    table_id: UUID
    epoch: int
    chairs: tuple[Chair, ...]
    dealer: int | None


@dataclass(frozen=True, slots=True)
class Beat:
    """This node is alive; every transaction says so, this one says it when there is nothing else to store."""


HandUnit = OpenHand | RecordHash | CloseHashes | RecordReveal | AppendEvents
TableUnit = HandUnit | StepMatch | SaveChairs
Unit = TableUnit | Beat
