"""How a bot decides: pure functions of what its seat may know.

`Sensible` plays the plain good habits: take from the pile only what lowers the deadwood, throw what leaves the
fewest points, declare as soon as it can, give up a hopeless hand before the first draw.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from rummy.cards import Card, Rank, face_of, face_points, is_wild
from rummy.solver import DiscardOption, best_arrangement, discard_options


class BeforeDraw(StrEnum):
    """What a seat may do when its turn begins."""

    STOCK = "stock"
    PILE = "pile"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Finish:
    """What a seat does with its fourteenth card: throw it, or finish with it face down."""

    card: Card
    declare: bool


@dataclass(frozen=True, slots=True)
class SeatKnowledge:
    """What one seat knows when it is on turn.

    cards: 13 before the draw, 14 after it. pile: bottom first. drop_points: what giving up costs now, None
    when it may not. not_returnable: the card just taken from the pile, where the table forbids throwing it back.
    """

    cards: tuple[Card, ...]
    wild_rank: Rank | None
    pile: tuple[Card, ...]
    may_draw_pile: bool
    drop_points: int | None
    not_returnable: Card | None = None


class Strategy(Protocol):
    def before_draw(self, known: SeatKnowledge) -> BeforeDraw: ...

    def after_draw(self, known: SeatKnowledge) -> Finish: ...


_HOPELESS_POINTS: Final = 75
"""Deadwood above this, without a pure run or a joker, wins too seldom to be worth more than a first drop."""


class Sensible:
    """Looks at its own cards only."""

    def before_draw(self, known: SeatKnowledge) -> BeforeDraw:
        now = best_arrangement(known.cards, known.wild_rank)
        if known.may_draw_pile and self._takes(known, now.points):
            return BeforeDraw.PILE
        first_drop = known.drop_points == _FIRST_DROP_POINTS
        jokers = sum(is_wild(face_of(card), known.wild_rank) for card in known.cards)
        if first_drop and not now.groups and not jokers and now.points > _HOPELESS_POINTS:
            return BeforeDraw.DROP
        return BeforeDraw.STOCK

    def _takes(self, known: SeatKnowledge, points_now: int) -> bool:
        top = known.pile[-1]
        if is_wild(face_of(top), known.wild_rank):
            return True
        best = self._best(discard_options((*known.cards, top), known.wild_rank), known, face_of(top))
        return best.declares or best.points < points_now

    def after_draw(self, known: SeatKnowledge) -> Finish:
        options = discard_options(known.cards, known.wild_rank)
        for option in options:
            if option.declares:
                return Finish(option.card, declare=True)
        not_returnable = None if known.not_returnable is None else face_of(known.not_returnable)
        return Finish(self._best(options, known, not_returnable).card, declare=False)

    def _best(
        self, options: tuple[DiscardOption, ...], known: SeatKnowledge, not_returnable: int | None
    ) -> DiscardOption:
        """The discard that leaves the fewest points; between equals the dearest card with the fewest friends."""
        allowed = [option for option in options if face_of(option.card) != not_returnable]
        return min(
            allowed,
            key=lambda option: (
                not option.declares,
                option.points,
                is_wild(face_of(option.card), known.wild_rank),
                friends(option.card, known.cards),
                -face_points(face_of(option.card), known.wild_rank),
                option.card,
            ),
        )


_FIRST_DROP_POINTS: Final = 20


def friends(card: Card, cards: tuple[Card, ...]) -> int:
    """How many of `cards` could stand beside this one: near in its suit, or of its rank in another suit."""
    face = face_of(card)
    if face == 52:
        return len(cards)
    suit, rank = divmod(face, 13)
    count = 0
    for other in cards:
        other_face = face_of(other)
        if other == card or other_face == 52 or other_face == face:
            continue
        other_suit, other_rank = divmod(other_face, 13)
        distance = abs(rank - other_rank)
        if (other_suit == suit and (distance <= 2 or distance >= 11)) or (other_suit != suit and distance == 0):
            count += 1
    return count
