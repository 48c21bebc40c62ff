import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness.encoding import Malformed
from fairness.json_form import Fields, from_hex, parse_json

BAD_TEXTS = [
    ("{", "not JSON"),
    ('{"a": 1, "a": 2}', "'a' stands twice"),
    ('{"a": 1.5}', "not an integer"),
    ('{"a": 1e3}', "not an integer"),
    ('{"a": NaN}', "not an integer"),
    ('{"a": Infinity}', "not an integer"),
    (f'{{"a": {2**53}}}', "out of range"),
    (f'{{"a": {-(2**53)}}}', "out of range"),
    ('{"a": ' + "9" * 5000 + "}", "out of range"),
    ("[" * 100_000, "nested too deeply|not JSON"),
]


@pytest.mark.parametrize(("text", "words"), BAD_TEXTS)
def test_what_readers_disagree_about_is_refused(text: str, words: str) -> None:
    with pytest.raises(Malformed, match=words):
        parse_json(text)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(Malformed):
        parse_json(text)


def test_largest_integers_are_read() -> None:
    assert parse_json(f"[{2**53 - 1}, {-(2**53) + 1}]") == [2**53 - 1, -(2**53) + 1]


@given(st.text(min_size=1))
def test_words_about_strange_names_can_be_printed_anywhere(name: str) -> None:
    for read in (lambda f: f.text(name), lambda f: f.nothing_else()):
        with pytest.raises(Malformed) as refused:
            read(Fields({name: 1}, "x"))
        assert str(refused.value).isascii()
        assert str(refused.value).isprintable()


BAD_FIELDS = [
    (lambda f: f.integer("word", 0, 9), "x.word is not an integer"),
    (lambda f: f.integer("true", 0, 9), "x.true is not an integer"),
    (lambda f: f.integer("ten", 0, 9), "x.ten is 10: allowed are 0 to 9"),
    (lambda f: f.text("ten"), "x.ten is not a string"),
    (lambda f: f.hash("word"), "x.word is not lower-case hex"),
    (lambda f: f.hash("upper"), "x.upper is not lower-case hex"),
    (lambda f: f.id("short"), "x.short has 1 bytes: 16 are needed"),
    (lambda f: f.nested("ten"), "x.ten is not an object"),
    (lambda f: f.hashes("word", 3), "x.word is not a list"),
    (lambda f: f.integers("list", 1, 0, 9), "x.list has 2 items: at most 1"),
    (lambda f: f.integers("list", 5, 0, 1), r"x.list\[1\] is 2"),
    (lambda f: f.text("absent"), "x.absent is missing"),
    (lambda f: f.nothing_else(), "x has an unknown field 'word'"),
]


@pytest.mark.parametrize(("read", "words"), BAD_FIELDS)
def test_every_problem_names_its_path(read, words: str) -> None:
    fields = Fields({"word": "seven", "true": True, "ten": 10, "upper": "FF", "short": "ff", "list": [1, 2]}, "x")
    with pytest.raises(Malformed, match=words):
        read(fields)


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(Malformed, match="file is not an object"):
        Fields([], "file")


@pytest.mark.parametrize("value", [None, 5, "abc", "AB", "zz", "é0", "+f", " f"])
def test_only_lower_case_hex_is_hex(value: object) -> None:
    with pytest.raises(Malformed):
        from_hex(value, "x")


@given(st.binary())
def test_hex_round_trip(data: bytes) -> None:
    assert from_hex(data.hex(), "x") == data
