"""Transcript events to and from bytes and JSON, strictly (FAIRNESS_SPEC section 8)."""

from collections.abc import Callable
from itertools import starmap
from struct import Struct
from typing import Final

from fairness.contributions import Roster
from fairness.encoding import HOUSE_SEAT, JSON_INTEGER_LIMIT, ByteReader, Malformed, u8, u64
from fairness.events import (
    CARDS_DEALT,
    MAX_CARD,
    MAX_GROUPS,
    MAX_SEAT,
    Dealt,
    Declared,
    Discarded,
    DrewFromPile,
    DrewFromStock,
    Event,
    How,
    Outcome,
    PileOpened,
    Reshuffled,
    RosterClosed,
    SeedRevealed,
    Settled,
    SettleLine,
    Shown,
    Voided,
    VoidReason,
    WentOut,
    WildTurned,
    event_seat,
    winner_of,
)
from fairness.json_form import Fields, JsonObject, read_integers


def encode_event(event: Event) -> bytes:
    return u8(event.TYPE) + u64(event.at_ms) + u8(event_seat(event)) + event.body()


def event_to_json(event: Event) -> JsonObject:
    return {"type": event.NAME, "at_ms": event.at_ms, "seat": event_seat(event)} | event.fields()


def decode_event(data: bytes) -> Event:
    """Read one event's bytes, wherever they come from. Raises Malformed."""
    # The JSON reader owns the ranges; going through it holds both forms to the same ones.
    return event_from_json(event_to_json(decode_own_event(data)))


def decode_own_event(data: bytes) -> Event:
    """Read the bytes of an event that this very process has encoded: `decode_event` without looking at ranges.

    Those held when the event was made, and looking at them is most of the work. Raises Malformed.
    """
    reader = ByteReader(data, "the event")
    kind, at_ms, seat = reader.u8(), reader.u64(), reader.u8()
    decode = _DECODERS.get(kind)
    if decode is None:
        raise Malformed(f"the event is of type {kind}: allowed are 1 to 14")
    event = decode(reader, at_ms, seat)
    reader.end()
    _check_header_seat(event, seat)
    return event


def event_from_json(value: object, where: str = "event") -> Event:
    """Read one event of a file. Raises Malformed."""
    return read_event(Fields(value, where))


def read_event(fields: Fields) -> Event:
    name = fields.text("type")
    read = _READERS.get(name)
    if read is None:
        raise fields.wrong("type", f"is {name[:40]!r}: allowed are {', '.join(_READERS)}")
    event = read(fields, fields.u64("at_ms"))
    seat = fields.integer("seat", 0, 255)
    fields.nothing_else()
    _check_header_seat(event, seat)
    return event


def _check_header_seat(event: Event, seat: int) -> None:
    if seat != event_seat(event):
        raise Malformed(f"an event of type {event.NAME} has seat {seat}: it belongs to the house, 255")


def _decode_cards(reader: ByteReader) -> tuple[int, ...]:
    return tuple(reader.u16() for _ in range(reader.u8()))


def _decode_flag(reader: ByteReader) -> bool:
    number = reader.u8()
    if number > 1:
        raise Malformed(f"a flag of the event is {number}: allowed are 0 and 1")
    return number == 1


def _decode_roster(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return RosterClosed(at_ms, Roster.decode(reader.rest()))


def _decode_dealt(reader: ByteReader, at_ms: int, seat: int) -> Event:
    if reader.u8() != CARDS_DEALT:
        raise Malformed("the event deals another number of cards than 13")
    return Dealt(at_ms)


def _decode_wild(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return WildTurned(at_ms, reader.u16())


def _decode_open(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return PileOpened(at_ms, reader.u16())


def _decode_draw_stock(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return DrewFromStock(at_ms, seat, _decode_flag(reader))


def _decode_draw_pile(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return DrewFromPile(at_ms, seat, _decode_flag(reader), reader.u16())


def _decode_discard(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return Discarded(at_ms, seat, _decode_flag(reader), reader.u16())


def _decode_out(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return WentOut(at_ms, seat, How.from_code(reader.u8()), reader.u16())


def _decode_declare(reader: ByteReader, at_ms: int, seat: int) -> Event:
    valid, finish_card = _decode_flag(reader), reader.u16()
    return Declared(at_ms, seat, valid, finish_card, tuple(_decode_cards(reader) for _ in range(reader.u8())))


def _decode_reshuffle(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return Reshuffled(at_ms, reader.u8(), reader.u16())


def _decode_show(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return Shown(at_ms, seat, reader.u16(), _decode_cards(reader))


def _decode_settle(reader: ByteReader, at_ms: int, seat: int) -> Event:
    outcome, winner = Outcome.from_code(reader.u8()), winner_of(reader.u8())
    lines = tuple(starmap(SettleLine, _LINE.iter_unpack(reader.take(reader.u8() * _LINE.size))))
    return Settled(at_ms, outcome, winner, lines, reader.u64())


def _decode_reveal(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return SeedRevealed(at_ms, reader.take(32))


def _decode_void(reader: ByteReader, at_ms: int, seat: int) -> Event:
    return Voided(at_ms, VoidReason.from_code(reader.u8()))


def _seat(fields: Fields) -> int:
    return fields.integer("seat", 0, MAX_SEAT)


def _card(fields: Fields) -> int:
    return fields.integer("card", 0, MAX_CARD)


def _read_roster(fields: Fields, at_ms: int) -> Event:
    try:
        return RosterClosed(at_ms, Roster.decode(fields.any_hex("roster")))
    except Malformed as error:
        raise fields.wrong("roster", f"cannot be read: {error}") from error


def _read_line(fields: Fields) -> SettleLine:
    delta = fields.integer("delta", 1 - JSON_INTEGER_LIMIT, JSON_INTEGER_LIMIT - 1)
    line = SettleLine(_seat(fields), fields.integer("points", 0, 65_535), delta)
    fields.nothing_else()
    return line


def _read_settle(fields: Fields, at_ms: int) -> Event:
    winner = fields.integer("winner", 0, 255)
    if MAX_SEAT < winner < HOUSE_SEAT:
        raise fields.wrong("winner", f"is {winner}: allowed are a seat, or 255 for nobody")
    lines = fields.objects("lines", MAX_SEAT + 1, _read_line)
    return Settled(at_ms, fields.word("outcome", Outcome), winner_of(winner), lines, fields.u64("commission"))


def _read_groups(fields: Fields) -> tuple[tuple[int, ...], ...]:
    return fields.each("groups", MAX_GROUPS, lambda item, path: read_integers(item, path, CARDS_DEALT, 0, MAX_CARD))


_LINE: Final = Struct(">BHq")
"""A line of a settle event: seat, points, delta."""

_Decoder = Callable[[ByteReader, int, int], Event]
_Reader = Callable[[Fields, int], Event]

_DECODERS: Final[dict[int, _Decoder]] = {
    RosterClosed.TYPE: _decode_roster,
    Dealt.TYPE: _decode_dealt,
    WildTurned.TYPE: _decode_wild,
    PileOpened.TYPE: _decode_open,
    DrewFromStock.TYPE: _decode_draw_stock,
    DrewFromPile.TYPE: _decode_draw_pile,
    Discarded.TYPE: _decode_discard,
    WentOut.TYPE: _decode_out,
    Declared.TYPE: _decode_declare,
    Reshuffled.TYPE: _decode_reshuffle,
    Shown.TYPE: _decode_show,
    Settled.TYPE: _decode_settle,
    SeedRevealed.TYPE: _decode_reveal,
    Voided.TYPE: _decode_void,
}

_READERS: Final[dict[str, _Reader]] = {
    RosterClosed.NAME: _read_roster,
    Dealt.NAME: lambda fields, at_ms: Dealt(at_ms),
    WildTurned.NAME: lambda fields, at_ms: WildTurned(at_ms, _card(fields)),
    PileOpened.NAME: lambda fields, at_ms: PileOpened(at_ms, _card(fields)),
    DrewFromStock.NAME: lambda fields, at_ms: DrewFromStock(at_ms, _seat(fields), fields.flag("auto")),
    DrewFromPile.NAME: lambda fields, at_ms: DrewFromPile(at_ms, _seat(fields), fields.flag("auto"), _card(fields)),
    Discarded.NAME: lambda fields, at_ms: Discarded(at_ms, _seat(fields), fields.flag("auto"), _card(fields)),
    WentOut.NAME: lambda fields, at_ms: WentOut(
        at_ms, _seat(fields), fields.word("how", How), fields.integer("points", 0, 65_535)
    ),
    Declared.NAME: lambda fields, at_ms: Declared(
        at_ms, _seat(fields), fields.flag("valid"), fields.integer("finish_card", 0, MAX_CARD), _read_groups(fields)
    ),
    Reshuffled.NAME: lambda fields, at_ms: Reshuffled(
        at_ms, fields.integer("r", 1, 255), fields.integer("stock_count", 1, MAX_CARD)
    ),
    Shown.NAME: lambda fields, at_ms: Shown(
        at_ms, _seat(fields), fields.integer("points", 0, 65_535), fields.integers("cards", CARDS_DEALT, 0, MAX_CARD)
    ),
    Settled.NAME: _read_settle,
    SeedRevealed.NAME: lambda fields, at_ms: SeedRevealed(at_ms, fields.hex("server_seed", 32)),
    Voided.NAME: lambda fields, at_ms: Voided(at_ms, fields.word("reason", VoidReason)),
}
