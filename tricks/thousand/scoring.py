"""What each seat took in a deal, in cards and marriages (sections 5 and 6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricks.cards import Card, Suit, suit_of
from tricks.thousand.following import ranking
from tricks.thousand.marriages import MARRIAGE_POINTS, declaring_leads

SEATS: Final = 3


@dataclass(frozen=True, slots=True)
class Declaration:
    """trick: its number, from 1."""

    trick: int
    seat: int
    suit: Suit


@dataclass(frozen=True, slots=True)
class DealScore:
    """Three numbers each are the seats'. took: card points and marriages together."""

    winners: tuple[int, ...]
    cards: tuple[int, ...]
    marriages: tuple[int, ...]
    declared: tuple[Declaration, ...]
    took: tuple[int, ...]


def score_deal(hands: Sequence[Sequence[Card]], declarer: int, played: Sequence[Sequence[Card]]) -> DealScore:
    """What each seat took in a deal's tricks, each in order of play. hands: eight cards each, after the gifts."""
    held = [set(hand) for hand in hands]
    cards, marriages = [0] * SEATS, [0] * SEATS
    winners: list[int] = []
    declared: list[Declaration] = []
    leader, trump = declarer, None
    for number, trick in enumerate(played, start=1):
        if trick[0] in declaring_leads(tuple(held[leader]), number):
            trump = suit_of(trick[0])
            marriages[leader] += MARRIAGE_POINTS[trump]
            declared.append(Declaration(number, leader, trump))
        for place, card in enumerate(trick):
            held[(leader + place) % SEATS].discard(card)
        leader = (leader + ranking(trump).winning(trick)) % SEATS
        winners.append(leader)
        cards[leader] += ranking(trump).points_of(trick)
    took = tuple(map(sum, zip(cards, marriages, strict=True)))
    return DealScore(tuple(winners), tuple(cards), tuple(marriages), tuple(declared), took)
