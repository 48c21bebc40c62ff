"""The rule-following player of Klaverjas: the tips of the rules (section 10) in order, and nothing else.

Precedence: in calling, a good suit before caution; in leading, trumps before aces; in following, roem before tens and
aces. What the tips leave open is done by the fixed order, which is `call_order` and `Position.thrift`.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import partial
from typing import Final

from tricks.cards import Card, Rank, Suit, card_of, of_suit, rank_of
from tricks.klaverjas.deal import Action, NameTrump, Pass
from tricks.klaverjas.following import ranking
from tricks.klaverjas.scoring import roem
from tricks.klaverjas.seen import Seen
from tricks.moves import PlayCard
from tricks.players.position import Position
from tricks.players.tips import Advice, Tip, advise

TRUMPS_TO_NAME: Final = 3
POINTS_PER_TRUMP: Final = 10
"""What the length of a suit weighs beside its points as trump, where several suits may be named."""


class TipName(StrEnum):
    NAME_JACK_OR_NINE_AND_ACE = "name_jack_or_nine_and_ace"
    NAME_NO_SUIT_WITHOUT_JACK_AND_NINE = "name_no_suit_without_jack_and_nine"
    FEAR_NAT = "fear_nat"
    DRAW_TRUMPS = "draw_trumps"
    CASH_SIDE_ACES = "cash_side_aces"
    GIVE_PARTNER_ROEM = "give_partner_roem"
    GIVE_PARTNER_TENS_AND_ACES = "give_partner_tens_and_aces"
    GIVE_OPPONENTS_NO_ROEM = "give_opponents_no_roem"


Call = NameTrump | Pass


class Table(Position):
    """A position of Klaverjas, once trump is named."""

    def __init__(self, seen: Seen) -> None:
        super().__init__(seen.play, seen.ranking, seen.unseen, seen.excluded, friends=[(seen.seat + 2) % 4])
        assert seen.trump is not None, "trump is named before the first card"
        assert seen.maker is not None, "trump has its maker"
        self.trump = seen.trump
        self.is_makers = seen.maker % 2 == seen.seat % 2

    def earns(self, card: Card) -> int:
        """How much more roem the trick has with this card."""
        return roem(self.trump, (*self.play.trick, card)) - roem(self.trump, self.play.trick)


class TipFollower:
    """Deterministic, without memory."""

    def choose(self, seen: Seen) -> Action:
        return self.advise(seen).choice

    def advise(self, seen: Seen) -> Advice[Action]:
        """What to do on turn, and which tips said so."""
        if seen.trump is None:
            calls = [call for call in seen.options if isinstance(call, NameTrump | Pass)]
            return advise(CALLING, seen, sorted(calls, key=partial(call_order, seen))).as_action(lambda call: call)
        table = Table(seen)
        return advise(PLAYING, table, sorted(seen.playable.cards, key=table.thrift)).as_action(PlayCard)


def call_order(seen: Seen, call: Call) -> tuple[int, int]:
    """The fixed order of calls, the smallest first: the suits worth most as trump, then the pass."""
    match call:
        case NameTrump(suit):
            trumps = of_suit(seen.hand, suit)
            return (-ranking(suit).points_of(trumps) - POINTS_PER_TRUMP * len(trumps), suit)
        case Pass():
            return (1, 0)


def is_worth_naming(hand: Sequence[Card], suit: Suit) -> bool:
    has_rank = {rank: card_of(rank, suit) in hand for rank in Rank}
    is_strong = has_rank[Rank.JACK] or (has_rank[Rank.NINE] and has_rank[Rank.ACE])
    return is_strong and len(of_suit(hand, suit)) >= TRUMPS_TO_NAME


def name_jack_or_nine_and_ace(seen: Seen, calls: Sequence[Call]) -> Iterable[Call]:
    """Tip 1: at least three of the suit, with the jack, or with the nine and the ace."""
    return [call for call in calls if isinstance(call, NameTrump) and is_worth_naming(seen.hand, call.suit)]


def name_no_suit_without_jack_and_nine(seen: Seen, calls: Sequence[Call]) -> Iterable[Call]:
    """Tip 2: no suit that has neither its jack nor its nine, unless nothing else is left to name."""
    return [call for call in calls if isinstance(call, Pass) or _has_jack_or_nine(seen.hand, call.suit)]


def fear_nat(_: Seen, calls: Sequence[Call]) -> Iterable[Call]:
    """Tip 6: nat loses everything, so who may pass does, on all that is not worth naming by tip 1."""
    return [call for call in calls if isinstance(call, Pass)]


def draw_trumps(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 3, first half: the makers lead trumps while opponents may hold some; the highest if nothing beats it."""
    if not (table.leads and table.is_makers and _trumps(table, table.may_hold(table.opponents))):
        return ()
    trumps = _trumps(table, cards)
    return [card for card in trumps if table.is_boss(card)] or trumps


def cash_side_aces(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 3, second half."""
    if not (table.leads and table.is_makers):
        return ()
    return [card for card in cards if rank_of(card) is Rank.ACE and not table.ranking.is_trump(card)]


def give_partner_roem(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 4, second half: on a trick that partner surely wins, the card that completes the most roem."""
    most = max(map(table.earns, cards))
    return [card for card in cards if table.earns(card) == most] if table.friend_is_sure and most else ()


def give_partner_tens_and_aces(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 4, first half: side suits only, and tens before aces, which may win a trick of their own."""
    if not table.friend_is_sure:
        return ()
    side = [card for card in cards if not table.ranking.is_trump(card)]
    by_rank = {rank: [card for card in side if rank_of(card) is rank] for rank in (Rank.TEN, Rank.ACE)}
    return by_rank[Rank.TEN] or by_rank[Rank.ACE]


def give_opponents_no_roem(table: Table, cards: Sequence[Card]) -> Iterable[Card]:
    """Tip 5: no card that completes roem on a trick that an opponent goes on winning."""
    taking = table.taking(cards)
    return [card for card in cards if card in taking or not table.earns(card)] if table.opponent_wins else ()


CALLING: Final[tuple[Tip[Seen, Call], ...]] = (
    Tip(TipName.NAME_JACK_OR_NINE_AND_ACE, name_jack_or_nine_and_ace),
    Tip(TipName.NAME_NO_SUIT_WITHOUT_JACK_AND_NINE, name_no_suit_without_jack_and_nine),
    Tip(TipName.FEAR_NAT, fear_nat),
)

PLAYING: Final[tuple[Tip[Table, Card], ...]] = (
    Tip(TipName.DRAW_TRUMPS, draw_trumps),
    Tip(TipName.CASH_SIDE_ACES, cash_side_aces),
    Tip(TipName.GIVE_PARTNER_ROEM, give_partner_roem),
    Tip(TipName.GIVE_PARTNER_TENS_AND_ACES, give_partner_tens_and_aces),
    Tip(TipName.GIVE_OPPONENTS_NO_ROEM, give_opponents_no_roem),
)


def _has_jack_or_nine(hand: Sequence[Card], suit: Suit) -> bool:
    return card_of(Rank.JACK, suit) in hand or card_of(Rank.NINE, suit) in hand


def _trumps(table: Table, cards: Iterable[Card]) -> list[Card]:
    return [card for card in cards if table.ranking.is_trump(card)]
