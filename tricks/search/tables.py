"""What the search knows of a game's cards, written down once for each trump: points, sequences, and what is alike.

Cards are numbered for the search: eight to a suit, the strongest first (`Tables.number`). A subset of a suit is eight
bits. Of the cards left in a suit, two are neighbours in a hand when no other card left lies between them; then they win
and lose the same tricks from now on.

- `alike`: neighbours of the same points are one card.
- `strongest`, `weakest`: once it is sure who gets the trick, a hand gives its own side the neighbour that counts more,
  and the other side the one that counts less. For play the two the other way round and everything else as before: every
  trick goes where it went, only the points of the two have changed places, and those in this trick are sure.

Neither holds for a card that may still count otherwise: in a sequence or in four of a kind of a trick (Klaverjas), or
in a marriage that is still in the hand (Thousand).
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from tricks.cards import PACK_32, RANKS_PER_SUIT, SUITS, Card, Rank, Suit, card_of, rank_of, suit_of
from tricks.klaverjas.scoring import FOUR_OF_A_RANK, PIT, RUN, STUK
from tricks.search.search import BALOOT, KLAVERJAS_AMSTERDAM, KLAVERJAS_ROTTERDAM, NO_TRUMP, THOUSAND
from tricks.sequences import longest_run
from tricks.tally import LAST_TRICK
from tricks.thousand.marriages import MARRIAGE_POINTS
from tricks.tricks import JACK_AND_NINE, TEN_SECOND, Ranking

SWEEP: Final = {KLAVERJAS_AMSTERDAM: PIT, KLAVERJAS_ROTTERDAM: PIT, BALOOT: 90, THOUSAND: 0}
"""What taking every trick is worth. Baloot's 9 (Hokum) and 18 (Sun) more game points are both 90 card points."""

_SUBSETS: Final = 256
_ALIKE: Final = (0,) * RANKS_PER_SUIT


@dataclass(frozen=True, slots=True)
class Tables:
    """For one game and trump. number, bit: by card; card: by number. The rest is by number, or by suit and subset.

    suit_points, suit_roem: what a subset counts, and what it is worth as one trick. sequence: the place by rank.
    ranks: the cards of each rank that may count as four of a kind, from the ace to the ten, as a mask; else 0.
    alike, weakest, strongest: `256 * subset left + subset in hand`, side suits first, then trump: the cards to try.
    number_of: the place of a single bit of a subset.
    """

    game: int
    trump: int
    last_trick: int
    sweep: int
    number: tuple[int, ...]
    bit: tuple[int, ...]
    card: tuple[Card, ...]
    points: "array[int]"
    suit_points: "array[int]"
    suit_roem: "array[int]"
    sequence: "array[int]"
    marriages: "array[int]"
    ranks: "array[int]"
    alike: "array[int]"
    weakest: "array[int]"
    strongest: "array[int]"
    number_of: "array[int]"

    def mask(self, cards: Iterable[Card]) -> int:
        return sum(map(self.bit.__getitem__, cards))


@cache
def tables(game: int, trump: Suit | None) -> Tables:
    """trump: None for Sun, and always for Thousand, whose trump changes in play."""
    ranking = Ranking(trump, TEN_SECOND if game == THOUSAND else JACK_AND_NINE)
    has_roem = game in (KLAVERJAS_AMSTERDAM, KLAVERJAS_ROTTERDAM)
    card = tuple(sorted(PACK_32, key=lambda each: (suit_of(each), -ranking.strength(each, suit_of(each)))))
    number = tuple(card.index(each) for each in PACK_32)
    suits = [card[RANKS_PER_SUIT * suit : RANKS_PER_SUIT * (suit + 1)] for suit in SUITS]
    side = suits[next(suit for suit in SUITS if suit is not trump)]
    kinds = [_neighbours(_values(ranking, kind), _marriage(game, kind)) for kind in (side, suits[trump or 0])]
    fours = [rank for rank in list(Rank)[:5] if has_roem and rank in FOUR_OF_A_RANK]
    return Tables(
        game=game,
        trump=NO_TRUMP if trump is None else int(trump),
        last_trick=0 if game == THOUSAND else LAST_TRICK,
        sweep=SWEEP[game],
        number=number,
        bit=tuple(1 << each for each in number),
        card=card,
        points=array("B", [ranking.points(each) for each in card]),
        suit_points=array("H", [ranking.points_of(held) for suit in suits for held in _subsets(suit)]),
        suit_roem=array("H", [_suit_roem(trump, held) if has_roem else 0 for suit in suits for held in _subsets(suit)]),
        sequence=array("B", [number[each] % RANKS_PER_SUIT for each in PACK_32]),
        marriages=array("H", [MARRIAGE_POINTS[suit] if game == THOUSAND else 0 for suit in SUITS]),
        ranks=array("I", [sum(1 << number[card_of(rank, suit)] for suit in SUITS) for rank in fours] or [0] * 5),
        alike=kinds[0].alike + kinds[1].alike,
        weakest=kinds[0].weakest + kinds[1].weakest,
        strongest=kinds[0].strongest + kinds[1].strongest,
        number_of=array("B", [each.bit_length() - 1 if each else 0 for each in range(_SUBSETS)]),
    )


def _subsets(suit: Sequence[Card]) -> Iterator[list[Card]]:
    """All 256, as their bits count."""
    for subset in range(_SUBSETS):
        yield [card for place, card in enumerate(suit) if subset >> place & 1]


def _suit_roem(trump: Suit | None, held: Sequence[Card]) -> int:
    """What cards of one suit count as roem when they come to one trick; more than four never do."""
    stuk = {card for card in held if suit_of(card) is trump and rank_of(card) in (Rank.KING, Rank.QUEEN)}
    return RUN.get(min(longest_run(held), max(RUN)), 0) + (STUK if len(stuk) == 2 else 0)


def _values(ranking: Ranking, suit: Sequence[Card]) -> tuple[int, ...]:
    return tuple(ranking.points(card) for card in suit)


def _marriage(game: int, suit: Sequence[Card]) -> frozenset[int]:
    """The places of king and queen, where they make a marriage."""
    pair = (place for place, card in enumerate(suit) if rank_of(card) in (Rank.KING, Rank.QUEEN))
    return frozenset(pair if game == THOUSAND else ())


@dataclass(frozen=True, slots=True)
class _Neighbours:
    """By `256 * subset left + subset in hand`, the cards to try."""

    alike: "array[int]"
    weakest: "array[int]"
    strongest: "array[int]"


@cache
def _neighbours(values: tuple[int, ...], marriage: frozenset[int]) -> _Neighbours:
    """values: points, the strongest card first. marriage: the places of its two cards."""
    found = _Neighbours(*(array("B", bytes(_SUBSETS * _SUBSETS)) for _ in range(3)))
    for left in range(_SUBSETS):
        hand = left
        while hand:
            at, is_held = left << 8 | hand, marriage and all(hand >> place & 1 for place in marriage)
            found.alike[at] = sum(1 << chain[0] for chain in _chains(left, hand, values))
            chains = _chains(left, hand, [place in marriage for place in range(RANKS_PER_SUIT)] if is_held else _ALIKE)
            found.strongest[at] = sum(1 << chain[0] for chain in chains)
            found.weakest[at] = sum(1 << chain[-1] for chain in chains)
            hand = hand - 1 & left
    return found


def _chains(left: int, hand: int, kinds: Sequence[int]) -> list[list[int]]:
    """The hand's places, the strongest first, in chains of neighbours of one kind. kinds: by place."""
    chains: list[list[int]] = []
    chain: list[int] = []
    for place in range(RANKS_PER_SUIT):
        if hand >> place & 1:
            if chain and kinds[chain[-1]] != kinds[place]:
                chain = []
            if not chain:
                chains.append(chain)
            chain.append(place)
        elif left >> place & 1:
            chain = []
    return chains
