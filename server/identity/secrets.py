"""Secrets that a person carries: session tokens and one-time codes. The database keeps only their hashes."""

import base64
import hashlib
from collections.abc import Callable
from typing import Final

RandomSource = Callable[[int], bytes]

_SECRET_BYTES: Final = 32


def new_secret(random: RandomSource) -> str:
    """43 URL-safe characters that carry 256 bits."""
    return base64.urlsafe_b64encode(random(_SECRET_BYTES)).rstrip(b"=").decode()


def secret_hash(secret: str) -> bytes:
    """What is stored. A plain hash serves: the secret has full entropy, so there is nothing to guess."""
    return hashlib.sha256(secret.encode()).digest()
