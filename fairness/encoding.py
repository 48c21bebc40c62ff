"""The bytes that everything here is made of: numbers, lengths, labels, labelled hashes (FAIRNESS_SPEC section 1)."""

import hashlib
import hmac
from enum import Enum
from typing import Final, NewType, Self

PROTOCOL: Final = "rummy-fair/1"
ID_BYTES: Final = 16
HASH_BYTES: Final = 32
NO_HASH: Final = bytes(HASH_BYTES)
HOUSE_SEAT: Final = 255
JSON_INTEGER_LIMIT: Final = 2**53
"""Integers in files stay below this, either sign, so that every JSON reader keeps them exact."""

Id = NewType("Id", bytes)
"""16 raw bytes, only ever compared."""

Hash = NewType("Hash", bytes)
"""32 bytes of SHA-256 or HMAC-SHA256."""


class Malformed(ValueError):
    """Bytes or JSON that break the protocol's form; the message says where and what is allowed."""


class Coded(Enum):
    """An enumeration whose value is its byte and whose lower-case name is its word in JSON."""

    @property
    def word(self) -> str:
        return self.name.lower()

    @classmethod
    def from_code(cls, code: int) -> Self:
        try:
            return cls(code)
        except ValueError as error:
            raise Malformed(f"{code} is no {cls.__name__}: allowed are {[one.value for one in cls]}") from error

    @classmethod
    def from_word(cls, word: str) -> Self:
        for member in cls:
            if member.word == word:
                return member
        raise Malformed(f"{word[:40]!r} is no {cls.__name__}: allowed are {', '.join(one.word for one in cls)}")


def u8(value: int) -> bytes:
    return _unsigned(value, 1)


def u16(value: int) -> bytes:
    return _unsigned(value, 2)


def u32(value: int) -> bytes:
    return _unsigned(value, 4)


def u64(value: int) -> bytes:
    return _unsigned(value, 8)


def i64(value: int) -> bytes:
    try:
        return value.to_bytes(8, "big", signed=True)
    except OverflowError as error:
        raise Malformed(f"{value} does not fit into i64") from error


def lp(data: bytes) -> bytes:
    """`data` behind its own length."""
    return u32(len(data)) + data


def L(name: str) -> bytes:
    """The label that keeps a value made for one purpose from passing as another."""
    text = f"{PROTOCOL}/{name}".encode("ascii")
    return u8(len(text)) + text


def H(name: str, *parts: bytes) -> Hash:
    return Hash(hashlib.sha256(b"".join((L(name), *parts))).digest())


def MAC(key: bytes, *parts: bytes) -> Hash:
    return Hash(hmac.digest(key, b"".join(parts), "sha256"))


def exactly(data: bytes, length: int, what: str) -> bytes:
    """`data` if it has `length` bytes, else Malformed naming `what`."""
    if len(data) != length:
        raise Malformed(f"{what} has {len(data)} bytes: {length} are needed")
    return data


def as_id(data: bytes, what: str) -> Id:
    return Id(exactly(data, ID_BYTES, what))


def as_hash(data: bytes, what: str) -> Hash:
    return Hash(exactly(data, HASH_BYTES, what))


class ByteReader:
    """Reads fields off the front of a message; raises Malformed when they run out or something is left over."""

    def __init__(self, data: bytes, what: str) -> None:
        self._data = data
        self._at = 0
        self._what = what

    def take(self, length: int) -> bytes:
        end = self._at + length
        if end > len(self._data):
            raise Malformed(f"{self._what} ends after {len(self._data)} bytes, in the middle of a field")
        taken = self._data[self._at : end]
        self._at = end
        return taken

    def u8(self) -> int:
        return int.from_bytes(self.take(1), "big")

    def u16(self) -> int:
        return int.from_bytes(self.take(2), "big")

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "big")

    def u64(self) -> int:
        return int.from_bytes(self.take(8), "big")

    def i64(self) -> int:
        return int.from_bytes(self.take(8), "big", signed=True)

    def id(self) -> Id:
        return Id(self.take(ID_BYTES))

    def hash(self) -> Hash:
        return Hash(self.take(HASH_BYTES))

    def lp(self, limit: int) -> bytes:
        """A length-prefixed field of at most `limit` bytes."""
        length = self.u32()
        if length > limit:
            raise Malformed(f"{self._what} has a field of {length} bytes: at most {limit} are allowed")
        return self.take(length)

    def rest(self) -> bytes:
        """Everything that is left."""
        return self.take(len(self._data) - self._at)

    def end(self) -> None:
        left = len(self._data) - self._at
        if left:
            raise Malformed(f"{self._what} goes on for {left} bytes after its last field")


def _unsigned(value: int, length: int) -> bytes:
    try:
        return value.to_bytes(length, "big")
    except OverflowError as error:
        raise Malformed(f"{value} does not fit into u{8 * length}") from error
