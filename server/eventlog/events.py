"""Storing events: all rows of all hands of a batch with one COPY."""

from collections.abc import Sequence
from typing import Final

from pydantic_core import to_json

from server.eventlog.driver import Driver
from server.eventlog.units import AppendEvents

_COLUMNS: Final = ("hand_id", "k", "data", "head", "clock")


async def append_events(driver: Driver, units: Sequence[AppendEvents]) -> None:
    if units:
        records = [
            (unit.hand_id, row.k, row.data, row.head, to_json(row.clock).decode())
            for unit in units
            for row in unit.rows
        ]
        await driver.copy_records_to_table("hand_events", records=records, columns=_COLUMNS)
