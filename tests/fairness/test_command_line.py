"""`python -m fairness` as people run it: what it prints, and its exit codes."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairness.__main__ import DIFFERS, MATCHES, UNREADABLE, main
from fairness.audit import ConsistencyProof, InclusionProof, LeafRange, PlacedLeaf
from fairness.merkle import consistency_proof, inclusion_proof
from fairness.rehearsal import RehearsedHouse
from fairness.rehearsed_players import restless


def write(path: Path, value: object) -> str:
    path.write_text(json.dumps(value))
    return str(path)


class TestVerify:
    def test_a_file_that_matches(self, hand_files: dict[str, Any], tmp_path: Path, capsys) -> None:
        hand = hand_files["hands"][0]
        file, keys = (
            write(tmp_path / "hand.json", hand["own"]),
            write(tmp_path / "keys.json", {"keys": hand_files["keys"]}),
        )
        assert main(["verify", file, "--keys", keys]) == MATCHES
        *steps, verdict = capsys.readouterr().out.splitlines()
        assert [line.split()[:2] for line in steps] == [["ok", f"V{number}"] for number in range(1, 13)]
        assert verdict == f"hand {hand['own']['input']['terms']['hand_id']}: everything matches"

    def test_the_first_thing_that_does_not_match_is_named(self, hand_files, tmp_path: Path, capsys) -> None:
        file = json.loads(json.dumps(hand_files["hands"][0]["public"]))
        file["events"][-2]["commission"] += 1
        assert main(["verify", write(tmp_path / "hand.json", file)]) == DIFFERS
        lines = capsys.readouterr().out.splitlines()
        assert lines[8].startswith("FAIL V9  tokens and commission: the commission is ")
        assert lines[9] == "-    V10 chains and receipts: not reached"
        assert "V9 does not match, tokens and commission: " in lines[-1]

    def test_what_is_no_hand_file(self, tmp_path: Path, capsys) -> None:
        path = tmp_path / "hand.json"
        path.write_bytes(b"\xff")
        assert main(["verify", str(path)]) == DIFFERS
        assert "V1 does not match" in capsys.readouterr().out

    def test_what_is_no_file(self, tmp_path: Path, capsys) -> None:
        assert main(["verify", str(tmp_path / "nothing")]) == UNREADABLE
        assert "No such file" in capsys.readouterr().err

    def test_a_key_list_that_is_none(self, hand_files, tmp_path: Path, capsys) -> None:
        file = write(tmp_path / "hand.json", hand_files["hands"][0]["public"])
        assert main(["verify", file, "--keys", write(tmp_path / "keys.json", [])]) == UNREADABLE
        assert "key list is not an object" in capsys.readouterr().err

    def test_from_standard_input_in_a_process_of_its_own(self, hand_files) -> None:
        data = json.dumps(hand_files["hands"][3]["public"]).encode()
        done = subprocess.run([sys.executable, "-m", "fairness", "verify", "-"], input=data, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode().endswith("everything matches\n")


class TestDeal:
    def run(self, monkeypatch, text: str) -> int:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return main(["deal"])

    def test_the_vectors(self, vectors: dict[str, Any], monkeypatch, capsys) -> None:
        lines = "\n".join(json.dumps(case["input"]) for case in vectors["deal"])
        assert self.run(monkeypatch, lines) == MATCHES
        answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert answers == [case["output"] for case in vectors["deal"]]

    def test_cases_with_an_id_keep_it(self, vectors: dict[str, Any], monkeypatch, capsys) -> None:
        case = vectors["deal"][3]
        assert self.run(monkeypatch, json.dumps({"id": case["id"], "input": case["input"]})) == MATCHES
        assert json.loads(capsys.readouterr().out) == {"id": "deal-03", "output": case["output"]}

    def test_bad_lines_are_named_and_the_others_dealt(self, vectors: dict[str, Any], monkeypatch, capsys) -> None:
        good = vectors["deal"][3]["input"]
        stolen = json.loads(json.dumps(good))
        stolen["contributions"][0]["nonce"] = "00" * 32
        lines = [
            json.dumps(good),
            "{",
            "",
            json.dumps(good | {"server_seed": "00"}),
            json.dumps(stolen),
            json.dumps(good),
        ]
        assert self.run(monkeypatch, "\n".join(lines)) == UNREADABLE
        captured = capsys.readouterr()
        assert len(captured.out.splitlines()) == 2
        first, second, third = captured.err.splitlines()
        assert first.startswith("line 2: this is not JSON")
        assert second == "line 4: line.server_seed has 1 bytes: 32 are needed"
        assert third == "line 5: seat 1: nonce and text do not give the seat's hash"


class TestLog:
    @pytest.fixture
    def files(self, tmp_path: Path) -> dict[str, str]:
        house = RehearsedHouse(3)
        hand = house.play(restless)
        older = house.head()
        house.play(restless)
        head = house.head()
        sizes = older.tree_size, head.tree_size
        places = [index for index, leaf in enumerate(house.leaves) if leaf[1:17] == hand.terms.hand_id]
        placed = [PlacedLeaf(at, house.leaves[at], inclusion_proof(at, head.tree_size, house.nodes)) for at in places]
        content = {
            "keys": {"keys": house.keys.to_json()},
            "older": older.to_json(),
            "head": head.to_json(),
            "consistency": ConsistencyProof(*sizes, consistency_proof(*sizes, house.nodes)).to_json(),
            "inclusion": InclusionProof(head, *placed).to_json(),
            "leaves1": LeafRange(0, tuple(house.leaves[:3])).to_json(),
            "leaves2": LeafRange(3, tuple(house.leaves[3:])).to_json(),
        }
        written = {name: write(tmp_path / f"{name}.json", value) for name, value in content.items()}
        return written | {"hand": hand.terms.hand_id.hex()}

    def all_of(self, files: dict[str, str]) -> list[str]:
        names = ("keys", "older", "head", "consistency", "inclusion", "hand")
        options = [word for name in names for word in (f"--{name}", files[name])]
        return ["log", *options, "--leaves", files["leaves2"], files["leaves1"]]

    def test_an_honest_log(self, files: dict[str, str], capsys) -> None:
        assert main(self.all_of(files)) == MATCHES
        assert capsys.readouterr().out.splitlines()[-1] == "nothing wrong was found"

    @pytest.mark.parametrize("name", ["older", "head", "consistency", "inclusion", "leaves1"])
    def test_a_changed_download(self, files: dict[str, str], capsys, name: str) -> None:
        path = Path(files[name])
        value = json.loads(path.read_text())
        holder = value["close"] if name == "inclusion" else value
        field = {"consistency": "consistency", "inclusion": "inclusion", "leaves1": "leaves"}.get(name)
        if field is None:
            holder["root"] = "00" * 32
        else:
            last = holder[field][-1]
            holder[field][-1] = last[:-1] + ("1" if last[-1] != "1" else "2")
        path.write_text(json.dumps(value))
        assert main(self.all_of(files)) == DIFFERS
        assert "FAIL" in capsys.readouterr().out

    def test_a_proof_about_another_hand(self, files: dict[str, str], capsys) -> None:
        assert main(["log", "--inclusion", files["inclusion"], "--hand", "00" * 16]) == DIFFERS
        assert f"not {'00' * 16}" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ([], "nothing to check"),
            (["--consistency", "consistency"], "give --older and --head"),
            (["--leaves", "leaves1"], "--leaves needs --head"),
            (["--hand", "hand"], "--hand needs --inclusion"),
            (["--head", "consistency"], "tree head.tree_size is missing"),
        ],
    )
    def test_what_cannot_be_checked(self, files: dict[str, str], capsys, options: list[str], words: str) -> None:
        assert main(["log", *(files.get(word, word) for word in options)]) == UNREADABLE
        assert words in capsys.readouterr().err

    def test_a_hand_id_that_is_none(self, capsys) -> None:
        with pytest.raises(SystemExit) as stopped:
            main(["log", "--hand", "xyz"])
        assert stopped.value.code == UNREADABLE
        assert "hand id" in capsys.readouterr().err
