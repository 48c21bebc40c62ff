"""The events of a match as JSON: as the house stores them, and as the match's file publishes them."""

from typing import assert_never

from fairness.json_form import Fields, JsonObject
from rummy.formats.counting import HandLine
from rummy.formats.match import (
    Declined,
    Forfeited,
    HandCounted,
    HandWasVoid,
    MatchEvent,
    MatchVoided,
    Rejoined,
)
from rummy.rules import MAX_POINTS
from rummy.state import OutBy

_LAST_SEAT = 7
_MOST_SEATS = 8


def match_event_to_json(event: MatchEvent) -> JsonObject:
    match event:
        case HandCounted(winner, lines):
            counted = [
                {"seat": line.seat, "points": line.points, "out": None if line.out is None else line.out.value}
                for line in lines
            ]
            return {"type": "hand", "winner": winner, "lines": counted}
        case HandWasVoid():
            return {"type": "void_hand"}
        case Rejoined(seat):
            return {"type": "rejoin", "seat": seat}
        case Declined(seats):
            return {"type": "decline", "seats": list(seats)}
        case Forfeited(seats):
            return {"type": "leave", "seats": list(seats)}
        case MatchVoided():
            return {"type": "void_match"}
        case _:
            assert_never(event)


def read_match_event(fields: Fields) -> MatchEvent:
    """Raises Malformed for what `match_event_to_json` never wrote."""
    event = _read(fields, fields.text("type"))
    fields.nothing_else()
    return event


def _read(fields: Fields, word: str) -> MatchEvent:
    match word:
        case "hand":
            return HandCounted(_seat(fields, "winner"), fields.objects("lines", _MOST_SEATS, _read_line))
        case "void_hand":
            return HandWasVoid()
        case "rejoin":
            return Rejoined(_seat(fields, "seat"))
        case "decline":
            return Declined(_seats(fields))
        case "leave":
            return Forfeited(_seats(fields))
        case "void_match":
            return MatchVoided()
        case _:
            raise fields.wrong("type", f"is {word[:40]!a}: no event of a match")


def _read_line(fields: Fields) -> HandLine:
    line = HandLine(_seat(fields, "seat"), fields.integer("points", 0, MAX_POINTS), _read_out(fields))
    fields.nothing_else()
    return line


def _read_out(fields: Fields) -> OutBy | None:
    if fields.is_null("out"):
        return None
    word = fields.text("out")
    try:
        return OutBy(word)
    except ValueError:
        raise fields.wrong("out", f"is {word[:40]!a}: no way out of a hand") from None


def _seat(fields: Fields, name: str) -> int:
    return fields.integer(name, 0, _LAST_SEAT)


def _seats(fields: Fields) -> tuple[int, ...]:
    return fields.integers("seats", _MOST_SEATS, 0, _LAST_SEAT)
