"""A game of Thousand: deals until somebody has 1000; a redeal keeps its dealer (sections 1, 3 and 8)."""

from dataclasses import dataclass, replace

from tricks.cards import Card
from tricks.thousand.bookkeeping import DealEnd, PlayerScore, settle
from tricks.thousand.deal import Setup
from tricks.thousand.scoring import SEATS


@dataclass(frozen=True, slots=True)
class Match:
    """deals: finished ones, redeals not counted. decks: used so far, those of redeals too."""

    first_dealer: int
    players: tuple[PlayerScore, ...] = (PlayerScore(0),) * SEATS
    deals: int = 0
    decks: int = 0
    winner: int | None = None

    @property
    def is_over(self) -> bool:
        return self.winner is not None

    def next_deal(self, deck: tuple[Card, ...]) -> Setup:
        """The next deal, of a game that is not over."""
        assert not self.is_over, "a deal after the last one"
        return Setup((self.first_dealer + self.deals) % SEATS, deck)

    def after(self, end: DealEnd | None) -> "Match":
        """end: None of a deal that has to be dealt again."""
        used = replace(self, decks=self.decks + 1)
        if end is None:
            return used
        settled = settle(self.players, end)
        return replace(used, players=settled.after, deals=self.deals + 1, winner=settled.winner)
