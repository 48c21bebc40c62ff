"""The six messages that the house signs, in the form in which players and auditors keep them (FAIRNESS_SPEC section 9).

at_ms: the time of signing, Unix milliseconds, given by the caller. Every `check` raises NotSigned.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final, TypeVar

from fairness.contributions import MAX_PLAYERS
from fairness.encoding import PROTOCOL, H, Hash, L, u8, u32, u64
from fairness.events import MAX_EVENTS
from fairness.json_form import Fields, JsonObject
from fairness.signing import SIGNATURE_BYTES, KeyRing, SigningKey

T = TypeVar("T")

MAX_PROOF: Final = 64
"""Hashes in one proof: enough for any tree that fits u64."""


@dataclass(frozen=True, slots=True)
class TreeHead:
    """The log's size and root as the house stands by them."""

    KIND: ClassVar[str] = "tree_head"
    tree_size: int
    root: Hash
    at_ms: int
    signature: bytes

    @staticmethod
    def message(tree_size: int, root: bytes, at_ms: int) -> bytes:
        return L("sth") + u64(tree_size) + root + u64(at_ms)

    @classmethod
    def sign(cls, key: SigningKey, tree_size: int, root: Hash, at_ms: int) -> "TreeHead":
        return cls(tree_size, root, at_ms, key.sign(cls.message(tree_size, root, at_ms)))

    def check(self, ring: KeyRing) -> None:
        ring.check(self.message(self.tree_size, self.root, self.at_ms), self.at_ms, self.signature)

    def to_json(self) -> JsonObject:
        return {
            "tree_size": self.tree_size,
            "root": self.root.hex(),
            "at_ms": self.at_ms,
            "signature": self.signature.hex(),
        }

    @classmethod
    def take(cls, fields: Fields) -> "TreeHead":
        """Read the head out of an object that holds more beside it."""
        return cls(fields.u64("tree_size"), fields.hash("root"), fields.u64("at_ms"), _signature(fields))

    @classmethod
    def from_json(cls, value: object) -> "TreeHead":
        return _alone(Fields(value, "tree head"), cls.take)


@dataclass(frozen=True, slots=True)
class CommitReceipt:
    """The commitment was in the log before anybody contributed; inclusion: the open leaf's proof in that tree."""

    KIND: ClassVar[str] = "commit"
    leaf_index: int
    tree_size: int
    root: Hash
    at_ms: int
    inclusion: tuple[Hash, ...]
    signature: bytes

    @staticmethod
    def message(th: bytes, commitment: bytes, leaf_index: int, tree_size: int, root: bytes, at_ms: int) -> bytes:
        return L("receipt/commit") + th + commitment + u64(leaf_index) + u64(tree_size) + root + u64(at_ms)

    @classmethod
    def sign(
        cls,
        key: SigningKey,
        th: bytes,
        commitment: bytes,
        *,
        leaf_index: int,
        tree_size: int,
        root: Hash,
        inclusion: tuple[Hash, ...],
        at_ms: int,
    ) -> "CommitReceipt":
        signature = key.sign(cls.message(th, commitment, leaf_index, tree_size, root, at_ms))
        return cls(leaf_index, tree_size, root, at_ms, inclusion, signature)

    def check(self, ring: KeyRing, th: bytes, commitment: bytes) -> None:
        message = self.message(th, commitment, self.leaf_index, self.tree_size, self.root, self.at_ms)
        ring.check(message, self.at_ms, self.signature)

    def to_json(self) -> JsonObject:
        return {
            "leaf_index": self.leaf_index,
            "tree_size": self.tree_size,
            "root": self.root.hex(),
            "at_ms": self.at_ms,
            "inclusion": [node.hex() for node in self.inclusion],
            "signature": self.signature.hex(),
        }

    @classmethod
    def read(cls, fields: Fields) -> "CommitReceipt":
        return _alone(fields, cls._take)

    @classmethod
    def _take(cls, fields: Fields) -> "CommitReceipt":
        return cls(
            fields.u64("leaf_index"),
            fields.u64("tree_size"),
            fields.hash("root"),
            fields.u64("at_ms"),
            fields.hashes("inclusion", MAX_PROOF),
            _signature(fields),
        )


@dataclass(frozen=True, slots=True)
class HashesReceipt:
    """The list of contribution hashes was closed; hashes: the list's bytes."""

    KIND: ClassVar[str] = "hashes"
    hashes: bytes
    at_ms: int
    signature: bytes

    @staticmethod
    def message(th: bytes, hashes: bytes, at_ms: int) -> bytes:
        return L("receipt/hashes") + th + H("hashes", hashes) + u64(at_ms)

    @classmethod
    def sign(cls, key: SigningKey, th: bytes, hashes: bytes, at_ms: int) -> "HashesReceipt":
        return cls(hashes, at_ms, key.sign(cls.message(th, hashes, at_ms)))

    def check(self, ring: KeyRing, th: bytes) -> None:
        ring.check(self.message(th, self.hashes, self.at_ms), self.at_ms, self.signature)

    def to_json(self) -> JsonObject:
        return {"hashes": self.hashes.hex(), "at_ms": self.at_ms, "signature": self.signature.hex()}

    @classmethod
    def read(cls, fields: Fields) -> "HashesReceipt":
        return _alone(fields, lambda f: cls(f.any_hex("hashes"), f.u64("at_ms"), _signature(f)))


@dataclass(frozen=True, slots=True)
class ContributionReceipt:
    """A seat's hash K was accepted."""

    KIND: ClassVar[str] = "contribution"
    seat: int
    hash: Hash
    at_ms: int
    signature: bytes

    @staticmethod
    def message(th: bytes, seat: int, K: bytes, at_ms: int) -> bytes:
        return L("receipt/contribution") + th + u8(seat) + K + u64(at_ms)

    @classmethod
    def sign(cls, key: SigningKey, th: bytes, seat: int, K: Hash, at_ms: int) -> "ContributionReceipt":
        return cls(seat, K, at_ms, key.sign(cls.message(th, seat, K, at_ms)))

    def check(self, ring: KeyRing, th: bytes) -> None:
        ring.check(self.message(th, self.seat, self.hash, self.at_ms), self.at_ms, self.signature)

    def to_json(self) -> JsonObject:
        return _seat_hash_json(self.seat, self.hash, self.at_ms, self.signature)

    @classmethod
    def read(cls, fields: Fields) -> "ContributionReceipt":
        return _alone(fields, lambda f: cls(_seat(f), f.hash("hash"), f.u64("at_ms"), _signature(f)))


@dataclass(frozen=True, slots=True)
class RevealReceipt:
    """A seat's nonce and text were accepted for its hash K."""

    KIND: ClassVar[str] = "reveal"
    seat: int
    hash: Hash
    at_ms: int
    signature: bytes

    @staticmethod
    def message(th: bytes, seat: int, K: bytes, at_ms: int) -> bytes:
        return L("receipt/reveal") + th + u8(seat) + K + u64(at_ms)

    @classmethod
    def sign(cls, key: SigningKey, th: bytes, seat: int, K: Hash, at_ms: int) -> "RevealReceipt":
        return cls(seat, K, at_ms, key.sign(cls.message(th, seat, K, at_ms)))

    def check(self, ring: KeyRing, th: bytes) -> None:
        ring.check(self.message(th, self.seat, self.hash, self.at_ms), self.at_ms, self.signature)

    def to_json(self) -> JsonObject:
        return _seat_hash_json(self.seat, self.hash, self.at_ms, self.signature)

    @classmethod
    def read(cls, fields: Fields) -> "RevealReceipt":
        return _alone(fields, lambda f: cls(_seat(f), f.hash("hash"), f.u64("at_ms"), _signature(f)))


@dataclass(frozen=True, slots=True)
class StateReceipt:
    """A seat was shown this much of the hand: public head h(k) and its own newest s at k."""

    KIND: ClassVar[str] = "state"
    k: int
    head: Hash
    seat: int
    seat_head: Hash
    at_ms: int
    signature: bytes

    @staticmethod
    def message(th: bytes, k: int, head: bytes, seat: int, seat_head: bytes, at_ms: int) -> bytes:
        return L("receipt/state") + th + u32(k) + head + u8(seat) + seat_head + u64(at_ms)

    @classmethod
    def sign(
        cls, key: SigningKey, th: bytes, *, k: int, head: Hash, seat: int, seat_head: Hash, at_ms: int
    ) -> "StateReceipt":
        return cls(k, head, seat, seat_head, at_ms, key.sign(cls.message(th, k, head, seat, seat_head, at_ms)))

    def check(self, ring: KeyRing, th: bytes) -> None:
        message = self.message(th, self.k, self.head, self.seat, self.seat_head, self.at_ms)
        ring.check(message, self.at_ms, self.signature)

    def to_json(self) -> JsonObject:
        return {
            "k": self.k,
            "head": self.head.hex(),
            "seat": self.seat,
            "seat_head": self.seat_head.hex(),
            "at_ms": self.at_ms,
            "signature": self.signature.hex(),
        }

    @classmethod
    def read(cls, fields: Fields) -> "StateReceipt":
        return _alone(fields, cls._take)

    @classmethod
    def _take(cls, fields: Fields) -> "StateReceipt":
        return cls(
            fields.integer("k", 0, MAX_EVENTS),
            fields.hash("head"),
            _seat(fields),
            fields.hash("seat_head"),
            fields.u64("at_ms"),
            _signature(fields),
        )


HandReceipt = CommitReceipt | ContributionReceipt | HashesReceipt | RevealReceipt | StateReceipt


def keepable(receipt: HandReceipt, hand_id: bytes, th: bytes, commitment: bytes) -> JsonObject:
    """A receipt with what it takes to check it alone, for a player to keep: docs/fairness.md, "Receipts to keep"."""
    return {
        "protocol": PROTOCOL,
        "receipt": receipt.KIND,
        "hand_id": hand_id.hex(),
        "terms_hash": th.hex(),
        "commitment": commitment.hex(),
    } | receipt.to_json()


def _alone(fields: Fields, take: Callable[[Fields], T]) -> T:
    taken = take(fields)
    fields.nothing_else()
    return taken


def _signature(fields: Fields) -> bytes:
    return fields.hex("signature", SIGNATURE_BYTES)


def _seat(fields: Fields) -> int:
    return fields.integer("seat", 0, MAX_PLAYERS - 1)


def _seat_hash_json(seat: int, K: Hash, at_ms: int, signature: bytes) -> JsonObject:
    return {"seat": seat, "hash": K.hex(), "at_ms": at_ms, "signature": signature.hex()}
