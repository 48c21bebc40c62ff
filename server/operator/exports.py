"""Settlements as files: CSV with one line a seat, or a JSON array with one object a hand; written as they are read."""

import csv
import io
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import asdict
from typing import Final

from server.operator.settlements import SettledHand

CSV_COLUMNS: Final = (
    "hand_id",
    "closed_ms",
    "opened_ms",
    "table_id",
    "table",
    "format",
    "hand_no",
    "match_id",
    "asset",
    "rate",
    "commission_bp",
    "outcome",
    "void_reason",
    "turnover",
    "commission",
    "seat",
    "player_id",
    "player",
    "points",
    "delta",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


async def as_csv(hands: AsyncIterator[SettledHand]) -> AsyncIterator[str]:
    yield csv_line(CSV_COLUMNS)
    async for hand in hands:
        yield "".join(csv_line(line) for line in _lines(hand))


async def as_json(hands: AsyncIterator[SettledHand]) -> AsyncIterator[str]:
    """An array; what is no number, text or null becomes text."""
    separator = "[\n"
    async for hand in hands:
        yield separator + json.dumps(asdict(hand), default=str, ensure_ascii=False)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def csv_line(values: Sequence[object]) -> str:
    """One line, in which no text is taken for a formula by a spreadsheet."""
    buffer = io.StringIO()
    csv.writer(buffer).writerow([_plain(value) for value in values])
    return buffer.getvalue()


def _plain(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return "" if value is None else value


def _lines(hand: SettledHand) -> Iterable[Sequence[object]]:
    for line in hand.seats:
        yield (
            hand.hand_id,
            hand.closed_ms,
            hand.opened_ms,
            hand.table_id,
            hand.table_name,
            hand.format,
            hand.hand_no,
            hand.match_id,
            hand.asset.value,
            hand.rate,
            hand.commission_bp,
            hand.outcome,
            hand.void_reason,
            hand.turnover,
            hand.commission,
            line.seat,
            line.player_id,
            line.name,
            line.points,
            line.delta,
        )
