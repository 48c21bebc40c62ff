"""Roem, pit, nat and the score of a deal (sections 3, 5 and 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricks.cards import Card, Rank, Suit, card_of, rank_of
from tricks.klaverjas.following import ranking
from tricks.sequences import longest_run
from tricks.tally import for_pair, tally

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
    taken = tally(ranking(trump), first, played)
    earned_roem = [0, 0]
    for winner, trick in zip(taken.winners, played, strict=True):
        earned_roem[winner % 2] += roem(trump, trick)
    pit = (0, 0) if taken.sweeper is None else for_pair(taken.sweeper, PIT)
    made = [sum(parts) for parts in zip(taken.cards, earned_roem, pit, strict=True)]
    makers = maker % 2
    nat = made[makers] <= made[1 - makers]
    score = [sum(made) if nat and pair != makers else 0 if nat else made[pair] for pair in (0, 1)]
    return DealScore(
        winners=taken.winners,
        cards=taken.cards,
        roem=_pair(earned_roem),
        pit=pit,
        made=_pair(made),
        nat=nat,
        score=_pair(score),
    )


def _pair(values: Sequence[int]) -> tuple[int, int]:
    ours, theirs = values
    return ours, theirs
