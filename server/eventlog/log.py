"""Appending to the log of all hands: leaves, the nodes they complete, and a signed head, in the caller's transaction.

The log is one for the house. Whoever appends updates its size first and so holds the others back until commit;
therefore append late in a transaction. The tree's right edge is kept between transactions and read again whenever
somebody else has appended or a transaction has failed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from fairness.encoding import Hash
from fairness.merkle import Frontier, NodeName, StoredNodes, inclusion_proof, leaf_hash, nodes_for_frontier
from fairness.receipts import TreeHead
from fairness.signing import SigningKey, SigningKeys
from server.eventlog.driver import Driver

HEAD_EVERY_MS: Final = 50_000
"""A head as old as this is renewed at the next beat; FAIRNESS_SPEC section 9 allows it to get 60 seconds old."""

_GROW: Final = "UPDATE log_size SET size = size + $1 RETURNING size"
_NODES: Final = """
SELECT level, node_index, hash
FROM unnest($1::smallint[], $2::bigint[]) AS asked (level, node_index) JOIN log_nodes USING (level, node_index)
"""
_INSERT_LEAVES: Final = """
INSERT INTO log_leaves (leaf_index, data)
SELECT $1::bigint + place - 1, data FROM unnest($2::bytea[]) WITH ORDINALITY AS added (data, place)
"""
_INSERT_NODES: Final = """
INSERT INTO log_nodes (level, node_index, hash) SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bytea[])
"""
_INSERT_HEAD: Final = """
INSERT INTO tree_heads (tree_size, at_ms, root, signature, key_id) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class Growth:
    """What one append did. first_index: of the first new leaf; the others follow in the order given."""

    first_index: int
    head: TreeHead
    key: SigningKey
    nodes: StoredNodes
    """Enough to prove the new leaves' inclusion in the tree of `head`."""

    def inclusion(self, leaf_index: int) -> tuple[Hash, ...]:
        return inclusion_proof(leaf_index, self.head.tree_size, self.nodes)


class LogAppender:
    """One node's way to append. After each transaction say `keep` or `forget`."""

    def __init__(self, keys: SigningKeys) -> None:
        self._keys = keys
        self._frontier: Frontier | None = None
        self._grown: Frontier | None = None
        self._signed_ms = 0
        self._head_ms = 0

    def head_is_due(self, now_ms: int) -> bool:
        return now_ms - self._head_ms >= HEAD_EVERY_MS

    async def append(self, driver: Driver, leaves: Sequence[bytes], now_ms: int) -> Growth:
        """Add leaves, possibly none, and sign the new head."""
        size: int = await driver.fetchval(_GROW, len(leaves))
        edge = await self._edge(driver, size - len(leaves))
        nodes = dict(zip(nodes_for_frontier(edge.size), edge.peaks, strict=True))
        grown = Frontier(edge.size, edge.peaks)
        completed = [node for data in leaves for node in grown.append(leaf_hash(data))]
        nodes |= {(node.level, node.index): node.hash for node in completed}
        if leaves:
            await driver.execute(_INSERT_LEAVES, edge.size, leaves)
            await driver.execute(
                _INSERT_NODES,
                [node.level for node in completed],
                [node.index for node in completed],
                [node.hash for node in completed],
            )
        key, head = self._sign(grown, now_ms)
        await driver.execute(_INSERT_HEAD, head.tree_size, head.at_ms, head.root, head.signature, key.published.key_id)
        self._grown = grown
        return Growth(edge.size, head, key, StoredNodes(nodes))

    def keep(self) -> None:
        """The transaction was committed."""
        if self._grown is not None:
            self._frontier, self._grown = self._grown, None
            self._head_ms = self._signed_ms

    def forget(self) -> None:
        """The transaction failed, or nobody knows."""
        self._frontier = self._grown = None

    async def _edge(self, driver: Driver, size: int) -> Frontier:
        if self._frontier is not None and self._frontier.size == size:
            return self._frontier
        return Frontier.load(size, await load_nodes(driver, nodes_for_frontier(size)))

    def _sign(self, grown: Frontier, now_ms: int) -> tuple[SigningKey, TreeHead]:
        self._signed_ms = max(now_ms, self._signed_ms)
        key = self._keys.at(self._signed_ms)
        return key, TreeHead.sign(key, grown.size, grown.root(), self._signed_ms)


async def load_nodes(driver: Driver, names: Sequence[NodeName]) -> StoredNodes:
    """Complete nodes by (level, index); one that is missing raises KeyError where it is used."""
    rows = await driver.fetch(_NODES, [level for level, _ in names], [index for _, index in names])
    return StoredNodes({(row["level"], row["node_index"]): Hash(row["hash"]) for row in rows})
