from datetime import date
from typing import Any

import pytest

from fairness.encoding import Malformed
from fairness.json_form import Fields
from fairness.receipts import (
    CommitReceipt,
    ContributionReceipt,
    HashesReceipt,
    RevealReceipt,
    StateReceipt,
    TreeHead,
    keepable,
)
from fairness.signing import KeyRing, NotSigned, SigningKey


class Signed:
    """One hand of the vectors with its key."""

    def __init__(self, hand: dict[str, Any]) -> None:
        self.hand = hand
        self.th = bytes.fromhex(hand["deal"]["terms_hash"])
        self.commitment = bytes.fromhex(hand["deal"]["commitment"])
        secret = bytes.fromhex(hand["signing_secret_for_tests"])
        self.key = SigningKey.from_secret(secret, date(2026, 1, 1), date(2026, 12, 31))
        self.ring = KeyRing((self.key.published,))

    def fields(self, name: str) -> Fields:
        return Fields(self.hand[name], name)


@pytest.fixture(params=range(3))
def signed(request: pytest.FixtureRequest, vectors: dict[str, Any]) -> Signed:
    return Signed(vectors["hands"][request.param])


def test_keys_of_the_vectors(signed: Signed) -> None:
    assert signed.key.published.public_key.hex() == signed.hand["public_key"]
    assert signed.key.published.key_id.hex() == signed.hand["key_id"]


def test_commit_receipt(signed: Signed) -> None:
    receipt = CommitReceipt.read(signed.fields("commit_receipt"))
    receipt.check(signed.ring, signed.th, signed.commitment)
    assert receipt.to_json() == signed.hand["commit_receipt"]
    again = CommitReceipt.sign(
        signed.key,
        signed.th,
        signed.commitment,
        leaf_index=receipt.leaf_index,
        tree_size=receipt.tree_size,
        root=receipt.root,
        inclusion=receipt.inclusion,
        at_ms=receipt.at_ms,
    )
    assert again == receipt
    with pytest.raises(NotSigned):
        receipt.check(signed.ring, signed.th, signed.th)


def test_hashes_receipt(signed: Signed) -> None:
    receipt = HashesReceipt.read(signed.fields("hashes_receipt"))
    receipt.check(signed.ring, signed.th)
    assert receipt.to_json() == signed.hand["hashes_receipt"]
    assert HashesReceipt.sign(signed.key, signed.th, receipt.hashes, receipt.at_ms) == receipt


@pytest.mark.parametrize(("kind", "name"), [(ContributionReceipt, "contribution"), (RevealReceipt, "reveal")])
def test_contribution_and_reveal_receipts(signed: Signed, kind, name: str) -> None:
    receipt = kind.read(signed.fields(f"{name}_receipt"))
    receipt.check(signed.ring, signed.th)
    assert receipt.to_json() == signed.hand[f"{name}_receipt"]
    assert kind.sign(signed.key, signed.th, receipt.seat, receipt.hash, receipt.at_ms) == receipt


def test_one_receipt_cannot_pass_as_another(signed: Signed) -> None:
    accepted = ContributionReceipt.read(signed.fields("contribution_receipt"))
    with pytest.raises(NotSigned):
        RevealReceipt(accepted.seat, accepted.hash, accepted.at_ms, accepted.signature).check(signed.ring, signed.th)


def test_state_receipt(signed: Signed) -> None:
    receipt = StateReceipt.read(signed.fields("state_receipt"))
    receipt.check(signed.ring, signed.th)
    assert receipt.to_json() == signed.hand["state_receipt"]
    again = StateReceipt.sign(
        signed.key,
        signed.th,
        k=receipt.k,
        head=receipt.head,
        seat=receipt.seat,
        seat_head=receipt.seat_head,
        at_ms=receipt.at_ms,
    )
    assert again == receipt


def test_tree_head(signed: Signed) -> None:
    fields = signed.fields("sth")
    head = TreeHead.take(fields)
    head.check(signed.ring)
    assert TreeHead.sign(signed.key, head.tree_size, head.root, head.at_ms) == head
    assert TreeHead.from_json(head.to_json()) == head
    with pytest.raises(Malformed, match="unknown field"):
        fields.nothing_else()


def test_a_receipt_to_keep_says_what_it_is_about(signed: Signed) -> None:
    receipt = StateReceipt.read(signed.fields("state_receipt"))
    hand_id = bytes.fromhex(signed.hand["input"]["terms"]["hand_id"])
    kept = keepable(receipt, hand_id, signed.th, signed.commitment)
    assert kept == signed.hand["state_receipt"] | {
        "protocol": "rummy-fair/1",
        "receipt": "state",
        "hand_id": hand_id.hex(),
        "terms_hash": signed.th.hex(),
        "commitment": signed.commitment.hex(),
    }
