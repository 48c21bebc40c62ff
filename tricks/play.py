"""The playing of cards, alike in every game: who holds what, the trick on the table, and the tricks that were taken."""

from dataclasses import dataclass

from tricks.cards import Card
from tricks.tricks import Ranking


@dataclass(frozen=True, slots=True)
class Taken:
    """A finished trick. cards: in the order they were played, the leader's first."""

    leader: int
    cards: tuple[Card, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Play:
    """hands: by seat, ascending cards. leader: of the trick on the table, or of the next one."""

    hands: tuple[tuple[Card, ...], ...]
    leader: int
    trick: tuple[Card, ...] = ()
    taken: tuple[Taken, ...] = ()

    @property
    def seat_count(self) -> int:
        return len(self.hands)

    @property
    def on_turn(self) -> int | None:
        """None once every card is played."""
        hands = self.hands
        seat = (self.leader + len(self.trick)) % len(hands)
        return seat if hands[seat] else None

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the seat on turn; none once every card is played."""
        return self.hands[(self.leader + len(self.trick)) % len(self.hands)]

    @property
    def gone(self) -> tuple[Card, ...]:
        """The cards of finished tricks."""
        return tuple(card for trick in self.taken for card in trick.cards)

    def after(self, card: Card, ranking: Ranking) -> "Play":
        """The play after the seat on turn has played one of its cards; a full trick goes to its winner."""
        seat = self.on_turn
        assert seat is not None, "a card after the last one"
        assert card in self.hands[seat], "a card that the seat does not hold"
        left = tuple([held for held in self.hands[seat] if held != card])
        hands = (*self.hands[:seat], left, *self.hands[seat + 1 :])
        trick = (*self.trick, card)
        if len(trick) < self.seat_count:
            return Play(hands, self.leader, trick, self.taken)
        winner = (self.leader + ranking.winning(trick)) % self.seat_count
        taken = (*self.taken, Taken(self.leader, trick, winner))
        return Play(hands, winner, (), taken)


def sorted_hands(hands: list[list[Card]]) -> tuple[tuple[Card, ...], ...]:
    return tuple(tuple(sorted(hand)) for hand in hands)
