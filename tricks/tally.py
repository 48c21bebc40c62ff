"""What two pairs took in a deal, alike in every game of pairs: seats run from 0, seat % 2 is the pair."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tricks.cards import Card
from tricks.tricks import Ranking

SEATS: Final = 4
LAST_TRICK: Final = 10


@dataclass(frozen=True, slots=True)
class Tally:
    """winners: the seat that took each trick. cards: each pair's card points, the last trick's ten among them."""

    winners: tuple[int, ...]
    cards: tuple[int, int]

    @property
    def sweeper(self) -> int | None:
        """The pair that took every trick."""
        pairs = {winner % 2 for winner in self.winners}
        return pairs.pop() if len(pairs) == 1 else None


def tally(ranking: Ranking, first: int, played: Sequence[Sequence[Card]]) -> Tally:
    """played: the deal's tricks, each in order of play. first: who led the first one."""
    cards = [0, 0]
    winners: list[int] = []
    leader = first
    for trick in played:
        leader = (leader + ranking.winning(trick)) % SEATS
        winners.append(leader)
        cards[leader % 2] += ranking.points_of(trick)
    cards[leader % 2] += LAST_TRICK
    return Tally(tuple(winners), (cards[0], cards[1]))


def for_pair(pair: int, value: int) -> tuple[int, int]:
    """The value for one pair, nothing for the other."""
    return (value, 0) if pair == 0 else (0, value)
