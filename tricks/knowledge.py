"""What one seat knows of the play: its own cards and what lies open. Built up from nothing, never cut down."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tricks.cards import Card
from tricks.duties import Choice
from tricks.play import Play, Taken


@dataclass(frozen=True, slots=True)
class SeenPlay:
    """hand: the own cards, ascending. leader, trick, taken: as in Play. counts: the cards each seat still holds."""

    seat: int
    hand: tuple[Card, ...]
    leader: int
    trick: tuple[Card, ...]
    taken: tuple[Taken, ...]
    counts: tuple[int, ...]

    @property
    def played(self) -> frozenset[Card]:
        return frozenset((*self.trick, *(card for trick in self.taken for card in trick.cards)))

    def unseen(self, pack: Sequence[Card]) -> tuple[Card, ...]:
        """The cards that this seat has not seen: they are in the other hands."""
        seen = {*self.hand, *self.played}
        return tuple(card for card in pack if card not in seen)


def seen_by(play: Play, seat: int) -> SeenPlay:
    counts = tuple(len(hand) for hand in play.hands)
    return SeenPlay(seat, play.hands[seat], play.leader, play.trick, play.taken, counts)


@dataclass(frozen=True, slots=True)
class Played:
    """A card as it was played: by whom, upon what, in which trick (from 0)."""

    seat: int
    card: Card
    upon: tuple[Card, ...]
    trick_index: int


def history(seen: SeenPlay) -> Iterator[Played]:
    """Every card played so far, in order."""
    tricks = [(trick.leader, trick.cards) for trick in seen.taken]
    for index, (leader, cards) in enumerate([*tricks, (seen.leader, seen.trick)]):
        for place, card in enumerate(cards):
            yield Played((leader + place) % len(seen.counts), card, cards[:place], index)


Following = Callable[[tuple[Card, ...], Played], Choice]
"""What a seat with this hand could have played there, by the rules of the game."""


def excluded(seen: SeenPlay, unseen: Sequence[Card], following: Following) -> tuple[frozenset[Card], ...]:
    """By seat, which of the unseen cards its play has shown it not to hold.

    In all games of this room a duty is broken by one card alone: who had to follow, trump or beat, and did not, holds
    no card that would have allowed it. So each card is asked about by itself, beside the card that was played; but not
    where all of them together would not have forbidden it, since more cards never allow more.
    """
    shown: list[set[Card]] = [set() for _ in seen.counts]
    for played in history(seen):
        if played.seat == seen.seat:
            continue
        if played.card in following((played.card, *unseen), played).cards:
            continue
        for card in unseen:
            if played.card not in following((played.card, card), played).cards:
                shown[played.seat].add(card)
    return tuple(map(frozenset, shown))
