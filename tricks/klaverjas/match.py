"""A game of Klaverjas: sixteen deals, each player dealing four times (sections 1 and 7)."""

from dataclasses import dataclass
from typing import Final

from tricks.cards import Card
from tricks.klaverjas.deal import Setup
from tricks.klaverjas.following import Variant
from tricks.klaverjas.scoring import DealScore
from tricks.tally import SEATS

DEALS: Final = 16


@dataclass(frozen=True, slots=True)
class Match:
    """deals: finished ones. totals: by pair."""

    variant: Variant
    first_dealer: int
    deals: int = 0
    totals: tuple[int, int] = (0, 0)

    @property
    def is_over(self) -> bool:
        return self.deals == DEALS

    @property
    def winner(self) -> int | None:
        """The pair that has won; None while the game goes on, and when it ended in a draw."""
        ours, theirs = self.totals
        return None if not self.is_over or ours == theirs else int(theirs > ours)

    def next_deal(self, deck: tuple[Card, ...]) -> Setup:
        """The next deal, of a game that is not over."""
        assert not self.is_over, "a deal after the last one"
        return Setup(self.variant, (self.first_dealer + self.deals) % SEATS, deck)

    def after(self, score: DealScore) -> "Match":
        ours, theirs = (total + points for total, points in zip(self.totals, score.score, strict=True))
        return Match(self.variant, self.first_dealer, self.deals + 1, (ours, theirs))
