"""Writes tests/vectors/hand_files.json: whole hands of every kind, for the verifiers in Python and in the browser.

Run from the top of the repository: `python tests/fairness/write_hand_files.py`. Only when the file format changes: the
committed files are right answers, and hands that were played once must verify for ever.
"""

import json
from collections.abc import Callable
from pathlib import Path

from fairness import events as record
from fairness.json_form import JsonObject
from fairness.rehearsal import RehearsedHand, RehearsedHouse
from fairness.rehearsed_players import eager, idle, restless
from rummy.rules import TableRules

TARGET = Path(__file__).parents[1] / "vectors" / "hand_files.json"
MOST_EVENTS = 120

Wanted = Callable[[RehearsedHand], bool]


def main() -> None:
    house = RehearsedHouse(20_260_901)
    cases = [
        _case("declared", "won by a declare, one other seat shows", house.play(eager, TableRules(4), 2)),
        _case("declared_by_one_of_four", "three decks, three seats show", house.play(eager, TableRules(8), 4)),
        _case("wrong_declare", "a declare that was not valid", _search(house, _has_wrong_declare)),
        _case("clock", "moves played by the clock, a seat dropped for missed turns", _search(house, _has_missed_turns)),
        _case("leaving", "a seat left the table in mid-hand", _search(house, _has_leaver)),
        _case("drops", "first and middle drop", _search(house, _has_both_drops)),
        _case("stock_exhausted", "one reshuffle, then void", house.play(idle, TableRules(4, reshuffles_allowed=1), 4)),
        _case("void_before_list", "void before the list of hashes", house.void_before_deal(hashes_closed=False)),
        _case("void_before_roster", "void before the roster", house.void_before_deal(hashes_closed=True)),
    ]
    content = {"protocol": "rummy-fair/1", "keys": house.keys.to_json(), "hands": cases}
    TARGET.write_text(json.dumps(content, separators=(",", ":")) + "\n")


def _case(name: str, about: str, hand: RehearsedHand) -> JsonObject:
    """own_seat: a player whose own file, with every receipt, stands beside the public one."""
    seat = hand.terms.occupied[0]
    return {"name": name, "about": about, "public": hand.public, "own_seat": seat, "own": hand.own[seat]}


def _search(house: RehearsedHouse, wanted: Wanted) -> RehearsedHand:
    while True:
        hand = house.play(restless, TableRules(6))
        if wanted(hand) and len(hand.events) <= MOST_EVENTS:
            return hand


def _has_wrong_declare(hand: RehearsedHand) -> bool:
    return any(isinstance(event, record.Declared) and not event.valid for event in hand.events)


def _has_out(hand: RehearsedHand, how: record.How) -> bool:
    return any(isinstance(event, record.WentOut) and event.how is how for event in hand.events)


def _has_missed_turns(hand: RehearsedHand) -> bool:
    return _has_out(hand, record.How.MISSED_TURNS)


def _has_leaver(hand: RehearsedHand) -> bool:
    return _has_out(hand, record.How.LEFT)


def _has_both_drops(hand: RehearsedHand) -> bool:
    return _has_out(hand, record.How.FIRST_DROP) and _has_out(hand, record.How.MIDDLE_DROP)


if __name__ == "__main__":
    main()
