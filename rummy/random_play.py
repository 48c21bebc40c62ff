"""Random hands and random legal actions, so that tests and soak runs reach every corner of the rules.

Randomness comes in as a `random.Random`: the same seed gives the same hand. Nothing here deals to people.
"""

from dataclasses import dataclass
from functools import partial
from random import Random

from rummy.actions import Action, Declare, Discard, DrawFromPile, DrawFromStock, Drop, Leave, Timeout, Void, VoidReason
from rummy.cards import CARDS_PER_HAND, FACES_PER_DECK, Card, deck_size
from rummy.events import Event
from rummy.hand import apply, start
from rummy.refusals import can_draw_from_pile, legal_discards
from rummy.rules import SEAT_COUNTS, ReturnTakenCard, TableRules, TakeWildFromPile
from rummy.solver import can_declare
from rummy.state import HandSetup, HandState, Phase

_RUN_LENGTHS = (4, 3, 3, 3)
_VOID_REASONS = (VoidReason.OPERATOR, VoidReason.NOT_ENOUGH_PLAYERS, VoidReason.SERVER_FAILURE)


@dataclass(frozen=True, slots=True)
class Temper:
    """How the players of a random hand behave: chances between 0 and 1, of each choice."""

    drop: float
    leave: float
    time_out: float
    void: float
    take_from_pile: float
    look_for_declare: float
    rash_declare: float


RESTLESS = Temper(
    drop=0.05, leave=0.005, time_out=0.08, void=0.0005, take_from_pile=0.3, look_for_declare=0.3, rash_declare=0.01
)
PATIENT = Temper(drop=0, leave=0, time_out=0.01, void=0, take_from_pile=0.2, look_for_declare=0.01, rash_declare=0)
ABSENT = Temper(drop=0.01, leave=0, time_out=0.7, void=0, take_from_pile=0.5, look_for_declare=0, rash_declare=0)


def random_temper(rng: Random) -> Temper:
    """Mostly restless players; now and then some who sit a hand out, or play until the stock is gone for good."""
    return rng.choices((RESTLESS, ABSENT, PATIENT), weights=(90, 8, 2))[0]


def random_setup(rng: Random) -> HandSetup:
    """Any table: seats, players, dealer, table rules and deck. One hand in four deals somebody 13 cards to declare."""
    seat_count = rng.choice(SEAT_COUNTS)
    rules = TableRules(
        seat_count,
        missed_turns_to_drop=rng.choice((1, 2, 3, 10)),
        take_wild_from_pile=rng.choice(list(TakeWildFromPile)),
        return_taken_card=rng.choice(list(ReturnTakenCard)),
        reshuffles_allowed=rng.choice((0, 1, 3, 10)),
    )
    players = tuple(sorted(rng.sample(range(seat_count), rng.randint(2, seat_count))))
    deck = [Card(card) for card in range(deck_size(rules.decks))]
    rng.shuffle(deck)
    if rng.random() < 0.25:
        _deal_runs(rng, deck, place=rng.randrange(len(players)), players=len(players))
    reshuffle = partial(seeded_reshuffle, rng.getrandbits(64))
    return HandSetup(rules, players, rng.randrange(seat_count), tuple(deck), reshuffle)


def seeded_reshuffle(seed: int, number: int, pile: tuple[Card, ...]) -> tuple[Card, ...]:
    """A reshuffle that depends on nothing but its arguments."""
    stock = list(pile)
    Random(f"{seed} {number}").shuffle(stock)  # noqa: S311
    return tuple(stock)


def _deal_runs(rng: Random, deck: list[Card], place: int, players: int) -> None:
    """Swap four pure runs into the cards of one place in the deal order."""
    wanted: list[Card] = []
    for length in _RUN_LENGTHS:
        run = _random_run(rng, length, len(deck))
        while not set(run).isdisjoint(wanted):
            run = _random_run(rng, length, len(deck))
        wanted += run
    for turn, card in enumerate(wanted):
        here, there = place + turn * players, deck.index(card)
        deck[here], deck[there] = deck[there], deck[here]


def _random_run(rng: Random, length: int, cards: int) -> list[Card]:
    low = 13 * rng.randrange(4) + rng.randint(0, CARDS_PER_HAND - length)
    deck = FACES_PER_DECK * rng.randrange(cards // FACES_PER_DECK)
    return [Card(deck + low + step) for step in range(length)]


def random_action(state: HandState, temper: Temper, rng: Random) -> Action:
    """One legal action for a hand that is not over, by the seat on turn or, for a leave, by any that is in."""
    assert state.turn_seat is not None, "the hand is over"
    seat = state.turn_seat
    if rng.random() < temper.time_out:
        return Timeout(seat)
    if rng.random() < temper.leave:
        return Leave(rng.choice(state.seats_in))
    if rng.random() < temper.void:
        return Void(rng.choice(_VOID_REASONS))
    return (
        _random_draw(state, seat, temper, rng) if state.phase is Phase.DRAW else _random_end(state, seat, temper, rng)
    )


def _random_draw(state: HandState, seat: int, temper: Temper, rng: Random) -> Action:
    if rng.random() < temper.drop:
        return Drop(seat)
    if rng.random() < temper.take_from_pile and can_draw_from_pile(state, seat):
        return DrawFromPile(seat)
    return DrawFromStock(seat)


def _random_end(state: HandState, seat: int, temper: Temper, rng: Random) -> Action:
    cards = state.seat(seat).cards
    if rng.random() < temper.look_for_declare and can_declare(cards[:-1], state.wild_rank):
        return Declare(seat, cards[-1])
    if rng.random() < temper.rash_declare:
        return Declare(seat, rng.choice(cards))
    return Discard(seat, rng.choice(legal_discards(state, seat)))


def play_random_hand(rng: Random) -> tuple[HandState, tuple[Event, ...]]:
    """One whole hand to its end, every state checked by `apply`: how it ended, and all that happened."""
    temper = random_temper(rng)
    state, events = start(random_setup(rng))
    happened = list(events)
    while not state.is_over:
        state, events = apply(state, random_action(state, temper, rng))
        happened += events
    return state, tuple(happened)
