"""Storing what players contribute: hashes, the closed list, reveals."""

import json
from collections.abc import Sequence
from typing import Final

from server.eventlog.driver import Driver, rows_changed
from server.eventlog.errors import JournalConflict
from server.eventlog.units import CloseHashes, RecordHash, RecordReveal

_INSERT_HASHES: Final = """
INSERT INTO hand_contributions (hand_id, seat, hash) SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::bytea[])
"""
_CLOSE_LISTS: Final = """
UPDATE hands SET hashes_closed = true, hashes_receipt = closed.receipt
FROM unnest($1::uuid[], $2::jsonb[]) AS closed (hand_id, receipt) WHERE hands.hand_id = closed.hand_id
"""
_REVEAL: Final = """
UPDATE hand_contributions AS c SET nonce = given.nonce, text = given.text
FROM unnest($1::uuid[], $2::smallint[], $3::bytea[], $4::bytea[]) AS given (hand_id, seat, nonce, text)
WHERE c.hand_id = given.hand_id AND c.seat = given.seat
"""


async def record_hashes(driver: Driver, units: Sequence[RecordHash]) -> None:
    if units:
        await driver.execute(
            _INSERT_HASHES,
            [unit.hand_id for unit in units],
            [unit.seat for unit in units],
            [unit.hash for unit in units],
        )


async def close_lists(driver: Driver, units: Sequence[CloseHashes]) -> None:
    if units:
        tag = await driver.execute(
            _CLOSE_LISTS, [unit.hand_id for unit in units], [json.dumps(dict(unit.receipt)) for unit in units]
        )
        expect_rows(tag, len(units), "lists of hashes")


async def record_reveals(driver: Driver, units: Sequence[RecordReveal]) -> None:
    if units:
        tag = await driver.execute(
            _REVEAL,
            [unit.hand_id for unit in units],
            [unit.seat for unit in units],
            [unit.nonce for unit in units],
            [unit.text for unit in units],
        )
        expect_rows(tag, len(units), "reveals")


def expect_rows(tag: str, count: int, what: str) -> None:
    """Raises JournalConflict unless a statement changed as many rows as it was given."""
    if rows_changed(tag) != count:
        raise JournalConflict(f"of {count} {what}, {rows_changed(tag)} found their row")
