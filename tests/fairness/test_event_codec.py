import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness import events as record
from fairness.contributions import Contribution, Roster, Status
from fairness.encoding import Malformed, u8, u64
from fairness.event_codec import decode_event, encode_event, event_from_json, event_to_json
from fairness.events import Event, event_seat

MS = st.integers(0, 2**53 - 1)
SEATS = st.integers(0, 7)
CARDS = st.integers(0, 158)
POINTS = st.integers(0, 65_535)
UNITS = st.integers(-(2**53) + 1, 2**53 - 1)
ROSTER = Roster((Contribution(0, Status.NONE), Contribution(3, Status.WITHHELD, b"h" * 32)))
LINES = st.lists(st.builds(record.SettleLine, SEATS, POINTS, UNITS), max_size=8).map(tuple)
GROUPS = st.lists(st.lists(CARDS, max_size=13).map(tuple), max_size=13).map(tuple)

EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(record.RosterClosed, MS, st.just(ROSTER)),
    st.builds(record.Dealt, MS),
    st.builds(record.WildTurned, MS, CARDS),
    st.builds(record.PileOpened, MS, CARDS),
    st.builds(record.DrewFromStock, MS, SEATS, st.booleans()),
    st.builds(record.DrewFromPile, MS, SEATS, st.booleans(), CARDS),
    st.builds(record.Discarded, MS, SEATS, st.booleans(), CARDS),
    st.builds(record.WentOut, MS, SEATS, st.sampled_from(record.How), POINTS),
    st.builds(record.Declared, MS, SEATS, st.booleans(), CARDS, GROUPS),
    st.builds(record.Reshuffled, MS, st.integers(1, 255), st.integers(1, 158)),
    st.builds(record.Shown, MS, SEATS, POINTS, st.lists(CARDS, max_size=13).map(tuple)),
    st.builds(record.Settled, MS, st.sampled_from(record.Outcome), st.none() | SEATS, LINES, st.integers(0, 2**53 - 1)),
    st.builds(record.SeedRevealed, MS, st.binary(min_size=32, max_size=32)),
    st.builds(record.Voided, MS, st.sampled_from(record.VoidReason)),
)


def test_vectors(vectors: dict[str, Any]) -> None:
    for hand in vectors["hands"]:
        for written, encoded in zip(hand["events"], hand["event_bytes"], strict=True):
            event = event_from_json(written)
            assert encode_event(event).hex() == encoded
            assert decode_event(bytes.fromhex(encoded)) == event
            assert event_to_json(event) == written


@given(EVENTS)
def test_bytes_and_json_round_trip(event: Event) -> None:
    assert decode_event(encode_event(event)) == event
    assert event_from_json(event_to_json(event)) == event


@given(st.binary(max_size=80))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(Malformed):
        assert encode_event(decode_event(data)) == data


@given(EVENTS, st.data())
def test_a_changed_byte_never_reads_as_the_same(event: Event, data: st.DataObject) -> None:
    encoded = bytearray(encode_event(event))
    place = data.draw(st.integers(0, len(encoded) - 1))
    encoded[place] ^= 1 << data.draw(st.integers(0, 7))
    with contextlib.suppress(Malformed):
        assert decode_event(bytes(encoded)) != event


def test_event_seats() -> None:
    assert event_seat(record.Dealt(0)) == 255
    assert event_seat(record.DrewFromStock(0, 3, False)) == 3


def head(kind: int, seat: int) -> bytes:
    return u8(kind) + u64(0) + u8(seat)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (head(15, 255), "type 15"),
        (head(0, 255), "type 0"),
        (head(2, 255) + u8(12), "another number of cards"),
        (head(2, 0) + u8(13), "belongs to the house"),
        (head(5, 255) + u8(0), "seat is 255"),
        (head(5, 8) + u8(0), "seat is 8"),
        (head(5, 0) + u8(2), "flag of the event is 2"),
        (head(5, 0) + u8(0) + b"x", "goes on"),
        (head(6, 0) + u8(0) + b"\x00\x9f", "card is 159"),
        (head(8, 0) + u8(5) + bytes(2), "5 is no How"),
        (head(14, 255) + u8(0), "0 is no VoidReason"),
        (head(13, 255) + bytes(31), "ends after"),
    ],
)
def test_bytes_out_of_range_are_refused(data: bytes, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        decode_event(data)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({}, "event.type is missing"),
        ({"type": "shuffle"}, "event.type is 'shuffle'"),
        ({"type": "dealt", "at_ms": -1, "seat": 255}, "at_ms is -1"),
        ({"type": "dealt", "at_ms": 1, "seat": 0}, "belongs to the house"),
        ({"type": "dealt", "at_ms": 1, "seat": 255, "cards": 13}, "unknown field 'cards'"),
        ({"type": "draw_stock", "at_ms": 1, "seat": 1, "auto": True}, "auto is not an integer"),
        ({"type": "draw_stock", "at_ms": 1, "seat": 1, "auto": 2}, "auto is 2"),
        ({"type": "out", "at_ms": 1, "seat": 1, "how": "sulk", "points": 20}, "event.how is not allowed"),
        ({"type": "roster", "at_ms": 1, "seat": 255, "roster": "01"}, "event.roster cannot be read"),
        (
            {"type": "settle", "at_ms": 1, "seat": 255, "winner": 9, "lines": [], "outcome": "void", "commission": 0},
            "event.winner is 9",
        ),
    ],
)
def test_json_out_of_form_is_refused(value: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        event_from_json(value)


def test_a_seed_does_not_show_in_repr() -> None:
    assert repr(record.SeedRevealed(7, b"secret")) == "SeedRevealed(at_ms=7)"
