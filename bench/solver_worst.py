"""Search for the hands that take the solver longest: climb from random hands by exchanging cards.

    python -m bench.solver_worst                        # two minutes
    python -m bench.solver_worst --seconds 3600 --seed 7

What is climbed is the number of calls of the search, which is the same on every machine; `bench.solver` then times the
hands. Those found so far are kept in bench/solver_worst_hands.txt, one a line as calls, wild rank and cards; the search
adds what it finds and keeps the twenty worst.
"""

import argparse
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.solver_hands import MIX, RUMMY_PACKS, dealt, dense
from rummy import search
from rummy.cards import PRINTED_JOKER_NAME, RANK_NAMES, Card, card_name, cards_from_names, deck_size, parse_rank

KEPT = Path(__file__).with_name("solver_worst_hands.txt")
KEEP = 20
GIVE_UP_AFTER = 300
"""Exchanges in a row that made nothing worse."""


@dataclass(frozen=True, slots=True, order=True)
class WorstHand:
    calls: int
    wild_rank: int
    cards: tuple[Card, ...]


def count_calls(cards: tuple[Card, ...], wild_rank: int) -> int:
    """How often the search calls itself for these cards."""
    calls = 0
    cover = search._cover

    def counted(*state: object) -> int:
        nonlocal calls
        calls += 1
        return cover(*state)  # type: ignore[arg-type]

    search._cover = counted  # type: ignore[assignment]
    try:
        search.best_plan(cards, wild_rank, search.empty_plan())
    finally:
        search._cover = cover
    return calls


def climb(rng: Random) -> WorstHand:
    """From one random hand to one that no exchange at hand makes worse."""
    pack = rng.choice(RUMMY_PACKS)
    made = rng.choice((*MIX, dense, dealt))(rng, pack)
    now = WorstHand(count_calls(made.cards, made.wild_rank or 0), made.wild_rank or 0, made.cards)
    stale = 0
    while stale < GIVE_UP_AFTER:
        cards, wild_rank = list(now.cards), now.wild_rank
        if rng.random() < 0.1:
            wild_rank = rng.randrange(14)
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            card = Card(rng.randrange(deck_size(pack.decks)))
            if card not in cards:
                cards[rng.randrange(len(cards))] = card
        calls = count_calls(tuple(cards), wild_rank)
        stale = 0 if calls > now.calls else stale + 1
        if calls >= now.calls:
            now = WorstHand(calls, wild_rank, tuple(cards))
    return now


def kept_hands() -> list[WorstHand]:
    """The worst hands found so far, counted anew, the worst first."""
    hands = []
    for line in KEPT.read_text().splitlines() if KEPT.exists() else []:
        _, wild, *names = line.split()
        wild_rank = 0 if wild == PRINTED_JOKER_NAME else parse_rank(wild)
        cards = cards_from_names(names)
        hands.append(WorstHand(count_calls(cards, wild_rank), wild_rank, cards))
    return sorted(hands, reverse=True)


def _as_line(hand: WorstHand) -> str:
    wild = RANK_NAMES[hand.wild_rank - 1] if hand.wild_rank else PRINTED_JOKER_NAME
    by_suit = sorted(hand.cards, key=lambda card: (card % 53, card))
    return " ".join((str(hand.calls), wild, *map(card_name, by_suit)))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.solver_worst", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    worst = {_as_line(hand): hand for hand in kept_hands()}
    until = time.monotonic() + arguments.seconds
    climbs = 0
    while time.monotonic() < until:
        found = climb(rng)
        climbs += 1
        if found.calls > max((hand.calls for hand in worst.values()), default=0):
            print(_as_line(found), flush=True)
        worst[_as_line(found)] = found
        worst = {_as_line(hand): hand for hand in sorted(worst.values(), reverse=True)[:KEEP]}
    KEPT.write_text("".join(f"{line}\n" for line in worst))
    print(f"{climbs} climbs; the worst hand takes {max(worst.values()).calls} calls")
    return 0


if __name__ == "__main__":
    sys.exit(main())
