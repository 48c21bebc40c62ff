"""How likely the next player takes a discard, and what that costs the one who threw it."""

import math
from collections.abc import Sequence
from typing import Final

from clients.python.strategies.knowledge import SeatKnowledge
from clients.python.strategies.prospects import faces_near
from rummy.cards import Card, face_of, is_wild

_NEVER: Final = -3.6
_PER_CENT_NEAR: Final = 0.167
_PER_TAKEN_NEAR: Final = 0.98
"""Fitted to 15,130 discards among middle bots: how often the next one took the card (one in five on average), by the
share of the unseen cards that could stand beside it and by how many such cards the next player took before."""

FED_POINTS: Final = 15
"""What a card that it wants gains the next player, about; all its opponents bear it together."""


def chance_taken(card: Card, known: SeatKnowledge, copies: Sequence[int]) -> float:
    """Whether the next player takes a discard, by what everybody saw. copies: by face, unseen by this seat."""
    face = face_of(card)
    if is_wild(face, known.wild_rank):
        return 1.0
    near = faces_near(face)
    unseen = sum(copies[other] for other in near)
    following = known.opponents[0]
    taken = sum(face_of(one.card) in near for one in known.taken if one.seat == following)
    lean = _NEVER + _PER_CENT_NEAR * 100 * unseen / max(1, sum(copies)) + _PER_TAKEN_NEAR * taken
    return 1 / (1 + math.exp(-lean))


def feeding_cost(card: Card, known: SeatKnowledge, copies: Sequence[int]) -> float:
    """The points that throwing a card is expected to cost this seat through what it brings the next player."""
    return FED_POINTS * chance_taken(card, known, copies) / len(known.opponents)
