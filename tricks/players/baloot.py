"""The rule-following player of Baloot: the tips of the rules (section 12) in order, and nothing else.

Precedence: in calling, the match score before the hand, Sun before Hokum, and what is held before what is turned and
before projects; in play, Al-kaboot before the make-or-break line before Ekka. What the tips leave open is done by the
fixed order: the call worth most beyond its price, and `Position.thrift`.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Final, assert_never

from tricks.baloot.bidding import PASS, Call, CallName
from tricks.baloot.contract import Mode
from tricks.baloot.deal import Action, MakeCall
from tricks.baloot.following import is_ekka
from tricks.baloot.projects import points
from tricks.baloot.scoring import ALL_POINTS, CARD_POINTS_PER_GAME_POINT, MATCH_POINTS
from tricks.baloot.seen import Seen
from tricks.cards import Card
from tricks.moves import PlayCard
from tricks.players.baloot_worth import lives, worth
from tricks.players.position import Position
from tricks.players.tips import Advice, Tip, advise
from tricks.tally import LAST_TRICK, SEATS

KABOOT_TRICKS: Final = 6
"""After how many tricks to one side both play for all eight, or against it."""

LINE: Final = 30
"""By how many card points a buyer wants to be ahead: a lost deal costs more than a made one brings."""
SCORE_SHIFT: Final = 20
"""How far the match score moves that line."""
DEFENDERS_SHARE: Final = 8
"""The game points that the others make of a deal that is not lost, as a rule."""
SUNS: Final = (CallName.SUN, CallName.ASHKAL)


class TipName(StrEnum):
    RESPECT_THE_SCORE = "respect_the_score"
    SUN_WITH_ACES_AND_GUARDED_TENS = "sun_with_aces_and_guarded_tens"
    HOKUM_LIVES_ON_JACK_AND_NINE = "hokum_lives_on_jack_and_nine"
    COUNT_THE_TURNED_CARD = "count_the_turned_card"
    COUNT_PROJECTS = "count_projects"
    ALL_TRICKS_OR_ONE = "all_tricks_or_one"
    MAKE_OR_BREAK = "make_or_break"
    LEAD_EKKA = "lead_ekka"


class Table(Position):
    """A position of Baloot in play."""

    def __init__(self, seen: Seen) -> None:
        assert seen.bought is not None, "cards are played once the deal is bought"
        self.seen = seen
        self.contract = seen.bought.contract
        super().__init__(seen.play, seen.ranking, seen.unseen, seen.excluded, friends=[(seen.seat + 2) % 4])

    @property
    def nearly_all(self) -> int | None:
        """The pair that has taken all tricks so far, once they are many."""
        taken = self.play.taken
        pairs = {trick.winner % 2 for trick in taken}
        return pairs.pop() if len(taken) >= KABOOT_TRICKS and len(pairs) == 1 else None

    @cached_property
    def line_is_open(self) -> bool:
        """Whether it is neither sure yet that the buyers make their deal nor that they lose it, projects counted."""
        mode = self.contract.mode
        compared = [0, 0]
        for trick in self.play.taken:
            compared[trick.winner % 2] += self.ranking.points_of(trick.cards)
        for seat, projects in enumerate(self.seen.shown):
            compared[seat % 2] += points(mode, projects) * CARD_POINTS_PER_GAME_POINT[mode]
        left = self.ranking.points_of((*self.seen.hand, *self.unseen, *self.play.trick)) + LAST_TRICK
        return abs(compared[0] - compared[1]) <= left


class TipFollower:
    """Deterministic, without memory."""

    def choose(self, seen: Seen) -> Action:
        return self.advise(seen).choice

    def advise(self, seen: Seen) -> Advice[Action]:
        """What to do on turn, and which tips said so."""
        if seen.bought is None:
            return advise(CALLING, seen, calls(seen)).as_action(MakeCall)
        table = Table(seen)
        return advise(PLAYING, table, sorted(seen.playable.cards, key=table.thrift)).as_action(PlayCard)


def calls(seen: Seen) -> list[Call]:
    """The fixed order of calls: a pass, then those worth most; Ashkal where the turned card adds nothing to a Sun.

    A Sun of the own partner is not taken over.
    """
    if sun_bidder(seen) == (seen.seat + 2) % SEATS:
        return [PASS]
    bids = [call for call in seen.to_call.options if call != PASS]
    order = (CallName.ASHKAL, CallName.SUN, CallName.HOKUM)
    return [PASS, *sorted(bids, key=lambda call: (-full_worth(seen, call), order.index(call.name)))]


def sun_bidder(seen: Seen) -> int | None:
    """Whose Sun or Ashkal may be taken over now; None while there is none."""
    # Before it everybody has called once in each round, so the calls run round the table.
    turns = [turn for turn, call in enumerate(seen.calls) if call.name in SUNS]
    return (seen.first + turns[0]) % SEATS if turns else None


def full_worth(seen: Seen, call: Call) -> int:
    """With the turned card, if the caller would get it, and with projects."""
    return worth(call, bought_cards(seen, call), counts_projects=True)


def bought_cards(seen: Seen, call: Call) -> tuple[Card, ...]:
    """The five cards, and the turned one unless it would go to the partner."""
    return seen.hand if call.name is CallName.ASHKAL else tuple(sorted((*seen.hand, seen.upcard)))


def respect_the_score(seen: Seen, choices: Sequence[Call]) -> Iterable[Call]:
    """Tip 6: nothing doubtful that would lose a match not yet behind, but that rather than a match as good as lost."""
    ours, theirs = seen.totals[seen.seat % 2], seen.totals[1 - seen.seat % 2]
    if ours >= theirs:
        return [call for call in choices if theirs + at_stake(call) < MATCH_POINTS or is_worth(seen, call, SCORE_SHIFT)]
    if theirs + DEFENDERS_SHARE >= MATCH_POINTS:
        return [call for call in choices if is_worth(seen, call, -SCORE_SHIFT)]
    return ()


def is_worth(seen: Seen, call: Call, shift: int = 0) -> bool:
    """Whether the call reaches the line, moved by so much; a pass never does."""
    return call != PASS and full_worth(seen, call) >= LINE + shift


def at_stake(call: Call) -> int:
    """The game points that a lost deal gives the others, projects apart."""
    match call.name:
        case CallName.PASS:
            return 0
        case CallName.HOKUM:
            return ALL_POINTS[Mode.HOKUM]
        case CallName.SUN | CallName.ASHKAL:
            return ALL_POINTS[Mode.SUN]
        case _:
            assert_never(call.name)


def sun_with_aces_and_guarded_tens(seen: Seen, choices: Sequence[Call]) -> Iterable[Call]:
    """Tip 1: on what is held alone."""
    return [call for call in choices if call.name in SUNS and worth(call, seen.hand, counts_projects=False) >= LINE]


def hokum_lives_on_jack_and_nine(seen: Seen, choices: Sequence[Call]) -> Iterable[Call]:
    """Tip 2: a Hokum worth it on what is held; and never one with neither card in hand or turned."""
    alive = [call for call in choices if call.trump is None or lives(call.trump, (*seen.hand, seen.upcard))]
    strong = [
        call for call in alive if call.trump is not None and worth(call, seen.hand, counts_projects=False) >= LINE
    ]
    return strong or alive


def count_the_turned_card(seen: Seen, choices: Sequence[Call]) -> Iterable[Call]:
    """Tip 3: what is worth buying with the card that comes with it; in Ashkal it comes to the partner."""
    return [call for call in choices if worth(call, bought_cards(seen, call), counts_projects=False) >= LINE]


def count_projects(seen: Seen, choices: Sequence[Call]) -> Iterable[Call]:
    """Tip 5: what is worth buying with the projects held already."""
    return [call for call in choices if is_worth(seen, call)]


def all_tricks_or_one(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 7: once six tricks have gone to one side, both play to take this one, with what is likeliest to hold it."""
    if table.nearly_all is None or table.friend_wins:
        return ()
    if table.leads:
        return [card for card in cards if table.is_boss(card)]
    taking = table.taking(cards)
    return [card for card in taking if table.is_boss(card)] or taking


def make_or_break(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 5 in play: while the line is open, the most points for a trick that partner surely wins."""
    most = max(map(table.ranking.points, cards))
    if not (table.line_is_open and table.friend_is_sure):
        return ()
    return [card for card in cards if table.ranking.points(card) == most]


def lead_ekka(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 4: in Hokum, a side card that is the best one left of its suit, so that partner need not trump it."""
    gone = [card for trick in table.play.taken for card in trick.cards]
    return [card for card in cards if is_ekka(table.contract, gone, card)] if table.leads else ()


CALLING: Final[tuple[Tip[Seen, Call], ...]] = (
    Tip(TipName.RESPECT_THE_SCORE, respect_the_score),
    Tip(TipName.SUN_WITH_ACES_AND_GUARDED_TENS, sun_with_aces_and_guarded_tens),
    Tip(TipName.HOKUM_LIVES_ON_JACK_AND_NINE, hokum_lives_on_jack_and_nine),
    Tip(TipName.COUNT_THE_TURNED_CARD, count_the_turned_card),
    Tip(TipName.COUNT_PROJECTS, count_projects),
)

PLAYING: Final[tuple[Tip[Table, Card], ...]] = (
    Tip(TipName.ALL_TRICKS_OR_ONE, all_tricks_or_one),
    Tip(TipName.MAKE_OR_BREAK, make_or_break),
    Tip(TipName.LEAD_EKKA, lead_ekka),
)
