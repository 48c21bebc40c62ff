"""One deal of Klaverjas as a state machine: choosing trump, then eight tricks (sections 1, 2 and 4).

Pure: the deck comes in as data. `apply` answers an action with events, and the new state is those events folded into
the old one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Final, assert_never

from tricks.cards import SUITS, Card, Suit
from tricks.dealing import deal_packets
from tricks.duties import Choice
from tricks.klaverjas.following import Variant, choice, ranking
from tricks.klaverjas.scoring import DealScore, score_deal
from tricks.moves import CardPlayed, PlayCard
from tricks.play import Play, sorted_hands
from tricks.refusals import IllegalAction, RefusalCode, require_card, require_turn
from tricks.tally import SEATS

PACKETS: Final = (3, 2, 3)


@dataclass(frozen=True, slots=True)
class Setup:
    """deck: the 32 cards in the order of dealing."""

    variant: Variant
    dealer: int
    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class NameTrump:
    suit: Suit


@dataclass(frozen=True, slots=True)
class Pass:
    pass


Action = NameTrump | Pass | PlayCard


@dataclass(frozen=True, slots=True)
class TrumpNamed:
    seat: int
    suit: Suit


@dataclass(frozen=True, slots=True)
class Passed:
    seat: int


Event = TrumpNamed | Passed | CardPlayed


@dataclass(frozen=True, slots=True)
class State:
    """trump and maker: None while trump is being chosen."""

    setup: Setup
    play: Play
    passes: int = 0
    trump: Suit | None = None
    maker: int | None = None

    @property
    def first(self) -> int:
        """Who calls first and leads to the first trick: the seat after the dealer."""
        return (self.setup.dealer + 1) % SEATS

    @property
    def on_turn(self) -> int | None:
        return (self.first + self.passes) % SEATS if self.trump is None else self.play.on_turn

    @property
    def score(self) -> DealScore | None:
        """None until the last card is played."""
        if self.on_turn is not None or self.trump is None or self.maker is None:
            return None
        return score_deal(self.trump, self.first, self.maker, [taken.cards for taken in self.play.taken])


def start(setup: Setup) -> State:
    first = (setup.dealer + 1) % SEATS
    return State(setup, Play(sorted_hands(deal_packets(setup.deck, first, SEATS, PACKETS)), first))


def playable(state: State) -> Choice:
    """What the seat on turn may play, once trump is named."""
    assert state.trump is not None, "trump is named before the first card"
    return choice(state.setup.variant, state.trump, state.play.hand, state.play.trick)


def trump_calls(passes: int) -> tuple[Action, ...]:
    """What may be called after so many passes. After four of them the first caller is asked again and can't pass."""
    names: tuple[Action, ...] = tuple(NameTrump(suit) for suit in SUITS)
    return names if passes == SEATS else (*names, Pass())


def legal_actions(state: State) -> tuple[Action, ...]:
    """What the seat on turn may do; nothing once the deal is over."""
    if state.trump is None:
        return trump_calls(state.passes)
    return tuple(PlayCard(card) for card in playable(state).cards)


def apply(state: State, seat: int, action: Action) -> tuple[State, tuple[Event, ...]]:
    """Raises IllegalAction, and then nothing has happened."""
    require_turn(state.on_turn, seat)
    event = _event(state, seat, action)
    return evolve(state, event), (event,)


def evolve(state: State, event: Event) -> State:
    match event:
        case TrumpNamed(seat, suit):
            return replace(state, trump=suit, maker=seat)
        case Passed():
            return replace(state, passes=state.passes + 1)
        case CardPlayed(_, card):
            assert state.trump is not None, "trump is named before the first card"
            return replace(state, play=state.play.after(card, ranking(state.trump)))
        case _:
            assert_never(event)


def fold(state: State, events: Sequence[Event]) -> State:
    return reduce(evolve, events, state)


def _event(state: State, seat: int, action: Action) -> Event:
    is_choosing = state.trump is None
    match action:
        case NameTrump(suit) if is_choosing:
            return TrumpNamed(seat, suit)
        case Pass() if is_choosing and state.passes < SEATS:
            return Passed(seat)
        case PlayCard(card) if not is_choosing:
            require_card(state.play.hand, playable(state), card)
            return CardPlayed(seat, card)
        case NameTrump() | Pass() | PlayCard():
            allowed = "name a trump suit" if is_choosing else "play a card"
            raise IllegalAction(RefusalCode.NOT_NOW, "That can't be done now.", [allowed])
        case _:
            assert_never(action)
