import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairness.encoding import Malformed
from fairness.hand_file import HandFile, LogProof, hand_file
from fairness.json_form import Fields
from fairness.receipts import CommitReceipt, HashesReceipt
from fairness.signing import KeyRing

NAMES = (
    "declared",
    "declared_by_one_of_four",
    "wrong_declare",
    "clock",
    "leaving",
    "drops",
    "stock_exhausted",
    "void_before_list",
    "void_before_roster",
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(params=NAMES)
def case(request: pytest.FixtureRequest, hand_files: dict[str, Any]) -> dict[str, Any]:
    return next(hand for hand in hand_files["hands"] if hand["name"] == request.param)


def test_every_ending_has_a_file(hand_files: dict[str, Any]) -> None:
    assert tuple(hand["name"] for hand in hand_files["hands"]) == NAMES
    types = {event["type"] for hand in hand_files["hands"] for event in hand["public"]["events"]}
    assert len(types) == 14


def test_files_round_trip(case: dict[str, Any]) -> None:
    for which in ("public", "own"):
        assert json.loads(json.dumps(HandFile.from_json(case[which]).to_json())) == case[which]


def test_a_file_is_built_from_what_the_house_stored(case: dict[str, Any], hand_files: dict[str, Any]) -> None:
    read = HandFile.from_json(case["public"])
    receipts = [receipt for part in HandFile.from_json(case["own"]).seats.values() for receipt in part.receipts()]
    stored = {
        "terms": read.terms,
        "events": read.events,
        "commit_receipt": read.commit_receipt,
        "hashes_receipt": read.hashes_receipt,
        "log": read.log,
        "keys": KeyRing.from_json({"keys": hand_files["keys"]}),
    }
    assert hand_file(**stored) == case["public"]
    assert hand_file(**stored, receipts=receipts) == case["own"]
    with pytest.raises(ValueError, match="only a finished hand"):
        hand_file(**stored | {"events": read.events[:-1]})


def test_a_file_carries_the_keys_of_its_days_only(hand_files: dict[str, Any]) -> None:
    read = HandFile.from_json(hand_files["hands"][0]["public"])
    early = read.commit_receipt.to_json() | {"at_ms": 0}
    built = hand_file(
        terms=read.terms,
        events=read.events,
        commit_receipt=CommitReceipt.read(Fields(early, "x")),
        hashes_receipt=HashesReceipt(b"", 0, bytes(64)),
        log=LogProof(0, read.log.head, 0, (), ()),
        keys=KeyRing(()),
    )
    assert built["keys"] == []


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        (("protocol",), "rummy-fair/2", "file.protocol is 'rummy-fair/2'"),
        (("input", "server_seed"), "00", "file.input.server_seed has 1 bytes"),
        (("input", "contributions"), [], "not one for each player"),
        (("input", "terms", "seats"), 5, "seats is 5"),
        (("input", "terms", "players", 0, "player_id"), None, "player_id is not lower-case hex"),
        (("events",), {}, "file.events is not a list"),
        (("events",), [{"type": "dealt"}] * 10_001, "at most 10000"),
        (("events", 3, "card"), 159, r"file.events\[3\].card is 159"),
        (("heads", 0), "AB" * 32, r"file.heads\[0\] is not lower-case hex"),
        (("seats",), {}, "not one entry for each player"),
        (("commit_receipt", "inclusion"), ["00" * 32] * 65, "at most 64"),
        (("hashes_receipt",), 7, "file.hashes_receipt is not an object"),
        (("close_index",), -1, "file.close_index is -1"),
        (("sth", "at_ms"), 2**53, "file.sth.at_ms"),
        (("sth", "extra"), 1, "file.sth has an unknown field 'extra'"),
        (("extra",), 1, "file has an unknown field 'extra'"),
        (("keys", 0, "last_day"), "never", "last_day is 'never'"),
    ],
)
def test_what_breaks_the_form_is_named(hand_files: dict[str, Any], path, value, words: str) -> None:
    file = copy.deepcopy(hand_files["hands"][0]["own"])
    *parents, last = path
    inner = file
    for name in parents:
        inner = inner[name]
    inner[last] = value
    with pytest.raises(Malformed, match=words):
        HandFile.from_json(file)


@settings(max_examples=300, deadline=None)
@given(JSON)
def test_any_json_is_read_or_refused(value: object) -> None:
    with pytest.raises(Malformed):
        HandFile.from_json(value)
