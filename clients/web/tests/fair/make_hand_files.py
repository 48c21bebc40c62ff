"""Write hand_files.json: hands of every ending from a rehearsed house, for the verifier's tests.

Run with the repository's Python from its top: `python clients/web/tests/fair/make_hand_files.py`. The same every time.
"""

import json
from collections.abc import Callable
from pathlib import Path

from fairness.events import Declared, Event, How, WentOut
from fairness.json_form import JsonObject
from fairness.rehearsal import RehearsedHand, RehearsedHouse
from fairness.rehearsed_players import eager, idle, restless
from rummy.rules import TableRules

LONGEST = 120
OUT = Path(__file__).with_name("hand_files.json")


def main() -> None:
    house = RehearsedHouse(2026)
    four, eight = TableRules(4, reshuffles_allowed=1), TableRules(8)
    hands = {
        "declared": house.play(eager, four, 3),
        "declared with three decks": house.play(eager, eight, 8),
        "wrong declare": _first(house, lambda event: isinstance(event, Declared) and not event.valid),
        "missed turns": _first(house, lambda event: isinstance(event, WentOut) and event.how is How.MISSED_TURNS),
        "left": _first(house, lambda event: isinstance(event, WentOut) and event.how is How.LEFT),
        "reshuffled, then void": house.play(idle, four, 4),
        "voided while revealing": house.void_before_deal(hashes_closed=True),
        "voided while hashing": house.void_before_deal(hashes_closed=False),
    }
    samples = [_sample(name, hand) for name, hand in hands.items()]
    OUT.write_text(json.dumps({"keys": house.keys.to_json(), "hands": samples}, separators=(",", ":")) + "\n")


def _first(house: RehearsedHouse, wanted: Callable[[Event], bool]) -> RehearsedHand:
    """The first short hand of a restless table in which something happens."""
    while True:
        hand = house.play(restless, TableRules(4), 4)
        if len(hand.events) < LONGEST and any(map(wanted, hand.events)):
            return hand


def _sample(name: str, hand: RehearsedHand) -> JsonObject:
    """The public file, and that of the first player with all receipts."""
    return {"name": name, "public": hand.public, "own": hand.own[min(hand.own)]}


if __name__ == "__main__":
    main()
