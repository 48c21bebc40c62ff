"""What may be bid, and when a deal is dealt again (sections 2 and 3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricks.cards import SUITS, Card, Rank, card_of
from tricks.thousand.marriages import has_marriage

STEP: Final = 5
OPENING_BID: Final = 100
BARE_LIMIT: Final = 120
MARRIAGE_LIMIT: Final = 360


def bid_limit(hand: Sequence[Card]) -> int:
    """The most that may be bid with these cards (section 2)."""
    return MARRIAGE_LIMIT if any(has_marriage(hand, suit) for suit in SUITS) else BARE_LIMIT


@dataclass(frozen=True, slots=True)
class BidRange:
    """Legal bids are the multiples of 5 from lowest to highest; both None where only a pass is left."""

    limit: int
    lowest: int | None
    highest: int | None


def bid_range(hand: Sequence[Card], high: int | None) -> BidRange:
    """What the seat may bid. high: the bid to beat, None for the forced opening."""
    limit = bid_limit(hand)
    lowest = OPENING_BID if high is None else high + STEP
    if lowest > limit:
        return BidRange(limit, None, None)
    return BidRange(limit, lowest, limit)


def must_redeal(hands: Sequence[Sequence[Card]]) -> bool:
    """Whether anybody holds all four nines after the gifts (section 3)."""
    nines = {card_of(Rank.NINE, suit) for suit in SUITS}
    return any(nines <= set(hand) for hand in hands)
