"""RFC 9162 section 2.1, against its own recursive definitions."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness.encoding import Hash
from fairness.merkle import (
    EMPTY_ROOT,
    Frontier,
    StoredNodes,
    consistency_proof,
    includes,
    inclusion_proof,
    is_consistent,
    leaf_hash,
    node_hash,
    nodes_for_consistency,
    nodes_for_frontier,
    nodes_for_inclusion,
    root_of,
)

SIZES = range(1, 201)
LEAVES = [b"leaf %d" % index for index in range(200)]


def mth(leaves: list[bytes]) -> bytes:
    """MTH of section 2.1.1, word for word."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return hashlib.sha256(b"\0" + leaves[0]).digest()
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\1" + mth(leaves[:k]) + mth(leaves[k:])).digest()


class Counting:
    """A node source that remembers what it was asked for."""

    def __init__(self, nodes: StoredNodes) -> None:
        self._nodes = nodes
        self.asked: list[tuple[int, int]] = []

    def get(self, level: int, index: int) -> Hash:
        self.asked.append((level, index))
        return self._nodes.get(level, index)


def stored(leaves: list[bytes]) -> tuple[Frontier, StoredNodes, list[Hash]]:
    """The frontier, all complete nodes, and the root at each size from 0 on."""
    frontier, nodes, roots = Frontier(), {}, [Frontier().root()]
    for leaf in leaves:
        for node in frontier.append(leaf_hash(leaf)):
            nodes[node.level, node.index] = node.hash
        roots.append(frontier.root())
    return frontier, StoredNodes(nodes), roots


@pytest.fixture(scope="module")
def tree() -> tuple[StoredNodes, list[Hash]]:
    _, nodes, roots = stored(LEAVES)
    return nodes, roots


def test_vectors(vectors: dict[str, Any]) -> None:
    for case in vectors["merkle"]:
        leaves = [bytes.fromhex(leaf) for leaf in case["leaves"]]
        frontier, nodes, roots = stored(leaves)
        assert frontier.root().hex() == root_of(leaves).hex() == case["root"]
        if not leaves:
            continue
        index, old = case["index"], case["from_size"]
        inclusion = inclusion_proof(index, len(leaves), nodes)
        assert [node.hex() for node in inclusion] == case["inclusion"]
        assert includes(leaf_hash(leaves[index]), index, len(leaves), inclusion, roots[-1])
        consistency = consistency_proof(old, len(leaves), nodes)
        assert [node.hex() for node in consistency] == case["consistency"]
        assert roots[old].hex() == case["from_root"]
        assert is_consistent(old, roots[old], len(leaves), roots[-1], consistency)


def test_roots_are_the_recursive_definition(tree) -> None:
    _, roots = tree
    assert roots[0] == EMPTY_ROOT
    for size in SIZES:
        assert roots[size] == mth(LEAVES[:size])


def test_every_leaf_of_every_size_has_a_proof_of_its_place_alone(tree) -> None:
    nodes, roots = tree
    for size in SIZES:
        for index in range(size):
            proof = inclusion_proof(index, size, nodes)
            leaf = leaf_hash(LEAVES[index])
            assert includes(leaf, index, size, proof, roots[size])
            assert not includes(leaf_hash(b"another"), index, size, proof, roots[size])
            if size > 1:
                assert not includes(leaf, (index + 1) % size, size, proof, roots[size])
                assert not includes(leaf, index, size, proof[:-1], roots[size])
            assert not includes(leaf, index, size, (*proof, leaf), roots[size])


def test_every_size_is_the_beginning_of_every_later_one(tree) -> None:
    nodes, roots = tree
    for size in range(201):
        for old in range(size + 1):
            proof = consistency_proof(old, size, nodes)
            assert is_consistent(old, roots[old], size, roots[size], proof)
            if 0 < old < size:
                assert not is_consistent(old, roots[old - 1], size, roots[size], proof)
                assert not is_consistent(old, roots[old], size, roots[size - 1], proof)
                assert not is_consistent(old, roots[old], size, roots[size], proof[:-1])
                assert not is_consistent(old, roots[old], size, roots[size], (*proof, roots[1]))


@given(st.integers(1, 200), st.data())
def test_proofs_ask_for_the_nodes_that_they_announce(size: int, data: st.DataObject) -> None:
    _, nodes, _ = stored(LEAVES[:size])
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, size))
    source = Counting(nodes)
    inclusion_proof(index, size, source)
    assert sorted(source.asked) == sorted(nodes_for_inclusion(index, size))
    source = Counting(nodes)
    consistency_proof(old, size, source)
    assert sorted(source.asked) == sorted(nodes_for_consistency(old, size))
    source = Counting(nodes)
    Frontier.load(size, source)
    assert tuple(source.asked) == nodes_for_frontier(size)


def test_a_loaded_frontier_goes_on_like_one_that_never_stopped(tree) -> None:
    nodes, roots = tree
    for size in SIZES:
        frontier = Frontier.load(size - 1, nodes)
        assert frontier.root() == roots[size - 1]
        frontier.append(leaf_hash(LEAVES[size - 1]))
        assert (frontier.size, frontier.root()) == (size, roots[size])


def test_leaf_and_node_hashes_cannot_be_taken_for_each_other() -> None:
    left, right = leaf_hash(b"a"), leaf_hash(b"b")
    assert leaf_hash(left + right) != node_hash(left, right)


@pytest.mark.parametrize("index", [-1, 5, 6])
def test_no_proof_for_a_leaf_outside_the_tree(tree, index: int) -> None:
    nodes, roots = tree
    with pytest.raises(ValueError, match="not in a tree of 5"):
        inclusion_proof(index, 5, nodes)
    assert not includes(leaf_hash(b""), index, 5, (), roots[5])


def test_no_proof_from_a_larger_tree(tree) -> None:
    nodes, roots = tree
    with pytest.raises(ValueError, match="no older tree of 6"):
        consistency_proof(6, 5, nodes)
    assert not is_consistent(6, roots[6], 5, roots[5], ())


def test_a_frontier_has_one_peak_for_each_bit_of_its_size() -> None:
    with pytest.raises(ValueError, match="2 peaks, not 0"):
        Frontier(3)
    assert len(Frontier(3, [leaf_hash(b"x"), leaf_hash(b"y")]).peaks) == 2
