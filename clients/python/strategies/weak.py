"""`Weak`: a beginner. Draws from the stock, throws its dearest lonely card, declares when it can."""

from clients.python.strategies.knowledge import BeforeDraw, Finish, SeatKnowledge
from clients.python.strategies.prospects import company, faces_mask
from rummy.cards import Card, face_of, face_points, is_wild
from rummy.solver import discard_options


class Weak:
    """Never drops, and takes from the pile only what ends the hand; throws without asking what is left."""

    def before_draw(self, known: SeatKnowledge) -> BeforeDraw:
        if known.may_draw_pile:
            options = discard_options((*known.cards, known.pile[-1]), known.wild_rank)
            if any(option.declares for option in options):
                return BeforeDraw.PILE
        return BeforeDraw.STOCK

    def after_draw(self, known: SeatKnowledge) -> Finish:
        for option in discard_options(known.cards, known.wild_rank):
            if option.declares:
                return Finish(option.card, declare=True)
        allowed = [card for card in known.cards if known.may_throw(card)]
        return Finish(min(allowed, key=lambda card: _worth_keeping(card, known)), declare=False)


def _worth_keeping(card: Card, known: SeatKnowledge) -> tuple[bool, int, int, Card]:
    """Wild cards most, then what has most company, then what counts least."""
    face = face_of(card)
    return (
        is_wild(face, known.wild_rank),
        company(card, faces_mask(known.cards)),
        -face_points(face, known.wild_rank),
        card,
    )
