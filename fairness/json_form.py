"""Reading the protocol's JSON strictly: lower-case hex, integers below 2^53, no field missing, none unknown."""

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from fairness.encoding import HASH_BYTES, ID_BYTES, JSON_INTEGER_LIMIT, Coded, Hash, Id, Malformed

JsonObject = dict[str, object]
"""One JSON object as the encoders here write it."""

T = TypeVar("T")
C = TypeVar("C", bound=Coded)

_PLAIN_NAME = re.compile(r"[A-Za-z0-9_]{1,40}")
_HEX_DIGITS = frozenset("0123456789abcdef")


def parse_json(text: str) -> object:
    """Parse JSON, refusing what readers disagree about: repeated names, floats, NaN, integers beyond 2^53.

    Raises Malformed with the reason.
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=_each_name_once,
            parse_float=_no_float,
            parse_constant=_no_float,
            parse_int=_small_integer,
        )
    except RecursionError as error:
        raise Malformed("this is nested too deeply to be a file of ours") from error
    except json.JSONDecodeError as error:
        raise Malformed(f"this is not JSON: {error}") from error


class Fields:
    """One JSON object being read; every problem is a Malformed that names the path."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, Mapping):
            raise Malformed(f"{where} is not an object")
        self._values: Mapping[object, object] = value
        self._where = where
        self._read: set[object] = set()

    def has(self, name: str) -> bool:
        return name in self._values

    def is_null(self, name: str) -> bool:
        return self._value(name) is None

    def integer(self, name: str, low: int, high: int) -> int:
        return _integer(self._value(name), self._path(name), low, high)

    def u64(self, name: str) -> int:
        """A u64 as far as JSON carries it: 0 .. 2^53 - 1."""
        return self.integer(name, 0, JSON_INTEGER_LIMIT - 1)

    def text(self, name: str) -> str:
        value = self._value(name)
        if not isinstance(value, str):
            raise Malformed(f"{self._path(name)} is not a string")
        return value

    def word(self, name: str, kind: type[C]) -> C:
        """A member of a coded enumeration, by its word."""
        try:
            return kind.from_word(self.text(name))
        except Malformed as error:
            raise self.wrong(name, f"is not allowed: {error}") from error

    def flag(self, name: str) -> bool:
        """0 or 1."""
        return self.integer(name, 0, 1) == 1

    def any_hex(self, name: str) -> bytes:
        return from_hex(self._value(name), self._path(name))

    def hex(self, name: str, length: int) -> bytes:
        return from_hex(self._value(name), self._path(name), length)

    def id(self, name: str) -> Id:
        return Id(self.hex(name, ID_BYTES))

    def hash(self, name: str) -> Hash:
        return Hash(self.hex(name, HASH_BYTES))

    def hashes(self, name: str, limit: int) -> tuple[Hash, ...]:
        return self.each(name, limit, lambda item, path: Hash(from_hex(item, path, HASH_BYTES)))

    def integers(self, name: str, limit: int, low: int, high: int) -> tuple[int, ...]:
        return read_integers(self._value(name), self._path(name), limit, low, high)

    def any(self, name: str) -> object:
        """Whatever stands there, for a reader of its own."""
        return self._value(name)

    def nested(self, name: str) -> "Fields":
        return Fields(self._value(name), self._path(name))

    def optional(self, name: str, read: "Callable[[Fields], T]") -> "T | None":
        """A nested object that may be missing."""
        return read(self.nested(name)) if self.has(name) else None

    def objects(self, name: str, limit: int, read: "Callable[[Fields], T]") -> tuple[T, ...]:
        return self.each(name, limit, lambda item, path: read(Fields(item, path)))

    def each(self, name: str, limit: int, read: Callable[[object, str], T]) -> tuple[T, ...]:
        """A list of at most `limit` items, each read with its own path."""
        return _each(self._value(name), self._path(name), limit, read)

    def names(self) -> tuple[str, ...]:
        """All names of a map whose names are data; marks them read."""
        for name in self._values:
            if not isinstance(name, str):
                raise Malformed(f"{self._where} has a name that is not a string")
        return tuple(str(name) for name in self._values)

    def nothing_else(self) -> None:
        """Raises Malformed when the object has a field that nobody asked for."""
        unknown = [str(name) for name in self._values if name not in self._read]
        if unknown:
            raise Malformed(f"{self._where} has an unknown field {unknown[0][:40]!a}")

    def wrong(self, name: str, words: str) -> Malformed:
        return Malformed(f"{self._path(name)} {words}")

    def _value(self, name: str) -> object:
        if name not in self._values:
            raise Malformed(f"{self._path(name)} is missing")
        self._read.add(name)
        return self._values[name]

    def _path(self, name: str) -> str:
        """Names are the file's own words: what is not plain in them is escaped before anybody prints it."""
        return f"{self._where}.{name}" if _PLAIN_NAME.fullmatch(name) else f"{self._where}[{name[:40]!a}]"


def from_hex(value: object, path: str, length: int | None = None) -> bytes:
    """Bytes of lower-case hex, of exactly `length` bytes if one is given."""
    if not isinstance(value, str) or len(value) % 2 or not _HEX_DIGITS.issuperset(value):
        raise Malformed(f"{path} is not lower-case hex")
    if length is not None and len(value) != 2 * length:
        raise Malformed(f"{path} has {len(value) // 2} bytes: {length} are needed")
    return bytes.fromhex(value)


def read_integers(value: object, path: str, limit: int, low: int, high: int) -> tuple[int, ...]:
    """A list of at most `limit` integers, each in low .. high."""
    return _each(value, path, limit, lambda item, item_path: _integer(item, item_path, low, high))


def _each(value: object, path: str, limit: int, read: Callable[[object, str], T]) -> tuple[T, ...]:
    if not isinstance(value, list | tuple):
        raise Malformed(f"{path} is not a list")
    if len(value) > limit:
        raise Malformed(f"{path} has {len(value)} items: at most {limit} are allowed")
    return tuple(read(item, f"{path}[{index}]") for index, item in enumerate(value))


def _integer(value: object, path: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed(f"{path} is not an integer")
    if not low <= value <= high:
        raise Malformed(f"{path} is {value}: allowed are {low} to {high}")
    return value


def _each_name_once(pairs: list[tuple[str, object]]) -> JsonObject:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(f"the name {twice[:40]!a} stands twice in one object")
    return result


def _no_float(text: str) -> object:
    raise Malformed(f"{text[:40]} is not an integer: nothing in these files is a float")


def _small_integer(text: str) -> int:
    if len(text) > 17 or not -JSON_INTEGER_LIMIT < int(text) < JSON_INTEGER_LIMIT:
        raise Malformed(f"{text[:40]} is out of range: integers stay below 2^53")
    return int(text)
