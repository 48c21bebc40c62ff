"""What a call of Baloot is worth with some cards, by counting and without search."""

from collections.abc import Sequence
from typing import Final, assert_never

from tricks.baloot.bidding import Call, CallName
from tricks.baloot.contract import Mode
from tricks.baloot.projects import find_projects, points
from tricks.cards import SUITS, Card, Rank, Suit, card_of, rank_of, suit_of

# Fitted to 4,000 deals between players that follow the tips: by how many card points, projects among them, the buyers
# were ahead, by what the buyer held with the turned card. In that play a bare ten fared better than the tip says.
HOKUM_BASE: Final = -54
HOKUM_JACK: Final = 33
HOKUM_NINE: Final = 30
HOKUM_TRUMP_ACE: Final = 20
HOKUM_TRUMP: Final = 14
HOKUM_SIDE_ACE: Final = 17
HOKUM_GUARDED_TEN: Final = 5
SUN_BASE: Final = -30
SUN_ACE: Final = 20
SUN_GUARDED_TEN: Final = 22
SUN_BARE_TEN: Final = 8
PROJECT_POINT: Final = {Mode.HOKUM: 10, Mode.SUN: 5}


def worth(call: Call, cards: Sequence[Card], counts_projects: bool) -> int:
    """By how many card points a buyer with these cards is likely to be ahead; 0 for a pass.

    A ten without its ace counts little: it may fall under an opponent's ace.
    """
    match call.name:
        case CallName.PASS:
            return 0
        case CallName.HOKUM:
            assert call.trump is not None, "a Hokum has its trump"
            return _hokum(call.trump, cards) + _projects(Mode.HOKUM, cards, counts_projects)
        case CallName.SUN | CallName.ASHKAL:
            return _sun(cards) + _projects(Mode.SUN, cards, counts_projects)
        case _:
            assert_never(call.name)


def lives(trump: Suit, cards: Sequence[Card]) -> bool:
    """Whether these cards hold the jack or the nine of trump."""
    return card_of(Rank.JACK, trump) in cards or card_of(Rank.NINE, trump) in cards


def _hokum(trump: Suit, cards: Sequence[Card]) -> int:
    side = [card for card in cards if suit_of(card) is not trump]
    value = HOKUM_BASE + HOKUM_TRUMP * (len(cards) - len(side))
    for rank, worth_of_rank in ((Rank.JACK, HOKUM_JACK), (Rank.NINE, HOKUM_NINE), (Rank.ACE, HOKUM_TRUMP_ACE)):
        value += worth_of_rank * (card_of(rank, trump) in cards)
    return value + HOKUM_SIDE_ACE * _count(Rank.ACE, side) + HOKUM_GUARDED_TEN * _guarded_tens(side)


def _sun(cards: Sequence[Card]) -> int:
    guarded = _guarded_tens(cards)
    bare = _count(Rank.TEN, cards) - guarded
    return SUN_BASE + SUN_ACE * _count(Rank.ACE, cards) + SUN_GUARDED_TEN * guarded + SUN_BARE_TEN * bare


def _projects(mode: Mode, cards: Sequence[Card], counts: bool) -> int:
    return PROJECT_POINT[mode] * points(mode, find_projects(mode, cards)) if counts else 0


def _count(rank: Rank, cards: Sequence[Card]) -> int:
    return sum(rank_of(card) is rank for card in cards)


def _guarded_tens(cards: Sequence[Card]) -> int:
    return sum({card_of(Rank.TEN, suit), card_of(Rank.ACE, suit)} <= set(cards) for suit in SUITS)
