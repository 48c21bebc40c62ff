"""One deal of Thousand as a state machine: auction, prikup and gifts, then eight tricks (sections 1 to 5).

Pure: the deck comes in as data. `apply` answers an action with events, and the new state is those events folded into
the old one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from itertools import permutations
from typing import Final, assert_never

from tricks.cards import Card, Suit, suit_of
from tricks.dealing import deal_packets
from tricks.duties import Choice
from tricks.moves import CardPlayed, PlayCard
from tricks.play import Play, sorted_hands
from tricks.refusals import IllegalAction, RefusalCode, require_card, require_turn
from tricks.thousand.bidding import OPENING_BID, STEP, BidRange, bid_limit, bid_range, must_redeal
from tricks.thousand.bookkeeping import DealEnd
from tricks.thousand.following import choice, ranking
from tricks.thousand.marriages import declaring_leads
from tricks.thousand.scoring import SEATS, Declaration, score_deal

PRIKUP: Final = 21
"""The place in the deck where the three cards of the prikup begin."""
PACKETS: Final = (1,) * 7


class Phase(StrEnum):
    BIDDING = "bidding"
    GIVING = "giving"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Setup:
    """deck: the 24 cards in the order of dealing, the prikup last."""

    dealer: int
    deck: tuple[Card, ...]

    @property
    def prikup(self) -> tuple[Card, ...]:
        return self.deck[PRIKUP:]


@dataclass(frozen=True, slots=True)
class Bid:
    amount: int


@dataclass(frozen=True, slots=True)
class Pass:
    pass


@dataclass(frozen=True, slots=True)
class Give:
    """One card to each opponent, and what the declarer plays for: the auction's bid or more.

    to_next, to_last: for the opponent after the declarer and the one before.
    """

    to_next: Card
    to_last: Card
    bid: int


@dataclass(frozen=True, slots=True)
class WriteOff:
    pass


Action = Bid | Pass | Give | WriteOff | PlayCard


@dataclass(frozen=True, slots=True)
class BidMade:
    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Passed:
    seat: int


@dataclass(frozen=True, slots=True)
class Given:
    """Each gift is shown only to who gets it."""

    seat: int
    to_next: Card
    to_last: Card
    bid: int


@dataclass(frozen=True, slots=True)
class WrittenOff:
    seat: int


Event = BidMade | Passed | Given | WrittenOff | CardPlayed


@dataclass(frozen=True, slots=True)
class State:
    """bid: the highest so far, None before the opening. declarer: whose it is, once the auction is over.

    dealt: eight cards each before the first lead; nothing before that. bids: the highest that each seat made.
    given: the gifts, once they are made. declared: the marriages, in order.
    """

    setup: Setup
    play: Play
    caller: int
    bid: int | None = None
    bidder: int | None = None
    passed: frozenset[int] = frozenset()
    declarer: int | None = None
    dealt: tuple[tuple[Card, ...], ...] = ()
    bids: tuple[int | None, ...] = (None,) * SEATS
    given: Given | None = None
    declared: tuple[Declaration, ...] = ()
    wrote_off: bool = False
    is_redealt: bool = False

    @property
    def trump(self) -> Suit | None:
        """The suit of the last marriage declared; none at the start."""
        return self.declared[-1].suit if self.declared else None

    @property
    def phase(self) -> Phase:
        if self.declarer is None:
            return Phase.BIDDING
        if self.wrote_off or self.is_redealt:
            return Phase.OVER
        if not self.dealt:
            return Phase.GIVING
        return Phase.OVER if self.play.on_turn is None else Phase.PLAYING

    @property
    def on_turn(self) -> int | None:
        match self.phase:
            case Phase.BIDDING:
                return self.caller
            case Phase.GIVING:
                return self.declarer
            case Phase.PLAYING:
                return self.play.on_turn
            case Phase.OVER:
                return None

    @property
    def end(self) -> DealEnd | None:
        """What the deal does to the game's scores; None while it goes on, and when it is dealt again."""
        if self.phase is not Phase.OVER or self.is_redealt:
            return None
        assert self.declarer is not None, "a deal ends with a declarer"
        assert self.bid is not None, "a declarer has bid"
        if self.wrote_off:
            return DealEnd(self.declarer, self.bid, (0,) * SEATS, wrote_off=True)
        score = score_deal(self.dealt, self.declarer, [taken.cards for taken in self.play.taken])
        return DealEnd(self.declarer, self.bid, score.took)


def start(setup: Setup) -> State:
    first = (setup.dealer + 1) % SEATS
    return State(setup, Play(sorted_hands(deal_packets(setup.deck, first, SEATS, PACKETS)), first), caller=first)


def biddable(state: State) -> BidRange:
    """What the seat on turn may bid in the auction; the opener can't pass."""
    return bid_range(state.play.hands[state.caller], state.bid)


def playable(state: State) -> Choice:
    """What the seat on turn may play."""
    return choice(state.trump, state.play.hand, state.play.trick)


def auction_calls(hand: Sequence[Card], high: int | None) -> tuple[Action, ...]:
    """What a seat with these cards may call. high: the bid to beat, None for the forced opening."""
    bids = bid_range(hand, high)
    amounts = () if bids.lowest is None or bids.highest is None else range(bids.lowest, bids.highest + 1, STEP)
    return (*(Bid(amount) for amount in amounts), *(() if high is None else (Pass(),)))


def gifts(held: Sequence[Card], bid: int) -> tuple[Action, ...]:
    """Every way to give, for the auction's bid, and the write-off. held: the declarer's ten cards."""
    return (*(Give(to_next, to_last, bid) for to_next, to_last in permutations(held, 2)), WriteOff())


def legal_actions(state: State) -> tuple[Action, ...]:
    """What the seat on turn may do; nothing once the deal is over. Of the gifts only the auction's bid is listed."""
    match state.phase:
        case Phase.BIDDING:
            return auction_calls(state.play.hands[state.caller], state.bid)
        case Phase.GIVING:
            assert state.declarer is not None, "the auction has a declarer"
            assert state.bid is not None, "a declarer has bid"
            return gifts(state.play.hands[state.declarer], state.bid)
        case Phase.PLAYING:
            return tuple(PlayCard(card) for card in playable(state).cards)
        case Phase.OVER:
            return ()


def apply(state: State, seat: int, action: Action) -> tuple[State, tuple[Event, ...]]:
    """Raises IllegalAction, and then nothing has happened."""
    require_turn(state.on_turn, seat)
    event = _event(state, seat, action)
    return evolve(state, event), (event,)


def evolve(state: State, event: Event) -> State:
    match event:
        case BidMade(seat, amount):
            bids = tuple(amount if other == seat else bid for other, bid in enumerate(state.bids))
            return _after_call(replace(state, bid=amount, bidder=seat, bids=bids))
        case Passed(seat):
            return _after_call(replace(state, passed=state.passed | {seat}))
        case Given():
            return _after_gifts(state, event)
        case WrittenOff():
            return replace(state, wrote_off=True)
        case CardPlayed(seat, card):
            number = len(state.play.taken) + 1
            declared = state.declared
            if not state.play.trick and card in declaring_leads(state.play.hand, number):
                declared = (*declared, Declaration(number, seat, suit_of(card)))
            trump = declared[-1].suit if declared else None
            return replace(state, declared=declared, play=state.play.after(card, ranking(trump)))
        case _:
            assert_never(event)


def fold(state: State, events: Sequence[Event]) -> State:
    return reduce(evolve, events, state)


def _after_call(state: State) -> State:
    if len(state.passed) < SEATS - 1:
        caller = (state.caller + 1) % SEATS
        return replace(state, caller=(caller + 1) % SEATS if caller in state.passed else caller)
    assert state.bidder is not None, "the opener has bid"
    hands = [list(hand) for hand in state.play.hands]
    hands[state.bidder].extend(state.setup.prikup)
    return replace(state, declarer=state.bidder, play=Play(sorted_hands(hands), state.bidder))


def _after_gifts(state: State, given: Given) -> State:
    hands = [list(hand) for hand in state.play.hands]
    for card, seat in ((given.to_next, given.seat + 1), (given.to_last, given.seat + 2)):
        hands[given.seat].remove(card)
        hands[seat % SEATS].append(card)
    dealt = sorted_hands(hands)
    return replace(
        state,
        bid=given.bid,
        given=given,
        play=Play(dealt, given.seat),
        dealt=dealt,
        is_redealt=must_redeal(dealt),
    )


def _event(state: State, seat: int, action: Action) -> Event:
    match action, state.phase:
        case Bid(amount), Phase.BIDDING:
            return _bid(state, seat, amount)
        case Pass(), Phase.BIDDING:
            if state.bid is None:
                raise IllegalAction(
                    RefusalCode.CALL_NOT_ALLOWED, "The first player must open.", [f"bid {OPENING_BID} or more"]
                )
            return Passed(seat)
        case Give(), Phase.GIVING:
            return _give(state, seat, action)
        case WriteOff(), Phase.GIVING:
            return WrittenOff(seat)
        case PlayCard(card), Phase.PLAYING:
            require_card(state.play.hand, playable(state), card)
            return CardPlayed(seat, card)
        case _:
            raise IllegalAction(RefusalCode.NOT_NOW, "That can't be done now.", [_NOW[state.phase]])


_NOW: Final = {
    Phase.BIDDING: "bid or pass",
    Phase.GIVING: "give a card to each opponent, or write the deal off",
    Phase.PLAYING: "play a card",
}


def _bid(state: State, seat: int, amount: int) -> BidMade:
    bids = biddable(state)
    if bids.lowest is None or bids.highest is None:
        raise IllegalAction(RefusalCode.CALL_NOT_ALLOWED, f"Your limit is {bids.limit}.", ["pass"])
    if not bids.lowest <= amount <= bids.highest or amount % STEP:
        allowed = f"bids from {bids.lowest} to {bids.highest} in steps of {STEP}"
        raise IllegalAction(RefusalCode.CALL_NOT_ALLOWED, "That can't be bid.", [allowed])
    return BidMade(seat, amount)


def _give(state: State, seat: int, action: Give) -> Given:
    held, gifts = state.play.hands[seat], {action.to_next, action.to_last}
    if len(gifts) < 2 or not gifts <= set(held):
        raise IllegalAction(RefusalCode.CARD_NOT_HELD, "Give one of your cards to each opponent.")
    assert state.bid is not None, "a declarer has bid"
    kept = tuple(card for card in held if card not in gifts)
    # The auction's own bid always stands, even when the marriage that allowed it is given away.
    limit = max(state.bid, bid_limit(kept))
    if not state.bid <= action.bid <= limit or action.bid % STEP:
        allowed = f"bids from {state.bid} to {limit} in steps of {STEP}"
        raise IllegalAction(RefusalCode.CALL_NOT_ALLOWED, "That can't be bid with the cards kept.", [allowed])
    return Given(seat, action.to_next, action.to_last, action.bid)
