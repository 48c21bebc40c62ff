"""From the search's plan to cards on the table: which card lies where in each group.

Of equal copies the one from the lowest deck is taken first, and a wild card that is the very card of a gap fills it
before any other does, so the same cards always lie the same way.
"""

from collections.abc import Sequence

from rummy.cards import Card, Face, Rank, face_of, is_wild, natural_face, rank_of, suit_of
from rummy.groups import ACE_HIGH, LARGEST_SET, Arrangement, Group, GroupKind
from rummy.search import NO_OPTION, Option, bit_of


def lay(cards: Sequence[Card], wild_rank: Rank | None, plan: Sequence[Option], points: int) -> Arrangement:
    """Lay `cards` as `plan` says. Wild cards that cover nothing are laid only where that makes a declare complete."""
    hand = sorted(cards)
    options = list(plan[: plan.index(NO_OPTION)])
    table = _Table(hand, wild_rank)
    if options and points == 0:
        options = _with_spare_wilds(options, len(table.wilds))
    groups = [table.lay(option) for option in options]
    groups.sort(key=lambda group: _KIND_ORDER.index(group.kind))
    laid = {card for group in groups for card in group.cards}
    return Arrangement(tuple(groups), tuple(card for card in hand if card not in laid), points)


_KIND_ORDER = (GroupKind.PURE_SEQUENCE, GroupKind.IMPURE_SEQUENCE, GroupKind.SET)


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
        for card in hand:
            face = face_of(card)
            if is_wild(face, wild_rank):
                self.wilds.append(card)
            else:
                self._naturals.setdefault(bit_of(face), []).append(card)

    def lay(self, option: Option) -> Group:
        faces, price, sequence = option
        naturals = sorted(self._naturals[bit].pop(0) for bit in self._naturals if bit & faces)
        if sequence:
            return self._lay_run(naturals, price)
        return Group(GroupKind.SET, (*naturals, *(self._take_wild(None) for _ in range(price))))

    def _lay_run(self, naturals: list[Card], price: int) -> Group:
        if not naturals:
            return Group(GroupKind.IMPURE_SEQUENCE, tuple(self._take_wild(None) for _ in range(price)))
        suit = suit_of(face_of(naturals[0]))
        places = _places(naturals)
        faces = [natural_face(Rank((place - 1) % 13 + 1), suit) for place in range(ACE_HIGH + 1)]
        low, high = min(places), max(places)
        while high - low + 1 < len(naturals) + price:
            if high < ACE_HIGH and (low == 1 or not self._has_own(faces[low - 1])):
                high += 1
            else:
                low -= 1
        pure = True
        cards: list[Card] = []
        for place in range(low, high + 1):
            card = places.get(place)
            if card is None:
                pure = pure and self._has_own(faces[place])
                card = self._take_wild(faces[place])
            cards.append(card)
        return Group(GroupKind.PURE_SEQUENCE if pure else GroupKind.IMPURE_SEQUENCE, tuple(cards))

    def _has_own(self, face: Face) -> bool:
        return any(face_of(card) == face for card in self.wilds)

    def _take_wild(self, face: Face | None) -> Card:
        """A wild card to stand for a face: that very card if it is there, else the first."""
        own = next((number for number, card in enumerate(self.wilds) if face_of(card) == face), 0)
        return self.wilds.pop(own)


def _places(naturals: list[Card]) -> dict[int, Card]:
    """Where the natural cards of one run lie: an ace above the king if a high card is there, else below the two."""
    ranks = {rank_of(face_of(card)): card for card in naturals}
    ace_is_high = any(rank > 9 for rank in ranks)
    return {ACE_HIGH if rank == 1 and ace_is_high else int(rank): card for rank, card in ranks.items()}
