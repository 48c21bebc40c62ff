"""What one seat knows of a deal of Klaverjas, and of the game it belongs to: all that a player there may think with."""

from collections.abc import Sequence
from dataclasses import dataclass

from tricks.cards import PACK_32, Card, Suit
from tricks.duties import Choice
from tricks.klaverjas.deal import Action, State, trump_calls
from tricks.klaverjas.following import Variant, choice, ranking
from tricks.klaverjas.match import Match
from tricks.knowledge import Played, SeenPlay, excluded, seen_by
from tricks.moves import PlayCard
from tricks.tally import SEATS
from tricks.tricks import Ranking


@dataclass(frozen=True, slots=True)
class Seen:
    """passes, trump, maker: as in State. deals, totals: of the game before this deal, as in Match."""

    variant: Variant
    dealer: int
    play: SeenPlay
    passes: int
    trump: Suit | None
    maker: int | None
    deals: int
    totals: tuple[int, int]

    @property
    def seat(self) -> int:
        return self.play.seat

    @property
    def hand(self) -> tuple[Card, ...]:
        return self.play.hand

    @property
    def first(self) -> int:
        """Who calls first and leads to the first trick."""
        return (self.dealer + 1) % SEATS

    @property
    def ranking(self) -> Ranking:
        """Once trump is named."""
        assert self.trump is not None, "trump is named before the first card"
        return ranking(self.trump)

    @property
    def playable(self) -> Choice:
        """What the seat may play when it is on turn, once trump is named."""
        return self._following(self.hand, self.play.trick)

    @property
    def options(self) -> tuple[Action, ...]:
        """What the seat may do when it is on turn."""
        if self.trump is None:
            return trump_calls(self.passes)
        return tuple(PlayCard(card) for card in self.playable.cards)

    @property
    def unseen(self) -> tuple[Card, ...]:
        return self.play.unseen(PACK_32)

    def excluded(self) -> tuple[frozenset[Card], ...]:
        """By seat, which of the unseen cards it is known not to hold."""
        if self.trump is None:
            return (frozenset(),) * SEATS
        return excluded(self.play, self.unseen, self._could_play)

    def _could_play(self, hand: tuple[Card, ...], at: Played) -> Choice:
        return self._following(hand, at.upon)

    def _following(self, hand: tuple[Card, ...], trick: Sequence[Card]) -> Choice:
        assert self.trump is not None, "trump is named before the first card"
        return choice(self.variant, self.trump, hand, trick)


def seen_from(match: Match, state: State, seat: int) -> Seen:
    """What the seat knows of a deal of that game."""
    return Seen(
        variant=state.setup.variant,
        dealer=state.setup.dealer,
        play=seen_by(state.play, seat),
        passes=state.passes,
        trump=state.trump,
        maker=state.maker,
        deals=match.deals,
        totals=match.totals,
    )
