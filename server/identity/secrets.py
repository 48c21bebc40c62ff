"""Secrets that a person carries: session tokens, one-time and recovery codes. The database keeps only their hashes."""

import base64
import hashlib
from collections.abc import Callable
from typing import Final

RandomSource = Callable[[int], bytes]

_SECRET_BYTES: Final = 32
_RECOVERY_BYTES: Final = 10
_GROUP: Final = 4


def new_secret(random: RandomSource) -> str:
    """43 URL-safe characters that carry 256 bits."""
    return base64.urlsafe_b64encode(random(_SECRET_BYTES)).rstrip(b"=").decode()


def new_recovery_code(random: RandomSource) -> str:
    """To write on paper: 80 bits as four groups of four letters and digits."""
    letters = base64.b32encode(random(_RECOVERY_BYTES)).decode()
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def secret_hash(secret: str) -> bytes:
    """What is stored. A plain hash serves: these secrets have too much entropy to be guessed, even offline."""
    return hashlib.sha256(secret.encode()).digest()
