"""From seeds to cards: hand key, stream, shuffles, deal (FAIRNESS_SPEC sections 6 and 7).

What these functions return is secret until the hand's reveal: keep it in memory, never store or log it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from fairness.encoding import MAC, Hash, L, exactly, u32, u64

T = TypeVar("T")

CARDS_PER_DECK: Final = 53
CARDS_PER_HAND: Final = 13
DEAL: Final = 0
"""The number of the shuffle that makes the deck; reshuffles count from 1."""

_WORDS_PER_BLOCK: Final = 8
_WORD_RANGE: Final = 2**32


def hand_key(server_seed: bytes, th: bytes, rh: bytes) -> Hash:
    """hk: what all randomness of the hand follows from once seed, terms and roster stand."""
    return MAC(exactly(server_seed, 32, "the server seed"), L("hand-key"), exactly(th, 32, "th"), exactly(rh, 32, "rh"))


def shuffle_key(hk: bytes, shuffle_number: int) -> Hash:
    """k_r: 0 the deal, 1, 2, ... the reshuffles."""
    return MAC(exactly(hk, 32, "hk"), L("shuffle"), u32(shuffle_number))


class UniformStream:
    """Unbiased integers from a key: 32-bit words in order, those beyond the last full multiple of n rejected."""

    __slots__ = ("_blocks", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._blocks = 0
        self._words: list[int] = []

    @property
    def blocks_used(self) -> int:
        return self._blocks

    def uniform(self, n: int) -> int:
        """The next integer in 0 .. n-1, 1 <= n <= 2^32. A rejected word is used up."""
        if not 1 <= n <= _WORD_RANGE:
            raise ValueError(f"uniform({n}): n is 1 to 2^32")
        limit = _WORD_RANGE - _WORD_RANGE % n
        word = self._next_word()
        while word >= limit:
            word = self._next_word()
        return word % n

    def _next_word(self) -> int:
        if not self._words:
            block = MAC(self._key, u64(self._blocks))
            self._blocks += 1
            # Last word first, so that pop() hands them out in order.
            self._words = [int.from_bytes(block[at : at + 4], "big") for at in range(28, -1, -4)]
        return self._words.pop()


def shuffle(items: Iterable[T], key: bytes) -> tuple[T, ...]:
    """Fisher-Yates from the last place down with `uniform(i + 1)`."""
    shuffled = list(items)
    uniform = UniformStream(key).uniform
    for i in range(len(shuffled) - 1, 0, -1):
        j = uniform(i + 1)
        shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    return tuple(shuffled)


def derive_deck(hk: bytes, decks: int) -> tuple[int, ...]:
    """The hand's whole pack in order, cards 0 .. 53 * decks - 1."""
    return shuffle(range(CARDS_PER_DECK * decks), shuffle_key(hk, DEAL))


def reshuffle(hk: bytes, number: int, pile_below_top: Sequence[T]) -> tuple[T, ...]:
    """The new stock, index 0 on top, from the discard pile without its top card, bottom first.

    number: 1 for the hand's first reshuffle.
    """
    if number < 1:
        raise ValueError(f"reshuffle {number}: reshuffles count from 1")
    return shuffle(pile_below_top, shuffle_key(hk, number))


@dataclass(frozen=True, slots=True)
class Reshuffler:
    """One hand's reshuffles, ready for a game to call; it does not show its key."""

    hk: bytes = field(repr=False)

    def __call__(self, number: int, pile_below_top: Sequence[T]) -> tuple[T, ...]:
        return reshuffle(self.hk, number, pile_below_top)


def deal_order(seats: int, dealer: int, occupied: tuple[int, ...]) -> tuple[int, ...]:
    """Occupied seats from the one after the dealer round; a seated dealer is last."""
    return tuple(sorted(occupied, key=lambda seat: (seat - dealer - 1) % seats))


@dataclass(frozen=True, slots=True)
class Deal:
    """A dealt deck. hands: per seat the 13 cards in the order dealt; stock: top first."""

    order: tuple[int, ...]
    hands: dict[int, tuple[int, ...]] = field(repr=False)
    wild: int
    open: int
    stock: tuple[int, ...] = field(repr=False)


def deal(deck: Sequence[int], order: Sequence[int]) -> Deal:
    """Deal 13 cards to each seat of `order`, one at a time; then the wild card, the opener and the stock."""
    count = len(order)
    dealt = CARDS_PER_HAND * count
    return Deal(
        order=tuple(order),
        hands={seat: tuple(deck[place:dealt:count]) for place, seat in enumerate(order)},
        wild=deck[dealt],
        open=deck[dealt + 1],
        stock=tuple(deck[dealt + 2 :]),
    )
