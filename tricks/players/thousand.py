"""The rule-following player of Thousand: the tips of the rules (section 11) in order, and nothing else.

Precedence: a marriage is declared before anything else is led; the bid, the declarer's or the one to be set, goes
before the plain habit. What the tips leave open is done by the fixed order: pass before bidding, the gifts that hurt
least, and `Position.thrift`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from typing import Final

from tricks.cards import SUITS, Card, Rank, Suit, rank_of, suit_of
from tricks.moves import PlayCard
from tricks.players.position import Position
from tricks.players.thousand_worth import gift_harm, prikup_help, worth
from tricks.players.tips import Advice, Tip, advise
from tricks.thousand.bidding import STEP, bid_limit
from tricks.thousand.bookkeeping import BARREL, FINE, MARKS_PER_FINE, OFF_THE_BARREL, WINNING_SCORE, WRITE_OFF_POINTS
from tricks.thousand.deal import Action, Bid, Give, Pass, Phase, WriteOff
from tricks.thousand.marriages import MARRIAGE_POINTS, declaring_leads, has_marriage
from tricks.thousand.scoring import SEATS
from tricks.thousand.seen import Seen

LATE: Final = 4
"""How many cards a hand still has when the play is late."""
RAISE_MARGIN: Final = 15
"""How much more than a raised bid the hand has to be worth, in points."""
WRITE_OFF_GIVES: Final = 30
"""What a write-off gives each opponent beyond what they take when the deal is played."""
BARREL_GIFT: Final = 40
"""What it costs beyond that to put an opponent on the barrel."""


class TipName(StrEnum):
    MARRIAGES_WIN_AUCTIONS = "marriages_win_auctions"
    TRUST_THE_PRIKUP_A_LITTLE = "trust_the_prikup_a_little"
    WRITE_OFF_A_WEAK_HAND = "write_off_a_weak_hand"
    GIVE_NO_FOURTH_NINE = "give_no_fourth_nine"
    DECLARE_MARRIAGES = "declare_marriages"
    KEEP_THE_DECLARER_OFF_THE_LEAD = "keep_the_declarer_off_the_lead"
    PLAY_FOR_THE_BID = "play_for_the_bid"
    SET_THE_DECLARER = "set_the_declarer"


Call = Bid | Pass
Gift = Give | WriteOff


class Table(Position):
    """A position of Thousand in play. Opponents of the declarer are friends while its bid is in danger."""

    def __init__(self, seen: Seen) -> None:
        assert seen.declarer is not None, "cards are played once there is a declarer"
        assert seen.bid is not None, "a declarer has bid"
        self.seen = seen
        self.declarer = seen.declarer
        self.is_declarer = seen.is_declarer
        self.need = seen.bid - _took(seen, seen.declarer)
        """What the declarer lacks to its bid."""
        super().__init__(seen.play, seen.ranking, seen.unseen, seen.excluded, friends=())
        if not self.is_declarer and self.bid_in_danger:
            self.friends = frozenset(range(SEATS)) - {seen.seat, seen.declarer}

    @cached_property
    def declarer_marriages(self) -> tuple[Suit, ...]:
        """Those that the declarer holds, or may hold as far as is known."""
        cards = self.seen.hand if self.is_declarer else tuple(self.may_hold([self.declarer]))
        return tuple(suit for suit in SUITS if has_marriage(cards, suit))

    @cached_property
    def bid_is_open(self) -> bool:
        """Whether the bid is neither made nor lost yet."""
        return 0 < self.need <= self._card_points_left + sum(MARRIAGE_POINTS[suit] for suit in self.declarer_marriages)

    @property
    def bid_in_danger(self) -> bool:
        """Whether the declarer needs more than half of the points that are still in cards, and may yet get them."""
        return self._card_points_left < 2 * self.need and self.bid_is_open

    @property
    def _card_points_left(self) -> int:
        return self.ranking.points_of((*self.seen.hand, *self.seen.unseen, *self.seen.play.trick))


class TipFollower:
    """Deterministic, without memory."""

    def choose(self, seen: Seen) -> Action:
        return self.advise(seen).choice

    def advise(self, seen: Seen) -> Advice[Action]:
        """What to do on turn, and which tips said so."""
        match seen.phase:
            case Phase.BIDDING:
                return advise(CALLING, seen, calls(seen)).as_action(lambda call: call)
            case Phase.GIVING:
                return advise(GIVING, seen, gifts(seen)).as_action(lambda gift: final_bid(seen, gift))
            case Phase.PLAYING | Phase.OVER:
                table = Table(seen)
                return advise(PLAYING, table, sorted(seen.playable.cards, key=table.thrift)).as_action(PlayCard)


def calls(seen: Seen) -> list[Call]:
    """The fixed order of calls: a pass, then the lowest bid. Nothing is gained by a higher one."""
    bids = [call for call in seen.options if isinstance(call, Bid)]
    return [*(call for call in seen.options if isinstance(call, Pass)), *bids[:1]]


def gifts(seen: Seen) -> list[Gift]:
    """The fixed order of gifts: those that hurt least, the write-off last."""
    given = [gift for gift in seen.options if isinstance(gift, Give)]
    harm = {card: gift_harm(seen.hand, card) for card in seen.hand}
    return [*sorted(given, key=lambda gift: harm[gift.to_next] + harm[gift.to_last]), WriteOff()]


def marriages_win_auctions(seen: Seen, choices: Sequence[Call]) -> Iterable[Call]:
    """Tip 1: bid what the hand is worth as it is, marriages counted where a trick is likely to be won before."""
    return [call for call in choices if isinstance(call, Bid) and call.amount <= worth(seen.hand)]


def trust_the_prikup_a_little(seen: Seen, choices: Sequence[Call]) -> Iterable[Call]:
    """Tip 2: a little more, for three unknown cards, and a marriage that they may complete only at its chance."""
    return [
        call for call in choices if isinstance(call, Bid) and call.amount <= worth(seen.hand) + prikup_help(seen.hand)
    ]


def write_off_a_weak_hand(seen: Seen, choices: Sequence[Gift]) -> Iterable[Gift]:
    """Tip 5: when playing the best gifts left is likely to cost more than writing off, which is free twice in three."""
    assert seen.bid is not None, "a declarer has bid"
    best = next((gift for gift in choices if isinstance(gift, Give)), None)
    assert best is not None, "there is always something to give"
    cost_of_play = -expected(worth(kept(seen, best)), seen.bid)
    return [WriteOff()] if cost_of_play > cost_of_write_off(seen) else ()


def expected(points: int, bid: int) -> int:
    """What a bid brings its declarer on average, with a hand worth so many points."""
    chance_percent = min(100, max(0, 50 + (points - bid)))
    return bid * (2 * chance_percent - 100) // 100


def cost_of_write_off(seen: Seen) -> int:
    """In points: every third one costs 120, the opponents get 60 each, and some mount the barrel with them."""
    own = seen.players[seen.seat]
    others = [player for seat, player in enumerate(seen.players) if seat != seen.seat]
    fine = FINE if own.write_offs == MARKS_PER_FINE - 1 else 0
    # The last deal on the barrel is lost with it, too.
    fall = BARREL - OFF_THE_BARREL if own.barrel == 1 else 0
    mounting = sum(player.barrel is None and player.score + WRITE_OFF_POINTS >= BARREL for player in others)
    return fine + fall + WRITE_OFF_GIVES + BARREL_GIFT * mounting


def give_no_fourth_nine(seen: Seen, choices: Sequence[Gift]) -> Iterable[Gift]:
    """Tip 3: the only nine among the ten cards is not given, since the other three may lie together already."""
    nines = {card for card in seen.hand if rank_of(card) is Rank.NINE}
    if len(nines) != 1:
        return ()
    return [gift for gift in choices if isinstance(gift, WriteOff) or not nines & {gift.to_next, gift.to_last}]


def final_bid(seen: Seen, gift: Gift) -> Gift:
    """Tip 1 again, and the barrel: raise the bid as far as the cards kept are surely worth it, or to what wins."""
    match gift:
        case WriteOff():
            return gift
        case Give():
            hand = kept(seen, gift)
            sure = (worth(hand) - RAISE_MARGIN) // STEP * STEP
            wins = WINNING_SCORE - BARREL if seen.players[seen.seat].barrel is not None else 0
            return replace(gift, bid=max(gift.bid, min(max(sure, wins), bid_limit(hand))))


def kept(seen: Seen, gift: Give) -> tuple[Card, ...]:
    return tuple(card for card in seen.hand if card not in (gift.to_next, gift.to_last))


def declare_marriages(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 1 in play: lead the marriage worth most as soon as it may be declared."""
    if not table.leads:
        return ()
    declaring = set(cards) & set(declaring_leads(table.seen.hand, len(table.play.taken) + 1))
    most = max((MARRIAGE_POINTS[suit_of(card)] for card in declaring), default=0)
    return [card for card in declaring if MARRIAGE_POINTS[suit_of(card)] == most]


def keep_the_declarer_off_the_lead(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 4: take from a declarer who may hold a marriage, as cheaply as it goes: no card is worth as much as one."""
    return table.taking(cards) if table.winner == table.declarer and table.declarer_marriages else ()


def play_for_the_bid(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 6, first half: a declarer short of its bid with few cards left takes what it can and leads what wins."""
    if not (table.is_declarer and table.bid_is_open and len(table.seen.hand) <= LATE):
        return ()
    return [card for card in cards if table.is_boss(card)] if table.leads else table.taking(cards)


def set_the_declarer(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 6, second half: while the bid is in danger take from the declarer, and give the other opponent points."""
    if not table.friends:
        return ()
    if table.winner == table.declarer:
        return table.taking(cards)
    most = max(map(table.ranking.points, cards))
    return [card for card in cards if table.ranking.points(card) == most] if table.friend_is_sure else ()


CALLING: Final[tuple[Tip[Seen, Call], ...]] = (
    Tip(TipName.MARRIAGES_WIN_AUCTIONS, marriages_win_auctions),
    Tip(TipName.TRUST_THE_PRIKUP_A_LITTLE, trust_the_prikup_a_little),
)

GIVING: Final[tuple[Tip[Seen, Gift], ...]] = (
    Tip(TipName.GIVE_NO_FOURTH_NINE, give_no_fourth_nine),
    Tip(TipName.WRITE_OFF_A_WEAK_HAND, write_off_a_weak_hand),
)

PLAYING: Final[tuple[Tip[Table, Card], ...]] = (
    Tip(TipName.DECLARE_MARRIAGES, declare_marriages),
    Tip(TipName.KEEP_THE_DECLARER_OFF_THE_LEAD, keep_the_declarer_off_the_lead),
    Tip(TipName.PLAY_FOR_THE_BID, play_for_the_bid),
    Tip(TipName.SET_THE_DECLARER, set_the_declarer),
)


def _took(seen: Seen, seat: int) -> int:
    cards = sum(seen.ranking.points_of(taken.cards) for taken in seen.play.taken if taken.winner == seat)
    return cards + sum(MARRIAGE_POINTS[declared.suit] for declared in seen.declared if declared.seat == seat)
