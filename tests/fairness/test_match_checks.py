"""A match recomputed from its hands: whole ones verify, and every change of the match file is found out."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from fairness.__main__ import main
from fairness.encoding import Malformed
from fairness.match_checks import MatchStep, verify_match
from fairness.rehearsal import RehearsedHouse
from fairness.rehearsed_match import rehearse_match
from fairness.rehearsed_players import restless
from fairness.signing import KeyRing
from rummy.formats.kinds import FormatName

STORED = json.loads((Path(__file__).parents[1] / "vectors" / "match_files.json").read_text())
MATCHES: dict[str, dict[str, Any]] = {one["name"]: one for one in STORED["matches"]}
KEYS = KeyRing.from_json({"keys": STORED["keys"]})
POOL = MATCHES["pool_with_a_rejoin"]


@pytest.mark.parametrize("name", MATCHES)
def test_a_whole_match_verifies_with_its_hands_in_any_order(name: str) -> None:
    one = MATCHES[name]
    report = verify_match(one["match"], one["hands"][::-1], KEYS)
    assert report.ok, report


def test_rehearsed_matches_verify() -> None:
    match = rehearse_match(RehearsedHouse(3), FormatName.DEALS_2, 3, restless)
    assert verify_match(match.file, match.hands).ok


def changes() -> list[tuple[str, MatchStep]]:
    return [
        ("match_id", MatchStep.M1),
        ("table_id", MatchStep.M1),
        ("format", MatchStep.M1),
        ("buy_in", MatchStep.M1),
        ("commission_bp", MatchStep.M1),
        ("hands", MatchStep.M1),
        ("rejoin", MatchStep.M2),
        ("points", MatchStep.M2),
        ("winner", MatchStep.M2),
        ("left_out", MatchStep.M2),
        ("outcome", MatchStep.M3),
        ("commission", MatchStep.M3),
        ("delta", MatchStep.M3),
        ("score", MatchStep.M3),
        ("standing", MatchStep.M3),
        ("player", MatchStep.M3),
    ]


def change(match: dict[str, Any], what: str) -> None:
    hands = [event for event in match["events"] if event["type"] == "hand"]
    match what:
        case "match_id" | "table_id":
            match[what] = "00" * 16
        case "format":
            match["format"] = "pool_201"
        case "buy_in" | "commission_bp" | "commission":
            match[what] += 1
        case "hands":
            match["hands"] = match["hands"][::-1]
        case "rejoin":
            match["events"] = [event for event in match["events"] if event["type"] != "rejoin"]
        case "points":
            loser = next(line for line in hands[0]["lines"] if line["seat"] != hands[0]["winner"])
            loser["points"] += 1
        case "winner":
            hands[0]["winner"] = next(line["seat"] for line in hands[0]["lines"] if line["seat"] != hands[0]["winner"])
        case "left_out":
            match["events"].remove(hands[-1])
        case "outcome":
            match["outcome"] = "shared"
        case "delta" | "score":
            match["lines"][0][what] += 1
        case "standing":
            match["lines"][0]["standing"] = "nowhere"
        case "player":
            match["lines"][0]["player_id"] = "00" * 16


@pytest.mark.parametrize(("what", "step"), changes())
def test_a_change_of_the_match_file_is_named(what: str, step: MatchStep) -> None:
    match = deepcopy(POOL["match"])
    change(match, what)
    assert verify_match(match, POOL["hands"], KEYS).failed is step


def test_a_hand_that_does_not_verify_is_missing_or_is_another_one_fails_the_match() -> None:
    changed = deepcopy(POOL["hands"])
    changed[0]["events"][-2]["commission"] = 1
    others = MATCHES["deals"]["hands"]
    for hands in (changed, POOL["hands"][1:], [*POOL["hands"], *others], others):
        assert verify_match(POOL["match"], hands, KEYS).failed is MatchStep.M1


@pytest.mark.parametrize(
    "change", [{"format": "points"}, {"events": [{"type": "?"}]}, {"protocol": "?"}, {"more": 1}, {"hands": ["00"]}]
)
def test_a_file_of_another_form_is_malformed(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        verify_match(POOL["match"] | change, POOL["hands"])


def test_the_command_line_says_what_does_not_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = []
    for number, hand in enumerate(POOL["hands"]):
        names.append(str(tmp_path / f"{number}.json"))
        Path(names[-1]).write_text(json.dumps(hand))
    file = tmp_path / "match.json"
    file.write_text(json.dumps(POOL["match"]))
    assert main(["match", str(file), *names]) == 0
    file.write_text(json.dumps(POOL["match"] | {"commission": 0}))
    assert main(["match", str(file), *names]) == 1
    assert "M3 does not match" in capsys.readouterr().out
    assert main(["match", str(tmp_path / "nothing.json"), *names]) == 2
