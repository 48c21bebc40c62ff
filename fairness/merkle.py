"""The append-only Merkle tree of the log: hashes and proofs exactly as in RFC 9162, section 2.1.

A node is named by (level, index): it covers the 2^level leaves from index * 2^level on. Only complete nodes are ever
stored; what stands at the ragged right edge is computed from them.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fairness.encoding import Hash

NodeName = tuple[int, int]
"""(level, index) of a complete node."""


def leaf_hash(data: bytes) -> Hash:
    return Hash(hashlib.sha256(b"\x00" + data).digest())


def node_hash(left: bytes, right: bytes) -> Hash:
    return Hash(hashlib.sha256(b"\x01" + left + right).digest())


EMPTY_ROOT = Hash(hashlib.sha256(b"").digest())


class NodeSource(Protocol):
    """Where complete nodes are kept."""

    def get(self, level: int, index: int) -> Hash: ...


@dataclass(frozen=True, slots=True)
class StoredNodes:
    """Nodes fetched beforehand, say by one query for `nodes_for_inclusion(...)`."""

    nodes: Mapping[NodeName, Hash]

    def get(self, level: int, index: int) -> Hash:
        return self.nodes[level, index]


@dataclass(frozen=True, slots=True)
class CompletedNode:
    """A node that an append completed; store it, leaves (level 0) included."""

    level: int
    index: int
    hash: Hash


class Frontier:
    """A tree's right edge: its size and the roots of its complete subtrees, largest first. All that appending needs."""

    def __init__(self, size: int = 0, peaks: Iterable[Hash] = ()) -> None:
        self._size = size
        self._peaks = list(peaks)
        if len(self._peaks) != size.bit_count():
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} peaks, not {len(self._peaks)}")

    @property
    def size(self) -> int:
        return self._size

    @property
    def peaks(self) -> tuple[Hash, ...]:
        return tuple(self._peaks)

    def append(self, leaf: Hash) -> tuple[CompletedNode, ...]:
        """Add one leaf hash; returns the complete nodes that came into being, the leaf first."""
        index = self._size
        node = leaf
        completed = [CompletedNode(0, index, node)]
        level = 0
        while index & 1:
            node = node_hash(self._peaks.pop(), node)
            index >>= 1
            level += 1
            completed.append(CompletedNode(level, index, node))
        self._peaks.append(node)
        self._size += 1
        return tuple(completed)

    def root(self) -> Hash:
        if not self._peaks:
            return EMPTY_ROOT
        root = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            root = node_hash(peak, root)
        return root

    @classmethod
    def load(cls, size: int, nodes: NodeSource) -> "Frontier":
        """The frontier of a stored tree; its nodes are `nodes_for_frontier(size)`."""
        return cls(size, (nodes.get(level, index) for level, index in nodes_for_frontier(size)))


def root_of(leaves: Iterable[bytes]) -> Hash:
    """The root over leaf data, in order."""
    frontier = Frontier()
    for data in leaves:
        frontier.append(leaf_hash(data))
    return frontier.root()


def nodes_for_frontier(size: int) -> tuple[NodeName, ...]:
    return tuple(_peaks_over(0, size))


def inclusion_proof(index: int, size: int, nodes: NodeSource) -> tuple[Hash, ...]:
    """PATH(index, tree of `size` leaves), lowest first (section 2.1.3.1)."""
    return tuple(_subtree_root(start, end, nodes) for start, end in _inclusion_ranges(index, size))


def nodes_for_inclusion(index: int, size: int) -> tuple[NodeName, ...]:
    """The complete nodes that `inclusion_proof` will ask for."""
    return tuple(name for start, end in _inclusion_ranges(index, size) for name in _peaks_over(start, end))


def consistency_proof(old_size: int, size: int, nodes: NodeSource) -> tuple[Hash, ...]:
    """PROOF(old_size, tree of `size` leaves) (section 2.1.4.1); empty between equal sizes and from an empty tree."""
    return tuple(_subtree_root(start, end, nodes) for start, end in _consistency_ranges(old_size, size))


def nodes_for_consistency(old_size: int, size: int) -> tuple[NodeName, ...]:
    """The complete nodes that `consistency_proof` will ask for."""
    return tuple(name for start, end in _consistency_ranges(old_size, size) for name in _peaks_over(start, end))


def includes(leaf: Hash, index: int, size: int, proof: Sequence[Hash], root: bytes) -> bool:
    """Whether `proof` shows the leaf hash at `index` of the tree with `size` leaves and `root` (section 2.1.3.2)."""
    if not 0 <= index < size:
        return False
    at, last = index, size - 1
    node = leaf
    for sibling in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            node = node_hash(sibling, node)
            while not at & 1 and at:
                at >>= 1
                last >>= 1
        else:
            node = node_hash(node, sibling)
        at >>= 1
        last >>= 1
    return last == 0 and node == root


def is_consistent(old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[Hash]) -> bool:
    """Whether `proof` shows the first tree to be the second one's beginning (section 2.1.4.2)."""
    if not 0 <= old_size <= size:
        return False
    if old_size == size:
        return not proof and old_root == root
    if old_size == 0:
        return not proof and old_root == EMPTY_ROOT
    path = [Hash(bytes(old_root)), *proof] if old_size.bit_count() == 1 else list(proof)
    if not path:
        return False
    at, last = old_size - 1, size - 1
    while at & 1:
        at >>= 1
        last >>= 1
    old_node = node = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            old_node = node_hash(sibling, old_node)
            node = node_hash(sibling, node)
            while not at & 1 and at:
                at >>= 1
                last >>= 1
        else:
            node = node_hash(node, sibling)
        at >>= 1
        last >>= 1
    return last == 0 and old_node == old_root and node == root


def _split(size: int) -> int:
    """The largest power of two below `size`, size >= 2."""
    return 1 << ((size - 1).bit_length() - 1)


def _peaks_over(start: int, end: int) -> Iterator[NodeName]:
    """Complete nodes that cover leaves start .. end-1, left to right; `start` is aligned as every subtree's is."""
    while start < end:
        level = (end - start).bit_length() - 1
        yield level, start >> level
        start += 1 << level


def _subtree_root(start: int, end: int, nodes: NodeSource) -> Hash:
    peaks = [nodes.get(level, index) for level, index in _peaks_over(start, end)]
    return Frontier(end - start, peaks).root()


def _inclusion_ranges(index: int, size: int) -> list[tuple[int, int]]:
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of {size} leaves")
    start, end = 0, size
    ranges = []
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            ranges.append((middle, end))
            end = middle
        else:
            ranges.append((start, middle))
            start = middle
    return ranges[::-1]


def _consistency_ranges(old_size: int, size: int) -> list[tuple[int, int]]:
    if not 0 <= old_size <= size:
        raise ValueError(f"a tree of {size} leaves has no older tree of {old_size}")
    if old_size in (0, size):
        return []
    start, end = 0, size
    ranges = []
    # `whole`: the old tree is still a complete subtree of its own, whose root the verifier already knows.
    whole = True
    while end - start > 1 and end != old_size:
        middle = start + _split(end - start)
        if old_size <= middle:
            ranges.append((middle, end))
            end = middle
        else:
            ranges.append((start, middle))
            start = middle
            whole = False
    if not whole:
        ranges.append((start, end))
    return ranges[::-1]
