"""The formats that a table may play, with every number of theirs. Source: docs/formats.md sections 1 to 3."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class FormatName(StrEnum):
    """As in a hand's terms, on the wire and in the database."""

    POINTS = "points"
    POOL_101 = "pool_101"
    POOL_201 = "pool_201"
    DEALS_2 = "deals_2"
    DEALS_3 = "deals_3"
    DEALS_6 = "deals_6"


FULL_COUNT: Final = 80
"""The most that one hand counts in a match; also what a wrong declare counts."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Points add up; whoever reaches the limit is out, and the last one in has won.

    rejoin_at_most: a rejoin is offered while nobody who is still in has more than this. rejoins: per player.
    """

    limit: int
    first_drop: int
    middle_drop: int
    rejoin_at_most: int
    rejoins: int = 1


@dataclass(frozen=True, slots=True)
class Deals:
    """A fixed number of counted hands; losers pay their points in chips to the winner; most chips win."""

    deals: int
    first_drop: int = 20
    middle_drop: int = 40

    @property
    def chips(self) -> int:
        """What every player begins with: enough for the worst of all deals."""
        return FULL_COUNT * self.deals


MatchFormat = Pool | Deals

MATCH_FORMATS: Final[Mapping[FormatName, MatchFormat]] = MappingProxyType(
    {
        FormatName.POOL_101: Pool(101, first_drop=20, middle_drop=40, rejoin_at_most=79),
        FormatName.POOL_201: Pool(201, first_drop=25, middle_drop=50, rejoin_at_most=174),
        FormatName.DEALS_2: Deals(2),
        FormatName.DEALS_3: Deals(3),
        FormatName.DEALS_6: Deals(6),
    }
)
"""Every format but points, which has no match: each hand is settled by itself."""
