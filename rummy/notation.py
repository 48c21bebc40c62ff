"""Cards, actions and events as text, for golden transcripts, bug reports and whoever reads them.

A card is its face with one ' for each deck after the first: `KH` from deck 0, `KH'` from deck 1, `PJ''` from deck 2.
"""

from collections.abc import Callable, Iterable
from typing import Final, assert_never

from rummy.actions import Action, Declare, Discard, DrawFromPile, DrawFromStock, Drop, Leave, Timeout, Void, VoidReason
from rummy.cards import FACES_PER_DECK, Card, card_name, parse_face
from rummy.events import (
    Dealt,
    Declared,
    Discarded,
    DrewFromPile,
    DrewFromStock,
    Event,
    HandEnded,
    HandVoided,
    PileOpened,
    Shown,
    StockReshuffled,
    WentOut,
    WildTurned,
)

_COPY_MARK: Final = "'"


class UnreadableAction(ValueError):
    """A text that names no action."""


def card_text(card: Card) -> str:
    """`KH'`: unlike `card_name` it tells copies apart."""
    return card_name(card) + _COPY_MARK * (card // FACES_PER_DECK)


def parse_card(text: str) -> Card:
    """Read `KH'`; raises UnreadableCard for anything else. The table may still have fewer decks."""
    face = text.rstrip(_COPY_MARK)
    return Card(parse_face(face) + FACES_PER_DECK * (len(text) - len(face)))


def parse_cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(word) for word in text.split())


def cards_text(cards: Iterable[Card]) -> str:
    return " ".join(card_text(card) for card in cards)


def parse_action(text: str) -> Action:
    """Read `0 draw stock`, `void operator` and the like; raises UnreadableAction for anything else."""
    subject, _, act = text.strip().partition(" ")
    if subject == "void":
        return Void(VoidReason(act))
    seat = int(subject)
    if act in _PLAIN_ACTIONS:
        return _PLAIN_ACTIONS[act](seat)
    verb, _, value = act.partition(" ")
    if verb == "discard":
        return Discard(seat, parse_card(value))
    if verb == "declare":
        finish, _, groups = value.partition(":")
        return Declare(seat, parse_card(finish), tuple(parse_cards(group) for group in groups.split("|") if group))
    raise UnreadableAction(f"{act!r} is no action")


_PLAIN_ACTIONS: Final[dict[str, Callable[[int], Action]]] = {
    "draw stock": DrawFromStock,
    "draw pile": DrawFromPile,
    "drop": Drop,
    "leave": Leave,
    "timeout": Timeout,
}


def action_text(action: Action) -> str:
    match action:
        case DrawFromStock(seat):
            return f"{seat} draw stock"
        case DrawFromPile(seat):
            return f"{seat} draw pile"
        case Discard(seat, card):
            return f"{seat} discard {card_text(card)}"
        case Declare(seat, finish_card, groups):
            return f"{seat} declare {card_text(finish_card)}" + (f": {_groups_text(groups)}" if groups else "")
        case Drop(seat):
            return f"{seat} drop"
        case Leave(seat):
            return f"{seat} leave"
        case Timeout(seat):
            return f"{seat} timeout"
        case Void(reason):
            return f"void {reason}"
        case _:
            assert_never(action)


def event_text(event: Event) -> str:
    """One line for a public event; like the event it names no hidden card."""
    match event:
        case Dealt():
            return "dealt"
        case WildTurned(card):
            return f"wild {card_text(card)}"
        case PileOpened(card):
            return f"open {card_text(card)}"
        case DrewFromStock(seat, auto):
            return f"{seat} drew from the stock{_auto_text(auto)}"
        case DrewFromPile(seat, card, auto):
            return f"{seat} took {card_text(card)}{_auto_text(auto)}"
        case Discarded(seat, card, auto):
            return f"{seat} discarded {card_text(card)}{_auto_text(auto)}"
        case WentOut(seat, how, points):
            return f"{seat} out by {how}, {points} points"
        case Declared(seat, valid, finish_card, groups):
            verdict = "declared" if valid else "declared wrongly"
            return f"{seat} {verdict}, finish card {card_text(finish_card)}: {_groups_text(groups)}"
        case StockReshuffled(number, stock_count):
            return f"reshuffle {number}, {stock_count} cards"
        case Shown(seat, points, cards):
            return f"{seat} shows {points} points: {cards_text(cards)}"
        case HandVoided(reason):
            return f"void, {reason}"
        case HandEnded(outcome, winner, points):
            won = "nobody wins" if winner is None else f"seat {winner} wins"
            return f"ended by {outcome}, {won}: " + ", ".join(f"{seat} counts {count}" for seat, count in points)
        case _:
            assert_never(event)


def _groups_text(groups: tuple[tuple[Card, ...], ...]) -> str:
    return " | ".join(cards_text(group) for group in groups)


def _auto_text(auto: bool) -> str:
    return " for it" if auto else ""
