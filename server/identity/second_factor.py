"""The second factor: time-based one-time codes (RFC 6238) from an app on the person's phone.

Pure: what a code is worth is decided here, what was used is remembered by `second_factor_store`.
"""

import base64
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from uuid import UUID

import pyotp
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from pydantic import BaseModel, Field
from pyotp.utils import strings_equal

from fairness.key_files import create_key_file, read_key_file

STEP_MS: Final = 30_000
DIGITS: Final = 6
DRIFT_STEPS: Final = 1
"""A code of the step before or after counts too: phones' clocks differ, and people type slowly (RFC 6238, 5.2)."""
SECRET_BYTES: Final = 20
"""As long as the hash of the code (RFC 4226, R6)."""
RECOVERY_CODES: Final = 10
ISSUER: Final = "Rummy house"
KEY_FILE: Final = "second_factor_keys.json"


class SecretUnreadable(Exception):
    """A stored secret that does not open: changed, another player's, or sealed with a key that is gone."""


@dataclass(frozen=True, slots=True)
class Secret:
    """What the person's app and the house share."""

    base32: str = field(repr=False)

    @classmethod
    def from_bytes(cls, drawn: bytes) -> "Secret":
        return cls(base64.b32encode(drawn).decode())

    def otpauth_uri(self, name: str) -> str:
        """What an authenticator app reads, usually drawn as a QR code."""
        return pyotp.TOTP(self.base32).provisioning_uri(name=name, issuer_name=ISSUER)

    def step_of(self, code: str, now_ms: int, last_step: int) -> int | None:
        """The step whose code this is; None when it is none of now, or not newer than the last one used."""
        codes = pyotp.TOTP(self.base32, digits=DIGITS, interval=STEP_MS // 1000)
        now = now_ms // STEP_MS
        steps = range(now - DRIFT_STEPS, now + DRIFT_STEPS + 1)
        matching = [step for step in steps if strings_equal(codes.generate_otp(step), code) and step > last_step]
        return matching[0] if matching else None


class SecretSeals:
    """Secrets at rest: encrypted with keys that the database does not have, and bound to their player."""

    def __init__(self, keys: MultiFernet) -> None:
        self._keys = keys

    def seal(self, secret: Secret, player_id: UUID) -> bytes:
        return self._keys.encrypt(player_id.bytes + secret.base32.encode())

    def unseal(self, sealed: bytes, player_id: UUID) -> Secret:
        """Raises SecretUnreadable."""
        try:
            opened = self._keys.decrypt(sealed)
        except InvalidToken:
            raise SecretUnreadable from None
        if opened[:16] != player_id.bytes:
            raise SecretUnreadable
        return Secret(opened[16:].decode())


class _KeyFile(BaseModel):
    keys: list[str] = Field(min_length=1, repr=False)


def load_or_create_seals(directory: Path) -> SecretSeals:
    """The keys from a directory outside the database; made on the first start. The first one seals, all open."""
    path = directory / KEY_FILE
    if not path.exists():
        create_key_file(path, {"keys": [Fernet.generate_key().decode()]})
    stored = _KeyFile.model_validate(read_key_file(path))
    return SecretSeals(MultiFernet([Fernet(key) for key in stored.keys]))
