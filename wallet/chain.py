"""The journal's hash chain, written down independently of the database that builds it.

Each shard is a chain of its own. hash(n) = SHA-256(hash(n - 1) || text(n)), and text(n) is the entry and its postings
as one JSON array, in UTF-8. A row that was changed, added or taken away behind the server's back breaks it there.
`wallet.post` computes the same in SQL; tests hold the two together. docs/ledger.md tells the form for outsiders.
"""

from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from typing import Final
from uuid import UUID

FORM: Final = "rummy-ledger/1"


@dataclass(frozen=True, slots=True)
class ChainedEntry:
    """An entry as it is stored.

    contest: a hand's id, or `match:` and a match's.
    postings: `owner:account_id:version:available_change:held_change:available_after:held_after:booked_ms` of each,
    ascending account ids, joined by commas; owner is a player's id or the house's kind of account. None when the entry
    has no postings (which is already wrong).
    """

    shard: int
    position: int
    entry_id: int
    key: str
    kind: str
    asset: str
    body_hash: bytes
    reason: str
    contest: str | None
    table_id: UUID | None
    player_id: UUID | None
    corrects: int | None
    at_ms: int
    postings: str | None
    hash: bytes


def first_hash(shard: int) -> bytes:
    """What stands before the first entry of a shard."""
    return sha256(f"{FORM} shard {shard}".encode()).digest()


def next_hash(before: bytes, entry: ChainedEntry) -> bytes:
    return sha256(before + entry_text(entry).encode()).digest()


def entry_text(entry: ChainedEntry) -> str:
    """The entry as PostgreSQL's json_build_array writes it: a space after each comma, nothing else escaped."""
    fields = (
        FORM,
        entry.shard,
        entry.position,
        entry.entry_id,
        entry.key,
        entry.kind,
        entry.asset,
        entry.body_hash.hex(),
        entry.reason,
        entry.contest,
        _text(entry.table_id),
        _text(entry.player_id),
        entry.corrects,
        entry.at_ms,
        entry.postings,
    )
    return dumps(fields, ensure_ascii=False)


def _text(value: UUID | None) -> str | None:
    return None if value is None else str(value)
