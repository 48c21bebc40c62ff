"""What the log's leaves say: a hand was opened, a hand has ended (FAIRNESS_SPEC section 9)."""

from dataclasses import dataclass, field
from typing import Final

from fairness.encoding import ByteReader, Hash, Id, Malformed, u8, u64
from fairness.events import Outcome, VoidReason

_OPEN: Final = 1
_CLOSE: Final = 2
_NOT_VOID: Final = 0


@dataclass(frozen=True, slots=True)
class OpenLeaf:
    """In the log before anybody sees the hand's commitment."""

    hand_id: Id
    table_id: Id
    hand_no: int
    terms_hash: Hash
    commitment: Hash

    def encode(self) -> bytes:
        return b"".join((u8(_OPEN), self.hand_id, self.table_id, u64(self.hand_no), self.terms_hash, self.commitment))


@dataclass(frozen=True, slots=True)
class CloseLeaf:
    """In the log when the hand ends, voided ones too. last_head: the chain's head after the reveal."""

    hand_id: Id
    outcome: Outcome
    void_reason: VoidReason | None
    server_seed: bytes = field(repr=False)
    last_head: Hash

    def __post_init__(self) -> None:
        if (self.outcome is Outcome.VOID) != (self.void_reason is not None):
            raise Malformed("a close leaf names a void reason when the hand was void, and only then")

    def encode(self) -> bytes:
        reason = _NOT_VOID if self.void_reason is None else self.void_reason.value
        return b"".join(
            (u8(_CLOSE), self.hand_id, u8(self.outcome.value), u8(reason), self.server_seed, self.last_head)
        )


Leaf = OpenLeaf | CloseLeaf


def decode_leaf(data: bytes) -> Leaf:
    """Raises Malformed for anything that is no leaf of this log."""
    reader = ByteReader(data, "the leaf")
    kind = reader.u8()
    if kind == _OPEN:
        leaf: Leaf = OpenLeaf(reader.id(), reader.id(), reader.u64(), reader.hash(), reader.hash())
    elif kind == _CLOSE:
        hand_id, outcome, reason = reader.id(), reader.u8(), reader.u8()
        leaf = CloseLeaf(
            hand_id,
            Outcome.from_code(outcome),
            None if reason == _NOT_VOID else VoidReason.from_code(reason),
            reader.take(32),
            reader.hash(),
        )
    else:
        raise Malformed(f"the leaf is of kind {kind}: allowed are 1 (open) and 2 (close)")
    reader.end()
    return leaf
