"""Random hands of the kinds that make a solver work: dealt, rich in groups, rich in wild cards, nearly declared, dense.

The same makers serve ten cards of one deck without jokers, so that solvers of gin meet hands of the same shape.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from rummy.cards import FACES_PER_DECK, PRINTED_JOKER, Card, Face, Rank, deck_size, face_of, is_wild

SUITS = range(4)
RANKS = range(13)


@dataclass(frozen=True, slots=True)
class Pack:
    """What hands are made from."""

    decks: int
    hand_size: int = 13
    jokers: bool = True

    def cards(self) -> list[Card]:
        return [Card(c) for c in range(deck_size(self.decks)) if self.jokers or c % FACES_PER_DECK != PRINTED_JOKER]


@dataclass(frozen=True, slots=True)
class MadeHand:
    """cards: as many as the pack says. extra: one card more, for questions about 14."""

    cards: tuple[Card, ...]
    wild_rank: Rank | None
    extra: Card


Maker = Callable[[Random, Pack], MadeHand]


def dealt(rng: Random, pack: Pack) -> MadeHand:
    """From a shuffled pack, as at a table."""
    return _filled(rng, pack, [], rng.choice([None, *RANKS]) if rng.random() < 0.02 else rng.choice(RANKS))


def meld_rich(rng: Random, pack: Pack) -> MadeHand:
    """Runs and sets, and pieces of them."""
    faces: list[Face] = []
    while len(faces) < pack.hand_size - 2:
        faces += _run(rng, rng.choice((2, 3, 3, 4, 5))) if rng.random() < 0.6 else _set(rng, rng.choice((2, 3, 3, 4)))
    return _filled(rng, pack, faces[: pack.hand_size - rng.randrange(4)], rng.choice(RANKS))


def joker_rich(rng: Random, pack: Pack) -> MadeHand:
    """Two to five wild cards."""
    wild = rng.choice(RANKS)
    wilds = [face_of(card) for card in pack.cards() if is_wild(face_of(card), Rank(wild + 1))]
    return _filled(rng, pack, rng.sample(wilds, rng.randrange(2, 6)), wild)


def near_declare(rng: Random, pack: Pack) -> MadeHand:
    """A complete hand in which up to three cards have been exchanged."""
    faces = _run(rng, rng.choice((3, 4, 4, 5))) + _run(rng, 3)
    while len(faces) < pack.hand_size:
        faces += _run(rng, rng.choice((3, 4))) if rng.random() < 0.5 else _set(rng, rng.choice((3, 4)))
    faces = faces[: pack.hand_size]
    rng.shuffle(faces)
    return _filled(rng, pack, faces[: pack.hand_size - rng.choice((0, 1, 2, 2, 3))], rng.choice(RANKS))


def dense(rng: Random, pack: Pack) -> MadeHand:
    """Few ranks in few suits: double runs with sets across, where groups compete for every card."""
    length = rng.choice((4, 5, 6, 7))
    lowest = rng.randrange(15 - length)
    suits = rng.sample(SUITS, rng.choice((1, 2, 2, 3, 4)))
    ranks = {(lowest + step) % 13 for step in range(length)}
    faces = [face_of(c) for c in pack.cards() if face_of(c) // 13 in suits and face_of(c) % 13 in ranks]
    rng.shuffle(faces)
    jokers = [PRINTED_JOKER] * rng.choice((0, 0, 0, 1, 1, 2)) if pack.jokers else []
    return _filled(rng, pack, [*jokers, *faces], rng.choice((None, None, rng.choice(RANKS))))


MIX: tuple[Maker, ...] = (meld_rich, joker_rich, near_declare)
MIX_WITHOUT_JOKERS: tuple[Maker, ...] = (meld_rich, near_declare)


def mixed(rng: Random, pack: Pack) -> MadeHand:
    return rng.choice(MIX if pack.jokers else MIX_WITHOUT_JOKERS)(rng, pack)


def make(maker: Maker, count: int, seed: int, packs: Iterable[Pack]) -> list[MadeHand]:
    """`count` hands, their packs in turn; the same for the same arguments."""
    rng = Random(seed)
    choices = tuple(packs)
    return [maker(rng, choices[number % len(choices)]) for number in range(count)]


RUMMY_PACKS = (Pack(decks=2), Pack(decks=3))
GIN_PACKS = (Pack(decks=1, hand_size=10, jokers=False),)


def _run(rng: Random, length: int) -> list[Face]:
    suit = rng.choice(SUITS)
    lowest = rng.randrange(15 - length)
    return [Face(13 * suit + (lowest + step) % 13) for step in range(length)]


def _set(rng: Random, size: int) -> list[Face]:
    rank = rng.choice(RANKS)
    return [Face(13 * suit + rank) for suit in rng.sample(SUITS, size)]


def _filled(rng: Random, pack: Pack, faces: Iterable[Face], wild_index: int | None) -> MadeHand:
    """Take these faces while the pack has copies of them, fill up at random, shuffle."""
    left = pack.cards()
    rng.shuffle(left)
    cards: list[Card] = []
    for face in faces:
        card = next((card for card in left if face_of(card) == face), None)
        if card is not None and len(cards) < pack.hand_size:
            left.remove(card)
            cards.append(card)
    cards += left[: pack.hand_size + 1 - len(cards)]
    extra = cards.pop()
    rng.shuffle(cards)
    return MadeHand(tuple(cards), None if wild_index is None else Rank(wild_index + 1), extra)
