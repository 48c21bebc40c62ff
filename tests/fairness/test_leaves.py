import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness.encoding import Malformed
from fairness.events import Outcome, VoidReason
from fairness.leaves import CloseLeaf, OpenLeaf, decode_leaf

ID, HASH = st.binary(min_size=16, max_size=16), st.binary(min_size=32, max_size=32)


def test_vectors(vectors: dict[str, Any]) -> None:
    for hand in vectors["hands"]:
        opened = bytes.fromhex(hand["log_leaves"][hand["open_index"]])
        closed = bytes.fromhex(hand["log_leaves"][hand["close_index"]])
        terms = hand["input"]["terms"]
        leaf = decode_leaf(opened)
        assert isinstance(leaf, OpenLeaf)
        assert leaf.encode() == opened
        assert (leaf.hand_id.hex(), leaf.table_id.hex(), leaf.hand_no) == (
            terms["hand_id"],
            terms["table_id"],
            terms["hand_no"],
        )
        assert (leaf.terms_hash.hex(), leaf.commitment.hex()) == (
            hand["deal"]["terms_hash"],
            hand["deal"]["commitment"],
        )
        end = decode_leaf(closed)
        assert isinstance(end, CloseLeaf)
        assert end.encode() == closed
        assert (end.server_seed.hex(), end.last_head.hex()) == (hand["input"]["server_seed"], hand["heads"][-1])


@given(ID, ID, st.integers(0, 2**64 - 1), HASH, HASH)
def test_open_leaves_round_trip(hand_id, table_id, hand_no, th, promised) -> None:
    leaf = OpenLeaf(hand_id, table_id, hand_no, th, promised)
    assert decode_leaf(leaf.encode()) == leaf


@given(ID, st.sampled_from(VoidReason) | st.none(), st.booleans(), HASH, HASH)
def test_close_leaves_round_trip(hand_id, reason, declared, seed, head) -> None:
    won = Outcome.DECLARED if declared else Outcome.LAST_IN
    leaf = CloseLeaf(hand_id, won if reason is None else Outcome.VOID, reason, seed, head)
    assert decode_leaf(leaf.encode()) == leaf
    assert seed.hex() not in repr(leaf)


@given(st.binary(max_size=120))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(Malformed):
        assert decode_leaf(data).encode() == data


def test_a_void_reason_belongs_to_a_void_hand() -> None:
    for outcome, reason in ((Outcome.VOID, None), (Outcome.LAST_IN, VoidReason.OPERATOR)):
        with pytest.raises(Malformed, match="void reason"):
            CloseLeaf(bytes(16), outcome, reason, bytes(32), bytes(32))
