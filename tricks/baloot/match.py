"""A match of Baloot: to 152 game points, the deal passing on also after one that was thrown in (sections 1 and 11)."""

from dataclasses import dataclass, replace

from tricks.baloot.deal import Setup
from tricks.baloot.scoring import DealScore, match_winner
from tricks.cards import Card
from tricks.tally import SEATS


@dataclass(frozen=True, slots=True)
class Match:
    """deals: dealt so far, those thrown in too. totals: by pair."""

    first_dealer: int
    deals: int = 0
    totals: tuple[int, int] = (0, 0)

    @property
    def winner(self) -> int | None:
        """The pair that has won, None while the match goes on."""
        return match_winner(self.totals)

    @property
    def is_over(self) -> bool:
        return self.winner is not None

    def next_deal(self, deck: tuple[Card, ...]) -> Setup:
        """The next deal, of a match that is not over."""
        assert not self.is_over, "a deal after the last one"
        return Setup((self.first_dealer + self.deals) % SEATS, deck)

    def after(self, score: DealScore | None) -> "Match":
        """score: None of a deal that was thrown in."""
        counted = replace(self, deals=self.deals + 1)
        if score is None:
            return counted
        ours, theirs = (total + points for total, points in zip(self.totals, score.score, strict=True))
        return replace(counted, totals=(ours, theirs))
