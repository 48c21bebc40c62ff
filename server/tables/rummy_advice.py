"""Advice on a seat's own cards, as the answer to `arrange` carries it; from nothing but what that seat knows."""

from functools import lru_cache
from typing import Any, Final

from rummy.cards import CARDS_PER_HAND, Card, Rank
from rummy.hints import hint
from rummy.solver import discard_options
from server.tables.rummy_views import arrangement_view

MOST_DRAWS: Final = 12
"""So many useful draws are named; nobody reads more."""


@lru_cache(maxsize=256)
def advice(cards: tuple[Card, ...], wild_rank: Rank | None, decks: int, seen: frozenset[Card]) -> dict[str, Any]:
    """The best arrangement of 13 cards; of 14, that of the best 13, and what each discard would leave.

    seen: cards of others that lie open or were taken openly. Kept for a while: whoever asks for the same advice again
    and again does not make the table think again.
    """
    found = hint(cards, wild_rank, decks, seen)
    given: dict[str, Any] = {
        "arrangement": arrangement_view(found.arrangement).model_dump(mode="json"),
        "distance": found.distance,
        "useful_draws": [
            {"face": draw.face, "unseen": draw.unseen, "points": draw.points, "can_declare": draw.declares}
            for draw in found.useful_draws[:MOST_DRAWS]
        ],
    }
    if len(cards) > CARDS_PER_HAND:
        given["discards"] = [
            {"card": option.card, "points": option.points, "can_declare": option.declares}
            for option in discard_options(cards, wild_rank)
        ]
    return given
