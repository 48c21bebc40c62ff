"""A whole hand as text: a script sets a table and plays it, and a transcript is the script with its answers between.

A line that begins with spaces is an answer and is not read; `#` starts a remark. Cards that a script does not place
follow in card order: first into what is missing of the deal, then into the stock. A reshuffle turns the pile over.

    seats 4                      # 4, 6 or 8
    players 0 1 3                # default: every seat
    dealer 3                     # default: the last seat
    rule reshuffles_allowed 0    # any table rule by its name
    cards 0 AS 2S 3S             # the first cards of seat 0, in the order dealt
    wild 7H
    open 9C
    stock KD 4C                  # the first cards to be drawn
    > 0 draw stock               # an action: draw stock | draw pile | discard CARD | drop | leave | timeout
    > 0 declare KD               #   declare CARD, or declare CARD: AS 2S 3S | ... to say how the 13 are laid out
    > void operator
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from rummy.actions import Action
from rummy.cards import CARDS_PER_HAND, Card, deck_size
from rummy.events import DrewFromStock, Event
from rummy.fold import evolve
from rummy.hand import apply, start
from rummy.notation import card_text, cards_text, event_text, parse_action, parse_cards
from rummy.refusals import IllegalAction
from rummy.rules import ReturnTakenCard, TableRules, TakeWildFromPile
from rummy.state import HandSetup, HandState

_REMARK: Final = "#"
_ACTION: Final = ">"
_ANSWER: Final = "    "
_RULE_NAMES: Final = frozenset(TableRules(seat_count=4).to_map())


class UnreadableScript(ValueError):
    """A line that the notation does not know; the message says which, and what is wrong."""


@dataclass(frozen=True, slots=True)
class Script:
    """A table to set and the actions to try there, legal or not."""

    setup: HandSetup
    actions: tuple[Action, ...]


def turned_over(_: int, pile: tuple[Card, ...]) -> tuple[Card, ...]:
    """The reshuffle of every script: the pile turned over, so that its bottom card is drawn first."""
    return pile


@dataclass(slots=True)
class _Table:
    """What the setting lines of a script say."""

    seats: int = 4
    players: tuple[int, ...] = ()
    dealer: int | None = None
    rules: dict[str, str] = field(default_factory=dict)
    cards: dict[int, tuple[Card, ...]] = field(default_factory=dict)
    wild: tuple[Card, ...] = ()
    opener: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()

    def setup(self) -> HandSetup:
        players = self.players or tuple(range(self.seats))
        dealer = self.seats - 1 if self.dealer is None else self.dealer
        rules = _rules(self.seats, self.rules)
        deck = tuple(Card(card) for card in range(deck_size(rules.decks)))
        order = HandSetup(rules, players, dealer, deck, turned_over).deal_order
        return HandSetup(rules, players, dealer, self._deck(order, deck), turned_over)

    def _deck(self, deal_order: tuple[int, ...], pack: tuple[Card, ...]) -> tuple[Card, ...]:
        placed = {card for cards in (*self.cards.values(), self.wild, self.opener, self.stock) for card in cards}
        rest = (card for card in pack if card not in placed)
        hands = [_filled(self.cards.get(seat, ()), CARDS_PER_HAND, rest) for seat in deal_order]
        dealt = [hand[turn] for turn in range(CARDS_PER_HAND) for hand in hands]
        return (*dealt, *_filled(self.wild, 1, rest), *_filled(self.opener, 1, rest), *self.stock, *rest)


def _filled(cards: tuple[Card, ...], count: int, rest: Iterator[Card]) -> tuple[Card, ...]:
    return (*cards, *(next(rest) for _ in range(count - len(cards))))


def _rules(seats: int, values: dict[str, str]) -> TableRules:
    numbers = {name: int(value) for name, value in values.items() if value.isdecimal()}
    return TableRules(
        seats,
        take_wild_from_pile=TakeWildFromPile(values.get("take_wild_from_pile", TakeWildFromPile.ALLOWED)),
        return_taken_card=ReturnTakenCard(values.get("return_taken_card", ReturnTakenCard.FORBIDDEN)),
        **numbers,
    )


def read_script(text: str) -> Script:
    """Read a script. Raises UnreadableScript for a line it does not know, ValueError for a table that can't be."""
    table = _Table()
    actions = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            action = _action_in(line)
            if action is not None:
                actions.append(action)
            elif not line.startswith(_ANSWER):
                _set_table(table, *_spoken(line).partition(" ")[::2])
        except (ValueError, KeyError) as wrong:
            raise UnreadableScript(f"line {number}, {line!r}: {wrong}") from wrong
    return Script(table.setup(), tuple(actions))


def _spoken(line: str) -> str:
    return line.split(_REMARK)[0].strip()


def _action_in(line: str) -> Action | None:
    return parse_action(_spoken(line).removeprefix(_ACTION)) if line.startswith(_ACTION) else None


def _set_table(table: _Table, key: str, value: str) -> None:
    match key:
        case "":
            pass
        case "seats":
            table.seats = int(value)
        case "players":
            table.players = tuple(int(word) for word in value.split())
        case "dealer":
            table.dealer = int(value)
        case "rule":
            name, _, setting = value.partition(" ")
            if name not in _RULE_NAMES:
                raise ValueError(f"{name!r} is no table rule")
            table.rules[name] = setting
        case "cards":
            seat, _, cards = value.partition(" ")
            table.cards[int(seat)] = parse_cards(cards)
        case "wild":
            table.wild = parse_cards(value)
        case "open":
            table.opener = parse_cards(value)
        case "stock":
            table.stock = parse_cards(value)
        case _:
            raise ValueError(f"{key!r} sets nothing")


def play_script(text: str) -> tuple[HandState, tuple[Event, ...]]:
    """Play a script of legal actions: where the hand then stands, and everything that happened.

    Raises IllegalAction at the first action that the rules refuse, and else as `read_script` does.
    """
    script = read_script(text)
    state, happened = start(script.setup)
    for action in script.actions:
        state, events = apply(state, action)
        happened += events
    return state, happened


def transcript(text: str) -> str:
    """Play a script: its own lines, each action followed by its events or its refusal, then where every card lies.

    Answers that the text already holds are written anew, so a true transcript comes back as it is. Cards in brackets
    are those that not everybody may see at that moment. Raises as `read_script` does.
    """
    state, events = start(read_script(text).setup)
    lines = [line for line in text.splitlines() if not line.startswith(_ANSWER)]
    first = next((number for number, line in enumerate(lines) if line.startswith(_ACTION)), len(lines))
    answered = [*lines[:first], *(_ANSWER + answer for answer in (*_deal_lines(state), *map(event_text, events)))]
    for line in lines[first:]:
        answered.append(line)
        action = _action_in(line)
        if action is not None:
            state, answers = _answers(state, action)
            answered += (_ANSWER + answer for answer in answers)
    return "\n".join((*answered, *(_ANSWER + line for line in _standing(state)))) + "\n"


def _deal_lines(state: HandState) -> Iterator[str]:
    for seat in state.setup.deal_order:
        yield f"{seat} is dealt [{cards_text(state.seat(seat).cards)}]"


def _answers(state: HandState, action: Action) -> tuple[HandState, tuple[str, ...]]:
    try:
        after, events = apply(state, action)
    except IllegalAction as refusal:
        return state, (f"refused: {refusal.code}; allowed now: {', '.join(refusal.allowed) or 'nothing'}",)
    return after, tuple(_event_lines(state, events))


def _event_lines(state: HandState, events: tuple[Event, ...]) -> Iterator[str]:
    for event in events:
        state = evolve(state, event)
        drawn = f" [{card_text(state.drawn.card)}]" if isinstance(event, DrewFromStock) and state.drawn else ""
        yield f"{event_text(event)}{drawn}"


def _standing(state: HandState) -> Iterator[str]:
    over = state.turn_seat is None
    yield "the hand is over" if over else f"turn {state.turn_number}: seat {state.turn_seat} has to {state.phase}"
    yield f"stock of {len(state.stock)}, pile {cards_text(state.discard_pile)}"
    for number in state.setup.players:
        seat = state.seat(number)
        standing = "in" if seat.out is None else f"out by {seat.out.by} for {seat.out.points}"
        misses = f", missed {seat.misses}" if seat.misses else ""
        yield f"{number} is {standing}{misses}, holds [{cards_text(seat.cards)}]"
