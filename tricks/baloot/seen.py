"""What one seat knows of a deal of Baloot, and of the match it belongs to: all that a player there may think with."""

from dataclasses import dataclass

from tricks.baloot.bidding import Bought, Call, ToCall, auction
from tricks.baloot.deal import Action, MakeCall, State
from tricks.baloot.following import choice, is_ekka
from tricks.baloot.match import Match
from tricks.baloot.projects import Kind, Project, best_seat
from tricks.cards import PACK_32, Card
from tricks.duties import Choice
from tricks.knowledge import Played, SeenPlay, excluded, seen_by
from tricks.moves import PlayCard
from tricks.tally import SEATS
from tricks.tricks import Ranking


@dataclass(frozen=True, slots=True)
class Seen:
    """calls, bought, is_ekka: as in State. totals: of the match before this deal.

    dealt: the own eight cards before the first lead; nothing before that. announced: by seat the kinds of its projects,
    told as it plays to the first trick; None before that. shown: by seat its projects, once the first trick is over and
    only of the pair that scores them.
    """

    dealer: int
    upcard: Card
    play: SeenPlay
    calls: tuple[Call, ...]
    bought: Bought | None
    is_ekka: bool
    dealt: tuple[Card, ...]
    announced: tuple[tuple[Kind, ...] | None, ...]
    shown: tuple[tuple[Project, ...], ...]
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
        """Once the deal is bought."""
        assert self.bought is not None, "cards are played once the deal is bought"
        return self.bought.contract.ranking

    @property
    def to_call(self) -> ToCall:
        """Whose call it is, during the bidding."""
        standing = auction(self.dealer, self.upcard, self.calls)
        assert isinstance(standing, ToCall), "the bidding is over"
        return standing

    @property
    def playable(self) -> Choice:
        """What the seat may play when it is on turn, once the deal is bought."""
        assert self.bought is not None, "cards are played once the deal is bought"
        return choice(self.bought.contract, self.hand, self.play.trick, self.is_ekka)

    @property
    def options(self) -> tuple[Action, ...]:
        """What the seat may do when it is on turn."""
        if self.bought is None:
            return tuple(MakeCall(call) for call in self.to_call.options)
        return tuple(PlayCard(card) for card in self.playable.cards)

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that this seat has not seen in a hand of its own or on the table."""
        return self.play.unseen(PACK_32)

    def excluded(self) -> tuple[frozenset[Card], ...]:
        """By seat, which of the unseen cards it is known not to hold: duties, the turned card, projects shown.

        Meaningful once the deal is bought.
        """
        if self.bought is None:
            return (frozenset(),) * SEATS
        unseen = self.unseen
        shown = [set(cards) for cards in excluded(self.play, unseen, self._could_play)]
        known = [(self.upcard, self.bought.takes)]
        known += [
            (card, seat) for seat, projects in enumerate(self.shown) for project in projects for card in project.cards
        ]
        for card, holder in known:
            for seat in range(SEATS):
                if seat != holder and card in unseen:
                    shown[seat].add(card)
        return tuple(map(frozenset, shown))

    def _could_play(self, hand: tuple[Card, ...], at: Played) -> Choice:
        assert self.bought is not None, "cards are played once the deal is bought"
        gone = [card for taken in self.play.taken[: at.trick_index] for card in taken.cards]
        led_ekka = bool(at.upon) and is_ekka(self.bought.contract, gone, at.upon[0])
        return choice(self.bought.contract, hand, at.upon, led_ekka)


def seen_from(match: Match, state: State, seat: int) -> Seen:
    """What the seat knows of a deal of that match."""
    return Seen(
        dealer=state.setup.dealer,
        upcard=state.setup.upcard,
        play=seen_by(state.play, seat),
        calls=state.calls,
        bought=state.bought,
        is_ekka=state.is_ekka,
        dealt=state.dealt[seat] if state.dealt else (),
        announced=_announced(state),
        shown=_shown(state),
        totals=match.totals,
    )


def _announced(state: State) -> tuple[tuple[Kind, ...] | None, ...]:
    if state.bought is None:
        return (None,) * SEATS
    played = SEATS if state.play.taken else len(state.play.trick)
    return tuple(
        tuple(project.kind for project in projects) if (seat - state.first) % SEATS < played else None
        for seat, projects in enumerate(state.projects)
    )


def _shown(state: State) -> tuple[tuple[Project, ...], ...]:
    best = best_seat(state.projects, state.first) if state.play.taken else None
    if best is None:
        return ((),) * SEATS
    return tuple(projects if seat % 2 == best % 2 else () for seat, projects in enumerate(state.projects))
