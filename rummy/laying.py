"""From the search's plan to cards on the table: which card lies where in each group.

Of equal copies the one from the lowest deck is taken first, and a wild card that is the very card of a gap fills it
before any other does, so the same cards always lie the same way.
"""

from collections.abc import Sequence
from typing import Final

from rummy.cards import Card, Rank
from rummy.groups import LARGEST_SET, Arrangement, Group, GroupKind
from rummy.search import CARD_BITS, NATURAL_BITS, NO_OPTION, Option, bit_numbers


def lay(cards: Sequence[Card], wild_rank: Rank | None, plan: Sequence[Option], points: int) -> Arrangement:
    """Lay `cards` as `plan` says. Wild cards that cover nothing are laid only where that makes a declare complete."""
    hand = sorted(cards)
    options = list(plan[: plan.index(NO_OPTION)])
    if not options:
        return Arrangement((), tuple(hand), points)
    table = _Table(hand, wild_rank)
    if points == 0:
        options = _with_spare_wilds(options, len(table.wilds))
    # Runs first, so that a wild card that is the very card of a gap is not spent in a set.
    groups = [table.lay(option) for option in sorted(options, key=lambda option: not option[2])]
    groups.sort(key=lambda group: _KIND_ORDER.index(group.kind))
    laid = {card for group in groups for card in group.cards}
    return Arrangement(tuple(groups), tuple(card for card in hand if card not in laid), points)


LAST_PLACE: Final = 13
_KIND_ORDER: Final = (GroupKind.PURE_SEQUENCE, GroupKind.IMPURE_SEQUENCE, GroupKind.SET)


def _with_spare_wilds(options: list[Option], wilds: int) -> list[Option]:
    """Give every wild card a place: in an impure sequence, in sets of three, in the second sequence, or as one."""
    spare = wilds - sum(price for _, price, _ in options)
    if not any(sequence for _, _, sequence in options[1:]):
        return [*options, (0, spare, True)]
    for _ in range(spare):
        seat = min(range(1, len(options)), key=lambda number: _reluctance(options[number]))
        faces, price, sequence = options[seat]
        options[seat] = (faces, price + 1, sequence)
    return options


def _reluctance(option: Option) -> int:
    """How unwillingly a group takes one wild card more."""
    faces, price, sequence = option
    if sequence:
        return 0 if price else 2
    return 1 if faces.bit_count() + price < LARGEST_SET else 3


class _Table:
    """The cards that are not laid yet."""

    def __init__(self, hand: Sequence[Card], wild_rank: Rank | None) -> None:
        self.wilds: list[Card] = []
        self._naturals: dict[int, list[Card]] = {}
        bits = CARD_BITS[wild_rank or 0]
        for card in hand:
            bit = bits[card]
            if not bit:
                self.wilds.append(card)
            elif bit in self._naturals:
                self._naturals[bit].append(card)
            else:
                self._naturals[bit] = [card]

    def lay(self, option: Option) -> Group:
        faces, price, sequence = option
        if sequence:
            return self._lay_run(faces, price)
        naturals = [self._naturals[1 << number].pop(0) for number in bit_numbers(faces)]
        return Group(GroupKind.SET, (*naturals, *(self._take_wild(0) for _ in range(price))))

    def _lay_run(self, faces: int, price: int) -> Group:
        """Lay a run upwards: places count down from the ace above the king, 0, to the ace below the two, 13."""
        naturals = {number >> 2: self._naturals[1 << number].pop(0) for number in bit_numbers(faces)}
        if not naturals:
            return Group(GroupKind.IMPURE_SEQUENCE, tuple(self._take_wild(0) for _ in range(price)))
        if 0 in naturals and max(naturals) > LAST_PLACE // 2:
            naturals[LAST_PLACE] = naturals.pop(0)
        suit = bit_numbers(faces)[0] & 3
        top, bottom = min(naturals), max(naturals)
        while bottom - top + 1 < len(naturals) + price:
            if top > 0 and (bottom == LAST_PLACE or not self._has(_face_bit(bottom + 1, suit))):
                top -= 1
            else:
                bottom += 1
        kind = GroupKind.PURE_SEQUENCE
        cards: list[Card] = []
        for place in range(bottom, top - 1, -1):
            card = naturals.get(place)
            if card is None:
                own = _face_bit(place, suit)
                if not self._has(own):
                    kind = GroupKind.IMPURE_SEQUENCE
                card = self._take_wild(own)
            cards.append(card)
        return Group(kind, tuple(cards))

    def _has(self, own: int) -> bool:
        """Whether a wild card is left that is this very face."""
        return any(NATURAL_BITS[card] == own for card in self.wilds)

    def _take_wild(self, own: int) -> Card:
        """A wild card to stand for a face: that very card if it is there, else the first."""
        for number, card in enumerate(self.wilds):
            if own and NATURAL_BITS[card] == own:
                return self.wilds.pop(number)
        return self.wilds.pop(0)


def _face_bit(place: int, suit: int) -> int:
    return 1 << (4 * (place % LAST_PLACE) + suit)
