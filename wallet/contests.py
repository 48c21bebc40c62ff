"""What tokens are staked on: one hand, or a match of several hands that are played for one pot."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class ContestKind(StrEnum):
    HAND = "hand"
    MATCH = "match"


@dataclass(frozen=True, slots=True)
class Contest:
    """Reads as `hand 0d5c...` or `match 77e0...`."""

    kind: ContestKind
    id: UUID

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    @property
    def key(self) -> str:
        """How it stands in the keys of entries and in the chain: a hand by its bare id."""
        return str(self.id) if self.kind is ContestKind.HAND else f"{self.kind}:{self.id}"


def of_hand(hand_id: UUID) -> Contest:
    return Contest(ContestKind.HAND, hand_id)


def of_match(match_id: UUID) -> Contest:
    return Contest(ContestKind.MATCH, match_id)
