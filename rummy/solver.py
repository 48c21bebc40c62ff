"""The best arrangement of 13 cards, and the best discard of 14: exact.

Rules: house rules sections 3 and 4.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rummy.cards import CARDS_PER_HAND, Card, Face, Rank, card_name, face_of, face_points, is_wild
from rummy.groups import Arrangement, Group, GroupKind, classify_group


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

    cards: exactly 13, distinct, any order; the answer does not depend on the order.
    wild_rank: None when a printed joker was turned up (then only printed jokers are wild).
    Raises ValueError for any other count: our mistake, never the player's.
    """
    _require_count(cards, CARDS_PER_HAND)
    hand = tuple(sorted(cards))
    best = _deadwood_only(hand, wild_rank)
    for run in _pure_runs(hand, wild_rank):
        rest = tuple(card for card in hand if card not in run)
        alone = _finish((run,), rest, wild_rank)
        if alone.points < best.points or not best.groups:
            best = alone
        naturals = tuple(card for card in rest if not is_wild(face_of(card), wild_rank))
        wilds = tuple(card for card in rest if is_wild(face_of(card), wild_rank))
        found = _cover(naturals, len(wilds), wild_rank, True)
        if found is None:
            continue
        points, shapes = found
        if points < best.points or (points == best.points and not best.complete):
            best = _with_wilds(run, shapes, rest, wilds, wild_rank)
    return best


def fewest_points(cards: Sequence[Card], wild_rank: Rank | None) -> int:
    """The points of the best arrangement of 13 cards. Raises ValueError for any other count."""
    return best_arrangement(cards, wild_rank).points


def can_declare(cards: Sequence[Card], wild_rank: Rank | None) -> bool:
    """Whether all 13 cards can be grouped validly. Raises ValueError for any other count."""
    return best_arrangement(cards, wild_rank).complete


def discard_options(cards: Sequence[Card], wild_rank: Rank | None) -> tuple[DiscardOption, ...]:
    """What each possible discard of 14 cards leaves, in ascending card order. Raises ValueError for any other count."""
    _require_count(cards, CARDS_PER_HAND + 1)
    options = []
    for card in sorted(cards):
        left = best_arrangement([other for other in cards if other != card], wild_rank)
        options.append(DiscardOption(card, left.points, left.complete))
    return tuple(options)


def best_discard(cards: Sequence[Card], wild_rank: Rank | None) -> DiscardOption:
    """The discard of 14 cards that leaves the fewest points.

    Between equals: one that declares, then a card that is not wild, then the dearest, then the lowest card number.
    Raises ValueError for any other count.
    """

    def preference(option: DiscardOption) -> tuple[int, bool, bool, int, Card]:
        face = face_of(option.card)
        return (
            option.points,
            not option.declares,
            is_wild(face, wild_rank),
            -face_points(face, wild_rank),
            option.card,
        )

    return min(discard_options(cards, wild_rank), key=preference)


def _require_count(cards: Sequence[Card], count: int) -> None:
    if len(cards) != count or len(set(cards)) != count:
        raise ValueError(f"expected {count} distinct cards, got {[card_name(card) for card in cards]}")


def _points(cards: Sequence[Card], wild_rank: Rank | None) -> int:
    return sum(face_points(face_of(card), wild_rank) for card in cards)


def _deadwood_only(hand: tuple[Card, ...], wild_rank: Rank | None) -> Arrangement:
    return Arrangement((), hand, _points(hand, wild_rank))


def _pure_runs(hand: tuple[Card, ...], wild_rank: Rank | None) -> Iterator[tuple[Card, ...]]:
    """Every pure run, one copy of each face."""
    by_face: dict[Face, Card] = {}
    for card in hand:
        by_face.setdefault(face_of(card), card)
    for suit in range(4):
        for low in range(1, 13):
            run: list[Card] = []
            for place in range(low, 15):
                card_there = by_face.get(Face(13 * suit + (place - 1) % 13))
                if card_there is None or card_there in run:
                    break
                run.append(card_there)
                if len(run) >= 3:
                    yield tuple(run)


_Shape = tuple[tuple[Card, ...], int, bool]


@lru_cache(maxsize=1 << 14)
def _cover(
    naturals: tuple[Card, ...], wilds: int, wild_rank: Rank | None, need: bool
) -> tuple[int, tuple[_Shape, ...]] | None:
    """Fewest points left of natural cards; shapes are (naturals, wild cards, is a sequence)."""
    if not naturals:
        return (0, ()) if not need else ((0, (((), 3, True),)) if wilds >= 3 else None)
    first, others = naturals[-1], naturals[:-1]
    best: tuple[int, tuple[_Shape, ...]] | None = None
    without = _cover(others, wilds, wild_rank, need)
    if without is not None:
        best = (without[0] + face_points(face_of(first), wild_rank), without[1])
    for group, cost, is_sequence in _groups_with(first, others, wilds):
        left = tuple(card for card in others if card not in group)
        found = _cover(left, wilds - cost, wild_rank, need and not is_sequence)
        if found is not None and (best is None or found[0] < best[0]):
            best = (found[0], ((group, cost, is_sequence), *found[1]))
    return best


def _groups_with(first: Card, others: tuple[Card, ...], wilds: int) -> Iterator[_Shape]:
    by_face: dict[Face, Card] = {}
    for card in others:
        by_face.setdefault(face_of(card), card)
    suit, index = divmod(face_of(first), 13)
    places = [index + 1, 14] if index == 0 else [index + 1]
    for place in places:
        for low in range(max(1, place - 4), place + 1):
            for high in range(max(place, low + 2), min(14, low + 4) + 1):
                found = [
                    by_face[Face(13 * suit + (other - 1) % 13)]
                    for other in range(low, high + 1)
                    if other != place and Face(13 * suit + (other - 1) % 13) in by_face
                ]
                cost = high - low - len(found)
                if cost <= wilds:
                    yield (first, *found), cost, True
    same = [by_face[Face(13 * other + index)] for other in range(4) if other != suit and 13 * other + index in by_face]
    for bits in range(1, 1 << len(same)):
        chosen = tuple(card for number, card in enumerate(same) if bits >> number & 1)
        cost = max(0, 2 - len(chosen))
        if cost <= wilds:
            yield (first, *chosen), cost, False


def _finish(groups: tuple[tuple[Card, ...], ...], deadwood: Sequence[Card], wild_rank: Rank | None) -> Arrangement:
    made = []
    for cards in groups:
        kind = classify_group(cards, wild_rank)
        assert kind is not None, "the solver laid a group that is none"
        made.append(Group(kind, cards))
    order = list(GroupKind)
    made.sort(key=lambda group: (order.index(group.kind), group.cards))
    return Arrangement(tuple(made), tuple(deadwood), _points(deadwood, wild_rank))


def _with_wilds(
    run: tuple[Card, ...],
    shapes: tuple[_Shape, ...],
    rest: tuple[Card, ...],
    wilds: Sequence[Card],
    wild_rank: Rank | None,
) -> Arrangement:
    spare = list(wilds)
    laid: list[list[Card]] = []
    for naturals, cost, _ in shapes:
        laid.append([*naturals, *spare[:cost]])
        del spare[:cost]
    grouped = {card for group in laid for card in group}
    if all(is_wild(face_of(card), wild_rank) for card in rest if card not in grouped):
        sequence = next(number for number, shape in enumerate(shapes) if shape[2])
        laid[sequence] += spare
        grouped.update(spare)
    deadwood = [card for card in rest if card not in grouped]
    return _finish((run, *(tuple(group) for group in laid)), deadwood, wild_rank)
