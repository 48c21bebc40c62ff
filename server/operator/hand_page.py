"""One hand as the desk settles a dispute over it: its tokens, its events, its seats, its proof, and who looked on.

Of a running hand it shows what everybody at the table sees, and nothing else: no seed, no card that lies face down.
"""

import asyncio
from dataclasses import dataclass
from typing import Any, Final, Literal
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.checks import Step
from fairness.json_form import JsonObject
from fairness.signing import KeyRing
from fairness.verify import verify_hand
from server.eventlog import export
from server.eventlog.export import DamagedRecord
from server.eventlog.keys import published_keys
from wallet.accounts import Asset

_LAST_EVENT: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class HandSeat:
    """points, delta: null while the hand runs. contributed: to the deck, with a nonce that counted."""

    seat: int
    player_id: UUID
    name: str
    kind: str
    points: int | None
    delta: int | None
    contributed: bool


@dataclass(frozen=True, slots=True)
class HandPosting:
    """What an entry did to one account; units. owner: `player` or the house's kind of account."""

    account_id: int
    owner: str
    player_id: UUID | None
    name: str | None
    available_change: int
    held_change: int
    available_after: int
    held_after: int


@dataclass(frozen=True, slots=True)
class HandEntry:
    """An entry of the ledger. hash: its place in the ledger's chain, as hex."""

    entry_id: int
    key: str
    kind: str
    reason: str
    at_ms: int
    shard: int
    position: int
    hash: str
    postings: tuple[HandPosting, ...]


@dataclass(frozen=True, slots=True)
class HandHold:
    """What is still set aside for a seat's player. Of a match's hand: for the match."""

    player_id: UUID
    name: str
    units: int


@dataclass(frozen=True, slots=True)
class VerdictStep:
    """step: V1 to V12; title: what it looks at. ok: null when an earlier step failed, so that it was not reached."""

    step: str
    title: str
    ok: bool | None
    words: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the verifier says of the hand's file, held against the house's published keys."""

    ok: bool
    steps: tuple[VerdictStep, ...]


@dataclass(frozen=True, slots=True)
class Onlooker:
    """Who watched without being dealt in, or lost the line while dealt in; at_ms: from when on, or when."""

    player_id: UUID
    name: str
    role: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class HandPage:
    """match_id: its tokens are the match's, and `entries` the match's entries.

    events: as in the hand file, each with `k` and `at_ms`. entries_sum: over all postings, 0 when they balance.
    ledger_agrees: what the ledger moved for each seat is what the record says; null while it runs and for a void hand's
    record without movement.
    verdict: null while the hand runs.
    """

    hand_id: UUID
    table_id: UUID
    table_name: str
    format: str
    hand_no: int
    match_id: UUID | None
    asset: Asset
    rate: int
    commission_bp: int
    status: Literal["open", "closed"]
    opened_ms: int
    closed_ms: int | None
    outcome: str | None
    void_reason: str | None
    seats: tuple[HandSeat, ...]
    entries: tuple[HandEntry, ...]
    entries_sum: int
    ledger_agrees: bool | None
    holds: tuple[HandHold, ...]
    events: tuple[dict[str, Any], ...]
    watchers: tuple[Onlooker, ...]
    disconnects: tuple[Onlooker, ...]
    verdict: Verdict | None


_HAND: Final = text(
    "SELECT h.hand_id, h.table_id, t.name AS table_name, t.format, h.hand_no, h.rules ->> 'match' AS match_id, h.asset,"
    " h.rate, h.commission_bp, h.status, h.opened_ms, h.closed_ms, h.outcome, h.void_reason"
    " FROM hands h JOIN tables t USING (table_id) WHERE h.hand_id = :hand_id"
)
_SEATS: Final = text(
    "SELECT p.seat, p.player_id, who.name, who.kind, p.points, p.delta, coalesce(c.nonce IS NOT NULL, false)"
    " FROM hand_players p JOIN players who USING (player_id)"
    " LEFT JOIN hand_contributions c ON c.hand_id = p.hand_id AND c.seat = p.seat"
    " WHERE p.hand_id = :hand_id ORDER BY p.seat"
)
_ENTRY_COLUMNS: Final = "SELECT entry_id, key, kind, reason, at_ms, shard, position, hash FROM wallet.entries"
_ENTRIES_OF_HAND: Final = text(f"{_ENTRY_COLUMNS} WHERE key = ANY (:keys) ORDER BY entry_id")
_ENTRIES_OF_MATCH: Final = text(f"{_ENTRY_COLUMNS} WHERE match_id = :match_id ORDER BY entry_id")
_POSTINGS: Final = text(
    "SELECT p.entry_id, p.account_id, a.kind, who.player_id, who.name, p.available_change, p.held_change,"
    "       p.available_after, p.held_after"
    " FROM wallet.postings p JOIN wallet.accounts a USING (account_id)"
    " LEFT JOIN players who ON who.player_id = a.player_id"
    " WHERE p.entry_id = ANY (:entry_ids) ORDER BY p.entry_id, a.kind = 'player' DESC, p.account_id"
)
_HOLDS: Final = text(
    "SELECT u.player_id, who.name, u.units FROM wallet.open_holds o"
    " CROSS JOIN unnest(o.player_ids, o.amounts) u (player_id, units) JOIN players who USING (player_id)"
    " WHERE o.contest_id = :contest_id AND o.contest_kind = :contest_kind ORDER BY who.name, u.player_id"
)
_WATCHERS: Final = text(
    "SELECT w.player_id, who.name, who.role, w.since_ms FROM hand_watchers w JOIN players who USING (player_id)"
    " WHERE w.hand_id = :hand_id ORDER BY w.since_ms, w.player_id"
)
_DISCONNECTS: Final = text(
    "SELECT d.player_id, who.name, who.role, d.at_ms FROM hand_disconnects d JOIN players who USING (player_id)"
    " WHERE d.hand_id = :hand_id ORDER BY d.at_ms, d.player_id"
)


async def hand_page(connection: AsyncConnection, hand_id: UUID) -> HandPage | None:
    """Everything about one hand; None for an unknown one."""
    hand = (await connection.execute(_HAND, {"hand_id": hand_id})).one_or_none()
    if hand is None:
        return None
    of_hand = {"hand_id": hand_id}
    match_id = None if hand.match_id is None else UUID(hand.match_id)
    seats = tuple(HandSeat(*row) for row in await connection.execute(_SEATS, of_hand))
    entries = await _entries(connection, hand_id, match_id)
    contest = (hand_id, "hand") if match_id is None else (match_id, "match")
    holds = await connection.execute(_HOLDS, dict(zip(("contest_id", "contest_kind"), contest, strict=True)))
    events = await export.live_events(connection, hand_id.bytes, 0, _LAST_EVENT)
    is_closed = hand.status == "closed"
    return HandPage(
        hand_id=hand_id,
        table_id=hand.table_id,
        table_name=hand.table_name,
        format=hand.format,
        hand_no=hand.hand_no,
        match_id=match_id,
        asset=Asset(hand.asset),
        rate=hand.rate,
        commission_bp=hand.commission_bp,
        status=hand.status,
        opened_ms=hand.opened_ms,
        closed_ms=hand.closed_ms,
        outcome=hand.outcome,
        void_reason=hand.void_reason,
        seats=seats,
        entries=entries,
        entries_sum=sum(line.available_change + line.held_change for entry in entries for line in entry.postings),
        ledger_agrees=_agrees(seats, entries) if is_closed and match_id is None else None,
        holds=tuple(HandHold(*row) for row in holds),
        events=tuple(dict(event) for event in events),
        watchers=tuple(Onlooker(*row) for row in await connection.execute(_WATCHERS, of_hand)),
        disconnects=tuple(Onlooker(*row) for row in await connection.execute(_DISCONNECTS, of_hand)),
        verdict=await _verdict(connection, hand_id) if is_closed else None,
    )


async def _entries(connection: AsyncConnection, hand_id: UUID, match_id: UUID | None) -> tuple[HandEntry, ...]:
    if match_id is None:
        keys = [f"{verb}:{hand_id}" for verb in ("hold", "settle", "release")]
        found = (await connection.execute(_ENTRIES_OF_HAND, {"keys": keys})).all()
    else:
        found = (await connection.execute(_ENTRIES_OF_MATCH, {"match_id": match_id})).all()
    postings: dict[int, list[HandPosting]] = {row.entry_id: [] for row in found}
    for entry_id, *line in await connection.execute(_POSTINGS, {"entry_ids": list(postings)}):
        postings[entry_id].append(HandPosting(*line))
    return tuple(
        HandEntry(
            entry_id=row.entry_id,
            key=row.key,
            kind=row.kind,
            reason=row.reason,
            at_ms=row.at_ms,
            shard=row.shard,
            position=row.position,
            hash=row.hash.hex(),
            postings=tuple(postings[row.entry_id]),
        )
        for row in found
    )


def _agrees(seats: tuple[HandSeat, ...], entries: tuple[HandEntry, ...]) -> bool:
    """Whether the ledger gave and took, seat by seat and to the house, what the hand's record says."""
    moved: dict[UUID | None, int] = {}
    for entry in entries:
        for line in entry.postings:
            moved[line.player_id] = moved.get(line.player_id, 0) + line.available_change + line.held_change
    recorded: dict[UUID | None, int] = {seat.player_id: seat.delta or 0 for seat in seats}
    recorded[None] = -sum(recorded.values())
    return {who: units for who, units in moved.items() if units} == {
        who: units for who, units in recorded.items() if units
    }


async def _verdict(connection: AsyncConnection, hand_id: UUID) -> Verdict:
    try:
        file = await export.hand_file(connection, hand_id.bytes)
    except DamagedRecord as damaged:
        return Verdict(False, (VerdictStep(Step.V1.name, Step.V1.value, False, str(damaged)),))
    assert file is not None, "the hand is closed"
    return await asyncio.to_thread(_verify, file, await published_keys(connection))


def _verify(file: JsonObject, keys: KeyRing) -> Verdict:
    report = verify_hand(file, keys)
    steps = tuple(VerdictStep(each.step.name, each.step.value, each.ok, each.words) for each in report.results)
    return Verdict(report.ok, steps)
