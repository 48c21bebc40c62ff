"""The strong player of Klaverjas: solves worlds for each card, and names trump by a table distilled from such."""

from functools import partial
from typing import Final

from tricks.klaverjas.deal import Action, NameTrump, Pass
from tricks.klaverjas.scoring import roem
from tricks.klaverjas.seen import Seen
from tricks.moves import PlayCard
from tricks.play import Play
from tricks.players.klaverjas import Call, TipFollower, is_worth_naming
from tricks.players.klaverjas_worth import lives, worth
from tricks.players.sampling import STRONG, Budget, Question, Worth, advised_first, best_card, seeded
from tricks.search import solver
from tricks.search.solver import OpenDeal, Solver
from tricks.tally import SEATS
from tricks.worlds import Unknown, World

CARDS_AND_LAST_TRICK: Final = 162
GOOD: Final = 60
"""From what worth on a suit is named that the tips would pass, in points: a pass is not worth nothing."""
UNLIKELY: Final = 0.2
"""How often a player may be expected to call otherwise than a good one would."""


class SamplingPlayer:
    """Deterministic: draws from its seed and what it sees. solver: shared between players, never between threads."""

    def __init__(self, solver: Solver, seed: int = 0, budget: Budget = STRONG) -> None:
        self._solver = solver
        self._seed = seed
        self._budget = budget

    def choose(self, seen: Seen) -> Action:
        if seen.trump is None:
            return call(seen)
        return PlayCard(best_card(question(seen), self._solver, self._budget, seeded(self._seed, seen)))


def call(seen: Seen) -> Call:
    """What the tips name, else what the table likes well enough; of several suits the one worth most, or a pass."""
    names = [option for option in seen.options if isinstance(option, NameTrump)]
    has_lead = seen.first % 2 == seen.seat % 2
    worths = {name: worth(seen.hand, name.suit, has_lead) for name in names}
    alive = [name for name in names if lives(seen.hand, name.suit)]
    good = [name for name in names if is_worth_naming(seen.hand, name.suit)]
    good = good or [name for name in alive if worths[name] >= GOOD]
    if Pass() not in seen.options:
        good = good or alive or names
    return max(good, key=worths.__getitem__) if good else Pass()


def question(seen: Seen) -> Question:
    counts = tuple(0 if seat == seen.seat else count for seat, count in enumerate(seen.play.counts))
    return Question(
        play=seen.play,
        cards=advised_first(seen.playable.cards, TipFollower().choose(seen)),
        unknown=Unknown(seen.unseen, counts, seen.excluded()),
        open=partial(_open, seen),
        worth=lambda _: _worth(seen),
        likelihood=partial(_likelihood, seen),
    )


def _open(seen: Seen, play: Play) -> OpenDeal:
    assert seen.trump is not None, "trump is named before the first card"
    return solver.klaverjas(seen.variant, seen.trump, play)


def _worth(seen: Seen) -> Worth:
    """By how much the own pair's score is ahead: nat costs the makers everything that was made."""
    assert seen.trump is not None, "trump is named before the first card"
    assert seen.maker is not None, "trump has its maker"
    ahead, all_roem = 0, 0
    for taken in seen.play.taken:
        extra = roem(seen.trump, taken.cards)
        all_roem += extra
        ahead += (seen.ranking.points_of(taken.cards) + extra) * (1 - 2 * (taken.winner % 2))
    makers = 1 - 2 * (seen.maker % 2)
    own = 1 - 2 * (seen.seat % 2)

    def worth(value: int) -> float:
        by_makers = (ahead + value) * makers
        score = by_makers if by_makers > 0 else -max(CARDS_AND_LAST_TRICK + all_roem, -by_makers)
        return score * makers * own

    return worth


def _likelihood(seen: Seen, dealt: World) -> float:
    """Who passed had nothing good, and the maker had, unless it was forced."""
    assert seen.maker is not None, "trump has its maker"
    assert seen.trump is not None, "trump is named before the first card"
    likelihood = 1.0
    for turn in range(min(seen.passes, SEATS)):
        seat = (seen.first + turn) % SEATS
        if seat != seen.seat and any(is_worth_naming(dealt[seat], suit) for suit in type(seen.trump)):
            likelihood *= UNLIKELY
    if seen.maker != seen.seat and seen.passes < SEATS and not is_worth_naming(dealt[seen.maker], seen.trump):
        likelihood *= UNLIKELY
    return likelihood
