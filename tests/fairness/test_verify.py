"""The verifier against honest hands, every change of one thing, and a house that works its chains out again."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairness import events as record
from fairness.checks import HandUnderCheck, Mismatch, Step
from fairness.event_codec import event_from_json, event_to_json
from fairness.events import Event
from fairness.hand_file import MAX_FILE_BYTES, HandFile
from fairness.merkle import inclusion_proof
from fairness.rehearsal import RehearsedHouse
from fairness.rehearsed_players import restless
from fairness.signing import KeyRing, SigningKey
from fairness.transcript import Transcript
from fairness.verify import verify_bytes, verify_hand
from tests.fairness.tampering import Tampering, tamperings

HANDS = {
    hand["name"]: hand
    for hand in json.loads((Path(__file__).parents[1] / "vectors" / "hand_files.json").read_text())["hands"]
}
SMALL = ("declared_by_one_of_four", "clock", "void_before_list", "void_before_roster")
"""Hands small enough for every single change of both their files."""


def failed_step(file: object, keys: KeyRing | None = None) -> Step | None:
    failure = verify_hand(file, keys).first_failure
    return None if failure is None else failure.step


class TestHonestHands:
    def test_every_file_verifies_with_and_without_published_keys(self, hand_files: dict[str, Any]) -> None:
        published = KeyRing.from_json({"keys": hand_files["keys"]})
        for hand in hand_files["hands"]:
            for which in ("public", "own"):
                for keys in (None, published):
                    report = verify_hand(hand[which], keys)
                    assert report.ok, (hand["name"], which, report.first_failure)
                    assert report.hand_id == hand["public"]["input"]["terms"]["hand_id"]
                    assert [result.step for result in report.results] == list(Step)

    def test_hands_of_the_vectors_verify(self, vectors: dict[str, Any]) -> None:
        for hand in vectors["hands"]:
            report = verify_hand(vector_file(hand))
            assert report.ok, report.first_failure

    def test_many_random_hands_verify(self) -> None:
        house = RehearsedHouse(99)
        for _ in range(25):
            hand = house.play(restless)
            for file in (hand.public, *hand.own.values()):
                report = verify_hand(file, house.keys)
                assert report.ok, report.first_failure


def vector_file(hand: dict[str, Any]) -> dict[str, Any]:
    """A hand of the vectors as a hand file: its key gets the statement that the vectors do not have."""
    key = SigningKey.from_secret(bytes.fromhex(hand["signing_secret_for_tests"]), date(2026, 1, 1), date(2026, 12, 31))
    seats = copy.deepcopy(hand["seats"])
    for name in ("contribution_receipt", "reveal_receipt"):
        seats[str(hand[name]["seat"])][name] = hand[name]
    seats[str(hand["state_receipt"]["seat"])]["state_receipts"] = [hand["state_receipt"]]
    return {
        "protocol": "rummy-fair/1",
        "input": hand["input"],
        "terms_hash": hand["deal"]["terms_hash"],
        "commitment": hand["deal"]["commitment"],
        "events": hand["events"],
        "heads": hand["heads"],
        "seats": seats,
        "commit_receipt": hand["commit_receipt"],
        "hashes_receipt": hand["hashes_receipt"],
        "close_index": hand["close_index"],
        "sth": hand["sth"],
        "keys": [key.published.to_json()],
    }


class TestTampering:
    """Change any one thing: the verifier rejects the file and names a step."""

    @pytest.mark.parametrize("which", ["public", "own"])
    @pytest.mark.parametrize("name", SMALL)
    def test_every_change_of_a_small_file(self, name: str, which: str) -> None:
        file = HANDS[name][which]
        accepted = [one for one in tamperings(file) if verify_hand(one.apply(file)).ok]
        assert [one for one in accepted if not is_no_lie(one)] == []

    @settings(max_examples=400, deadline=None)
    @given(st.data())
    def test_any_change_of_any_file(self, data: st.DataObject) -> None:
        file = HANDS[data.draw(st.sampled_from(sorted(HANDS)))][data.draw(st.sampled_from(("public", "own")))]
        changes = list(tamperings(file))
        one = changes[data.draw(st.integers(0, len(changes) - 1))]
        assert is_no_lie(one) or failed_step(one.apply(file)) is not None


def is_no_lie(one: Tampering) -> bool:
    """Whether a change says nothing false: receipts that a player kept may be left out, doubled, in any order."""
    optional = ("contribution_receipt", "reveal_receipt", "state_receipts")
    if one.path[0] == "seats" and (one.path[-1] in optional or one.path[-2] in optional):
        return one.what in ("leave out", "double", "swap")
    if one.path[0] == "keys" and len(one.path) == 2:
        return one.what == "double"
    return False


class Forgery:
    """A file whose maker changed something and then worked out terms hash, commitment and heads again."""

    def __init__(self, file: dict[str, Any]) -> None:
        self.file = copy.deepcopy(file)
        self.events = [event_from_json(event) for event in file["events"]]

    def find(self, kind: type[Event], wanted: Callable[[Any], bool] = lambda event: True) -> int:
        return next(k for k, event in enumerate(self.events) if isinstance(event, kind) and wanted(event))

    def change(self, kind: type[Event], **changes: Any) -> "Forgery":
        k = self.find(kind)
        self.events[k] = replace(self.events[k], **changes)
        return self

    def finish(self) -> dict[str, Any]:
        hand = HandFile.from_json(self.file)
        self.file["events"] = [event_to_json(event) for event in self.events]
        heads = Transcript(hand.claimed_th, hand.claimed_commitment, self.events).heads
        self.file["heads"] = [head.hex() for head in heads]
        return self.file


def forge(name: str) -> Forgery:
    return Forgery(HANDS[name]["public"])


class TestForgery:
    """What chains and receipts alone would not show: each lie is named by the step that knows better."""

    @pytest.mark.parametrize("kind", [record.WildTurned, record.PileOpened])
    def test_another_card_turned_up(self, kind: type[Event]) -> None:
        forgery = forge("declared")
        card = forgery.events[forgery.find(kind)].card
        assert failed_step(forgery.change(kind, card=(card + 1) % 106).finish()) is Step.V5

    @pytest.mark.parametrize(
        ("name", "kind", "changes", "step"),
        [
            ("declared", record.Discarded, {"card": 105}, Step.V6),
            ("declared", record.Discarded, {"seat": 3}, Step.V6),
            ("declared", record.Discarded, {"auto": True}, Step.V6),
            ("declared", record.DrewFromStock, {"auto": True}, Step.V6),
            ("declared", record.DrewFromPile, {"card": 105}, Step.V6),
            ("declared", record.Declared, {"finish_card": 105}, Step.V6),
            ("declared", record.Declared, {"groups": ((1, 2, 3),)}, Step.V6),
            ("declared", record.Declared, {"valid": False}, Step.V8),
            ("declared", record.Shown, {"points": 130}, Step.V8),
            ("declared", record.Shown, {"cards": tuple(range(13))}, Step.V8),
            ("declared", record.Settled, {"winner": None}, Step.V9),
            ("declared", record.Settled, {"outcome": record.Outcome.LAST_IN}, Step.V9),
            ("declared", record.Settled, {"commission": 7}, Step.V9),
            ("wrong_declare", record.Declared, {"valid": True}, Step.V8),
            ("drops", record.WentOut, {"points": 21}, Step.V8),
            ("leaving", record.WentOut, {"how": record.How.MISSED_TURNS}, Step.V6),
            ("stock_exhausted", record.Reshuffled, {"stock_count": 9}, Step.V7),
            ("stock_exhausted", record.Reshuffled, {"number": 2}, Step.V7),
            ("stock_exhausted", record.Voided, {"reason": record.VoidReason.NOT_ENOUGH_PLAYERS}, Step.V12),
        ],
    )
    def test_one_event_says_something_else(self, name, kind, changes, step: Step) -> None:
        """A void that names another reason is a void that the rules allow at any time: the close leaf knows better."""
        assert failed_step(forge(name).change(kind, **changes).finish()) is step

    def test_one_delta_is_another(self) -> None:
        forgery = forge("drops")
        settle = forgery.events[-2]
        assert isinstance(settle, record.Settled)
        first, *rest = settle.lines
        assert (
            failed_step(forgery.change(record.Settled, lines=(replace(first, delta=first.delta + 1), *rest)).finish())
            is Step.V9
        )
        points = (replace(first, points=first.points + 1), *rest)
        assert failed_step(forge("drops").change(record.Settled, lines=points).finish()) is Step.V9

    @pytest.mark.parametrize(
        ("name", "kind", "step"),
        [
            ("stock_exhausted", record.Reshuffled, Step.V7),
            ("declared", record.Shown, Step.V8),
            ("declared", record.Discarded, Step.V6),
            ("drops", record.WentOut, Step.V6),
            ("declared", record.Settled, Step.V6),
        ],
    )
    def test_one_event_is_gone(self, name: str, kind: type[Event], step: Step) -> None:
        forgery = forge(name)
        del forgery.events[forgery.find(kind)]
        assert failed_step(forgery.finish()) is step

    def test_two_events_change_places(self) -> None:
        forgery = forge("declared")
        forgery.events[4:6] = [
            replace(event, at_ms=forgery.events[4].at_ms) for event in (forgery.events[5], forgery.events[4])
        ]
        assert failed_step(forgery.finish()) is Step.V6

    def test_an_event_is_repeated(self) -> None:
        forgery = forge("declared")
        forgery.events.insert(5, forgery.events[5])
        assert failed_step(forgery.finish()) is Step.V6

    def test_the_hand_stops_before_its_end(self) -> None:
        forgery = forge("declared")
        forgery.events = [*forgery.events[:10], *forgery.events[-2:]]
        assert failed_step(forgery.finish()) is Step.V6

    def test_a_hand_that_was_never_dealt_has_no_winner(self) -> None:
        for lie in ({"outcome": record.Outcome.LAST_IN}, {"winner": 0}):
            assert failed_step(forge("void_before_list").change(record.Settled, **lie).finish()) is Step.V9

    def test_a_hand_that_was_never_dealt_cannot_run_out_of_stock(self) -> None:
        forgery = forge("void_before_list")
        changed = forgery.change(record.Voided, reason=record.VoidReason.STOCK_EXHAUSTED).finish()
        assert failed_step(changed) is Step.V6


class TestSteps:
    """Each step names what belongs to it."""

    @pytest.fixture
    def file(self) -> dict[str, Any]:
        return copy.deepcopy(HANDS["declared_by_one_of_four"]["own"])

    def given_line(self, file: dict[str, Any]) -> dict[str, Any]:
        return next(line for line in file["input"]["contributions"] if line["status"] == "given")

    def test_v2_other_terms(self, file: dict[str, Any]) -> None:
        file["input"]["terms"]["rate"] += 1
        assert failed_step(file) is Step.V2

    def test_v3_another_seed(self, file: dict[str, Any]) -> None:
        file["input"]["server_seed"] = "00" * 32
        assert failed_step(file) is Step.V3

    def test_v3_another_seed_in_the_reveal(self, file: dict[str, Any]) -> None:
        file["events"][-1]["server_seed"] = "00" * 32
        assert failed_step(file) is Step.V3

    def test_v4_another_nonce(self, file: dict[str, Any]) -> None:
        self.given_line(file)["nonce"] = "00" * 32
        assert failed_step(file) is Step.V4

    @pytest.mark.parametrize("text", [b"\x07", b"\xff", b"\xed\xa0\x80"])
    def test_v4_a_text_that_is_not_allowed(self, file: dict[str, Any], text: bytes) -> None:
        self.given_line(file)["text_hex"] = text.hex()
        assert failed_step(file) is Step.V4

    def test_v4_without_the_signed_list(self, file: dict[str, Any]) -> None:
        file["hashes_receipt"] = None
        assert failed_step(file) is Step.V4

    def test_v4_another_signed_list(self, file: dict[str, Any]) -> None:
        file["hashes_receipt"]["hashes"] = "00"
        assert failed_step(file) is Step.V4

    def test_v6_rules_that_nobody_plays(self, file: dict[str, Any]) -> None:
        hand = HandFile.from_json(file)
        terms = replace(hand.terms, rules=hand.terms.rules | {"aces_wild": "1"})
        with pytest.raises(Mismatch, match="aces_wild"):
            HandUnderCheck(replace(hand, terms=terms), None).check_moves()

    def test_v10_another_head(self, file: dict[str, Any]) -> None:
        file["heads"][3] = "00" * 32
        report = verify_hand(file)
        assert report.first_failure is not None
        assert report.first_failure.step is Step.V10
        assert report.first_failure.words.startswith("h(2) is ")
        assert [result.ok for result in report.results] == [True] * 9 + [False] + [None] * 2

    def test_v10_other_private_cards(self, file: dict[str, Any]) -> None:
        seat = next(iter(file["seats"].values()))
        seat["private"][0]["cards"].reverse()
        assert failed_step(file) is Step.V10

    def test_v10_receipts_of_another_history(self, file: dict[str, Any]) -> None:
        states = next(part["state_receipts"] for part in file["seats"].values() if "state_receipts" in part)
        for name, value in (("head", "00" * 32), ("seat_head", "00" * 32), ("k", 9_000), ("seat", 7)):
            changed = copy.deepcopy(file)
            part = next(part for part in changed["seats"].values() if "state_receipts" in part)
            part["state_receipts"][0] = states[0] | {name: value}
            assert failed_step(changed) is Step.V10

    def test_v11_other_signatures(self, file: dict[str, Any]) -> None:
        for path in (("commit_receipt",), ("hashes_receipt",), ("sth",), ("keys", 0)):
            changed = copy.deepcopy(file)
            inner: Any = changed
            for name in path:
                inner = inner[name]
            inner["signature"] = "00" * 64
            assert failed_step(changed) is Step.V11

    def test_v11_keys_that_the_house_did_not_publish(self, file: dict[str, Any]) -> None:
        assert failed_step(file, RehearsedHouse(1).keys) is Step.V11

    def test_v11_no_keys(self, file: dict[str, Any]) -> None:
        file["keys"] = []
        assert failed_step(file) is Step.V11

    def test_v11_a_key_that_was_not_valid_then(self, file: dict[str, Any]) -> None:
        hand = HandFile.from_json(file)
        rehearsed = RehearsedHouse(20_260_901).key
        late = SigningKey.from_secret(rehearsed.secret, date(2027, 1, 1), date(2027, 12, 31))
        with pytest.raises(Mismatch, match="valid from 2027-01-01"):
            HandUnderCheck(replace(hand, keys=KeyRing((late.published,))), None).check_signatures()

    def test_v12_another_place_in_the_log(self, file: dict[str, Any]) -> None:
        file["close_index"] -= 1
        assert failed_step(file) is Step.V12

    def test_v12_a_proof_from_another_size(self, file: dict[str, Any]) -> None:
        file["sth"]["consistency_from"] += 1
        assert failed_step(file) is Step.V12


def test_a_log_that_was_started_again_is_named_v12() -> None:
    """The same hand under a second log of the same house: the commit receipt's tree is not its beginning."""
    house, second = RehearsedHouse(5), RehearsedHouse(5)
    hand = house.play(restless)
    second.others_come_and_go()
    second.others_come_and_go()
    other = second.play(restless)
    file = HandFile.from_json(hand.public)
    forged = replace(file, log=HandFile.from_json(other.public).log)
    assert failed_step(json.loads(json.dumps(forged.to_json()))) is Step.V12
    assert inclusion_proof(0, 1, house.nodes) == ()


class TestUnreadable:
    """Malformed files fail V1 with words."""

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"", "not JSON"),
            (b"\xff\xfe", "not UTF-8 at byte 0"),
            (b"[]", "file is not an object"),
            (b"{}", "file.protocol is missing"),
            (b'{"protocol": 1e9}', "not an integer"),
            (b"[" * 200_000, "nested too deeply|not JSON"),
            (b" " * (MAX_FILE_BYTES + 1), "no hand needs more"),
        ],
    )
    def test_bytes(self, data: bytes, words: str) -> None:
        failure = verify_bytes(data).first_failure
        assert failure is not None
        assert failure.step is Step.V1
        assert any(part in failure.words for part in words.split("|"))

    @settings(max_examples=200, deadline=None)
    @given(st.data())
    def test_any_value_in_any_place_gets_an_answer(self, data: st.DataObject) -> None:
        file = HANDS["declared_by_one_of_four"]["own"]
        place = data.draw(st.sampled_from([one.path for one in tamperings(file) if one.what == "change"]))
        value = data.draw(
            st.none()
            | st.booleans()
            | st.integers()
            | st.text(max_size=70)
            | st.lists(st.integers(), max_size=2)
            | st.sampled_from(("", "00" * 32, "ff" * 32, 255, 0, 13, 2**53, {}))
        )
        changed = Tampering(place, "change", value).apply(file)
        assert verify_hand(changed).ok == (json.dumps(changed) == json.dumps(file))

    def test_honest_bytes(self) -> None:
        assert verify_bytes(json.dumps(HANDS["drops"]["public"]).encode()).ok
