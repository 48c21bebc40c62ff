"""A match that has ended as one JSON file: what the house says of it, to be held against the files of its hands."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fairness.encoding import PROTOCOL, Id
from fairness.json_form import Fields, JsonObject
from fairness.match_events import read_match_event
from fairness.terms import MAX_COMMISSION_BP
from rummy.formats.kinds import MATCH_FORMATS, FormatName
from rummy.formats.match import MatchEvent

MAX_MATCH_EVENTS: Final = 2_000
MAX_MATCH_HANDS: Final = 1_000
_MOST_SEATS: Final = 8
_LARGEST_UNITS: Final = 2**53 - 1


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One player of the match and what the house says they came to, in scores and token units."""

    seat: int
    player_id: Id
    score: int
    standing: str
    staked: int
    delta: int


@dataclass(frozen=True, slots=True)
class MatchFile:
    """As read: well-formed, and nothing more is said of it."""

    match_id: Id
    table_id: Id
    format_name: FormatName
    buy_in: int
    commission_bp: int
    hands: tuple[Id, ...]
    events: tuple[MatchEvent, ...]
    outcome: str
    commission: int
    lines: tuple[MatchLine, ...]

    @classmethod
    def from_json(cls, value: object) -> "MatchFile":
        """Raises Malformed naming the first thing that breaks the form."""
        fields = Fields(value, "match")
        protocol = fields.text("protocol")
        if protocol != PROTOCOL:
            raise fields.wrong("protocol", f"is {protocol[:40]!a}: this reads {PROTOCOL!r}")
        file = cls(
            fields.id("match_id"),
            fields.id("table_id"),
            _format_name(fields),
            fields.integer("buy_in", 1, _LARGEST_UNITS),
            fields.integer("commission_bp", 0, MAX_COMMISSION_BP),
            fields.each("hands", MAX_MATCH_HANDS, _read_id),
            fields.objects("events", MAX_MATCH_EVENTS, read_match_event),
            fields.text("outcome"),
            fields.u64("commission"),
            fields.objects("lines", _MOST_SEATS, _read_line),
        )
        fields.nothing_else()
        return file


def match_file(
    *,
    match_id: bytes,
    table_id: bytes,
    format_name: str,
    buy_in: int,
    commission_bp: int,
    hands: Iterable[bytes],
    events: Sequence[Mapping[str, Any]],
    outcome: str,
    commission: int,
    lines: Sequence[Mapping[str, Any]],
) -> JsonObject:
    """The file of a match that has ended. hands: in order. events, lines: as JSON, ids in hex."""
    return {
        "protocol": PROTOCOL,
        "match_id": match_id.hex(),
        "table_id": table_id.hex(),
        "format": format_name,
        "buy_in": buy_in,
        "commission_bp": commission_bp,
        "hands": [hand_id.hex() for hand_id in hands],
        "events": [dict(event) for event in events],
        "outcome": outcome,
        "commission": commission,
        "lines": [dict(line) for line in lines],
    }


def _format_name(fields: Fields) -> FormatName:
    word = fields.text("format")
    if word not in set(MATCH_FORMATS):
        raise fields.wrong("format", f"is {word[:40]!a}: matches are played as {', '.join(MATCH_FORMATS)}")
    return FormatName(word)


def _read_id(value: object, path: str) -> Id:
    return Fields({"id": value}, path).id("id")


def _read_line(fields: Fields) -> MatchLine:
    line = MatchLine(
        fields.integer("seat", 0, _MOST_SEATS - 1),
        fields.id("player_id"),
        fields.u64("score"),
        fields.text("standing"),
        fields.u64("staked"),
        fields.integer("delta", -_LARGEST_UNITS, _LARGEST_UNITS),
    )
    fields.nothing_else()
    return line
