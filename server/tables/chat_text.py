"""A typed line as it will be shown: nothing in it that hides, turns the text round or piles up over other lines."""

import unicodedata
from typing import Final

from server.protocol.messages import ErrorCode
from server.tables.refusal import Refused

MOST_CHARACTERS: Final = 200
MOST_MARKS: Final = 4
"""Combining marks on one character: Bengali and Hindi need fewer, towers of accents need more."""

_JOINERS: Final = "\u200c\u200d"
"""Format characters, yet Bengali, Hindi and some emoji are misspelt without them: one between two characters."""

_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols by their category that show nothing."""


def clean_line(typed: str, most_characters: int = MOST_CHARACTERS) -> str:
    """NFC, single spaces, no control, format, bidi, private or unassigned characters. Raises Refused.

    Source: Unicode general categories; UAX #9 on the bidi controls, which are all of category Cf.
    """
    line = " ".join(_shown(unicodedata.normalize("NFC", typed)).split())
    line = unicodedata.normalize("NFC", line)
    if not line.strip(_JOINERS + " ") or all(unicodedata.category(each).startswith("M") for each in line):
        raise Refused(ErrorCode.NOTHING_TO_SAY, "Nothing in this line can be seen.")
    if len(line) > most_characters:
        words = f"A line has at most {most_characters} characters; this one has {len(line)}."
        raise Refused(ErrorCode.TOO_LARGE, words)
    return line


def _shown(text: str) -> str:
    shown: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        if character in _JOINERS:
            if shown and shown[-1] != " " and shown[-1] not in _JOINERS:
                shown.append(character)
            continue
        if category.startswith("Z") or character.isspace():
            _end_word(shown)
            shown.append(" ")
        elif category.startswith("C") or character in _BLANK:
            continue
        elif category in ("Mn", "Me"):
            marks += 1
            if marks <= MOST_MARKS:
                shown.append(character)
            continue
        else:
            shown.append(character)
        marks = 0
    _end_word(shown)
    return "".join(shown)


def _end_word(shown: list[str]) -> None:
    """A joiner joins nothing at the end of a word."""
    while shown and shown[-1] in _JOINERS:
        shown.pop()
