"""Proving the ledger: everything that must hold, looked at from the rows themselves.

The database keeps these rules while it is asked through its one door. This looks for what came in by another: a changed
row, a restored file, a mistake of ours. It reads one moment and changes nothing.
"""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy import TextClause, text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.chain import ChainedEntry, first_hash, next_hash


class FindingCode(StrEnum):
    ENTRY_UNBALANCED = "entry_unbalanced"
    ENTRY_INCOMPLETE = "entry_incomplete"
    ASSET_NOT_ZERO = "asset_not_zero"
    POSTING_BROKEN = "posting_broken"
    BALANCE_WRONG = "balance_wrong"
    BELOW_ZERO = "below_zero"
    HOLD_MISMATCH = "hold_mismatch"
    HOLD_OUTLIVED = "hold_outlived"
    ADJUSTMENT_UNAPPROVED = "adjustment_unapproved"
    CHAIN_BROKEN = "chain_broken"
    HEAD_MISSING = "head_missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, in words that name the row."""

    code: FindingCode
    words: str


@dataclass(frozen=True, slots=True)
class Heads:
    """How far each shard's chain reached, and with which hash (hex).

    Kept outside the database, they prove later that no end was cut off and nothing was written anew.
    """

    at: Mapping[int, tuple[int, str]]


NO_HEADS: Final = Heads({})


@dataclass(frozen=True, slots=True)
class Report:
    findings: tuple[Finding, ...]
    entries: int
    postings: int
    heads: Heads


QUESTIONS: Final[Mapping[FindingCode, str]] = {
    FindingCode.ENTRY_UNBALANCED: (
        "SELECT format('entry %s: its postings sum to %s %s', p.entry_id, sum(p.available_change + p.held_change),"
        "              a.asset)"
        " FROM wallet.postings p JOIN wallet.accounts a USING (account_id)"
        " GROUP BY p.entry_id, a.asset HAVING sum(p.available_change + p.held_change) <> 0"
    ),
    FindingCode.ENTRY_INCOMPLETE: (
        "SELECT format('account %s version %s: it belongs to entry %s, which does not exist',"
        "              p.account_id, p.version, p.entry_id)"
        " FROM wallet.postings p LEFT JOIN wallet.entries e USING (entry_id) WHERE e.entry_id IS NULL"
        " UNION ALL"
        " SELECT format('account %s version %s (entry %s): the account does not exist or is not in %s',"
        "               p.account_id, p.version, p.entry_id, e.asset)"
        " FROM wallet.postings p JOIN wallet.entries e USING (entry_id)"
        " LEFT JOIN wallet.accounts a ON a.account_id = p.account_id AND a.asset = e.asset WHERE a.account_id IS NULL"
        " UNION ALL"
        " SELECT format('entry %s (%s): it has no postings', e.entry_id, e.key)"
        " FROM wallet.entries e LEFT JOIN wallet.postings p USING (entry_id) WHERE p.entry_id IS NULL"
    ),
    FindingCode.ASSET_NOT_ZERO: (
        "SELECT format('%s: all postings sum to %s and all balances to %s, not to 0', a.asset, sum(p.total),"
        "              sum(a.available + a.held))"
        " FROM wallet.accounts a LEFT JOIN (SELECT account_id, sum(available_change + held_change) AS total"
        "                                   FROM wallet.postings GROUP BY account_id) p USING (account_id)"
        " GROUP BY a.asset HAVING coalesce(sum(p.total), 0) <> 0 OR sum(a.available + a.held) <> 0"
    ),
    FindingCode.POSTING_BROKEN: (
        "SELECT format("
        "         'account %s version %s (entry %s): it does not follow version %s: %s + %s after %s + %s by %s, %s',"
        "              account_id, version, entry_id, before_version, available_after, held_after,"
        "              before_available, before_held, available_change, held_change)"
        " FROM (SELECT p.*, lag(version, 1, 0::bigint) OVER line AS before_version,"
        "              lag(available_after, 1, 0::bigint) OVER line AS before_available,"
        "              lag(held_after, 1, 0::bigint) OVER line AS before_held,"
        "              lag(booked_ms, 1, booked_ms) OVER line AS before_ms"
        "       FROM wallet.postings p WINDOW line AS (PARTITION BY account_id ORDER BY version)) p"
        " WHERE version <> before_version + 1 OR available_after <> before_available + available_change"
        "    OR held_after <> before_held + held_change OR booked_ms < before_ms"
    ),
    FindingCode.BALANCE_WRONG: (
        "SELECT format('account %s: it says %s + %s at version %s; its postings say %s + %s at version %s',"
        "              a.account_id, a.available, a.held, a.version, coalesce(p.available, 0), coalesce(p.held, 0),"
        "              coalesce(p.version, 0))"
        " FROM wallet.accounts a"
        " LEFT JOIN (SELECT account_id, sum(available_change) AS available, sum(held_change) AS held,"
        "                   max(version) AS version, max(booked_ms) AS booked_ms"
        "            FROM wallet.postings GROUP BY account_id) p USING (account_id)"
        " WHERE (a.available, a.held, a.version, a.booked_ms)"
        "    <> (coalesce(p.available, 0), coalesce(p.held, 0), coalesce(p.version, 0), coalesce(p.booked_ms, 0))"
    ),
    FindingCode.BELOW_ZERO: (
        "SELECT format('account %s (%s %s): it stands at %s + %s', account_id, asset, kind, available, held)"
        " FROM wallet.accounts WHERE held < 0 OR (available < 0 AND kind <> 'issuance')"
        " UNION ALL"
        " SELECT format('account %s version %s (entry %s): it stood at %s + %s',"
        "               p.account_id, p.version, p.entry_id, p.available_after, p.held_after)"
        " FROM wallet.postings p JOIN wallet.accounts a USING (account_id)"
        " WHERE p.held_after < 0 OR (p.available_after < 0 AND a.kind <> 'issuance')"
    ),
    FindingCode.HOLD_MISMATCH: (
        "SELECT format('%s %s, player %s: %s units are held by the journal and %s by the open holds',"
        "              kind, id, player_id, coalesce(j.held, 0), coalesce(h.held, 0))"
        " FROM (SELECT CASE WHEN e.match_id IS NULL THEN 'hand' ELSE 'match' END AS kind,"
        "              coalesce(e.match_id, e.hand_id) AS id, a.player_id, sum(p.held_change) AS held"
        "       FROM wallet.postings p JOIN wallet.accounts a USING (account_id) JOIN wallet.entries e USING (entry_id)"
        "       GROUP BY e.hand_id, e.match_id, a.player_id HAVING sum(p.held_change) <> 0) j"
        " FULL JOIN (SELECT o.contest_kind::text AS kind, o.contest_id AS id, u.player_id, u.held"
        "            FROM wallet.open_holds o, unnest(o.player_ids, o.amounts) u (player_id, held)) h"
        " USING (kind, id, player_id)"
        " WHERE j.held IS DISTINCT FROM h.held"
    ),
    FindingCode.ADJUSTMENT_UNAPPROVED: (
        "SELECT format('entry %s (%s): no second operator approved it', e.entry_id, e.key)"
        " FROM wallet.entries e WHERE e.kind = 'adjust' AND NOT EXISTS"
        " (SELECT FROM wallet.adjustment_decisions d WHERE e.key = 'adjust:' || d.adjustment_id AND d.approved)"
    ),
}

TABLE_EXISTS: Final = text("SELECT to_regclass(:name) IS NOT NULL")
HANDS_OUTLIVED: Final = (
    "SELECT format('hand %s: %s units are held since entry %s, and the hand is %s', o.contest_id,"
    "              (SELECT sum(amount) FROM unnest(o.amounts) amount), o.entry_id, coalesce(h.status, 'unknown'))"
    " FROM wallet.open_holds o LEFT JOIN public.hands h ON h.hand_id = o.contest_id"
    " WHERE o.contest_kind = 'hand' AND h.status IS DISTINCT FROM 'open' LIMIT :most"
)
MATCHES_OUTLIVED: Final = (
    "SELECT format('match %s: %s units are held since entry %s, and the match is %s', o.contest_id,"
    "              (SELECT sum(amount) FROM unnest(o.amounts) amount), o.entry_id, coalesce(m.status, 'unknown'))"
    " FROM wallet.open_holds o LEFT JOIN public.matches m ON m.match_id = o.contest_id"
    " WHERE o.contest_kind = 'match' AND m.status IS DISTINCT FROM 'open' LIMIT :most"
)
HOLDS_OUTLIVED: Final = (("public.hands", HANDS_OUTLIVED), ("public.matches", MATCHES_OUTLIVED))
"""The server's table of contests, each `open` until it ends, and the question; a bare ledger has no such tables."""

CHAINED: Final = text(
    "SELECT e.shard, e.position, e.entry_id, e.key, e.kind, e.asset, e.body_hash, e.reason,"
    "       coalesce(e.hand_id::text, 'match:' || e.match_id) AS contest, e.table_id,"
    "       e.player_id, e.corrects, e.at_ms, p.postings, e.hash"
    " FROM wallet.entries e"
    " LEFT JOIN (SELECT p.entry_id, string_agg(concat_ws("
    "                     ':', CASE a.kind WHEN 'player' THEN a.player_id::text ELSE a.kind END, account_id, p.version,"
    "                     available_change, held_change, available_after, held_after, p.booked_ms"
    "                   ), ',' ORDER BY account_id) AS postings"
    "            FROM wallet.postings p LEFT JOIN wallet.accounts a USING (account_id) GROUP BY p.entry_id) p"
    " USING (entry_id)"
    " ORDER BY e.shard, e.position"
)
COUNTS: Final = text("SELECT (SELECT count(*) FROM wallet.entries), (SELECT count(*) FROM wallet.postings)")
MOST_FINDINGS: Final = 1000
"""Of one kind; a ledger with more is broken as a whole."""


async def check(connection: AsyncConnection, earlier: Heads = NO_HEADS) -> Report:
    """Ask every question of the ledger as it is at this moment; no findings means that all of it holds.

    earlier: heads that were noted before; they must still be in the chain. The connection must not be in a transaction
    yet: it is set to read one consistent moment.
    """
    await connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    findings: list[Finding] = []
    for code, question in QUESTIONS.items():
        findings += [Finding(code, words) for words in await _answers(connection, text(f"{question} LIMIT :most"))]
    for name, question in HOLDS_OUTLIVED:
        if (await connection.execute(TABLE_EXISTS, {"name": name})).scalar_one():
            words_found = await _answers(connection, text(question))
            findings += [Finding(FindingCode.HOLD_OUTLIVED, words) for words in words_found]
    breaks, heads = await _follow_chains(connection, earlier)
    entries, postings = (await connection.execute(COUNTS)).one()
    return Report((*findings, *breaks), entries, postings, heads)


async def _answers(connection: AsyncConnection, question: TextClause) -> list[str]:
    return list((await connection.execute(question, {"most": MOST_FINDINGS})).scalars())


async def chained_entries(connection: AsyncConnection) -> AsyncIterator[ChainedEntry]:
    """Every entry with its postings, shard by shard in the chain's order."""
    async with connection.stream(CHAINED) as rows:
        async for row in rows:
            yield ChainedEntry(*row)


async def _follow_chains(connection: AsyncConnection, earlier: Heads) -> tuple[list[Finding], Heads]:
    """Recompute every hash. After a break it goes on from the hash that is stored, so that each break is told once."""
    findings: list[Finding] = []
    heads: dict[int, tuple[int, str]] = {}
    wanted = dict(earlier.at)
    before: ChainedEntry | None = None
    async for entry in chained_entries(connection):
        if before is not None and before.shard != entry.shard:
            before = None
        findings += _breaks(before, entry)
        heads[entry.shard] = (entry.position, entry.hash.hex())
        if wanted.get(entry.shard) == heads[entry.shard]:
            del wanted[entry.shard]
        before = entry
    for shard, (position, _) in wanted.items():
        words = f"shard {shard}: the hash that was noted at position {position} is no longer there"
        findings.append(Finding(FindingCode.HEAD_MISSING, words))
    return findings[:MOST_FINDINGS], Heads(heads)


def _breaks(before: ChainedEntry | None, entry: ChainedEntry) -> list[Finding]:
    place = f"entry {entry.entry_id} ({entry.key}; shard {entry.shard}, position {entry.position})"
    expected_position = 1 if before is None else before.position + 1
    if entry.position != expected_position:
        words = f"{place}: position {expected_position} is missing before it"
        return [Finding(FindingCode.CHAIN_BROKEN, words)]
    if next_hash(first_hash(entry.shard) if before is None else before.hash, entry) != entry.hash:
        words = f"{place}: the entry, one of its postings, or the hash before it was changed after it was written"
        return [Finding(FindingCode.CHAIN_BROKEN, words)]
    return []
