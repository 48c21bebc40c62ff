"""Roem, pit, nat and the score of a deal (sections 3, 5 and 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricks.cards import Card, Rank, Suit, card_of, rank_of
from tricks.klaverjas.following import ranking
from tricks.sequences import longest_run

LAST_TRICK: Final = 10
PIT: Final = 100
STUK: Final = 20
FOUR_OF_A_RANK: Final = {Rank.ACE: 100, Rank.KING: 100, Rank.QUEEN: 100, Rank.TEN: 100, Rank.JACK: 200}
RUN: Final = {3: 20, 4: 50}


def roem(trump: Suit, trick: Sequence[Card]) -> int:
    """What the four cards of a trick are worth to the pair that takes it, beside their points (section 5)."""
    stuk = {card_of(Rank.KING, trump), card_of(Rank.QUEEN, trump)} <= set(trick)
    ranks = {rank_of(card) for card in trick}
    four = FOUR_OF_A_RANK.get(next(iter(ranks)), 0) if len(ranks) == 1 else 0
    return four + RUN.get(longest_run(trick), 0) + (STUK if stuk else 0)


@dataclass(frozen=True, slots=True)
class DealScore:
    """Two numbers each are the pairs'. winners: the seat that took each trick. made: cards, roem and pit together."""

    winners: tuple[int, ...]
    cards: tuple[int, int]
    roem: tuple[int, int]
    pit: tuple[int, int]
    made: tuple[int, int]
    nat: bool
    score: tuple[int, int]


def score_deal(trump: Suit, first: int, maker: int, played: Sequence[Sequence[Card]]) -> DealScore:
    """The score of a deal's eight tricks, each in order of play (section 6). first: who led the first one."""
    cards, earned_roem, won = [0, 0], [0, 0], [0, 0]
    winners: list[int] = []
    leader = first
    for trick in played:
        leader = (leader + ranking(trump).winning(trick)) % 4
        winners.append(leader)
        cards[leader % 2] += ranking(trump).points_of(trick)
        earned_roem[leader % 2] += roem(trump, trick)
        won[leader % 2] += 1
    cards[leader % 2] += LAST_TRICK
    pit = [PIT if tricks == len(played) else 0 for tricks in won]
    made = [sum(parts) for parts in zip(cards, earned_roem, pit, strict=True)]
    makers = maker % 2
    nat = made[makers] <= made[1 - makers]
    score = [sum(made) if nat and pair != makers else 0 if nat else made[pair] for pair in (0, 1)]
    return DealScore(
        winners=tuple(winners),
        cards=_pair(cards),
        roem=_pair(earned_roem),
        pit=_pair(pit),
        made=_pair(made),
        nat=nat,
        score=_pair(score),
    )


def _pair(values: Sequence[int]) -> tuple[int, int]:
    ours, theirs = values
    return ours, theirs
