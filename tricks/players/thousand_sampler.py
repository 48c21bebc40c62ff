"""The strong player of Thousand: bids, gives and plays by what declarers take in worlds that it solves."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import Final

from tricks.cards import SUITS, Card
from tricks.moves import PlayCard
from tricks.play import Play, sorted_hands
from tricks.players.sampling import (
    STRONG,
    Budget,
    Contest,
    Question,
    Worth,
    advised_first,
    best_card,
    drawn_worlds,
    seeded,
)
from tricks.players.thousand import TipFollower, gifts, give_no_fourth_nine, kept
from tricks.players.thousand_worth import gift_harm
from tricks.search import solver
from tricks.search.solver import OpenDeal, Solver
from tricks.thousand.bidding import BARE_LIMIT, STEP, bid_limit
from tricks.thousand.bookkeeping import DealEnd, PlayerScore, settle
from tricks.thousand.deal import Action, Bid, Give, Pass, Phase, WriteOff
from tricks.thousand.marriages import MARRIAGE_POINTS, has_marriage
from tricks.thousand.scoring import SEATS
from tricks.thousand.seen import Seen
from tricks.worlds import Unknown, World

PRIKUP_CARDS: Final = 3
WORLDS: Final = 20
"""How many worlds a bid or a gift is weighed in at most."""
GIFTS: Final = 12
"""How many of the gifts that hurt least are compared."""
CAUTION: Final = 6
"""How much less a declarer takes than when all cards lie open, in points."""
PASS_WORTH: Final = 0
"""What leaving the deal to others is worth beside declaring, as `standing` counts."""
UNLIKELY: Final = 0.1
"""How often a bid above the bare limit may be expected from cards that do not show its marriage."""
WIN: Final = 500
"""What the game's end is worth beyond the points."""
BARREL_WORTH: Final = 60
"""What standing on the barrel is worth beyond its 880 points."""


class SamplingPlayer:
    """Deterministic: draws from its seed and what it sees. solver: shared between players, never between threads."""

    def __init__(self, solver: Solver, seed: int = 0, budget: Budget = STRONG) -> None:
        self._solver = solver
        self._seed = seed
        self._budget = budget
        self._worlds = min(WORLDS, budget.worlds)

    def choose(self, seen: Seen) -> Action:
        random = seeded(self._seed, seen)
        match seen.phase:
            case Phase.BIDDING:
                return self._call(seen, random)
            case Phase.GIVING:
                return self._give(seen, random)
            case Phase.PLAYING | Phase.OVER:
                return PlayCard(best_card(question(seen), self._solver, self._budget, random))

    def _call(self, seen: Seen, random: Random) -> Action:
        """The lowest bid, if declaring at it is worth more than leaving the deal to others."""
        bids = [option for option in seen.options if isinstance(option, Bid)]
        if Pass() not in seen.options:
            return bids[0]
        if not bids:
            return Pass()
        bid, counts = bids[0], (*(0 if seat == seen.seat else 7 for seat in range(SEATS)), PRIKUP_CARDS)
        unknown = Unknown(seen.unseen, counts, (frozenset(),) * (SEATS + 1))
        took: list[int] = []
        for world in drawn_worlds(unknown, lambda _: 1, self._worlds, random):
            held = tuple(sorted((*seen.hand, *world[SEATS])))
            give = sorted(held, key=partial(gift_harm, held))[:2]
            took.append(self._solver.value(after_gifts(seen.seat, held, world, give[0], give[1]), guess=bid.amount))
        worth = [worth_to_declarer(seen, bid.amount, points) for points in took]
        return bid if sum(worth) > PASS_WORTH * len(worth) else Pass()

    def _give(self, seen: Seen, random: Random) -> Action:
        """The gifts with which the deal is worth most, at the best bid that is left; or the write-off."""
        assert seen.bid is not None, "a declarer has bid"
        took: dict[Give, list[int]] = {}
        contest = Contest(_candidates(seen))
        counts = tuple(0 if seat == seen.seat else 7 for seat in range(SEATS))
        unknown = Unknown(seen.unseen, counts, (frozenset(),) * SEATS)
        for world in drawn_worlds(unknown, partial(_auction_likelihood, seen), self._worlds, random):
            worths: dict[Give, float] = {}
            guess = seen.bid
            for give in contest.choices:
                guess = self._solver.value(
                    after_gifts(seen.seat, seen.hand, world, give.to_next, give.to_last), guess=guess
                )
                took.setdefault(give, []).append(guess)
                worths[give] = worth_to_declarer(seen, seen.bid, guess) + guess / 10
            contest.add(worths)
        best = contest.best
        bids = range(seen.bid, max(seen.bid, bid_limit(kept(seen, best))) + 1, STEP)
        means = {bid: _mean(worth_to_declarer(seen, bid, points) for points in took[best]) for bid in bids}
        bid = max(bids, key=lambda each: (means[each], -each))
        if worth_of_write_off(seen) > means[bid]:
            return WriteOff()
        return replace(best, bid=bid)


def question(seen: Seen) -> Question:
    counts = tuple(0 if seat == seen.seat else count for seat, count in enumerate(seen.play.counts))
    return Question(
        play=seen.play,
        cards=advised_first(seen.playable.cards, TipFollower().choose(seen)),
        unknown=Unknown(seen.unseen, counts, seen.excluded()),
        open=partial(_open, seen),
        worth=lambda _: _worth(seen),
        likelihood=partial(_auction_likelihood, seen),
    )


def after_gifts(declarer: int, held: Sequence[Card], world: World, to_next: Card, to_last: Card) -> OpenDeal:
    """The deal before the first lead. held: the declarer's ten cards. world: seven cards of each opponent."""
    hands = [list(world[seat]) for seat in range(SEATS)]
    hands[declarer] = [card for card in held if card not in (to_next, to_last)]
    hands[(declarer + 1) % SEATS].append(to_next)
    hands[(declarer + 2) % SEATS].append(to_last)
    return solver.thousand(declarer, None, Play(sorted_hands(hands), declarer))


def standing(players: Sequence[PlayerScore], winner: int | None, seat: int) -> float:
    """How a seat stands in the game: its points against the others', the end and the barrel apart."""
    worth = [player.score + BARREL_WORTH * (player.barrel is not None) for player in players]
    own = worth[seat] - sum(worth[other] for other in range(SEATS) if other != seat) / 2
    if winner is None:
        return own
    return own + (WIN if winner == seat else -WIN)


def worth_to_declarer(seen: Seen, bid: int, points: int) -> float:
    """What declaring at this bid changes, when the declarer would take so many points with all cards open."""
    took = [0] * SEATS
    took[seen.seat] = points - CAUTION
    for other in range(1, SEATS):
        took[(seen.seat + other) % SEATS] = max(0, 120 - points) // 2
    return _change(seen, DealEnd(seen.seat, bid, tuple(took)))


def worth_of_write_off(seen: Seen) -> float:
    assert seen.bid is not None, "a declarer has bid"
    return _change(seen, DealEnd(seen.seat, seen.bid, (0,) * SEATS, wrote_off=True))


def _change(seen: Seen, end: DealEnd) -> float:
    settled = settle(seen.players, end)
    return standing(settled.after, settled.winner, seen.seat) - standing(seen.players, None, seen.seat)


def _candidates(seen: Seen) -> list[Give]:
    """The gifts that hurt least; a nine that may be the fourth is not among them."""
    every = gifts(seen)
    fine = list(give_no_fourth_nine(seen, every)) or every
    return [gift for gift in fine if isinstance(gift, Give)][:GIFTS]


def _mean(values: Iterator[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


def _open(seen: Seen, play: Play) -> OpenDeal:
    assert seen.declarer is not None, "cards are played once there is a declarer"
    return solver.thousand(seen.declarer, seen.trump, play)


def _worth(seen: Seen) -> Worth:
    """How the own seat stands after the deal; what the solver leaves to both opponents they are taken to share."""
    assert seen.declarer is not None, "cards are played once there is a declarer"
    assert seen.bid is not None, "a declarer has bid"
    declarer, bid = seen.declarer, seen.bid
    so_far = [0] * SEATS
    for taken in seen.play.taken:
        so_far[taken.winner] += seen.ranking.points_of(taken.cards)
    for declared in seen.declared:
        so_far[declared.seat] += MARRIAGE_POINTS[declared.suit]
    left = seen.ranking.points_of((*seen.hand, *seen.unseen, *seen.play.trick))
    is_declarer = seen.is_declarer

    @cache
    def worth(value: int) -> float:
        took = [points + max(0, left - value) // 2 for points in so_far]
        took[declarer] = so_far[declarer] + value
        # A point more is a little better even where it changes no score: the rest is not played with open cards.
        inclination = value / 10 if is_declarer else -value / 10
        return _change(seen, DealEnd(declarer, bid, tuple(took))) + inclination

    return worth


def _auction_likelihood(seen: Seen, dealt: World) -> float:
    """Who bid more than the bare limit held a marriage."""
    high = [seat for seat, bid in enumerate(seen.bids) if seat != seen.seat and bid is not None and bid > BARE_LIMIT]
    bare = [seat for seat in high if not any(has_marriage(dealt[seat], suit) for suit in SUITS)]
    return float(UNLIKELY ** len(bare))
