"""Drafts of entries, and the one road by which they reach the journal: `wallet.post` in the database.

A draft says what an entry will be; its ids, shard, chain and running balances are the database's to give. A draft
that does not balance can't be made here, and the database checks again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import Asset, Line
from wallet.contests import Contest
from wallet.refusals import KeyReused

MAX_DRAFTS: Final = 512
"""Entries of one call: enough for any group of hands, and a bound on what one transaction locks."""


class EntryKind(StrEnum):
    GRANT = "grant"
    HOLD = "hold"
    RELEASE = "release"
    SETTLE = "settle"
    ADJUST = "adjust"


@dataclass(frozen=True, slots=True)
class Posted:
    """The entry that carries a key; already_done: it was there before this call, with the same contents."""

    entry_id: int
    already_done: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry to be: each account on one line, none of them moving nothing, all together zero.

    at_ms None means the database's clock. Raises ValueError when the lines do not balance.
    """

    key: str
    kind: EntryKind
    asset: Asset
    body: bytes
    reason: str
    at_ms: int | None
    lines: tuple[Line, ...]
    contest: Contest | None = None
    table_id: UUID | None = None
    player_id: UUID | None = None
    corrects: int | None = None

    def __post_init__(self) -> None:
        total = sum(line.available + line.held for line in self.lines)
        if total != 0 or not self.lines:
            raise ValueError(f"{self.key}: {len(self.lines)} lines that sum to {total}")
        if any(line.available == line.held == 0 for line in self.lines):
            raise ValueError(f"{self.key}: a line that moves nothing")
        if len({line.account for line in self.lines}) != len(self.lines):
            raise ValueError(f"{self.key}: an account is named twice")


POSTED_KEYS: Final = text("SELECT key, body_hash, entry_id FROM wallet.entries WHERE key = ANY (CAST(:keys AS text[]))")

POST: Final = f"SELECT wallet.post({', '.join(f'${number}' for number in range(1, 20))})"
"""In the driver's own words: compiling named parameters anew would cost a lone hand as much as posting it."""


async def already_posted(connection: AsyncConnection, wanted: Sequence[tuple[str, bytes]]) -> dict[str, Posted]:
    """Which of these (key, body) the journal has. Raises KeyReused when one is there with another body.

    Raises ValueError when one call names a key twice.
    """
    bodies = bodies_by_key(wanted)
    rows = await connection.execute(POSTED_KEYS, {"keys": list(bodies)})
    return {key: posted_before(key, entry_id, body, bodies[key]) for key, body, entry_id in rows}


def bodies_by_key(wanted: Sequence[tuple[str, bytes]]) -> dict[str, bytes]:
    bodies = dict(wanted)
    if len(bodies) != len(wanted):
        raise ValueError("one call names a key twice")
    return bodies


def posted_before(key: str, entry_id: int, body: bytes, wanted: bytes) -> Posted:
    """The entry that carries the key already. Raises KeyReused when it says something else."""
    if body != wanted:
        raise KeyReused(key)
    return Posted(entry_id, already_done=True)


async def post(connection: AsyncConnection, drafts: Sequence[Draft]) -> dict[str, Posted]:
    """Write the drafts as one set, in order; returns what was posted by key. At most MAX_DRAFTS."""
    if not drafts:
        return {}
    if len(drafts) > MAX_DRAFTS:
        raise ValueError(f"{len(drafts)} entries in one call: at most {MAX_DRAFTS}")
    lines = [(number, draft.asset, line) for number, draft in enumerate(drafts, 1) for line in draft.lines]
    touched = dict.fromkeys((line.account, asset) for _, asset, line in lines)
    of_players = [(account.player_id, asset) for account, asset in touched if account.player_id is not None]
    of_house = [(account.kind, asset) for account, asset in touched if account.player_id is None]
    numbers = {owner: number for number, owner in enumerate((*of_players, *of_house), 1)}
    arguments = {  # in the order in which wallet.post takes them
        "keys": [draft.key for draft in drafts],
        "kinds": [draft.kind for draft in drafts],
        "assets": [draft.asset for draft in drafts],
        "bodies": [draft.body for draft in drafts],
        "reasons": [draft.reason for draft in drafts],
        "contest_kinds": [draft.contest.kind if draft.contest else None for draft in drafts],
        "contest_ids": [draft.contest.id if draft.contest else None for draft in drafts],
        "tables": [draft.table_id for draft in drafts],
        "players": [draft.player_id for draft in drafts],
        "corrected": [draft.corrects for draft in drafts],
        "times": [draft.at_ms for draft in drafts],
        "account_players": [player_id for player_id, _ in of_players],
        "account_assets": [asset for _, asset in of_players],
        "house_kinds": [kind for kind, _ in of_house],
        "house_assets": [asset for _, asset in of_house],
        "line_entries": [number for number, _, _ in lines],
        "line_accounts": [numbers[line.account.player_id or line.account.kind, asset] for _, asset, line in lines],
        "line_available": [line.available for _, _, line in lines],
        "line_held": [line.held for _, _, line in lines],
    }
    result = await connection.exec_driver_sql(POST, tuple(arguments.values()))
    entry_ids: list[int] = result.scalar_one()
    return {draft.key: Posted(entry_id, already_done=False) for draft, entry_id in zip(drafts, entry_ids, strict=True)}
