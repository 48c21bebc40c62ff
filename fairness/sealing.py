"""Server seeds at rest: encrypted with a key that the database does not have (FAIRNESS_SPEC section 10).

AES-256-GCM is NIST SP 800-38D. One sealed seed is 69 bytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from fairness.commitment import SERVER_SEED_BYTES, RandomSource
from fairness.encoding import ByteReader, H, L, exactly, u8
from fairness.json_form import Fields, JsonObject
from fairness.key_files import create_key_file, read_key_file, replace_key_file

KEY_FILE: Final = "seal_keys.json"
VERSION: Final = 1
KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_TAG_BYTES: Final = 16


class SealBroken(Exception):
    """A sealed seed that does not open: changed, another hand's, or sealed with a key that is not in the ring."""


def seal_key_id(key: bytes) -> bytes:
    return H("seal-key-id", key)[:8]


@dataclass(frozen=True, slots=True)
class SealRing:
    """The keys that open sealed seeds, and which of them seals new ones. key_ids are 8 bytes."""

    keys: Mapping[bytes, bytes] = field(repr=False)
    current: bytes

    def __post_init__(self) -> None:
        if self.current not in self.keys:
            raise ValueError(f"the current seal key {self.current.hex()} is not in the ring")

    @classmethod
    def generate(cls, random: RandomSource) -> "SealRing":
        key = exactly(random(KEY_BYTES), KEY_BYTES, "the seal key")
        return cls({seal_key_id(key): key}, seal_key_id(key))

    def seal(self, server_seed: bytes, hand_id: bytes, commitment: bytes, random: RandomSource) -> bytes:
        """Encrypt S for one hand with the current key and a fresh nonce."""
        exactly(server_seed, SERVER_SEED_BYTES, "the server seed")
        nonce = exactly(random(_NONCE_BYTES), _NONCE_BYTES, "the nonce")
        bound = _bound_to(self.current, hand_id, commitment)
        return u8(VERSION) + self.current + nonce + AESGCM(self.keys[self.current]).encrypt(nonce, server_seed, bound)

    def unseal(self, sealed: bytes, hand_id: bytes, commitment: bytes) -> bytes:
        """S again. Raises SealBroken; Malformed for what never was a sealed seed."""
        reader = ByteReader(sealed, "the sealed seed")
        version, key_id, nonce = reader.u8(), reader.take(8), reader.take(_NONCE_BYTES)
        encrypted = reader.take(SERVER_SEED_BYTES + _TAG_BYTES)
        reader.end()
        if version != VERSION:
            raise SealBroken(f"the sealed seed has version {version}: this opens {VERSION}")
        key = self.keys.get(key_id)
        if key is None:
            raise SealBroken(f"the seed is sealed with key {key_id.hex()}, which is not in the ring")
        try:
            return AESGCM(key).decrypt(nonce, encrypted, _bound_to(key_id, hand_id, commitment))
        except InvalidTag as error:
            raise SealBroken("the sealed seed does not open for this hand and commitment") from error

    def reseal(self, sealed: bytes, hand_id: bytes, commitment: bytes, random: RandomSource) -> bytes:
        """The same seed under the current key; the same bytes when it is sealed with that already."""
        if sealed[1:9] == self.current:
            return sealed
        return self.seal(self.unseal(sealed, hand_id, commitment), hand_id, commitment, random)

    def rotated(self, random: RandomSource) -> "SealRing":
        """With a new current key; the old ones still open what they sealed."""
        new = SealRing.generate(random)
        return SealRing({**self.keys, **new.keys}, new.current)

    def without(self, key_id: bytes) -> "SealRing":
        """Without a key that no live hand needs any more. Raises ValueError for the current one."""
        return SealRing({known: key for known, key in self.keys.items() if known != key_id}, self.current)

    def to_json(self) -> JsonObject:
        return {"current": self.current.hex(), "keys": [key.hex() for key in self.keys.values()]}

    @classmethod
    def from_json(cls, value: object) -> "SealRing":
        fields = Fields(value, "seal keys")
        keys = fields.hashes("keys", 1_000)
        return cls({seal_key_id(key): bytes(key) for key in keys}, fields.hex("current", 8))


def load_or_create_seal_ring(directory: Path, random: RandomSource) -> SealRing:
    """The ring from a directory outside the database; makes it on the first start."""
    path = directory / KEY_FILE
    if not path.exists():
        create_key_file(path, SealRing.generate(random).to_json())
    return SealRing.from_json(read_key_file(path))


def rotate_seal_ring(directory: Path, random: RandomSource) -> SealRing:
    """Seal new hands with a new key. Retire the old one with `retire_seal_key` when no live hand needs it."""
    return _replace(directory, load_or_create_seal_ring(directory, random).rotated(random))


def retire_seal_key(directory: Path, key_id: bytes) -> SealRing:
    """Forget a key for good: what it sealed stays closed. Raises ValueError for the current one."""
    return _replace(directory, SealRing.from_json(read_key_file(directory / KEY_FILE)).without(key_id))


def _replace(directory: Path, ring: SealRing) -> SealRing:
    replace_key_file(directory / KEY_FILE, ring.to_json())
    return ring


def _bound_to(key_id: bytes, hand_id: bytes, commitment: bytes) -> bytes:
    return L("seed-at-rest") + key_id + hand_id + commitment
