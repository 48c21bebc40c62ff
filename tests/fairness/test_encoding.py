import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness.encoding import MAC, ByteReader, Coded, H, L, Malformed, as_id, i64, lp, u8, u16, u32, u64


class Fruit(Coded):
    RED_APPLE = 1
    PEAR = 2


def test_label_is_length_prefix_and_name() -> None:
    assert L("terms") == b"\x12rummy-fair/1/terms"


def test_hash_and_mac_are_the_platforms_own() -> None:
    assert H("x", b"a", b"b") == hashlib.sha256(L("x") + b"ab").digest()
    assert MAC(b"key", b"a", b"b") == hmac.new(b"key", b"ab", "sha256").digest()


@pytest.mark.parametrize(
    ("write", "value", "expected"),
    [
        (u8, 255, "ff"),
        (u16, 258, "0102"),
        (u32, 1, "00000001"),
        (u64, 2**53, "0020000000000000"),
        (i64, -2, "fffffffffffffffe"),
    ],
)
def test_numbers_are_big_endian(write, value: int, expected: str) -> None:
    assert write(value).hex() == expected


@pytest.mark.parametrize(
    ("write", "value"),
    [(u8, 256), (u8, -1), (u16, 2**16), (u32, 2**32), (u64, 2**64), (i64, 2**63), (i64, -(2**63) - 1)],
)
def test_numbers_out_of_range_are_refused(write, value: int) -> None:
    with pytest.raises(Malformed, match="does not fit"):
        write(value)


@given(
    st.integers(0, 255),
    st.integers(0, 2**16 - 1),
    st.integers(0, 2**64 - 1),
    st.integers(-(2**63), 2**63 - 1),
    st.binary(),
)
def test_reader_reads_what_was_written(a: int, b: int, c: int, d: int, data: bytes) -> None:
    reader = ByteReader(u8(a) + u16(b) + u64(c) + i64(d) + lp(data) + b"rest", "the message")
    assert (reader.u8(), reader.u16(), reader.u64(), reader.i64(), reader.lp(1000)) == (a, b, c, d, data)
    assert reader.rest() == b"rest"
    reader.end()


def test_reader_names_what_is_cut_short_and_what_goes_on() -> None:
    with pytest.raises(Malformed, match="the roster ends after 3 bytes"):
        ByteReader(b"abc", "the roster").u32()
    with pytest.raises(Malformed, match="goes on for 1 bytes"):
        ByteReader(b"a", "the roster").end()
    with pytest.raises(Malformed, match="at most 2 are allowed"):
        ByteReader(lp(b"abc"), "the roster").lp(2)


def test_coded_words_and_codes() -> None:
    assert (Fruit.from_code(2), Fruit.from_word("red_apple"), Fruit.RED_APPLE.word) == (
        Fruit.PEAR,
        Fruit.RED_APPLE,
        "red_apple",
    )
    with pytest.raises(Malformed, match="3 is no Fruit"):
        Fruit.from_code(3)
    with pytest.raises(Malformed, match="allowed are red_apple, pear"):
        Fruit.from_word("RED_APPLE")


def test_an_id_has_16_bytes() -> None:
    with pytest.raises(Malformed, match="hand_id has 3 bytes: 16 are needed"):
        as_id(b"abc", "hand_id")
