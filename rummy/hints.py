"""Help for one player, from what that seat itself knows: its cards, the wild rank, the cards it has seen.

A hint is asked for by a person at their own pace, so this module prefers plain to fast: about 5 ms, seldom over 10.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rummy.cards import CARDS_PER_HAND, Card, Face, Rank, deck_size, face_of
from rummy.declare_distance import declare_distance
from rummy.groups import Arrangement
from rummy.solver import DiscardOption, best_arrangement, best_discard, fewest_after_discard


@dataclass(frozen=True, slots=True)
class UsefulDraw:
    """A face whose draw leaves fewer points than the hand has now, after the best discard.

    unseen: how many copies the seat has not seen, so may still come.
    """

    face: Face
    unseen: int
    points: int
    declares: bool


@dataclass(frozen=True, slots=True)
class Hint:
    """What a seat could do.

    discard: the best one, None when the seat holds 13 cards. arrangement: of the 13 cards, after that discard.
    distance: the fewest of the 13 that would have to be exchanged, for any other cards, before they can be declared.
    useful_draws: for the 13 cards, those that declare first, then by points left, then by face.
    """

    discard: DiscardOption | None
    arrangement: Arrangement
    distance: int
    useful_draws: tuple[UsefulDraw, ...]


def hint(cards: Sequence[Card], wild_rank: Rank | None, decks: int, seen: Collection[Card] = ()) -> Hint:
    """A hint for 13 cards, or for 14 on the seat's turn. Raises ValueError for any other count.

    seen: cards that the seat knows cannot be drawn from the stock: the turned card, the discard pile, cards shown.
    """
    discard = best_discard(cards, wild_rank) if len(cards) > CARDS_PER_HAND else None
    kept = [card for card in cards if discard is None or card != discard.card]
    arrangement = best_arrangement(kept, wild_rank)
    draws = useful_draws(kept, wild_rank, decks, {*cards, *seen})
    return Hint(discard, arrangement, declare_distance(kept, wild_rank), draws)


def useful_draws(
    cards: Sequence[Card], wild_rank: Rank | None, decks: int, seen: Collection[Card]
) -> tuple[UsefulDraw, ...]:
    """The draws that improve 13 cards, the best first. seen: every card that cannot be drawn, the own ones included."""
    now = best_arrangement(cards, wild_rank)
    unseen: dict[Face, list[Card]] = {}
    for number in range(deck_size(decks)):
        card = Card(number)
        if card not in seen and card not in cards:
            unseen.setdefault(face_of(card), []).append(card)
    draws = []
    for face, copies in unseen.items():
        points, declares = fewest_after_discard([*cards, copies[0]], wild_rank)
        if points < now.points or (declares and not now.complete):
            draws.append(UsefulDraw(face, len(copies), points, declares))
    return tuple(sorted(draws, key=lambda draw: (not draw.declares, draw.points, draw.face)))
