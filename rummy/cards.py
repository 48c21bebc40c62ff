"""Cards as small integers: 53 faces a deck, two or three decks a table.

A card is an integer in 0 .. 53 * decks - 1. Its face is ``card % 53``: 52 is the printed joker, every
other face is ``13 * suit + rank - 1``. Equal faces from two decks are two cards, and different integers.
Source: FAIRNESS_SPEC section 2.
"""

from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", int)
"""One physical card of a table's pack, 0 .. 53 * decks - 1."""

Face = NewType("Face", int)
"""What is printed on a card, 0 .. 52, whichever deck it comes from."""

Rank = NewType("Rank", int)
"""1 ace, 2 .. 10, 11 jack, 12 queen, 13 king."""

Suit = NewType("Suit", int)
"""0 clubs, 1 diamonds, 2 hearts, 3 spades."""

FACES_PER_DECK: Final = 53
PRINTED_JOKER: Final = Face(52)
RANK_NAMES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUIT_NAMES: Final = "CDHS"
PRINTED_JOKER_NAME: Final = "PJ"
CARDS_PER_HAND: Final = 13

_FACE_NAMES: Final = (*(rank + suit for suit in SUIT_NAMES for rank in RANK_NAMES), PRINTED_JOKER_NAME)
_FACE_BY_NAME: Final = {name: Face(face) for face, name in enumerate(_FACE_NAMES)}
_RANK_BY_NAME: Final = {name: Rank(number) for number, name in enumerate(RANK_NAMES, start=1)}


class UnreadableCard(ValueError):
    """A text that names no card or rank; the message says what is allowed."""


def deck_size(decks: int) -> int:
    """How many cards `decks` decks hold, one printed joker each."""
    return FACES_PER_DECK * decks


def face_of(card: Card) -> Face:
    return Face(card % FACES_PER_DECK)


def is_printed_joker(face: Face) -> bool:
    return face == PRINTED_JOKER


def suit_of(face: Face) -> Suit:
    """The suit of a natural face; a printed joker has none and must not be asked."""
    return Suit(face // 13)


def rank_of(face: Face) -> Rank:
    """The rank of a natural face; a printed joker has none and must not be asked."""
    return Rank(face % 13 + 1)


def natural_face(rank: Rank, suit: Suit) -> Face:
    return Face(13 * suit + rank - 1)


def is_wild(face: Face, wild_rank: Rank | None) -> bool:
    """Whether a face may substitute: a printed joker always, a natural face when it has the wild rank."""
    return face == PRINTED_JOKER or (wild_rank is not None and rank_of(face) == wild_rank)


def wild_rank_of(turned: Card) -> Rank | None:
    """The rank that a turned-up card makes wild; None for a printed joker (rules section 2)."""
    face = face_of(turned)
    return None if is_printed_joker(face) else rank_of(face)


def face_points(face: Face, wild_rank: Rank | None) -> int:
    """What an ungrouped card counts: A K Q J 10 ten, 2-9 their number, wild cards nothing (rules section 4)."""
    if is_wild(face, wild_rank):
        return 0
    rank = rank_of(face)
    return 10 if rank == 1 or rank >= 10 else rank


def face_name(face: Face) -> str:
    """`10H`, `AS`, `PJ`: rank then suit, as people and the vectors write it."""
    return _FACE_NAMES[face]


def card_name(card: Card) -> str:
    return face_name(face_of(card))


def parse_face(text: str) -> Face:
    """Read `10H`, `AS` or `PJ`; raises UnreadableCard for anything else."""
    face = _FACE_BY_NAME.get(text)
    if face is None:
        raise UnreadableCard(
            f"{text!r} is no card: write a rank (A 2-10 J Q K) and a suit (C D H S), such as 10H, or PJ"
        )
    return face


def parse_rank(text: str) -> Rank:
    rank = _RANK_BY_NAME.get(text)
    if rank is None:
        raise UnreadableCard(f"{text!r} is no rank: write one of {' '.join(RANK_NAMES)}")
    return rank


def cards_from_names(names: Iterable[str]) -> tuple[Card, ...]:
    """Cards for written faces: the n-th copy of a face comes from the n-th deck."""
    copies: dict[Face, int] = {}
    cards = []
    for name in names:
        face = parse_face(name)
        copy = copies.get(face, 0)
        copies[face] = copy + 1
        cards.append(Card(face + FACES_PER_DECK * copy))
    return tuple(cards)
