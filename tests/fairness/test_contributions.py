import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness.contributions import (
    Contribution,
    ContributionRefused,
    ContributionRound,
    RefusalCode,
    Roster,
    Status,
    Step,
    check_text,
    contribution_hash,
    decode_hashes,
    encode_hashes,
    text_from_str,
)
from fairness.encoding import Hash, Malformed
from fairness.json_form import Fields

TH = Hash(bytes(range(32)))
NONCE = bytes(reversed(range(32)))
HASHES = st.binary(min_size=32, max_size=32).map(Hash)


@st.composite
def rosters(draw) -> Roster:
    seats = sorted(draw(st.sets(st.integers(0, 7), min_size=1)))
    return Roster(tuple(draw(contributions_at(seat)) for seat in seats))


def contributions_at(seat: int) -> st.SearchStrategy[Contribution]:
    return st.one_of(
        st.just(Contribution(seat, Status.NONE)),
        st.builds(Contribution, st.just(seat), st.just(Status.WITHHELD), HASHES),
        st.builds(Contribution, st.just(seat), st.just(Status.GIVEN), HASHES, HASHES, st.binary(max_size=256)),
    )


def refusal(act) -> RefusalCode:
    with pytest.raises(ContributionRefused) as refused:
        act()
    assert refused.value.words
    return refused.value.code


class TestText:
    @pytest.mark.parametrize("text", ["", "kolkata", "আমার ভাগ্য", "é" * 128, "x" * 256, "\u00a0", "\U0010ffff"])
    def test_what_may_be_typed(self, text: str) -> None:
        assert text_from_str(text) == text.encode()

    @pytest.mark.parametrize(
        ("data", "code"),
        [
            (b"x" * 257, RefusalCode.TEXT_TOO_LONG),
            (b"x" * 10_000_000, RefusalCode.TEXT_TOO_LONG),
            (b"\xff", RefusalCode.TEXT_NOT_UTF8),
            (b"\xc0\xaf", RefusalCode.TEXT_NOT_UTF8),
            (b"\xed\xa0\x80", RefusalCode.TEXT_NOT_UTF8),
            (b"\xe0\xa6", RefusalCode.TEXT_NOT_UTF8),
            (b"\xf4\x90\x80\x80", RefusalCode.TEXT_NOT_UTF8),
            (b"a\x00", RefusalCode.TEXT_CONTROL_CHARACTERS),
            (b"\x1f", RefusalCode.TEXT_CONTROL_CHARACTERS),
            (b"\x7f", RefusalCode.TEXT_CONTROL_CHARACTERS),
            ("\u009f".encode(), RefusalCode.TEXT_CONTROL_CHARACTERS),
        ],
    )
    def test_what_is_refused(self, data: bytes, code: RefusalCode) -> None:
        assert refusal(lambda: check_text(data)) is code

    def test_a_lone_surrogate_is_refused_in_words(self) -> None:
        assert refusal(lambda: text_from_str("\ud800")) is RefusalCode.TEXT_NOT_UTF8

    def test_nobody_normalises_behind_the_players_back(self) -> None:
        decomposed = "e\u0301"
        assert text_from_str(decomposed) == b"e\xcc\x81"


class TestRoster:
    def test_vectors(self, vectors: dict[str, Any]) -> None:
        for case in vectors["deal"]:
            roster = Roster.read(Fields(case["input"], "input"))
            assert roster.encode().hex() == case["output"]["roster"]
            assert roster.hash().hex() == case["output"]["roster_hash"]
            assert roster.to_json() == case["input"]["contributions"]
            roster.check(bytes.fromhex(case["output"]["terms_hash"]))

    @given(rosters())
    def test_bytes_and_json_round_trip(self, roster: Roster) -> None:
        assert Roster.decode(roster.encode()) == roster
        assert Roster.read(Fields({"contributions": json.loads(json.dumps(roster.to_json()))}, "x")) == roster
        assert decode_hashes(roster.hashes()) == tuple((one.seat, one.hash) for one in roster.contributions)

    @given(st.binary(max_size=400))
    def test_any_bytes_are_read_or_refused(self, data: bytes) -> None:
        for decode in (Roster.decode, decode_hashes):
            with contextlib.suppress(Malformed):
                decode(data)

    @given(rosters(), st.data())
    def test_a_changed_byte_never_reads_as_the_same(self, roster: Roster, data: st.DataObject) -> None:
        encoded = bytearray(roster.encode())
        place = data.draw(st.integers(0, len(encoded) - 1))
        encoded[place] ^= 1 << data.draw(st.integers(0, 7))
        with contextlib.suppress(Malformed):
            assert Roster.decode(bytes(encoded)) != roster

    def test_fields_belong_to_their_status(self) -> None:
        for arguments in (
            (Status.NONE, TH),
            (Status.WITHHELD, None),
            (Status.WITHHELD, TH, NONCE, b""),
            (Status.GIVEN, TH),
            (Status.GIVEN, None, NONCE, b""),
            (Status.GIVEN, TH, b"short", b""),
            (Status.GIVEN, TH, NONCE, b"x" * 257),
        ):
            with pytest.raises(Malformed):
                Contribution(0, *arguments)

    def test_seats_are_ascending(self) -> None:
        with pytest.raises(Malformed, match="ascending"):
            Roster((Contribution(1, Status.NONE), Contribution(0, Status.NONE)))

    def test_check_names_the_seat(self) -> None:
        wrong = Roster((Contribution(3, Status.GIVEN, TH, NONCE, b"x"),))
        with pytest.raises(ContributionRefused, match="seat 3: nonce and text do not give"):
            wrong.check(TH)
        bell = contribution_hash(TH, 3, NONCE, b"\x07")
        with pytest.raises(ContributionRefused, match="seat 3: the text holds a control character"):
            Roster((Contribution(3, Status.GIVEN, bell, NONCE, b"\x07"),)).check(TH)

    def test_repr_shows_neither_nonce_nor_text(self) -> None:
        shown = repr(Contribution(0, Status.GIVEN, TH, NONCE, b"my secret"))
        assert "secret" not in shown
        assert "nonce" not in shown


class TestRound:
    @pytest.fixture
    def opened(self) -> ContributionRound:
        return ContributionRound(TH, (0, 2, 5))

    def hash_of(self, seat: int, text: bytes = b"") -> Hash:
        return contribution_hash(TH, seat, NONCE, text)

    def test_two_steps_to_a_roster(self, opened: ContributionRound) -> None:
        assert opened.submit_hash(0, self.hash_of(0))
        assert opened.submit_hash(2, self.hash_of(2, b"luck"))
        assert not opened.everyone_answered
        hashes = opened.close_hashes()
        assert hashes == encode_hashes([(0, self.hash_of(0)), (2, self.hash_of(2, b"luck")), (5, None)])
        assert opened.reveal(2, NONCE, b"luck")
        assert not opened.everyone_answered
        roster = opened.close()
        assert [one.status for one in roster.contributions] == [Status.WITHHELD, Status.GIVEN, Status.NONE]
        roster.check(TH)
        assert roster.hashes() == hashes

    def test_everyone_answered_in_each_step(self, opened: ContributionRound) -> None:
        for seat in (0, 2, 5):
            assert not opened.everyone_answered
            opened.submit_hash(seat, self.hash_of(seat))
        assert opened.everyone_answered
        opened.close_hashes()
        for seat in (0, 2, 5):
            assert not opened.everyone_answered
            opened.reveal(seat, NONCE, b"")
        assert opened.everyone_answered

    def test_nobody_to_wait_for_after_a_list_without_hashes(self, opened: ContributionRound) -> None:
        opened.close_hashes()
        assert opened.everyone_answered

    def test_a_repeat_is_answered_the_same_at_any_time(self, opened: ContributionRound) -> None:
        opened.submit_hash(0, self.hash_of(0))
        assert not opened.submit_hash(0, self.hash_of(0))
        opened.close_hashes()
        assert not opened.submit_hash(0, self.hash_of(0))
        opened.reveal(0, NONCE, b"")
        assert not opened.reveal(0, NONCE, b"")
        opened.close()
        assert not opened.reveal(0, NONCE, b"")

    def test_refusals_leave_the_seat_free(self, opened: ContributionRound) -> None:
        assert refusal(lambda: opened.submit_hash(1, TH)) is RefusalCode.NOT_A_PLAYER
        assert refusal(lambda: opened.submit_hash(0, b"")) is RefusalCode.HASH_LENGTH
        assert refusal(lambda: opened.submit_hash(0, bytes(10_000_000))) is RefusalCode.HASH_LENGTH
        assert refusal(lambda: opened.reveal(0, NONCE, b"")) is RefusalCode.TOO_EARLY
        assert opened.submit_hash(0, self.hash_of(0, b"ok"))
        assert refusal(lambda: opened.submit_hash(0, TH)) is RefusalCode.ALREADY_GIVEN
        opened.close_hashes()
        assert refusal(lambda: opened.submit_hash(2, TH)) is RefusalCode.TOO_LATE
        assert refusal(lambda: opened.reveal(2, NONCE, b"")) is RefusalCode.NO_HASH_GIVEN
        assert refusal(lambda: opened.reveal(0, b"", b"ok")) is RefusalCode.NONCE_LENGTH
        assert refusal(lambda: opened.reveal(0, NONCE, b"\xff")) is RefusalCode.TEXT_NOT_UTF8
        assert refusal(lambda: opened.reveal(0, NONCE, bytes(300))) is RefusalCode.TEXT_TOO_LONG
        assert refusal(lambda: opened.reveal(0, NONCE, b"other")) is RefusalCode.DOES_NOT_MATCH_HASH
        assert opened.reveal(0, NONCE, b"ok")
        assert refusal(lambda: opened.reveal(0, NONCE, b"other")) is RefusalCode.ALREADY_GIVEN
        opened.close()
        assert refusal(lambda: opened.reveal(2, NONCE, b"")) is RefusalCode.TOO_LATE

    def test_an_empty_text_counts_as_given(self, opened: ContributionRound) -> None:
        opened.submit_hash(0, self.hash_of(0))
        opened.close_hashes()
        opened.reveal(0, NONCE, b"")
        assert opened.close().contributions[0].status is Status.GIVEN

    def test_an_unfinished_round_gives_nobody_as_given(self, opened: ContributionRound) -> None:
        opened.submit_hash(0, self.hash_of(0))
        opened.submit_hash(2, self.hash_of(2))
        opened.close_hashes()
        opened.reveal(0, NONCE, b"")
        roster = opened.close_unfinished()
        assert [one.status for one in roster.contributions] == [Status.WITHHELD, Status.WITHHELD, Status.NONE]

    @pytest.mark.parametrize("step", list(Step))
    def test_a_stored_round_goes_on_where_it_was(self, opened: ContributionRound, step: Step) -> None:
        opened.submit_hash(2, self.hash_of(2, b"luck"))
        if step is not Step.HASHES:
            opened.close_hashes()
            opened.reveal(2, NONCE, b"luck")
        if step is Step.CLOSED:
            opened.close()
        again = ContributionRound.from_json(json.loads(json.dumps(opened.to_json())))
        assert again.step is step
        assert again.to_json() == opened.to_json()
        assert again.close() == opened.close()

    def test_a_stored_round_that_breaks_its_own_rules_is_refused(self, opened: ContributionRound) -> None:
        opened.submit_hash(2, self.hash_of(2))
        opened.close_hashes()
        opened.reveal(2, NONCE, b"")
        stored = json.loads(json.dumps(opened.to_json()))
        stored["reveals"][0]["text_hex"] = "00"
        with pytest.raises(ContributionRefused):
            ContributionRound.from_json(stored)
        stored["step"] = "maybe"
        with pytest.raises(Malformed):
            ContributionRound.from_json(stored)
