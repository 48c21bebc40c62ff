"""What every card is worth when all cards lie open: exact, or as far as a budget reaches. `search` says how.

Values are in points of the game's play: what side 0 still takes minus what side 1 does, the trick on the table
included. In Klaverjas and Baloot the sides are the pairs, and the premium for all tricks counts with them (Klaverjas'
pit; Baloot's kaboot as 90 card points). In Thousand side 0 is the declarer, and only what the declarer takes counts.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tricks.baloot.contract import Contract
from tricks.cards import Card, Suit
from tricks.klaverjas.following import Variant
from tricks.play import Play
from tricks.search import native
from tricks.search.search import BALOOT, KLAVERJAS_AMSTERDAM, KLAVERJAS_ROTTERDAM, NEITHER, NO_TRUMP, THOUSAND, Search
from tricks.search.tables import tables

TABLE_BITS: Final = 18
"""Three megabytes, enough for every position of a full deal that matters."""
WITHOUT_END: Final = 1 << 40
"""A budget that no deal uses up."""
_PAIRS: Final = (0, 1, 0, 1)


@dataclass(frozen=True, slots=True)
class OpenDeal:
    """A deal in play with all cards open. sides: 0 or 1 by seat. trump: in force now."""

    game: int
    sides: tuple[int, ...]
    trump: Suit | None
    play: Play


def klaverjas(variant: Variant, trump: Suit, play: Play) -> OpenDeal:
    game = KLAVERJAS_AMSTERDAM if variant is Variant.AMSTERDAM else KLAVERJAS_ROTTERDAM
    return OpenDeal(game, _PAIRS, trump, play)


def baloot(contract: Contract, play: Play) -> OpenDeal:
    return OpenDeal(BALOOT, _PAIRS, contract.trump, play)


def thousand(declarer: int, trump: Suit | None, play: Play) -> OpenDeal:
    """trump: the suit of the last marriage declared, that of the trick on the table among them."""
    return OpenDeal(THOUSAND, tuple(int(seat != declarer) for seat in range(play.seat_count)), trump, play)


@dataclass(frozen=True, slots=True)
class Solved:
    """values: by card asked about. is_cut: whether the budget ended too early. nodes: tricks' starts searched."""

    values: Mapping[Card, int]
    is_cut: bool
    nodes: int


class Solver:
    """Solves one deal after the other, and none is solved otherwise for what came before.

    search_class: plain or native. table_bits: with a smaller table more positions are searched for the same values, so
    it is part of what a budget means.
    """

    def __init__(self, search_class: type[Search] | None = None, table_bits: int = TABLE_BITS) -> None:
        self._search = (search_class or native.search_class())(table_bits)
        self._used: tuple[int, int] | None = None

    def solve(self, deal: OpenDeal, cards: Sequence[Card], budget: int = WITHOUT_END, guess: int = 0) -> Solved:
        """The value after each of these cards, which the seat on turn may play.

        budget: tricks' starts to search, all cards together; once it is used up the rest are estimates. guess: a likely
        value; changes the time only.
        """
        numbers = self._begin(deal, budget)
        values: dict[Card, int] = {}
        for card in cards:
            guess = self._search.value_after(numbers[card], guess)
            values[card] = guess
        return Solved(values, self._search.is_cut, self._search.nodes)

    def value(self, deal: OpenDeal, budget: int = WITHOUT_END, guess: int = 0) -> int:
        """The value of a deal at the start of a trick: less work than that of every card."""
        assert not deal.play.trick, "asked about in the middle of a trick"
        self._begin(deal, budget)
        return self._search.value(guess)

    def _begin(self, deal: OpenDeal, budget: int) -> Sequence[int]:
        """Put the deal before the search; returns the search's numbers of the cards."""
        table = tables(deal.game, None if deal.game == THOUSAND else deal.trump)
        search, play = self._search, deal.play
        if self._used != (deal.game, table.trump):
            search.use(
                table.game, table.trump, table.last_trick, table.sweep, table.points, table.suit_points,
                table.suit_roem, table.sequence, table.marriages, table.ranks, table.alike, table.weakest,
                table.strongest, table.number_of,
            )  # fmt: skip
            self._used = (deal.game, table.trump)
        search.begin(
            array("I", [table.mask(hand) for hand in play.hands]),
            array("B", deal.sides),
            play.leader,
            NO_TRUMP if deal.trump is None else int(deal.trump),
            array("B", [table.number[card] for card in play.trick]),
            _swept(deal),
            not play.taken and not play.trick,
            budget,
        )
        return table.number


def _swept(deal: OpenDeal) -> int:
    """By which sides tricks were taken, as bits."""
    if deal.game == THOUSAND:
        return NEITHER
    swept = 0
    for taken in deal.play.taken:
        swept |= 1 << deal.sides[taken.winner]
    return swept
