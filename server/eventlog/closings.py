"""Ending hands: the seed is revealed, the close leaf is logged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final
from uuid import UUID

from fairness.encoding import Hash, Id
from fairness.event_codec import decode_own_event
from fairness.events import Event, Outcome, SeedRevealed, Settled, VoidReason
from fairness.leaves import CloseLeaf
from server.eventlog.contributions import expect_rows
from server.eventlog.driver import Driver
from server.eventlog.stored import Stored
from server.eventlog.units import AppendEvents
from server.tables.ports import EventRow, HandClosing
from wallet.accounts import Asset

_CLOSE_HANDS: Final = """
UPDATE hands SET status = 'closed', server_seed = ended.server_seed, outcome = ended.outcome,
                 void_reason = ended.void_reason, closed_ms = $5, close_leaf = ended.close_leaf
FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[], $6::bigint[])
    AS ended (hand_id, server_seed, outcome, void_reason, close_leaf)
WHERE hands.hand_id = ended.hand_id
"""
_SCORE_PLAYERS: Final = """
UPDATE hand_players AS p SET points = ended.points, delta = ended.delta
FROM unnest($1::uuid[], $2::smallint[], $3::integer[], $4::bigint[]) AS ended (hand_id, seat, points, delta)
WHERE p.hand_id = ended.hand_id AND p.seat = ended.seat
"""


@dataclass(frozen=True, slots=True)
class EndingHand:
    """A hand that ends in this transaction. asset: of its holds, as it was opened with."""

    table_id: UUID
    hand_id: UUID
    asset: Asset
    closing: HandClosing = field(repr=False)
    settled: Settled
    last_head: bytes

    @property
    def outcome(self) -> Outcome:
        return Outcome.from_word(self.closing.outcome)

    @property
    def void_reason(self) -> VoidReason | None:
        return None if self.closing.void_reason is None else VoidReason.from_word(self.closing.void_reason)


def ending_hands(units: Sequence[AppendEvents], stored: Mapping[UUID, Stored]) -> tuple[EndingHand, ...]:
    """Those units that end their hand."""
    return tuple(_ending_hand(unit, unit.closing, stored[unit.table_id]) for unit in units if unit.closing is not None)


def _ending_hand(unit: AppendEvents, closing: HandClosing, stored: Stored) -> EndingHand:
    settled = settle_event(unit.rows)
    assert stored.hand is not None, "the unit was judged"
    assert settled is not None, "the unit was judged"
    return EndingHand(unit.table_id, unit.hand_id, Asset(stored.hand.asset), closing, settled, unit.rows[-1].head)


def disagreement(rows: Sequence[EventRow], closing: HandClosing) -> str | None:
    """What the record and the order to end the hand say differently about its end; None when they agree."""
    settled = settle_event(rows)
    if settled is None:
        return "a hand ends with a settle event and the reveal"
    reveal = decode_own_event(rows[-1].data)
    if not isinstance(reveal, SeedRevealed) or reveal.server_seed != closing.server_seed:
        return "the last event does not reveal this seed"
    if settled.outcome.word != closing.outcome or (closing.void_reason is None) == (settled.outcome is Outcome.VOID):
        return f"the record says {settled.outcome.word}, the closing {closing.outcome}, {closing.void_reason}"
    recorded = sorted(line.delta for line in settled.lines if line.delta)
    if recorded != sorted(delta for _, delta in closing.deltas if delta) or settled.commission != closing.commission:
        return "the record and the closing move different amounts"
    return None


def settle_event(rows: Sequence[EventRow]) -> Settled | None:
    """The settle event in front of the reveal."""
    event = _own_event(rows[-2].data) if len(rows) >= 2 else None
    return event if isinstance(event, Settled) else None


@lru_cache(maxsize=256)
def _own_event(data: bytes) -> Event:
    """An event is looked at when its hand's end is judged, and again when it is written."""
    return decode_own_event(data)


def close_leaf(hand: EndingHand) -> bytes:
    return CloseLeaf(
        Id(hand.hand_id.bytes), hand.outcome, hand.void_reason, hand.closing.server_seed, Hash(hand.last_head)
    ).encode()


async def close_hands(driver: Driver, hands: Sequence[EndingHand], first_leaf: int, now_ms: int) -> None:
    """Mark the hands as ended; their close leaves have the indexes from `first_leaf` on, in the same order."""
    if not hands:
        return
    tag = await driver.execute(
        _CLOSE_HANDS,
        [hand.hand_id for hand in hands],
        [hand.closing.server_seed for hand in hands],
        [hand.closing.outcome for hand in hands],
        [hand.closing.void_reason for hand in hands],
        now_ms,
        list(range(first_leaf, first_leaf + len(hands))),
    )
    expect_rows(tag, len(hands), "ended hands")
    lines = [(hand.hand_id, line) for hand in hands for line in hand.settled.lines]
    tag = await driver.execute(
        _SCORE_PLAYERS,
        [hand_id for hand_id, _ in lines],
        [line.seat for _, line in lines],
        [line.points for _, line in lines],
        [line.delta for _, line in lines],
    )
    expect_rows(tag, len(lines), "players of ended hands")
