"""Writes tests/vectors/match_files.json: whole matches with all their hands, for the verifiers.

Run from the top of the repository: `python tests/fairness/write_match_files.py`. Only when a file format changes:
matches that were played once must verify for ever.
"""

import json
from pathlib import Path

from fairness.rehearsal import RehearsedHouse
from fairness.rehearsed_match import RehearsedMatch, rehearse_match
from fairness.rehearsed_players import eager, restless
from rummy.formats.kinds import FormatName
from rummy.formats.match import Standing

TARGET = Path(__file__).parents[1] / "vectors" / "match_files.json"
MOST_EVENTS = 260


def main() -> None:
    house = RehearsedHouse(20_261_130)
    matches = {
        "deals": rehearse_match(house, FormatName.DEALS_2, 2, eager),
        "pool_with_a_rejoin": _pool(house),
    }
    content = {
        "protocol": "rummy-fair/1",
        "keys": house.keys.to_json(),
        "matches": [{"name": name, "match": match.file, "hands": list(match.hands)} for name, match in matches.items()],
    }
    TARGET.write_text(json.dumps(content, separators=(",", ":")) + "\n")


def _pool(house: RehearsedHouse) -> RehearsedMatch:
    """A short one in which somebody came back, and somebody left."""
    while True:
        match = rehearse_match(house, FormatName.POOL_101, 4, restless)
        players = match.state.players
        events = sum(len(hand["events"]) for hand in match.hands)  # type: ignore[arg-type]
        if (
            events <= MOST_EVENTS
            and any(player.rejoins for player in players)
            and any(player.standing is Standing.LEFT for player in players)
        ):
            return match


if __name__ == "__main__":
    main()
