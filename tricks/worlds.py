"""Where the unseen cards may lie: how many ways there are, one of them at random, or all of them.

Cards that may lie with the same seats are alike, so a world is first a number of cards of each such class for each
seat, and then a choice within the class. That makes the count exact and every world equally likely.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations
from math import comb
from random import Random

from tricks.cards import Card

World = tuple[tuple[Card, ...], ...]
"""The unseen cards of each seat; none for the seat that asks."""


class NoWorld(ValueError):
    """No distribution of the cards agrees with what was shown: our mistake, never a player's."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """unseen: the cards that lie somewhere. room: how many of them each seat holds. excluded: which ones it can't."""

    unseen: tuple[Card, ...]
    room: tuple[int, ...]
    excluded: tuple[frozenset[Card], ...]

    def __post_init__(self) -> None:
        assert sum(self.room) == len(self.unseen), "every unseen card lies with somebody"

    def classes(self) -> tuple[tuple[tuple[int, ...], tuple[Card, ...]], ...]:
        """Cards by the seats that they may lie with, those with the fewest seats first."""
        found: dict[tuple[int, ...], list[Card]] = {}
        for card in self.unseen:
            seats = tuple(seat for seat, room in enumerate(self.room) if room and card not in self.excluded[seat])
            found.setdefault(seats, []).append(card)
        return tuple(
            (seats, tuple(cards)) for seats, cards in sorted(found.items(), key=lambda item: (len(item[0]), item))
        )


def count_worlds(unknown: Unknown) -> int:
    return _counter(unknown)(0, unknown.room)


def sample_world(unknown: Unknown, random: Random) -> World:
    """A world, each as likely as any other. Raises NoWorld."""
    return Sampler(unknown).draw(random)


class Sampler:
    """Draws worlds of one unknown, each as likely as any other; what it has counted it counts once."""

    def __init__(self, unknown: Unknown) -> None:
        self._room = unknown.room
        self._classes = unknown.classes()
        self._count = _counter(unknown)
        self._weighed: dict[tuple[int, tuple[int, ...]], _Splits] = {}

    def draw(self, random: Random) -> World:
        """Raises NoWorld."""
        room = self._room
        hands: list[list[Card]] = [[] for _ in room]
        for index, (seats, cards) in enumerate(self._classes):
            splits = self._weighed.get((index, room)) or self._weigh(index, room)
            split, room = splits.draw(random)
            shuffled = random.sample(cards, len(cards))
            for seat, taken in zip(seats, split, strict=True):
                hands[seat].extend(shuffled[:taken])
                del shuffled[:taken]
        return tuple(tuple(sorted(hand)) for hand in hands)

    def _weigh(self, index: int, room: tuple[int, ...]) -> "_Splits":
        seats, cards = self._classes[index]
        splits = list(_splits(seats, len(cards), room))
        rooms = [_less(room, seats, split) for split in splits]
        ways = [
            _ways(split, len(cards)) * self._count(index + 1, left) for split, left in zip(splits, rooms, strict=True)
        ]
        if not sum(ways):
            raise NoWorld("what was shown contradicts itself")
        found = self._weighed[index, room] = _Splits(splits, rooms, list(accumulate(ways)))
        return found


@dataclass(frozen=True, slots=True)
class _Splits:
    """How a class may be split, the room that each split leaves, and in how many worlds up to each of them."""

    splits: list[tuple[int, ...]]
    rooms: list[tuple[int, ...]]
    worlds: list[int]

    def draw(self, random: Random) -> tuple[tuple[int, ...], tuple[int, ...]]:
        place = bisect_right(self.worlds, random.randrange(self.worlds[-1]))
        return self.splits[place], self.rooms[place]


def all_worlds(unknown: Unknown) -> Iterator[World]:
    """Every world once, in a fixed order."""
    yield from _all(unknown.classes(), unknown.room, tuple(() for _ in unknown.room))


def _counter(unknown: Unknown) -> Callable[[int, tuple[int, ...]], int]:
    classes = unknown.classes()

    @cache
    def count(index: int, room: tuple[int, ...]) -> int:
        """How many ways there are to place the classes from this one on in what room is left."""
        if index == len(classes):
            return 1
        seats, cards = classes[index]
        return sum(
            _ways(split, len(cards)) * count(index + 1, _less(room, seats, split))
            for split in _splits(seats, len(cards), room)
        )

    return count


def _splits(seats: tuple[int, ...], cards: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """How many of a class's cards each of its seats may get."""
    if not seats:
        if not cards:
            yield ()
        return
    first, *rest = seats
    for taken in range(min(cards, room[first]) + 1):
        for others in _splits(tuple(rest), cards - taken, room):
            yield (taken, *others)


def _ways(split: Sequence[int], cards: int) -> int:
    ways = 1
    for taken in split:
        ways *= comb(cards, taken)
        cards -= taken
    return ways


def _less(room: tuple[int, ...], seats: tuple[int, ...], split: tuple[int, ...]) -> tuple[int, ...]:
    taken = dict(zip(seats, split, strict=True))
    return tuple(space - taken.get(seat, 0) for seat, space in enumerate(room))


def _all(
    classes: tuple[tuple[tuple[int, ...], tuple[Card, ...]], ...], room: tuple[int, ...], hands: World
) -> Iterator[World]:
    if not classes:
        yield tuple(tuple(sorted(hand)) for hand in hands)
        return
    (seats, cards), rest = classes[0], classes[1:]
    for placed in _placings(seats, cards, room):
        left = tuple(space - len(placed[seat]) for seat, space in enumerate(room))
        yield from _all(rest, left, tuple((*hand, *placed[seat]) for seat, hand in enumerate(hands)))


def _placings(seats: tuple[int, ...], cards: tuple[Card, ...], room: tuple[int, ...]) -> Iterator[World]:
    """The cards of one class, given to its seats in every way."""
    empty: World = tuple(() for _ in room)
    if not seats:
        if not cards:
            yield empty
        return
    first, *rest = seats
    for taken in range(min(len(cards), room[first]) + 1):
        for chosen in combinations(cards, taken):
            others = tuple(card for card in cards if card not in chosen)
            for placed in _placings(tuple(rest), others, room):
                yield tuple(chosen if seat == first else hand for seat, hand in enumerate(placed))
