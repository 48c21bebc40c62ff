"""`Sensible`: plain good habits, looking at its own cards only.

It takes from the pile what lowers the deadwood, throws what leaves the fewest points, keeps wild cards, declares as
soon as it can and gives up a hopeless hand before the first draw.
"""

from typing import Final

from clients.python.strategies.knowledge import BeforeDraw, Finish, SeatKnowledge
from clients.python.strategies.prospects import company, faces_mask
from rummy.cards import Card, face_of, face_points, is_wild
from rummy.rules import FIRST_DROP_POINTS
from rummy.solver import DiscardOption, best_arrangement, discard_options

_HOPELESS_POINTS: Final = 75
"""Deadwood above this, without a pure run or a wild card, wins too seldom to be worth more than a first drop."""


class Sensible:
    """Looks at its own cards and at the top of the pile."""

    def before_draw(self, known: SeatKnowledge) -> BeforeDraw:
        now = best_arrangement(known.cards, known.wild_rank)
        if known.may_draw_pile and self._takes(known, now.points):
            return BeforeDraw.PILE
        wilds = sum(is_wild(face_of(card), known.wild_rank) for card in known.cards)
        if known.drop_points == FIRST_DROP_POINTS and not now.groups and not wilds and now.points > _HOPELESS_POINTS:
            return BeforeDraw.DROP
        return BeforeDraw.STOCK

    def _takes(self, known: SeatKnowledge, points_now: int) -> bool:
        """Whether the top of the pile brings more than any card of the same value would.

        Without a pure run every card counts, so any exchange for a cheaper one looks like progress: there it takes
        only what makes the run.
        """
        top = known.pile[-1]
        if is_wild(face_of(top), known.wild_rank):
            return True
        options = discard_options((*known.cards, top), known.wild_rank)
        if any(option.declares for option in options):
            return True
        best = min(option.points for option in options if face_of(option.card) != face_of(top))
        return best < points_now and _grouped(top, known, best)

    def after_draw(self, known: SeatKnowledge) -> Finish:
        options = discard_options(known.cards, known.wild_rank)
        for option in options:
            if option.declares:
                return Finish(option.card, declare=True)
        allowed = [option for option in options if known.may_throw(option.card)]
        return Finish(min(allowed, key=lambda option: _preference(option, known)).card, declare=False)


def _grouped(top: Card, known: SeatKnowledge, best: int) -> bool:
    """Whether some best hand of 13 with the card has it in a group."""
    cards = (*known.cards, top)
    for option in discard_options(cards, known.wild_rank):
        if option.points == best and option.card != top:
            left = best_arrangement([card for card in cards if card != option.card], known.wild_rank)
            if top not in left.deadwood:
                return True
    return False


def _preference(option: DiscardOption, known: SeatKnowledge) -> tuple[bool, int, int, int, Card]:
    """Never a wild card; the fewest points left; between equals what has least company, then the dearest."""
    face = face_of(option.card)
    wild = is_wild(face, known.wild_rank)
    return (
        wild,
        option.points,
        company(option.card, faces_mask(known.cards)),
        -face_points(face, known.wild_rank),
        option.card,
    )
