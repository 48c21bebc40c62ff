"""Cards that follow one another in a suit, in the order A K Q J T 9 8 7, never round the corner."""

from collections.abc import Iterable, Iterator

from tricks.cards import RANKS_PER_SUIT, Card


def runs(cards: Iterable[Card]) -> Iterator[tuple[Card, ...]]:
    """The longest runs of the cards, each from its highest card down; single cards are runs of one."""
    run: list[Card] = []
    for card in sorted(cards):
        if run and (card != run[-1] + 1 or card % RANKS_PER_SUIT == 0):
            yield tuple(run)
            run = []
        run.append(card)
    if run:
        yield tuple(run)


def longest_run(cards: Iterable[Card]) -> int:
    """How many cards the longest run has; 0 without cards."""
    return max((len(run) for run in runs(cards)), default=0)
