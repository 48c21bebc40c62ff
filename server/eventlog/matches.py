"""Storing matches: who plays one, what happens in it step by step, how it ended."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from server.eventlog.closings import EndingHand
from server.eventlog.contributions import expect_rows
from server.eventlog.driver import Driver
from server.eventlog.stored import Stored
from server.eventlog.units import OpenHand, StepMatch
from server.tables.match_ports import MatchEnd, MatchStep
from wallet.accounts import Asset

_OPEN: Final = """
INSERT INTO matches (match_id, table_id, asset, format, buy_in, commission_bp, opened_ms)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::integer[], $7::bigint[])
"""
_SEAT: Final = """
INSERT INTO match_players (match_id, seat, player_id) SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::uuid[])
"""
_STEP: Final = """
INSERT INTO match_steps (match_id, number, at_ms, events)
SELECT * FROM unnest($1::uuid[], $2::integer[], $3::bigint[], $4::jsonb[])
"""
_CLOSE: Final = """
UPDATE matches AS m SET status = 'closed', outcome = ended.outcome, commission = ended.commission, closed_ms = $4
FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS ended (match_id, outcome, commission)
WHERE m.match_id = ended.match_id
"""
_PAY: Final = """
UPDATE match_players AS p
SET score = ended.score, standing = ended.standing, staked = ended.staked, delta = ended.delta
FROM unnest($1::uuid[], $2::smallint[], $3::integer[], $4::text[], $5::bigint[], $6::bigint[])
    AS ended (match_id, seat, score, standing, staked, delta)
WHERE p.match_id = ended.match_id AND p.seat = ended.seat
"""


@dataclass(frozen=True, slots=True)
class PlacedStep:
    """A step with what the journal knows of its match: the table, and the asset of its hold."""

    table_id: UUID
    asset: Asset
    step: MatchStep

    @property
    def match_id(self) -> UUID:
        return self.step.match_id


def placed_steps(
    units: Sequence[StepMatch], ending: Sequence[EndingHand], stored: Mapping[UUID, Stored]
) -> tuple[PlacedStep, ...]:
    """The steps between hands, and those that come with a hand's end."""
    placed = []
    for unit in units:
        match = stored[unit.table_id].match
        assert match is not None, "the unit was judged"
        placed.append(PlacedStep(unit.table_id, Asset(match.asset), unit.step))
    with_hands = ((hand, hand.closing.match) for hand in ending)
    return (*placed, *(PlacedStep(hand.table_id, hand.asset, step) for hand, step in with_hands if step is not None))


async def insert_matches(driver: Driver, openings: Sequence[OpenHand], now_ms: int) -> None:
    """The matches that begin with these hands, before the hands themselves."""
    begun = [(unit, start) for unit in openings if (start := unit.opening.match) is not None]
    if not begun:
        return
    await driver.execute(
        _OPEN,
        [start.match_id for _, start in begun],
        [unit.table_id for unit, _ in begun],
        [unit.opening.asset for unit, _ in begun],
        [start.format for _, start in begun],
        [start.buy_in for _, start in begun],
        [start.commission_bp for _, start in begun],
        [now_ms] * len(begun),
    )
    seated = [(start.match_id, *player) for unit, start in begun for player in unit.opening.terms.players]
    await driver.execute(
        _SEAT,
        [match_id for match_id, _, _ in seated],
        [seat for _, seat, _ in seated],
        [UUID(bytes=player_id) for _, _, player_id in seated],
    )


async def store_steps(driver: Driver, steps: Sequence[PlacedStep], now_ms: int) -> None:
    """What happened, and the end of the matches that end with it."""
    if not steps:
        return
    await driver.execute(
        _STEP,
        [placed.match_id for placed in steps],
        [placed.step.number for placed in steps],
        [placed.step.at_ms for placed in steps],
        [json.dumps(placed.step.events) for placed in steps],
    )
    ends = [(placed.match_id, placed.step.end) for placed in steps if placed.step.end is not None]
    if ends:
        await _close(driver, ends, now_ms)


async def _close(driver: Driver, ends: Sequence[tuple[UUID, MatchEnd]], now_ms: int) -> None:
    tag = await driver.execute(
        _CLOSE,
        [match_id for match_id, _ in ends],
        [end.outcome for _, end in ends],
        [end.commission for _, end in ends],
        now_ms,
    )
    expect_rows(tag, len(ends), "ended matches")
    lines = [(match_id, line) for match_id, end in ends for line in end.lines]
    tag = await driver.execute(
        _PAY,
        [match_id for match_id, _ in lines],
        [line.seat for _, line in lines],
        [line.score for _, line in lines],
        [line.standing for _, line in lines],
        [line.staked for _, line in lines],
        [line.delta for _, line in lines],
    )
    expect_rows(tag, len(lines), "players of ended matches")
