"""The house's Ed25519 keys: one that signs now, and every public key it ever used, with its days of validity.

Source: FAIRNESS_SPEC sections 1 and 9; Ed25519 is RFC 8032. A public key is published as a statement that the key
itself has signed, so that nobody on the way can change its days.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fairness.commitment import RandomSource
from fairness.encoding import L, Malformed, exactly, u32
from fairness.json_form import Fields, JsonObject
from fairness.key_files import create_key_file, read_key_file, replace_key_file

KEY_FILE: Final = "signing_keys.json"
VALID_DAYS: Final = 400
RENEW_DAYS: Final = 60
"""A house that starts with fewer days than this left on its newest key makes a new one."""
MAX_KEYS: Final = 1_000
SIGNATURE_BYTES: Final = 64
_EPOCH: Final = date(1970, 1, 1)
_MS_PER_DAY: Final = 86_400_000


class NotSigned(Exception):
    """No key of the house that was valid at the time signed this message; the message says which it was."""


def key_id_of(public_key: bytes) -> bytes:
    """The first 8 bytes of SHA-256(public key)."""
    return hashlib.sha256(public_key).digest()[:8]


def day_of(at_ms: int) -> date:
    """The UTC day of a time in Unix milliseconds."""
    return datetime.fromtimestamp(at_ms // 1000, UTC).date()


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A published key: valid from the first to the last UTC day, both included, as the key itself signed."""

    public_key: bytes
    first_day: date
    last_day: date
    signature: bytes

    def __post_init__(self) -> None:
        exactly(self.public_key, 32, "the public key")
        exactly(self.signature, SIGNATURE_BYTES, "the key's signature")
        if self.last_day < self.first_day:
            raise Malformed(f"the key {self.key_id.hex()} ends before it begins")

    @property
    def key_id(self) -> bytes:
        return key_id_of(self.public_key)

    def is_valid_at(self, at_ms: int) -> bool:
        day = at_ms // _MS_PER_DAY
        return _day_number(self.first_day) <= day <= _day_number(self.last_day)

    def has_signed(self, message: bytes, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public_key).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

    def states_itself(self) -> bool:
        """Whether the key signed these very days of validity."""
        return self.has_signed(key_statement(self.public_key, self.first_day, self.last_day), self.signature)

    def to_json(self) -> JsonObject:
        return {
            "key_id": self.key_id.hex(),
            "public_key": self.public_key.hex(),
            "first_day": self.first_day.isoformat(),
            "last_day": self.last_day.isoformat(),
            "signature": self.signature.hex(),
        }

    @classmethod
    def read(cls, fields: Fields) -> "PublicKey":
        key_id = fields.hex("key_id", 8)
        key = cls(
            fields.hex("public_key", 32),
            _read_day(fields, "first_day"),
            _read_day(fields, "last_day"),
            fields.hex("signature", SIGNATURE_BYTES),
        )
        if key.key_id != key_id:
            raise fields.wrong("key_id", "is not the first 8 bytes of SHA-256(public key)")
        fields.nothing_else()
        return key


@dataclass(frozen=True, slots=True)
class KeyRing:
    """Public keys to check signatures with."""

    keys: tuple[PublicKey, ...]

    def check(self, message: bytes, at_ms: int, signature: bytes) -> None:
        """Raises NotSigned unless a key valid on the day of `at_ms` signed `message`."""
        signers = [key for key in self.keys if key.has_signed(message, signature)]
        if any(key.is_valid_at(at_ms) for key in signers):
            return
        if not signers:
            raise NotSigned("no key of the house gives this signature")
        key = signers[0]
        raise NotSigned(
            f"signed at {at_ms} ms by key {key.key_id.hex()}, which is valid from {key.first_day} to {key.last_day}"
        )

    def valid_on_any(self, times_ms: Iterable[int]) -> "KeyRing":
        """The keys that were valid at one of these times: what a file must carry."""
        times = tuple(times_ms)
        return KeyRing(tuple(key for key in self.keys if any(key.is_valid_at(at_ms) for at_ms in times)))

    def to_json(self) -> list[JsonObject]:
        return [key.to_json() for key in self.keys]

    @classmethod
    def read(cls, fields: Fields, name: str = "keys") -> "KeyRing":
        return cls(fields.objects(name, MAX_KEYS, PublicKey.read))

    @classmethod
    def from_json(cls, value: object) -> "KeyRing":
        """Read a published list, `{"keys": [...]}`. Raises Malformed, also for a key whose statement is not its own."""
        fields = Fields(value, "key list")
        ring = cls.read(fields)
        fields.nothing_else()
        for key in ring.keys:
            if not key.states_itself():
                raise Malformed(f"the key {key.key_id.hex()} has not signed its days of validity")
        return ring


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key with its published statement."""

    secret: bytes = field(repr=False)
    published: PublicKey
    _private: Ed25519PrivateKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Reading the secret costs as much as a signature, and a house signs with every move.
        object.__setattr__(self, "_private", _private_key(self.secret))

    @classmethod
    def from_secret(cls, secret: bytes, first_day: date, last_day: date) -> "SigningKey":
        private = _private_key(secret)
        public_key = private.public_key().public_bytes_raw()
        statement = private.sign(key_statement(public_key, first_day, last_day))
        return cls(secret, PublicKey(public_key, first_day, last_day, statement))

    @classmethod
    def generate(cls, random: RandomSource, first_day: date) -> "SigningKey":
        """A fresh key, valid for VALID_DAYS."""
        return cls.from_secret(random(32), first_day, first_day + timedelta(days=VALID_DAYS - 1))

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)


@dataclass(frozen=True, slots=True)
class SigningKeys:
    """What the key file holds: every key ever published, oldest first; only the newest ones still have a secret."""

    published: tuple[PublicKey, ...]
    usable: tuple[SigningKey, ...] = field(repr=False)

    @property
    def ring(self) -> KeyRing:
        return KeyRing(self.published)

    def at(self, at_ms: int) -> SigningKey:
        """The key to sign with at this time: the newest valid one. Raises LookupError when none is."""
        for key in reversed(self.usable):
            if key.published.is_valid_at(at_ms):
                return key
        raise LookupError(f"no signing key is valid on {day_of(at_ms)}: rotate the signing keys")

    def to_json(self) -> JsonObject:
        secrets = {key.published.key_id: key.secret.hex() for key in self.usable}
        return {"keys": [{"secret": secrets.get(key.key_id)} | key.to_json() for key in self.published]}

    @classmethod
    def from_json(cls, value: object) -> "SigningKeys":
        entries = Fields(value, "signing keys").objects("keys", MAX_KEYS, _read_entry)
        return cls(tuple(key for key, _ in entries), tuple(SigningKey(s, key) for key, s in entries if s is not None))

    def rotated(self, random: RandomSource, today: date) -> "SigningKeys":
        """With a new key that signs from today on. Keys that have run out lose their secret, never their statement."""
        new = SigningKey.generate(random, today)
        still_valid = tuple(key for key in self.usable if key.published.last_day >= today)
        return replace(self, published=(*self.published, new.published), usable=(*still_valid, new))


def load_or_create_signing_keys(directory: Path, random: RandomSource, today: date) -> SigningKeys:
    """The house's signing keys from a directory outside the database; makes or renews them when due."""
    path = directory / KEY_FILE
    if not path.exists():
        create_key_file(path, SigningKeys((), ()).rotated(random, today).to_json())
    keys = SigningKeys.from_json(read_key_file(path))
    if keys.published[-1].last_day < today + timedelta(days=RENEW_DAYS):
        return rotate_signing_keys(directory, random, today)
    return keys


def rotate_signing_keys(directory: Path, random: RandomSource, today: date) -> SigningKeys:
    """Put a new signing key in front; everything that older keys signed stays verifiable."""
    path = directory / KEY_FILE
    keys = SigningKeys.from_json(read_key_file(path)).rotated(random, today)
    replace_key_file(path, keys.to_json())
    return keys


def key_statement(public_key: bytes, first_day: date, last_day: date) -> bytes:
    """What a key signs about itself; days count from 1970-01-01."""
    return L("key") + public_key + u32(_day_number(first_day)) + u32(_day_number(last_day))


def _private_key(secret: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(exactly(secret, 32, "the signing secret"))


def _day_number(day: date) -> int:
    return (day - _EPOCH).days


def _read_day(fields: Fields, name: str) -> date:
    text = fields.text(name)
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise fields.wrong(name, f"is {text[:40]!r}, no day: write YYYY-MM-DD") from error
    if day.isoformat() != text or day < _EPOCH:
        raise fields.wrong(name, f"is {text[:40]!r}: write YYYY-MM-DD, 1970 or later")
    return day


def _read_entry(fields: Fields) -> tuple[PublicKey, bytes | None]:
    secret = None if fields.is_null("secret") else fields.hex("secret", 32)
    return PublicKey.read(fields), secret
