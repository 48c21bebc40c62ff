"""A trick as the seat on turn sees it, alike in every game: who wins it, what beats it, what may still come."""

from collections.abc import Callable, Collection, Iterable
from functools import cached_property

from tricks.cards import Card, suit_of
from tricks.knowledge import SeenPlay
from tricks.tricks import Ranking


class Position:
    """play: what the seat knows of the play. unseen: the cards of the other hands.

    find_excluded: by seat, which of the unseen cards it can't hold; asked for only where it matters.
    friends: the seats whose tricks are as good as own ones.
    """

    def __init__(
        self,
        play: SeenPlay,
        ranking: Ranking,
        unseen: tuple[Card, ...],
        find_excluded: Callable[[], tuple[frozenset[Card], ...]],
        friends: Collection[int],
    ) -> None:
        self.play = play
        self.ranking = ranking
        self.unseen = unseen
        self.friends = frozenset(friends)
        self._find_excluded = find_excluded

    @cached_property
    def _excluded(self) -> tuple[frozenset[Card], ...]:
        return self._find_excluded()

    @property
    def leads(self) -> bool:
        return not self.play.trick

    @property
    def later(self) -> tuple[int, ...]:
        """The seats that play to this trick after the own one."""
        seats = len(self.play.counts)
        return tuple((self.play.seat + turn) % seats for turn in range(1, seats - len(self.play.trick)))

    @property
    def opponents(self) -> tuple[int, ...]:
        return tuple(
            seat for seat in range(len(self.play.counts)) if seat != self.play.seat and seat not in self.friends
        )

    @cached_property
    def winner(self) -> int | None:
        """The seat that wins the trick so far; None when it has to be led."""
        if self.leads:
            return None
        return (self.play.leader + self.ranking.winning(self.play.trick)) % len(self.play.counts)

    @property
    def friend_wins(self) -> bool:
        return self.winner in self.friends

    @property
    def opponent_wins(self) -> bool:
        return self.winner is not None and not self.friend_wins

    def taking(self, cards: Iterable[Card]) -> tuple[Card, ...]:
        """Those of the cards that would win the trick as it stands."""
        return tuple(cards) if self.leads else self.ranking.beating(self.play.trick, cards)

    def is_boss(self, card: Card) -> bool:
        """Whether no unseen card of its suit is stronger."""
        suit = suit_of(card)
        strength = self.ranking.strength(card, suit)
        return not any(
            suit_of(other) is suit and self.ranking.strength(other, suit) > strength for other in self.unseen
        )

    def may_hold(self, seats: Iterable[int]) -> frozenset[Card]:
        """The unseen cards that any of these seats may hold."""
        return frozenset(card for seat in seats for card in self.unseen if card not in self._excluded[seat])

    @cached_property
    def friend_is_sure(self) -> bool:
        """Whether a friend wins the trick, whatever opponents who have yet to play may hold."""
        if not self.friend_wins:
            return False
        to_come = [seat for seat in self.later if seat not in self.friends]
        return not to_come or not self.ranking.beating(self.play.trick, self.may_hold(to_come))

    def thrift(self, card: Card) -> tuple[int, ...]:
        """The fixed order: what a player does where no tip says anything, the smallest first.

        To lead: the best side card of its suit that is left, then the cheapest card, trumps last. To follow: take from
        an opponent, as cheaply as it goes, if nobody plays later or nothing unseen of the suit is stronger. Else throw
        the cheapest card, trumps last.
        """
        ranking = self.ranking
        cost = (ranking.is_trump(card), ranking.points(card), ranking.strength(card, suit_of(card)), card)
        if self.leads:
            return (ranking.is_trump(card) or not self.is_boss(card), *cost)
        takes = self.opponent_wins and bool(self.taking([card])) and (not self.later or self.is_boss(card))
        return (not takes, *cost)
