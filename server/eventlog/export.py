"""What anybody may read: finished hands as files, public events of running ones, the log, the keys."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.audit import ConsistencyProof, InclusionProof, LeafRange, PlacedLeaf
from fairness.encoding import Hash
from fairness.event_codec import decode_event, event_to_json
from fairness.hand_file import LogProof
from fairness.hand_file import hand_file as make_hand_file
from fairness.json_form import Fields, JsonObject
from fairness.merkle import consistency_proof, inclusion_proof, nodes_for_consistency, nodes_for_inclusion
from fairness.receipts import CommitReceipt, HashesReceipt, TreeHead
from fairness.terms import Terms
from server.eventlog.driver import Driver, driver_of
from server.eventlog.keys import published_keys
from server.eventlog.log import load_nodes

_CLOSED_HAND: Final = """
SELECT terms, rules, commit_receipt, hashes_receipt, close_leaf FROM hands WHERE hand_id = $1 AND status = 'closed'
"""
_EVENTS: Final = """
SELECT k, data FROM hand_events WHERE hand_id = $1 AND k BETWEEN $2 AND $3 ORDER BY k
"""
_NEWEST_HEAD: Final = """
SELECT tree_size, root, at_ms, signature FROM tree_heads ORDER BY tree_size DESC, at_ms DESC LIMIT 1
"""
_LEAVES: Final = "SELECT data FROM log_leaves WHERE leaf_index >= $1 AND leaf_index < $2 ORDER BY leaf_index"
_LEAVES_OF_HAND: Final = """
SELECT leaf_index, data
FROM hands JOIN log_leaves ON leaf_index IN (open_leaf, close_leaf) WHERE hand_id = $1 ORDER BY leaf_index
"""
_LAST_EVENT: Final = 2**31 - 1
MOST_LEAVES: Final = 1_000


class DamagedRecord(Exception):
    """What is stored of a closed hand can't be read any more: no file can be made of it."""


async def hand_file(connection: AsyncConnection, hand_id: bytes) -> JsonObject | None:
    """The public file of a closed hand (FAIRNESS_SPEC section 12); None for an unknown or a running one.

    A player's own file is this one with the receipts that the player kept: the house does not keep them.
    Raises DamagedRecord.
    """
    driver = await driver_of(connection)
    rows = await driver.fetch(_CLOSED_HAND, UUID(bytes=hand_id))
    if not rows:
        return None
    hand = rows[0]
    stored = await driver.fetch(_EVENTS, UUID(bytes=hand_id), 0, _LAST_EVENT)
    commit_receipt = CommitReceipt.read(Fields(hand["commit_receipt"], "commit receipt"))
    log = await _log_proof(driver, commit_receipt.tree_size, hand["close_leaf"])
    keys = await published_keys(connection)
    hashes = hand["hashes_receipt"]
    try:
        return make_hand_file(
            terms=Terms.decode(hand["terms"], hand["rules"]),
            events=[decode_event(row["data"]) for row in stored],
            commit_receipt=commit_receipt,
            hashes_receipt=None if hashes is None else HashesReceipt.read(Fields(hashes, "hashes receipt")),
            log=log,
            keys=keys,
        )
    except Exception as fault:
        # Nothing but what is stored goes in, so that is what is wrong, in whatever way it shows.
        raise DamagedRecord(f"the record of hand {hand_id.hex()} is damaged") from fault


async def live_events(connection: AsyncConnection, hand_id: bytes, first: int, last: int) -> list[JsonObject]:
    """Public events `first` to `last` (both included) of any hand, each with its index k, as the hand file has them."""
    rows = await (await driver_of(connection)).fetch(_EVENTS, UUID(bytes=hand_id), first, last)
    return [{"k": row["k"]} | event_to_json(decode_event(row["data"])) for row in rows]


async def public_keys(connection: AsyncConnection) -> JsonObject:
    """`{"keys": [...]}`, as `fairness.signing.KeyRing.from_json` reads it."""
    return {"keys": (await published_keys(connection)).to_json()}


async def log_head(connection: AsyncConnection) -> JsonObject:
    """The newest signed tree head. Raises LookupError before the house's first second."""
    return (await _newest_head(await driver_of(connection))).to_json()


async def log_leaves(connection: AsyncConnection, start: int, stop: int) -> JsonObject:
    """Leaf data from index `start` to `stop` (not included), at most MOST_LEAVES."""
    driver = await driver_of(connection)
    rows = await driver.fetch(_LEAVES, start, min(stop, start + MOST_LEAVES))
    return LeafRange(start, tuple(row["data"] for row in rows)).to_json()


async def log_consistency(connection: AsyncConnection, old_size: int, size: int) -> JsonObject | None:
    """The proof that the tree of `old_size` leaves is the beginning of the later one; None if the log is shorter."""
    driver = await driver_of(connection)
    head = await _newest_head(driver)
    if not 0 <= old_size <= size <= head.tree_size:
        return None
    return ConsistencyProof(old_size, size, await _consistency(driver, old_size, size)).to_json()


async def log_inclusion(connection: AsyncConnection, hand_id: bytes) -> JsonObject | None:
    """A hand's leaves with their proofs in the newest tree head; None for an unknown hand."""
    driver = await driver_of(connection)
    # The head comes second: it then covers every leaf that was found.
    leaves = await driver.fetch(_LEAVES_OF_HAND, UUID(bytes=hand_id))
    if not leaves:
        return None
    head = await _newest_head(driver)
    placed = [
        PlacedLeaf(row["leaf_index"], row["data"], await _inclusion(driver, row["leaf_index"], head.tree_size))
        for row in leaves
    ]
    opened, closed = placed[0], placed[1] if len(placed) > 1 else None
    return InclusionProof(head, opened, closed).to_json()


async def _log_proof(driver: Driver, commit_size: int, close_index: int) -> LogProof:
    head = await _newest_head(driver)
    return LogProof(
        close_index,
        head,
        commit_size,
        await _consistency(driver, commit_size, head.tree_size),
        await _inclusion(driver, close_index, head.tree_size),
    )


async def _newest_head(driver: Driver) -> TreeHead:
    """Raises LookupError before the first head; every logged hand has one."""
    rows = await driver.fetch(_NEWEST_HEAD)
    if not rows:
        raise LookupError("no tree head was signed yet")
    return _tree_head(rows[0])


def _tree_head(row: Mapping[str, Any]) -> TreeHead:
    return TreeHead(row["tree_size"], Hash(row["root"]), row["at_ms"], row["signature"])


async def _consistency(driver: Driver, old_size: int, size: int) -> tuple[Hash, ...]:
    return consistency_proof(old_size, size, await load_nodes(driver, nodes_for_consistency(old_size, size)))


async def _inclusion(driver: Driver, leaf_index: int, size: int) -> tuple[Hash, ...]:
    return inclusion_proof(leaf_index, size, await load_nodes(driver, nodes_for_inclusion(leaf_index, size)))
