"""The same deal as one seat knows it, with the unseen cards elsewhere: played again from another deck, move by move."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from tests.conformance.trick_games import TRICK_GAMES
from tricks.baloot import deal as baloot
from tricks.cards import PACK_24, Card
from tricks.dealing import deal_packets
from tricks.klaverjas import deal as klaverjas
from tricks.refusals import IllegalAction
from tricks.tally import SEATS
from tricks.thousand import deal as thousand
from tricks.thousand.scoring import SEATS as THREE
from tricks.worlds import NoWorld, Unknown, sample_world

Hands = list[list[Card]]
Replay = tuple[tuple[Card, ...], tuple[Any, ...]]
"""A deck, and what is done with it."""


@dataclass(frozen=True)
class Played:
    """A deal under way. actions: what was done so far, from the start."""

    match: Any
    setup: Any
    state: Any
    actions: tuple[Any, ...]


def elsewhere(game: str, played: Played, seat: int, random: Random) -> Any:
    """The deal with other cards in the other hands, of which the seat sees the same; None when one try finds none."""
    try:
        deck, actions = _DECKS[game](played, seat, random)
        deal = TRICK_GAMES[game].deal
        state = deal.start(replace(played.setup, deck=deck))
        for action in actions:
            state, _ = deal.apply(state, state.on_turn, action)
    except (NoWorld, IllegalAction):
        return None
    return None if state.play.hands == played.state.play.hands else state


def _whole_hands(game: str, played: Played, seat: int, random: Random) -> Hands:
    """What each seat may have held before the first lead: what it played, and a world that agrees with all shown."""
    seen = TRICK_GAMES[game].seen_from(played.match, played.state, seat)
    room = tuple(0 if other == seat else count for other, count in enumerate(seen.play.counts))
    hands = [list(hand) for hand in sample_world(Unknown(seen.unseen, room, seen.excluded()), random)]
    hands[seat] = list(seen.hand)
    for trick in (*seen.play.taken, None):
        leader, cards = (trick.leader, trick.cards) if trick else (seen.play.leader, seen.play.trick)
        for place, card in enumerate(cards):
            hands[(leader + place) % len(hands)].append(card)
    return hands


def _klaverjas(played: Played, seat: int, random: Random) -> Replay:
    places = deal_packets(_PLACES, (played.setup.dealer + 1) % SEATS, SEATS, klaverjas.PACKETS)
    return _deck(places, _whole_hands("klaverjas", played, seat, random), []), played.actions


def _baloot(played: Played, seat: int, random: Random) -> Replay:
    setup = played.setup
    first = (setup.dealer + 1) % SEATS
    places = deal_packets(_PLACES, first, SEATS, baloot.FIRST_PACKETS)
    if played.state.bought is None:
        own = [setup.deck[place] for place in places[seat]]
        unseen = [card for card in setup.deck if card not in {*own, setup.upcard}]
        random.shuffle(unseen)
        hands = [own if other == seat else [unseen.pop() for _ in range(5)] for other in range(SEATS)]
        return _deck(places, hands, [setup.upcard, *unseen]), played.actions
    takes, at = played.state.bought.takes, baloot.UPCARD + 1
    for turn in range(SEATS):
        other = (first + turn) % SEATS
        later = baloot.LATER_CARDS - (other == takes)
        places[other].extend(_PLACES[at : at + later])
        at += later
    hands = _whole_hands("baloot", played, seat, random)
    hands[takes].remove(setup.upcard)
    for hand in hands:
        random.shuffle(hand)
    hands[seat] = [setup.deck[place] for place in places[seat]]
    places[takes].append(Card(baloot.UPCARD))
    hands[takes].append(setup.upcard)
    return _deck(places, hands, []), played.actions


def _thousand(played: Played, seat: int, random: Random) -> Replay:
    setup, given = played.setup, played.state.given
    places = deal_packets(_PLACES, (setup.dealer + 1) % THREE, THREE, thousand.PACKETS)
    own = [setup.deck[place] for place in places[seat]]
    if given is None:
        is_shown = played.state.declarer is not None
        unseen = [card for card in PACK_24 if card not in {*own, *(setup.prikup if is_shown else ())}]
        random.shuffle(unseen)
        hands = [own if other == seat else [unseen.pop() for _ in range(7)] for other in range(THREE)]
        return _deck(places, hands, setup.prikup if is_shown else unseen), played.actions
    hands = _whole_hands("thousand", played, seat, random)
    gifts = []
    for turn in (1, 2):
        other = (given.seat + turn) % THREE
        gift = _gift(hands[other], setup.prikup, random)
        if seat in (other, given.seat):
            gift = given.to_next if turn == 1 else given.to_last
        hands[other].remove(gift)
        hands[given.seat].append(gift)
        gifts.append(gift)
    hands[given.seat] = [card for card in hands[given.seat] if card not in setup.prikup]
    if list(map(len, hands)) != [7] * THREE:
        raise NoWorld("somebody holds cards of the prikup that were not given")
    give = thousand.Give(*gifts, bid=given.bid)
    actions = tuple(give if isinstance(action, thousand.Give) else action for action in played.actions)
    return _deck(places, hands, setup.prikup), actions


def _gift(hand: Sequence[Card], prikup: Sequence[Card], random: Random) -> Card:
    """What an opponent with this hand may have been given: what it holds of the prikup, else anything."""
    return random.choice([card for card in hand if card in prikup] or hand)


def _deck(places: Sequence[Sequence[Card]], hands: Hands, rest: Sequence[Card]) -> tuple[Card, ...]:
    """The deck that deals these hands. places: where the cards of each seat lie. rest: what lies after all of them."""
    deck = {place: card for seat, hand in enumerate(hands) for place, card in zip(places[seat], hand, strict=True)}
    cards = [deck[Card(place)] for place in range(len(deck))]
    return (*cards, *rest)


_PLACES: Final = tuple(Card(place) for place in range(32))
"""The places of a deck, dealt as if they were cards."""
_DECKS: Final[dict[str, Callable[[Played, int, Random], Replay]]] = {
    "klaverjas": _klaverjas,
    "baloot": _baloot,
    "thousand": _thousand,
}
