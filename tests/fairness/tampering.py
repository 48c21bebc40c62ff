"""Every way to change one thing in a JSON file: each value, each item left out, doubled or swapped with the next."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]

HEX_DIGITS = "0123456789abcdef"
OTHER_WORDS = {
    "given": "withheld",
    "none": "withheld",
    "withheld": "none",
    "first_drop": "middle_drop",
    "middle_drop": "first_drop",
    "left": "missed_turns",
    "missed_turns": "left",
    "declared": "last_in",
    "last_in": "declared",
    "void": "last_in",
    "operator": "server_failure",
    "not_enough_players": "operator",
    "stock_exhausted": "operator",
    "points": "pool",
    "allowed": "never",
    "forbidden": "allowed",
}


@dataclass(frozen=True, slots=True)
class Tampering:
    """One change. what: for the reader of a failing test."""

    path: Path
    what: str
    value: Any = None

    def apply(self, file: dict[str, Any]) -> dict[str, Any]:
        """The changed file; the original stays."""
        changed = copy.deepcopy(file)
        *parents, last = self.path
        inner: Any = changed
        for name in parents:
            inner = inner[name]
        match self.what:
            case "change":
                inner[last] = self.value
            case "leave out":
                del inner[last]
            case "double":
                inner.insert(last, copy.deepcopy(inner[last]))
            case "swap":
                inner[last], inner[last + 1] = inner[last + 1], inner[last]
            case "add":
                inner[last] = 0
        return changed


def tamperings(value: Any, path: Path = ()) -> Iterator[Tampering]:
    """All changes of one thing below `path`."""
    match value:
        case dict():
            yield Tampering((*path, "one_more_field"), "add")
            for name, inner in value.items():
                yield Tampering((*path, name), "leave out")
                yield from tamperings(inner, (*path, name))
        case list():
            for index, inner in enumerate(value):
                yield Tampering((*path, index), "leave out")
                yield Tampering((*path, index), "double")
                if index + 1 < len(value) and value[index + 1] != inner:
                    yield Tampering((*path, index), "swap")
                yield from tamperings(inner, (*path, index))
        case _:
            for other in others(value):
                yield Tampering(path, "change", other)


def others(value: Any) -> Iterator[Any]:
    """A few values near this one."""
    match value:
        case None:
            yield 0
        case int():
            yield value + 1
            yield value - 1
        case str() if value in OTHER_WORDS:
            yield OTHER_WORDS[value]
        case str() if value.isdecimal() and len(value) < 4:
            yield str(int(value) + 1)
        case str() if set(value) <= set(HEX_DIGITS):
            for place in sorted({0, len(value) // 2, len(value) - 1} if value else ()):
                flipped = HEX_DIGITS[HEX_DIGITS.index(value[place]) ^ 1]
                yield value[:place] + flipped + value[place + 1 :]
            yield value + "00"
        case str():
            yield value + "x"
            yield value[:-1]
