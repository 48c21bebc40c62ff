"""Bad messages: each gets its own words, never an exception."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.protocol.commands import Draw
from server.protocol.messages import ErrorCode
from server.protocol.parse import Refused, parse_command

LIMIT = 16_384
DRAW = {
    "type": "draw",
    "id": "c-1",
    "table_id": "0190a3f4-0000-7000-8000-000000000001",
    "hand_id": "0190a3f4-0000-7000-8000-000000000002",
    "turn": 3,
    "source": "stock",
}


def refusal_of(text: str) -> Refused:
    with pytest.raises(Refused) as refused:
        parse_command(text, LIMIT)
    return refused.value


def test_a_good_command_is_read() -> None:
    command = parse_command(json.dumps(DRAW), LIMIT)
    assert isinstance(command, Draw)
    assert command.turn == 3


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("", ErrorCode.MALFORMED, "Invalid JSON"),
        ("{", ErrorCode.MALFORMED, "Invalid JSON"),
        ("[" * 5_000, ErrorCode.MALFORMED, "Invalid JSON"),
        ("[]", ErrorCode.MALFORMED, "should be an object"),
        ("null", ErrorCode.MALFORMED, "should be an object"),
        ('{"type": "cheat", "id": "a"}', ErrorCode.MALFORMED, "cheat"),
        (json.dumps({**DRAW, "source": "sleeve"}), ErrorCode.MALFORMED, "draw.source"),
        (json.dumps({**DRAW, "turn": 0}), ErrorCode.MALFORMED, "draw.turn"),
        (json.dumps({**DRAW, "turn": "3"}), ErrorCode.MALFORMED, "draw.turn"),
        (json.dumps({**DRAW, "turn": 3.0}), ErrorCode.MALFORMED, "draw.turn"),
        (json.dumps({**DRAW, "turn": True}), ErrorCode.MALFORMED, "draw.turn"),
        (json.dumps({**DRAW, "id": "a b"}), ErrorCode.MALFORMED, "draw.id"),
        (json.dumps({**DRAW, "turn": 10**30}), ErrorCode.MALFORMED, "draw.turn"),
        (json.dumps({**DRAW, "seat": 2}), ErrorCode.MALFORMED, "draw.seat"),
        (json.dumps({**DRAW, "id": ""}), ErrorCode.MALFORMED, "draw.id"),
        (json.dumps({**DRAW, "table_id": "x"}), ErrorCode.MALFORMED, "draw.table_id"),
        ('{"type": "ping", "id": "' + "a" * LIMIT + '"}', ErrorCode.TOO_LARGE, "at most 16384 bytes"),
        ('{"type": "ping", "id": "\\ud800"}', ErrorCode.MALFORMED, "hex escape"),
    ],
)
def test_a_bad_message_says_what_is_wrong(text: str, code: ErrorCode, words: str) -> None:
    refused = refusal_of(text)
    assert refused.code is code
    assert words in refused.words


def test_the_clients_id_is_given_back_where_it_could_be_read() -> None:
    assert refusal_of(json.dumps({**DRAW, "turn": -1})).command_id == "c-1"
    assert refusal_of('{"type": "draw", "id": 5}').command_id is None


@pytest.mark.parametrize("command_id", ["a b", "a\u0000", "", "x" * 65, "\u00e9"])
def test_an_id_that_is_none_is_not_given_back(command_id: str) -> None:
    """The answer could not be written down: such an id once took the socket with it."""
    assert refusal_of(json.dumps({"type": "ping", "id": command_id})).command_id is None


def test_an_unknown_type_is_told_the_known_ones() -> None:
    assert "draw" in refusal_of('{"type": "cheat", "id": "a"}').allowed


@given(st.text(max_size=200) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(json.dumps))
def test_whatever_comes_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(Refused):
        parse_command(text, LIMIT)
