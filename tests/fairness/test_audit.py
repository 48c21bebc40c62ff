import json
import re
from dataclasses import replace

import pytest

from fairness.audit import (
    CLOSE_WITHIN_MS,
    ConsistencyProof,
    Finding,
    InclusionProof,
    LeafRange,
    PlacedLeaf,
    audit_leaves,
    check_consistency,
    check_head,
    check_inclusion,
    join_leaves,
)
from fairness.commitment import commitment
from fairness.encoding import Hash, Id, Malformed
from fairness.events import Outcome, VoidReason
from fairness.leaves import CloseLeaf, OpenLeaf
from fairness.merkle import consistency_proof, inclusion_proof
from fairness.receipts import TreeHead
from fairness.rehearsal import RehearsedHouse
from fairness.rehearsed_players import restless

TABLE = Id(b"table-table-tabl")
TH = Hash(bytes(32))


def hand_id(number: int) -> Id:
    return Id(b"hand%012d" % number)


def seed(number: int) -> bytes:
    return b"seed%028d" % number


def opened(number: int, hand_no: int | None = None) -> OpenLeaf:
    return OpenLeaf(hand_id(number), TABLE, hand_no or number, TH, commitment(TH, seed(number)))


def closed(number: int, server_seed: bytes | None = None) -> CloseLeaf:
    return CloseLeaf(hand_id(number), Outcome.VOID, VoidReason.OPERATOR, server_seed or seed(number), TH)


class Log:
    """A house with just a log."""

    def __init__(self, *leaves: OpenLeaf | CloseLeaf) -> None:
        self.house = RehearsedHouse(3)
        for leaf in leaves:
            self.house.append(leaf)
        self.head = self.house.head()

    def wrong(self, older: TreeHead | None = None) -> list[str]:
        findings = audit_leaves(self.house.leaves, self.head, older)
        return [finding.words for finding in findings if finding.ok is False]


def test_an_honest_log_has_nothing_wrong() -> None:
    log = Log(opened(1), closed(1), opened(2), closed(2), opened(3))
    assert log.wrong() == []
    findings = list(audit_leaves(log.house.leaves, log.head))
    assert findings[-1] == Finding(True, "3 hands opened, 2 closed")
    assert findings[-2] == Finding(None, f"hand {hand_id(3).hex()}, opened by leaf 4, has no close leaf yet")


@pytest.mark.parametrize(
    ("leaves", "words"),
    [
        ((opened(1), closed(1), opened(3)), "leaf 2: table .* opens hand 3 where hand 2 is next"),
        ((opened(2),), "leaf 0: table .* opens hand 2 where hand 1 is next"),
        ((opened(1), opened(2, hand_no=1)), "leaf 1: table .* opens hand 1 where hand 2 is next"),
        ((opened(1), opened(1)), "leaf 1: hand .* is opened a second time"),
        ((opened(1), closed(1), opened(1)), "leaf 2: hand .* is opened a second time"),
        ((opened(1), closed(1), closed(1)), "leaf 2: hand .* is closed a second time"),
        ((closed(1), opened(1)), "leaf 0: hand .* was never opened"),
        ((opened(1), closed(1, seed(7))), "leaf 1: hand .* seed is not what was committed to"),
    ],
)
def test_what_leaves_give_away(leaves, words: str) -> None:
    wrong = Log(*leaves).wrong()
    assert len(wrong) == 1
    assert re.search(words, wrong[0])


def test_a_seed_that_was_used_before_is_found() -> None:
    again = OpenLeaf(hand_id(2), TABLE, 2, TH, commitment(TH, seed(1)))
    wrong = Log(opened(1), closed(1), again, closed(2, seed(1))).wrong()
    assert wrong == [f"leaf 3: hand {hand_id(2).hex()} used the seed of an earlier hand"]


def test_what_is_no_leaf_is_named() -> None:
    log = Log(opened(1))
    log.house.leaves[0] = b"\x07"
    assert log.wrong() == [
        "the first 1 leaves do not give the root of the head",
        "leaf 0: the leaf is of kind 7: allowed are 1 (open) and 2 (close)",
    ]


def test_too_few_leaves() -> None:
    log = Log(opened(1), closed(1))
    log.house.leaves.pop()
    assert log.wrong() == ["1 leaves were given, the head has 2"]


def test_a_hand_that_stays_open_for_a_day_is_an_offence() -> None:
    log = Log(opened(1))
    older = log.head
    log.house.append(opened(2))
    log.head = replace(log.house.head(), at_ms=older.at_ms + CLOSE_WITHIN_MS + 1)
    assert log.wrong(older) == [
        f"hand {hand_id(1).hex()}, opened by leaf 0, is still not closed more than 24 hours later"
    ]
    log.head = replace(log.head, at_ms=older.at_ms + CLOSE_WITHIN_MS)
    assert log.wrong(older) == []


def test_an_older_head_of_another_log_is_found() -> None:
    log = Log(opened(1), closed(1))
    for other in (Log(opened(2)), Log(opened(2), closed(2)), Log(opened(1), closed(1), opened(2))):
        assert len(log.wrong(other.head)) >= 1
    assert log.wrong(Log(opened(1)).head) == []


def test_heads_are_signed() -> None:
    log = Log(opened(1))
    assert check_head("head", log.head, log.house.keys).ok
    assert check_head("head", log.head, None).ok is None
    assert check_head("head", log.head, RehearsedHouse(4).keys).ok is False
    assert check_head("head", replace(log.head, tree_size=2), log.house.keys).ok is False


def test_consistency_between_two_heads() -> None:
    house = RehearsedHouse(3)
    house.play(restless)
    old = house.head()
    house.play(restless)
    new = house.head()
    proof = ConsistencyProof(old.tree_size, new.tree_size, consistency_proof(old.tree_size, new.tree_size, house.nodes))
    assert ConsistencyProof.from_json(json.loads(json.dumps(proof.to_json()))) == proof
    assert check_consistency(old, new, proof).ok
    assert not check_consistency(old, replace(new, root=old.root), proof).ok
    assert not check_consistency(new, old, proof).ok


def test_inclusion_of_a_hand() -> None:
    house = RehearsedHouse(3)
    hand = house.play(restless)
    head = house.head()
    places = [index for index, leaf in enumerate(house.leaves) if leaf[1:17] == hand.terms.hand_id]
    first, last = (
        PlacedLeaf(index, house.leaves[index], inclusion_proof(index, head.tree_size, house.nodes)) for index in places
    )
    proof = InclusionProof(head, first, last)
    assert InclusionProof.from_json(json.loads(json.dumps(proof.to_json()))) == proof
    assert [finding.ok for finding in check_inclusion(proof, hand.terms.hand_id)] == [True, True, True]
    assert [finding.ok for finding in check_inclusion(replace(proof, closed=None))] == [True, None]
    assert InclusionProof.from_json(replace(proof, closed=None).to_json()).closed is None
    assert [finding.ok for finding in check_inclusion(proof, hand_id(1))] == [False, True, True, True]
    assert [finding.ok for finding in check_inclusion(replace(proof, opened=last))] == [False]
    assert [finding.ok for finding in check_inclusion(replace(proof, closed=first))] == [True, False]
    moved = replace(proof, closed=replace(last, leaf_index=last.leaf_index - 1))
    assert [finding.ok for finding in check_inclusion(moved)] == [True, False, True]
    other_seed = replace(last, data=closed(1).encode()[:1] + hand.terms.hand_id + closed(1).encode()[17:])
    assert [finding.ok for finding in check_inclusion(replace(proof, closed=other_seed))] == [True, False, False]


def test_leaves_join_without_gap_or_overlap() -> None:
    leaves = (b"a", b"b", b"c", b"d")
    assert join_leaves([LeafRange(2, leaves[2:]), LeafRange(0, leaves[:2])]) == leaves
    for parts in ([LeafRange(0, leaves[:2]), LeafRange(3, leaves[3:])], [LeafRange(0, leaves), LeafRange(2, leaves)]):
        with pytest.raises(Malformed, match="go on at"):
            join_leaves(parts)
    assert LeafRange.from_json(json.loads(json.dumps(LeafRange(2, leaves).to_json()))) == LeafRange(2, leaves)
