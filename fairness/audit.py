"""Audit the log of all hands: nothing vanished, nothing was changed later, nothing stays open.

Works on what anybody can download: leaves, signed tree heads, proofs. Source: FAIRNESS_SPEC section 9; formats:
docs/fairness.md, "The log for auditors".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from fairness.commitment import commitment
from fairness.encoding import Hash, Id, Malformed
from fairness.json_form import Fields, JsonObject, from_hex
from fairness.leaves import CloseLeaf, OpenLeaf, decode_leaf
from fairness.merkle import Frontier, includes, is_consistent, leaf_hash
from fairness.receipts import MAX_PROOF, TreeHead
from fairness.signing import KeyRing, NotSigned

MAX_LEAVES: Final = 10_000_000
CLOSE_WITHIN_MS: Final = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. ok: None for what could not be looked at with what was given."""

    ok: bool | None
    words: str


@dataclass(frozen=True, slots=True)
class LeafRange:
    """Downloaded leaf data from index `first` on."""

    first: int
    leaves: tuple[bytes, ...]

    def to_json(self) -> JsonObject:
        return {"from": self.first, "leaves": [leaf.hex() for leaf in self.leaves]}

    @classmethod
    def from_json(cls, value: object) -> "LeafRange":
        fields = Fields(value, "leaves file")
        leaves = cls(fields.u64("from"), fields.each("leaves", MAX_LEAVES, from_hex))
        fields.nothing_else()
        return leaves


@dataclass(frozen=True, slots=True)
class ConsistencyProof:
    """That the tree of `old_size` leaves is the beginning of the one of `size`."""

    old_size: int
    size: int
    proof: tuple[Hash, ...]

    def to_json(self) -> JsonObject:
        return {"from": self.old_size, "to": self.size, "consistency": [node.hex() for node in self.proof]}

    @classmethod
    def from_json(cls, value: object) -> "ConsistencyProof":
        fields = Fields(value, "consistency file")
        proof = cls(fields.u64("from"), fields.u64("to"), fields.hashes("consistency", MAX_PROOF))
        fields.nothing_else()
        return proof


@dataclass(frozen=True, slots=True)
class PlacedLeaf:
    """A leaf, where it stands, and the proof of it."""

    leaf_index: int
    data: bytes
    inclusion: tuple[Hash, ...]

    def to_json(self) -> JsonObject:
        return {
            "leaf_index": self.leaf_index,
            "leaf": self.data.hex(),
            "inclusion": [node.hex() for node in self.inclusion],
        }

    @classmethod
    def read(cls, fields: Fields) -> "PlacedLeaf":
        placed = cls(fields.u64("leaf_index"), fields.any_hex("leaf"), fields.hashes("inclusion", MAX_PROOF))
        fields.nothing_else()
        return placed


@dataclass(frozen=True, slots=True)
class InclusionProof:
    """Both leaves of a hand under one signed head. closed: None while the hand runs."""

    head: TreeHead
    opened: PlacedLeaf
    closed: PlacedLeaf | None

    def to_json(self) -> JsonObject:
        return {
            "sth": self.head.to_json(),
            "open": self.opened.to_json(),
            "close": None if self.closed is None else self.closed.to_json(),
        }

    @classmethod
    def from_json(cls, value: object) -> "InclusionProof":
        fields = Fields(value, "inclusion file")
        proof = cls(
            TreeHead.from_json(fields.any("sth")),
            PlacedLeaf.read(fields.nested("open")),
            None if fields.is_null("close") else PlacedLeaf.read(fields.nested("close")),
        )
        fields.nothing_else()
        return proof


def join_leaves(ranges: Sequence[LeafRange]) -> tuple[bytes, ...]:
    """All leaves from index 0 on. Raises Malformed where the ranges leave a gap or overlap."""
    leaves: list[bytes] = []
    for part in sorted(ranges, key=lambda part: part.first):
        if part.first != len(leaves):
            raise Malformed(f"the leaves files have {len(leaves)} leaves from the start, and go on at {part.first}")
        leaves.extend(part.leaves)
    return tuple(leaves)


def check_head(name: str, head: TreeHead, keys: KeyRing | None) -> Finding:
    """Whether the house signed a tree head."""
    if keys is None:
        return Finding(None, f"{name}: signature not checked, no published keys were given")
    try:
        head.check(keys)
    except NotSigned as wrong:
        return Finding(False, f"{name}: {wrong}")
    return Finding(True, f"{name}: {head.tree_size} leaves, signed by the house")


def check_consistency(old: TreeHead, new: TreeHead, proof: ConsistencyProof) -> Finding:
    """Whether a proof shows that nothing of the older tree was changed."""
    if (proof.old_size, proof.size) != (old.tree_size, new.tree_size):
        return Finding(
            False, f"the consistency proof is from {proof.old_size} to {proof.size}, not between these heads"
        )
    ok = is_consistent(old.tree_size, old.root, new.tree_size, new.root, proof.proof)
    return Finding(ok, f"the {old.tree_size} older leaves are {'' if ok else 'not '}the beginning of the newer tree")


def check_inclusion(proof: InclusionProof, hand_id: bytes | None = None) -> Iterator[Finding]:
    """Whether a hand's leaves belong together, keep the promise, and are in the tree of the proof's own head.

    hand_id: the hand that it has to be about; None for whichever it is.
    """
    opened = decode_leaf(proof.opened.data)
    if not isinstance(opened, OpenLeaf):
        yield Finding(False, "the open leaf is none")
        return
    name = f"hand {opened.hand_id.hex()}"
    if hand_id is not None and opened.hand_id != hand_id:
        yield Finding(False, f"the proof is about {name}, not {hand_id.hex()}")
    yield _placed(f"{name}: the open leaf", proof.opened, proof.head)
    if proof.closed is None:
        yield Finding(None, f"{name} has no close leaf yet")
        return
    closed = decode_leaf(proof.closed.data)
    if not isinstance(closed, CloseLeaf) or closed.hand_id != opened.hand_id:
        yield Finding(False, f"the close leaf is not that of {name}")
        return
    yield _placed(f"{name}: the close leaf", proof.closed, proof.head)
    yield _seed_kept(opened, closed)


def audit_leaves(leaves: Sequence[bytes], head: TreeHead, older: TreeHead | None = None) -> Iterator[Finding]:
    """Everything that the leaves alone decide; older: a head that the auditor kept from before."""
    if len(leaves) < head.tree_size:
        yield Finding(False, f"{len(leaves)} leaves were given, the head has {head.tree_size}")
        return
    yield from _check_roots(leaves, head, older)
    log = _Log()
    for index, data in enumerate(leaves[: head.tree_size]):
        yield from log.take(index, data)
    yield from log.still_open(head, older)
    yield Finding(True, f"{log.opened_count} hands opened, {log.opened_count - len(log.open)} closed")


def _check_roots(leaves: Sequence[bytes], head: TreeHead, older: TreeHead | None) -> Iterator[Finding]:
    wanted = {head.tree_size: head.root} | ({} if older is None else {older.tree_size: older.root})
    if older is not None and older.tree_size > head.tree_size:
        yield Finding(False, f"the older head has {older.tree_size} leaves, the newer one {head.tree_size}")
        return
    if older is not None and older.tree_size == head.tree_size and older.root != head.root:
        yield Finding(False, f"two heads over {head.tree_size} leaves have different roots")
    frontier = Frontier()
    for size in range(head.tree_size + 1):
        if size in wanted:
            ok = frontier.root() == wanted[size]
            yield Finding(ok, f"the first {size} leaves {'give' if ok else 'do not give'} the root of the head")
        if size < head.tree_size:
            frontier.append(leaf_hash(leaves[size]))


class _Log:
    """What the leaves so far say."""

    def __init__(self) -> None:
        self.open: dict[Id, tuple[int, OpenLeaf]] = {}
        self.opened_count = 0
        self._closed: set[Id] = set()
        self._hand_numbers: dict[Id, int] = {}
        self._seeds: set[bytes] = set()

    def take(self, index: int, data: bytes) -> Iterator[Finding]:
        """Findings against one leaf; none when it is right."""
        try:
            leaf = decode_leaf(data)
        except Malformed as error:
            yield Finding(False, f"leaf {index}: {error}")
            return
        findings = self._take_open(index, leaf) if isinstance(leaf, OpenLeaf) else self._take_close(leaf)
        for finding in findings:
            yield Finding(finding.ok, f"leaf {index}: {finding.words}")

    def still_open(self, head: TreeHead, older: TreeHead | None) -> Iterator[Finding]:
        """Hands without a close leaf: running now, or open for longer than a day as two heads show."""
        for index, leaf in self.open.values():
            name = f"hand {leaf.hand_id.hex()}, opened by leaf {index}"
            if older is not None and index < older.tree_size and head.at_ms - older.at_ms > CLOSE_WITHIN_MS:
                yield Finding(False, f"{name}, is still not closed more than 24 hours later")
            else:
                yield Finding(None, f"{name}, has no close leaf yet")

    def _take_open(self, index: int, leaf: OpenLeaf) -> Iterator[Finding]:
        if leaf.hand_id in self.open or leaf.hand_id in self._closed:
            yield Finding(False, f"hand {leaf.hand_id.hex()} is opened a second time")
            return
        self.opened_count += 1
        self.open[leaf.hand_id] = (index, leaf)
        expected = self._hand_numbers.get(leaf.table_id, 0) + 1
        if leaf.hand_no != expected:
            yield Finding(False, f"table {leaf.table_id.hex()} opens hand {leaf.hand_no} where hand {expected} is next")
        self._hand_numbers[leaf.table_id] = leaf.hand_no

    def _take_close(self, leaf: CloseLeaf) -> Iterator[Finding]:
        opened = self.open.pop(leaf.hand_id, None)
        if opened is None:
            state = "is closed a second time" if leaf.hand_id in self._closed else "is closed, and was never opened"
            yield Finding(False, f"hand {leaf.hand_id.hex()} {state}")
            return
        self._closed.add(leaf.hand_id)
        kept = _seed_kept(opened[1], leaf)
        if not kept.ok:
            yield kept
        if leaf.server_seed in self._seeds:
            yield Finding(False, f"hand {leaf.hand_id.hex()} used the seed of an earlier hand")
        self._seeds.add(leaf.server_seed)


def _placed(name: str, placed: PlacedLeaf, head: TreeHead) -> Finding:
    ok = includes(leaf_hash(placed.data), placed.leaf_index, head.tree_size, placed.inclusion, head.root)
    return Finding(ok, f"{name} is {'' if ok else 'not '}leaf {placed.leaf_index} of {head.tree_size}")


def _seed_kept(opened: OpenLeaf, closed: CloseLeaf) -> Finding:
    ok = commitment(opened.terms_hash, closed.server_seed) == opened.commitment
    words = "is what was committed to" if ok else "is not what was committed to"
    return Finding(ok, f"hand {opened.hand_id.hex()}: the revealed seed {words}")
