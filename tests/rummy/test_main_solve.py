"""`python -m rummy solve`, as people and programs use it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rummy.solve_lines import LONGEST_LINE, MalformedLine, answer_lines, parse_question

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "solver_hands.json").read_text())
CARDS = ["5H", "3S", "JH", "6H", "8D", "5D", "JH", "10C", "7H", "4S", "2H", "2H", "7S"]
GOOD = {"id": "a", "cards": CARDS, "wild": "J", "decks": 2}


def solve(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rummy", "solve", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_all_vectors_come_out_right() -> None:
    done = solve("".join(json.dumps(vector) + "\n" for vector in VECTORS))
    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(a["id"], a["points"], a["can_declare"]) for a in answers] == [
        (v["id"], v["points"], v["can_declare"]) for v in VECTORS
    ]
    for answer, vector in zip(answers, VECTORS, strict=True):
        shown = [card for group in answer["groups"] for card in group["cards"]] + answer["deadwood"]
        assert sorted(shown) == sorted(vector["cards"])


def test_an_answer_has_this_shape() -> None:
    assert json.loads(solve(json.dumps(GOOD)).stdout) == {
        "id": "a",
        "points": 27,
        "can_declare": False,
        "groups": [
            {"kind": "pure", "cards": ["5H", "6H", "7H"]},
            {"kind": "impure", "cards": ["3S", "4S", "JH", "JH", "7S"]},
        ],
        "deadwood": ["10C", "5D", "8D", "2H", "2H"],
    }


def test_malformed_lines_are_named_and_the_others_answered() -> None:
    done = solve("\n".join([json.dumps(GOOD), "", "{", json.dumps({**GOOD, "id": 4}), json.dumps({**GOOD, "wild": 7})]))
    assert done.returncode == 2
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["a", 4]
    assert [line.partition(":")[0] for line in done.stderr.splitlines()] == ["line 3", "line 5"]
    assert "wild is 7: allowed are A 2 3" in done.stderr


def test_a_file_is_read_as_well(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(json.dumps(GOOD))
    done = solve("", str(file))
    assert (done.returncode, json.loads(done.stdout)["points"]) == (0, 27)


def test_a_file_that_is_not_there_is_said_in_one_line(tmp_path: Path) -> None:
    done = solve("", str(tmp_path / "none"))
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1


# line | what is wrong with it
MALFORMED: list[tuple[bytes | object, str]] = [
    (b"{", "not JSON"),
    (b"\xff\xfe{}", "not JSON"),
    (b"[" * 9_000, "not JSON"),
    (b" " * LONGEST_LINE + b"1", "bytes long"),
    (b"[]", "not a JSON object"),
    ({}, "id and cards and wild and decks missing"),
    ({**GOOD, "id": None}, "id is null"),
    ({**GOOD, "id": True}, "id is true"),
    ({**GOOD, "cards": "5H"}, "cards: 13 are needed, this is no list"),
    ({**GOOD, "cards": CARDS[:12]}, "cards: 13 are needed, this is 12 of them"),
    ({**GOOD, "cards": [*CARDS, "AS"]}, "cards: 13 are needed, this is 14 of them"),
    ({**GOOD, "cards": [*CARDS[:12], "1H"]}, "'1H' is no card"),
    ({**GOOD, "cards": [*CARDS[:12], "10h"]}, "'10h' is no card"),
    ({**GOOD, "cards": [*CARDS[:12], 7]}, "'7' is no card"),
    ({**GOOD, "cards": [*CARDS[:12], None]}, "'null' is no card"),
    ({**GOOD, "cards": [*CARDS[:12], "2H"]}, "2H is there 3 times, and 2 decks have 2"),
    ({**GOOD, "cards": [*CARDS[:9], *["PJ"] * 4], "decks": 3}, "PJ is there 4 times, and 3 decks have 3"),
    ({**GOOD, "wild": "1"}, 'wild is "1"'),
    ({**GOOD, "wild": "JH"}, 'wild is "JH"'),
    ({**GOOD, "wild": None}, "wild is null"),
    ({**GOOD, "wild": ["J"]}, "wild is"),
    ({**GOOD, "decks": 1}, "decks is 1: a table has 2 or 3"),
    ({**GOOD, "decks": 4}, "decks is 4"),
    ({**GOOD, "decks": "2"}, 'decks is "2"'),
    ({**GOOD, "decks": 2.0}, "decks is 2.0"),
    ({**GOOD, "decks": True}, "decks is true"),
    ({**GOOD, "decks": [2]}, "decks is"),
]


@pytest.mark.parametrize(("line", "reason"), MALFORMED)
def test_what_is_malformed(line: bytes | object, reason: str) -> None:
    with pytest.raises(MalformedLine) as refused:
        parse_question(line if isinstance(line, bytes) else json.dumps(line).encode())
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_three_decks_have_three_copies_and_a_printed_joker_makes_only_jokers_wild() -> None:
    cards = ["PJ", "PJ", "PJ", *CARDS[:10]]
    answers = list(answer_lines([json.dumps({**GOOD, "cards": cards, "wild": "PJ", "decks": 3}).encode()]))
    assert [number for number, _ in answers] == [1]
    assert not isinstance(answers[0][1], MalformedLine)
