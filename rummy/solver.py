"""The best arrangement of 13 cards, and what each discard of 14 leaves: exact, and the same for any order of cards.

Rules: house rules sections 3 and 4. How it is found, and why that is exact, stands in `rummy.search`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rummy import native, search
from rummy.cards import CARDS_PER_HAND, Card, Rank, card_name, face_of, face_points, is_wild
from rummy.groups import Arrangement
from rummy.laying import lay

_best_plan = native.twin(search.best_plan)
_best_discard = native.twin(search.best_discard)
_points_after_each = native.twin(search.points_after_each)


@dataclass(frozen=True, slots=True)
class DiscardOption:
    """What a hand of 14 is worth after one discard.

    points: of the best arrangement of the other 13. declares: whether those 13 can be declared.
    """

    card: Card
    points: int
    declares: bool


def best_arrangement(cards: Sequence[Card], wild_rank: Rank | None) -> Arrangement:
    """Arrange 13 cards so that they count the fewest points.

    cards: exactly 13, distinct. wild_rank: None when only printed jokers are wild. Returns points in 0..130.
    Raises ValueError for any other count: our mistake, never the player's.
    """
    _require_count(cards, CARDS_PER_HAND)
    plan = search.empty_plan()
    points = _best_plan(cards, wild_rank or 0, plan)
    return lay(cards, wild_rank, plan, points)


def fewest_points(cards: Sequence[Card], wild_rank: Rank | None) -> int:
    """The points of the best arrangement of 13 cards. Raises ValueError for any other count."""
    _require_count(cards, CARDS_PER_HAND)
    return _best_plan(cards, wild_rank or 0, search.empty_plan())


def can_declare(cards: Sequence[Card], wild_rank: Rank | None) -> bool:
    """Whether all 13 cards can be grouped validly. Raises ValueError for any other count."""
    _require_count(cards, CARDS_PER_HAND)
    plan = search.empty_plan()
    return _best_plan(cards, wild_rank or 0, plan) == 0 and plan[0] != search.NO_OPTION


def discard_options(cards: Sequence[Card], wild_rank: Rank | None) -> tuple[DiscardOption, ...]:
    """What each possible discard of 14 cards leaves, in ascending card order. Raises ValueError for any other count."""
    _require_count(cards, CARDS_PER_HAND + 1)
    hand = sorted(cards)
    points = _points_after_each(hand, wild_rank or 0)
    return tuple(
        DiscardOption(card, left, left == 0 and _leaves_a_natural(hand, card, wild_rank))
        for card, left in zip(hand, points, strict=True)
    )


def best_discard(cards: Sequence[Card], wild_rank: Rank | None) -> DiscardOption:
    """The discard of 14 cards that leaves the fewest points. Raises ValueError for any other count.

    Between equals: the dearest card that is loose in the best arrangement of all 14 (A before K before Q, J and 10;
    then clubs, diamonds, hearts, spades), so never a wild card while a natural one is loose. When every natural card
    is grouped: any natural card that leaves as little, the dearest first, and only then a wild card.
    """
    _require_count(cards, CARDS_PER_HAND + 1)
    points, number = _best_discard(sorted(cards), wild_rank or 0)
    if number is not None:
        card = Card(number)
        return DiscardOption(card, points, points == 0 and _leaves_a_natural(cards, card, wild_rank))
    return min(discard_options(cards, wild_rank), key=lambda option: _dispensable(option, wild_rank))


def fewest_after_discard(cards: Sequence[Card], wild_rank: Rank | None) -> tuple[int, bool]:
    """The points that the best discard of 14 cards leaves, and whether it declares; `best_discard` also names it."""
    _require_count(cards, CARDS_PER_HAND + 1)
    points, number = _best_discard(sorted(cards), wild_rank or 0)
    # Where no natural card stays loose, some discard leaves all that a declare needs.
    gone = None if number is None else Card(number)
    return points, points == 0 and _leaves_a_natural(cards, gone, wild_rank)


def _dispensable(option: DiscardOption, wild_rank: Rank | None) -> tuple[int, bool, int, Card]:
    face = face_of(option.card)
    return option.points, is_wild(face, wild_rank), -face_points(face, wild_rank), option.card


def _leaves_a_natural(hand: Sequence[Card], gone: Card | None, wild_rank: Rank | None) -> bool:
    """Whether a card is left that is not wild: without one there is no pure sequence, and no points either."""
    return any(card != gone and not is_wild(face_of(card), wild_rank) for card in hand)


def _require_count(cards: Sequence[Card], count: int) -> None:
    if len(cards) != count or len(set(cards)) != count:
        raise ValueError(f"expected {count} distinct cards, got {[card_name(card) for card in cards]}")
