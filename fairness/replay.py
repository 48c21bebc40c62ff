"""Between the transcript and the game: both words for the same events, and a hand played again from its record."""

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, assert_never

from fairness import events as record
from fairness.deck import Reshuffler, derive_deck
from fairness.match_terms import MATCH_RULES, POINTS_FORMAT, UnknownRules, match_terms
from fairness.terms import Terms
from fairness.transcript import Showing
from rummy import actions as game_actions
from rummy import events as game
from rummy.cards import Card
from rummy.fold import before_deal, evolve
from rummy.rules import TableRules
from rummy.scoring import Settlement, settle_points
from rummy.state import HandSetup, HandState

FIXED_RULES: Final = {"wild_only_group": "allowed"}
"""Rules that this house plays in one way only; they may be there."""

_DECIMAL: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def rules_map(rules: TableRules) -> dict[str, str]:
    """What a points hand's terms say about its table's rules; `MatchTerms.to_map` over it is a hand of a match."""
    return rules.to_map() | {"format": POINTS_FORMAT}


def table_rules(terms: Terms) -> TableRules:
    """The table rules that terms are bound to. Raises UnknownRules for a rule or value that we do not know."""
    defaults = TableRules(terms.seats)
    known = defaults.to_map()
    in_match = match_terms(terms) is not None
    _check_names(terms.rules, (*known, "format", *(MATCH_RULES if in_match else ())))
    values = {name: _rule_value(name, terms.rules[name], getattr(defaults, name)) for name in known}
    try:
        return TableRules(terms.seats, **values)
    except ValueError as error:
        raise UnknownRules(str(error)) from error


def hand_setup(terms: Terms, hk: bytes) -> HandSetup:
    """The hand as it stands before the deal. Secret until the reveal, as `hk` is. Raises UnknownRules."""
    deck = tuple(Card(card) for card in derive_deck(hk, terms.decks))
    return HandSetup(table_rules(terms), terms.occupied, terms.dealer, deck, Reshuffler(hk))


def settlement_of(terms: Terms, ended: game.HandEnded) -> Settlement:
    """What a hand's points cost, by the format that the terms name."""
    return settle_points(ended, terms.rate, terms.commission_bp)


def to_record(event: game.Event, at_ms: int, terms: Terms) -> record.Event:
    """A game event as the transcript has it; the end of a hand with its settlement."""
    match event:
        case game.Dealt():
            return record.Dealt(at_ms)
        case game.WildTurned(card):
            return record.WildTurned(at_ms, card)
        case game.PileOpened(card):
            return record.PileOpened(at_ms, card)
        case game.DrewFromStock(seat, auto):
            return record.DrewFromStock(at_ms, seat, auto)
        case game.DrewFromPile(seat, card, auto):
            return record.DrewFromPile(at_ms, seat, auto, card)
        case game.Discarded(seat, card, auto):
            return record.Discarded(at_ms, seat, auto, card)
        case game.WentOut(seat, how, points):
            return record.WentOut(at_ms, seat, record.How.from_word(how.value), points)
        case game.Declared(seat, valid, finish_card, groups):
            return record.Declared(at_ms, seat, valid, finish_card, groups)
        case game.StockReshuffled(number, stock_count):
            return record.Reshuffled(at_ms, number, stock_count)
        case game.Shown(seat, points, cards):
            return record.Shown(at_ms, seat, points, cards)
        case game.HandVoided(reason):
            return record.Voided(at_ms, record.VoidReason.from_word(reason.value))
        case game.HandEnded():
            return settled(event, settlement_of(terms, event), at_ms)
        case _:
            assert_never(event)


def settled(ended: game.HandEnded, settlement: Settlement, at_ms: int) -> record.Settled:
    """The transcript's settle event for a hand's end and its money."""
    lines = tuple(record.SettleLine(line.seat, line.points, line.delta) for line in settlement.lines)
    return record.Settled(
        at_ms, record.Outcome.from_word(ended.outcome.value), ended.winner, lines, settlement.commission
    )


def to_game(event: record.Event) -> game.Event | None:
    """A transcript event as the game has it; None for the roster and the reveal, which no game knows."""
    match event:
        case record.RosterClosed() | record.SeedRevealed():
            return None
        case record.Dealt():
            return game.Dealt()
        case record.WildTurned(_, card):
            return game.WildTurned(Card(card))
        case record.PileOpened(_, card):
            return game.PileOpened(Card(card))
        case record.DrewFromStock(_, seat, auto):
            return game.DrewFromStock(seat, auto)
        case record.DrewFromPile(_, seat, auto, card):
            return game.DrewFromPile(seat, Card(card), auto)
        case record.Discarded(_, seat, auto, card):
            return game.Discarded(seat, Card(card), auto)
        case record.WentOut(_, seat, how, points):
            return game.WentOut(seat, game.HowOut(how.word), points)
        case record.Declared(_, seat, valid, finish_card, groups):
            return game.Declared(seat, valid, Card(finish_card), tuple(_cards(group) for group in groups))
        case record.Reshuffled(_, number, stock_count):
            return game.StockReshuffled(number, stock_count)
        case record.Shown(_, seat, points, cards):
            return game.Shown(seat, points, _cards(cards))
        case record.Voided(_, reason):
            return game.HandVoided(game_actions.VoidReason(reason.word))
        case record.Settled(_, outcome, winner, lines):
            counted = tuple((line.seat, line.points) for line in lines)
            return game.HandEnded(game.Outcome(outcome.word), winner, counted)
        case _:
            assert_never(event)


def game_events(events: Iterable[record.Event]) -> tuple[game.Event, ...]:
    """The game's part of a transcript, in order."""
    return tuple(event for event in map(to_game, events) if event is not None)


def is_dealt(events: Iterable[record.Event]) -> bool:
    """Whether cards were dealt; a hand voided before that has no game to replay."""
    return any(isinstance(event, record.Dealt) for event in events)


def recover(terms: Terms, hk: bytes, events: Iterable[record.Event]) -> HandState:
    """The game after these events, which are trusted: how a table finds its hand again after a restart."""
    state = before_deal(hand_setup(terms, hk))
    for event in game_events(events):
        state = evolve(state, event)
    return state


def showings(terms: Terms, hk: bytes, events: Iterable[record.Event]) -> dict[int, tuple[Showing, ...]]:
    """What each player alone was shown, per seat: 13 cards at the deal, one at each own draw from the stock."""
    shown: dict[int, list[Showing]] = {seat: [] for seat in terms.occupied}
    state: HandState | None = None
    for k, event in enumerate(events):
        move = to_game(event)
        if move is None:
            continue
        if isinstance(move, game.Dealt):
            state = before_deal(hand_setup(terms, hk))
        if state is None:
            break
        state = evolve(state, move)
        if isinstance(move, game.Dealt):
            for seat in terms.occupied:
                shown[seat].append(Showing(k, state.seat(seat).cards))
        elif isinstance(move, game.DrewFromStock):
            shown[move.seat].append(Showing(k, (state.seat(move.seat).cards[-1],)))
    return {seat: tuple(each) for seat, each in shown.items()}


def _cards(cards: Iterable[int]) -> tuple[Card, ...]:
    return tuple(Card(card) for card in cards)


def _check_names(rules: Mapping[str, str], known: Collection[str]) -> None:
    missing = sorted(set(known) - rules.keys())
    if missing:
        raise UnknownRules(f"the rule {missing[0]} is missing")
    for name, value in rules.items():
        if name in FIXED_RULES:
            if value != FIXED_RULES[name]:
                raise UnknownRules(f"the rule {name} is {value[:40]!r}: this house plays {FIXED_RULES[name]!r}")
        elif name not in known:
            raise UnknownRules(f"the rule {name[:40]!r} is unknown: this house plays by {', '.join(sorted(known))}")


def _rule_value(name: str, text: str, default: object) -> Any:
    """Read a rule as the type that its default has: a number in decimal, or one of a few words."""
    if isinstance(default, str):
        try:
            return type(default)(text)
        except ValueError as error:
            raise UnknownRules(f"the rule {name} is {text[:40]!r}, which is not one of its values") from error
    if not _DECIMAL.fullmatch(text):
        raise UnknownRules(f"the rule {name} is {text[:40]!r}: a number in decimal, no sign, no leading zero")
    return int(text)
