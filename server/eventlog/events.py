"""Storing events: all rows of all hands of a batch with one COPY."""

import json
from collections.abc import Sequence
from typing import Final

from server.eventlog.driver import Driver
from server.eventlog.units import AppendEvents

_COLUMNS: Final = ("hand_id", "k", "data", "head", "clock")


async def append_events(driver: Driver, units: Sequence[AppendEvents]) -> None:
    if units:
        records = [
            (unit.hand_id, row.k, row.data, row.head, _compact(dict(row.clock))) for unit in units for row in unit.rows
        ]
        await driver.copy_records_to_table("hand_events", records=records, columns=_COLUMNS)


_compact: Final = json.JSONEncoder(separators=(",", ":")).encode
