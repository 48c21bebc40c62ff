"""A second opinion on the solver: slow, obvious, and sharing no code with the project.

It lists every group that the 13 cards can form, straight from the house rules section 3, every wild card by itself,
and packs them: the first card left is either loose or in one of the groups that fit. Cards are names such as "10H".
"""

from functools import cache
from itertools import chain, combinations

ORDER = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = "CDHS"
IMPOSSIBLE = 10**9
LOOSE_WILD = 1
LOOSE_POINT = 100
"""A loose wild card weighs less than any point, so the lightest packing is complete when it can be."""

Group = tuple[tuple[int, ...], str]
"""Numbers of cards in the hand, and what they are: pure, impure or set."""


def solve(cards: list[str], wild: str) -> tuple[int, bool]:
    """(fewest points, whether all 13 can be declared). wild: a rank, or "PJ" for printed jokers only."""
    points = [_points(card, wild) for card in cards]
    pure = _pure_sequences(cards)
    if not pure:
        return sum(points), False
    one_run = sum(points) - max(sum(points[number] for number in group) for group, _ in pure)
    packed = _pack(points, [*pure, *_other_groups(cards, wild)])
    return min(one_run, packed // LOOSE_POINT), packed == 0


def _points(card: str, wild: str) -> int:
    rank = card[:-1]
    if card == "PJ" or rank == wild:
        return 0
    return 10 if rank in ("A", "K", "Q", "J") else int(rank)


def _pure_sequences(cards: list[str]) -> list[Group]:
    groups: list[Group] = []
    for suit in SUITS:
        mine = [number for number, card in enumerate(cards) if card != "PJ" and card[-1] == suit]
        groups += [(run, "pure") for run in _distinct(mine, cards) if len(run) > 2 and _fits(run, len(run), cards)]
    return groups


def _other_groups(cards: list[str], wild: str) -> list[Group]:
    wilds = [number for number, card in enumerate(cards) if card == "PJ" or card[:-1] == wild]
    groups: list[Group] = []
    for suit in SUITS:
        mine = [number for number, card in enumerate(cards) if number not in wilds and card[-1] == suit]
        for run in _distinct(mine, cards):
            for count in range(1, len(wilds) + 1):
                if len(run) + count > 2 and _fits(run, len(run) + count, cards):
                    groups += [((*run, *chosen), "impure") for chosen in combinations(wilds, count)]
    for count in range(3, len(wilds) + 1):
        groups += [(chosen, "impure") for chosen in combinations(wilds, count)]
    for rank in ORDER:
        mine = [n for n, card in enumerate(cards) if n not in wilds and card[:-1] == rank]
        for same in _distinct(mine, cards):
            for count in range(max(0, 3 - len(same)), min(4 - len(same), len(wilds)) + 1):
                groups += [((*same, *chosen), "set") for chosen in combinations(wilds, count)]
    return groups


def _distinct(numbers: list[int], cards: list[str]) -> list[tuple[int, ...]]:
    """Every choice of at least one of these cards in which no card is there twice."""
    copies: dict[str, list[int]] = {}
    for number in numbers:
        copies.setdefault(cards[number], []).append(number)
    choices: list[tuple[int, ...]] = [()]
    for same in copies.values():
        choices = list(chain(choices, ((*choice, number) for choice in choices for number in same)))
    return [choice for choice in choices if choice]


def _fits(run: tuple[int, ...], length: int, cards: list[str]) -> bool:
    """Whether these cards of one suit lie within a run of this length, the ace low or high."""
    low = [ORDER.index(cards[number][:-1]) for number in run]
    high = [place or len(ORDER) for place in low]
    return length <= 13 and (max(low) - min(low) < length or max(high) - min(high) < length)


def _pack(points: list[int], groups: list[Group]) -> int:
    """The weight of what the lightest packing with two sequences, one of them pure, leaves loose."""
    weights = [LOOSE_POINT * point if point else LOOSE_WILD for point in points]
    led_by: list[list[tuple[int, bool, bool]]] = [[] for _ in points]
    for group, kind in groups:
        led_by[min(group)].append((sum(1 << number for number in group), kind == "pure", kind != "set"))

    @cache
    def lightest(left: int, pure_needed: bool, sequences_needed: int) -> int:
        if not left:
            return IMPOSSIBLE if pure_needed or sequences_needed else 0
        first = (left & -left).bit_length() - 1
        best = weights[first] + lightest(left & left - 1, pure_needed, sequences_needed)
        for group, is_pure, is_sequence in led_by[first]:
            if group & left == group:
                still = max(0, sequences_needed - is_sequence)
                best = min(best, lightest(left ^ group, pure_needed and not is_pure, still))
        return best

    return lightest((1 << len(points)) - 1, True, 2)
