"""Storing who sits where."""

from collections.abc import Sequence
from typing import Final

from server.eventlog.contributions import expect_rows
from server.eventlog.driver import Driver
from server.eventlog.units import SaveChairs

_CLEAR: Final = "DELETE FROM table_chairs WHERE table_id = ANY ($1::uuid[])"
_SEAT: Final = """
INSERT INTO table_chairs (table_id, seat, player_id, sitting_out, leaving, gone)
SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::uuid[], $4::boolean[], $5::boolean[], $6::boolean[])
"""
_DEALER: Final = """
UPDATE tables SET dealer = given.dealer
FROM unnest($1::uuid[], $2::smallint[]) AS given (table_id, dealer) WHERE tables.table_id = given.table_id
"""


async def save_chairs(driver: Driver, units: Sequence[SaveChairs]) -> None:
    if not units:
        return
    await driver.execute(_CLEAR, [unit.table_id for unit in units])
    chairs = [(unit.table_id, chair) for unit in units for chair in unit.chairs]
    await driver.execute(
        _SEAT,
        [table_id for table_id, _ in chairs],
        [chair.seat for _, chair in chairs],
        [chair.player.player_id for _, chair in chairs],
        [chair.sitting_out for _, chair in chairs],
        [chair.leaving for _, chair in chairs],
        [chair.gone for _, chair in chairs],
    )
    tag = await driver.execute(_DEALER, [unit.table_id for unit in units], [unit.dealer for unit in units])
    expect_rows(tag, len(units), "tables")
