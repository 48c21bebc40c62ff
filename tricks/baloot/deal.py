"""One deal of Baloot as a state machine: five cards and the bidding, the rest, then eight tricks (sections 2 to 7).

Pure: the deck comes in as data. `apply` answers an action with events, and the new state is those events folded into
the old one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, assert_never

from tricks.baloot.bidding import Bidding, Bought, Call, ThrownIn, ToCall
from tricks.baloot.following import choice, is_ekka
from tricks.baloot.projects import Project, find_projects
from tricks.baloot.scoring import DealScore, score_deal
from tricks.cards import SUIT_NAMES, Card, suit_of
from tricks.dealing import deal_packets
from tricks.duties import Choice
from tricks.moves import CardPlayed, PlayCard
from tricks.play import Play, sorted_hands
from tricks.refusals import IllegalAction, RefusalCode, require_card, require_turn
from tricks.tally import SEATS

FIRST_PACKETS: Final = (3, 2)
UPCARD: Final = 20
"""The place in the deck of the card that is turned up; the second deal begins after it."""
LATER_CARDS: Final = 3


@dataclass(frozen=True, slots=True)
class Setup:
    """deck: the 32 cards in the order of dealing."""

    dealer: int
    deck: tuple[Card, ...]

    @property
    def upcard(self) -> Card:
        return self.deck[UPCARD]


@dataclass(frozen=True, slots=True)
class MakeCall:
    call: Call


Action = MakeCall | PlayCard


@dataclass(frozen=True, slots=True)
class Called:
    seat: int
    call: Call


Event = Called | CardPlayed


@dataclass(frozen=True, slots=True)
class State:
    """play: five cards each during the bidding. bidding: what the calls have come to.

    bought: None until somebody has bought, and of a deal thrown in. dealt: the eight cards of each seat before the
    first lead. projects: those of each seat, the best first. Both empty before that.
    """

    setup: Setup
    play: Play
    bidding: Bidding
    calls: tuple[Call, ...] = ()
    bought: Bought | None = None
    is_thrown_in: bool = False
    dealt: tuple[tuple[Card, ...], ...] = ()
    projects: tuple[tuple[Project, ...], ...] = ()
    is_ekka: bool = False
    """Whether the card that led the trick on the table was announced as Ekka."""

    @property
    def first(self) -> int:
        """Who calls first and leads to the first trick: the seat after the dealer."""
        return (self.setup.dealer + 1) % SEATS

    @property
    def on_turn(self) -> int | None:
        if self.bought is not None:
            return self.play.on_turn
        return None if self.is_thrown_in else to_call(self).seat

    @property
    def score(self) -> DealScore | None:
        """None until the last card is played, and of a deal thrown in."""
        if self.bought is None or self.on_turn is not None:
            return None
        tricks = [taken.cards for taken in self.play.taken]
        return score_deal(self.bought.contract, self.first, self.bought.buyer, self.dealt, tricks)


def start(setup: Setup) -> State:
    first = (setup.dealer + 1) % SEATS
    play = Play(sorted_hands(deal_packets(setup.deck, first, SEATS, FIRST_PACKETS)), first)
    return State(setup, play, Bidding(setup.dealer, suit_of(setup.upcard)))


def to_call(state: State) -> ToCall:
    """Whose call it is, during the bidding."""
    standing = state.bidding.standing
    assert isinstance(standing, ToCall), "the bidding is over"
    return standing


def playable(state: State) -> Choice:
    """What the seat on turn may play, once the deal is bought."""
    assert state.bought is not None, "cards are played once the deal is bought"
    return choice(state.bought.contract, state.play.hand, state.play.trick, state.is_ekka)


def legal_actions(state: State) -> tuple[Action, ...]:
    """What the seat on turn may do; nothing once the deal is over."""
    if state.on_turn is None:
        return ()
    if state.bought is None:
        return tuple(MakeCall(call) for call in to_call(state).options)
    return tuple(PlayCard(card) for card in playable(state).cards)


def apply(state: State, seat: int, action: Action) -> tuple[State, tuple[Event, ...]]:
    """Raises IllegalAction, and then nothing has happened."""
    require_turn(state.on_turn, seat)
    event = _event(state, seat, action)
    return evolve(state, event), (event,)


def evolve(state: State, event: Event) -> State:
    match event:
        case Called(_, call):
            return _after_call(replace(state, calls=(*state.calls, call), bidding=state.bidding.after(call)))
        case CardPlayed(_, card):
            assert state.bought is not None, "cards are played once the deal is bought"
            contract, leads = state.bought.contract, not state.play.trick
            ekka = is_ekka(contract, state.play.gone, card) if leads else state.is_ekka
            return replace(state, play=state.play.after(card, contract.ranking), is_ekka=ekka)
        case _:
            assert_never(event)


def fold(state: State, events: Sequence[Event]) -> State:
    return reduce(evolve, events, state)


def _after_call(state: State) -> State:
    standing = state.bidding.standing
    match standing:
        case ToCall():
            return state
        case ThrownIn():
            return replace(state, is_thrown_in=True)
        case Bought():
            hands = sorted_hands(_second_deal(state, standing.takes))
            projects = tuple(find_projects(standing.contract.mode, hand) for hand in hands)
            return replace(state, bought=standing, play=Play(hands, state.first), dealt=hands, projects=projects)
        case _:
            assert_never(standing)


def _second_deal(state: State, takes: int) -> list[list[Card]]:
    """The turned card and two more for the one who takes it, three for the others."""
    hands = [list(hand) for hand in state.play.hands]
    at = UPCARD + 1
    for turn in range(SEATS):
        seat = (state.first + turn) % SEATS
        if seat == takes:
            hands[seat].append(state.setup.upcard)
        count = LATER_CARDS - (seat == takes)
        hands[seat].extend(state.setup.deck[at : at + count])
        at += count
    return hands


def _event(state: State, seat: int, action: Action) -> Event:
    match action:
        case MakeCall(call) if state.bought is None:
            options = to_call(state).options
            if call not in options:
                allowed = [_words(option) for option in options]
                raise IllegalAction(RefusalCode.CALL_NOT_ALLOWED, "That call is not allowed now.", allowed)
            return Called(seat, call)
        case PlayCard(card) if state.bought is not None:
            require_card(state.play.hand, playable(state), card)
            return CardPlayed(seat, card)
        case MakeCall() | PlayCard():
            allowed = ["call"] if state.bought is None else ["play a card"]
            raise IllegalAction(RefusalCode.NOT_NOW, "That can't be done now.", allowed)
        case _:
            assert_never(action)


def _words(call: Call) -> str:
    return call.name.value if call.trump is None else f"{call.name.value} {SUIT_NAMES[call.trump]}"
