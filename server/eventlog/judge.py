"""Whether a unit may be stored, was stored already, or must be refused: pure decisions on what is stored.

Every call may be made again with the same arguments, because its caller may not know what became of it: then the
answer is the first one's. The same call with other contents is a conflict.
"""

from dataclasses import dataclass
from typing import Final, assert_never
from uuid import UUID

from fairness.commitment import commitment
from fairness.contributions import decode_hashes
from server.eventlog.closings import disagreement
from server.eventlog.errors import JournalConflict
from server.eventlog.stored import StandingMatch, Stored, StoredHand
from server.eventlog.units import (
    Answer,
    AppendEvents,
    CloseHashes,
    OpenHand,
    RecordHash,
    RecordReveal,
    SaveChairs,
    StepMatch,
    TableUnit,
)
from server.tables.ports import Fenced


@dataclass(frozen=True, slots=True)
class Store:
    """Nothing like it is stored: go on."""


@dataclass(frozen=True, slots=True)
class StoredBefore:
    """The same call was stored before; this is its answer."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Refuse:
    error: Fenced | JournalConflict


Verdict = Store | StoredBefore | Refuse

STORE: Final = Store()
DONE: Final = StoredBefore(None)


def judge(unit: TableUnit, stored: Stored | None, node_id: UUID) -> Verdict:
    """stored: how the unit's table and hand stand; None for a table that does not exist."""
    if stored is None:
        return _conflict(unit, "there is no such table")
    if stored.epoch != unit.epoch or stored.owner != node_id:
        return Refuse(Fenced(f"table {unit.table_id} is at epoch {stored.epoch}, not at {unit.epoch}"))
    if isinstance(unit, SaveChairs):
        return STORE
    if isinstance(unit, StepMatch):
        return _judge_step(unit, stored.match)
    if stored.hand is not None and stored.hand.table_id != unit.table_id:
        return _conflict(unit, "the hand belongs to another table")
    if isinstance(unit, OpenHand):
        return _judge_opening(unit, stored)
    if stored.hand is None:
        return _conflict(unit, "there is no such hand")
    return _judge_in_hand(unit, stored.hand)


def _judge_in_hand(unit: RecordHash | CloseHashes | RecordReveal | AppendEvents, hand: StoredHand) -> Verdict:
    match unit:
        case RecordHash():
            return _judge_hash(unit, hand)
        case CloseHashes():
            return _judge_closing_of_hashes(unit, hand)
        case RecordReveal():
            return _judge_reveal(unit, hand)
        case AppendEvents():
            return _judge_events(unit, hand)
        case _:
            assert_never(unit)


def _judge_opening(unit: OpenHand, stored: Stored) -> Verdict:
    terms_hash = unit.opening.terms.hash()
    hand = stored.hand
    if hand is not None:
        if (hand.terms_hash, hand.commitment) == (terms_hash, unit.opening.commitment):
            return StoredBefore(hand.commit_receipt)
        return _conflict(unit, "the hand was opened before with other terms")
    if not stored.table_is_open:
        return _conflict(unit, "the table is closed")
    if unit.opening.terms.hand_no != stored.last_hand_no + 1:
        return _conflict(unit, f"the last hand was number {stored.last_hand_no}, this is {unit.opening.terms.hand_no}")
    if commitment(terms_hash, unit.opening.server_seed) != unit.opening.commitment:
        return _conflict(unit, "the commitment is not that of terms and seed")
    return STORE


def _judge_step(unit: StepMatch, match: StandingMatch | None) -> Verdict:
    step = unit.step
    if match is None or match.table_id != unit.table_id:
        return _conflict(unit, "there is no such match at this table")
    if match.events is not None:
        same = [dict(event) for event in match.events] == [dict(event) for event in step.events]
        return DONE if same else _conflict(unit, f"its step {step.number} is another one")
    if not match.is_open:
        return _conflict(unit, "the match has ended")
    if step.number != match.step_count:
        return _conflict(unit, f"its next step is {match.step_count}, not {step.number}")
    return STORE


def _judge_hash(unit: RecordHash, hand: StoredHand) -> Verdict:
    standing = hand.contributions.get(unit.seat)
    if standing is not None:
        return DONE if standing.hash == unit.hash else _conflict(unit, f"seat {unit.seat} has given another hash")
    if hand.hashes_closed or not hand.is_open:
        return _conflict(unit, "the list of hashes is closed")
    return STORE


def _judge_closing_of_hashes(unit: CloseHashes, hand: StoredHand) -> Verdict:
    if hand.hashes_closed:
        return DONE
    if not hand.is_open:
        return _conflict(unit, "the hand has ended")
    listed = {seat: K for seat, K in decode_hashes(bytes.fromhex(unit.receipt["hashes"])) if K is not None}
    if listed != {seat: contribution.hash for seat, contribution in hand.contributions.items()}:
        return _conflict(unit, "the signed list is not the list of the hashes that are stored")
    return STORE


def _judge_reveal(unit: RecordReveal, hand: StoredHand) -> Verdict:
    standing = hand.contributions.get(unit.seat)
    if standing is None:
        return _conflict(unit, f"seat {unit.seat} gave no hash")
    if standing.nonce is not None:
        same = (standing.nonce, standing.text) == (unit.nonce, unit.text)
        return DONE if same else _conflict(unit, f"seat {unit.seat} has revealed something else")
    if not hand.hashes_closed or not hand.is_open:
        return _conflict(unit, "this is not the time to reveal")
    return STORE


def _judge_events(unit: AppendEvents, hand: StoredHand) -> Verdict:
    first_k = unit.rows[0].k
    if not is_gapless(unit):
        return _conflict(unit, "the events have a gap")
    if first_k < hand.next_k:
        same = all(hand.heads.get(row.k) == row.head for row in unit.rows)
        if same and (unit.closing is None or not hand.is_open):
            return DONE
        return _conflict(unit, f"other events than these are stored from {first_k} on")
    if not hand.is_open:
        return _conflict(unit, "the hand has ended")
    if first_k > hand.next_k:
        return _conflict(unit, f"the next event is {hand.next_k}, not {first_k}")
    if unit.closing is None:
        return STORE
    if commitment(hand.terms_hash, unit.closing.server_seed) != hand.commitment:
        return _conflict(unit, "the seed to reveal is not the one that was committed to")
    words = disagreement(unit.rows, unit.closing)
    return STORE if words is None else _conflict(unit, words)


def is_gapless(unit: AppendEvents) -> bool:
    return len(unit.rows) == 1 or all(row.k == k for k, row in enumerate(unit.rows, start=unit.rows[0].k))


def _conflict(unit: TableUnit, words: str) -> Refuse:
    match unit:
        case SaveChairs():
            what = f"table {unit.table_id}"
        case StepMatch():
            what = f"match {unit.step.match_id}"
        case _:
            what = f"hand {unit.hand_id}"
    return Refuse(JournalConflict(f"{what}: {words}"))
