"""The house's promise: a hash of its seed, published before anybody contributes (FAIRNESS_SPEC section 4)."""

from collections.abc import Callable
from typing import Final

from fairness.encoding import H, Hash, exactly

SERVER_SEED_BYTES: Final = 32

RandomSource = Callable[[int], bytes]
"""So many random bytes; `secrets.token_bytes` in production, never anything else."""


def new_server_seed(random: RandomSource) -> bytes:
    """S: 32 fresh bytes for one hand, never derived and never used twice."""
    return exactly(random(SERVER_SEED_BYTES), SERVER_SEED_BYTES, "the server seed")


def commitment(th: bytes, server_seed: bytes) -> Hash:
    """C = H("commit", th || S)."""
    return H("commit", th, exactly(server_seed, SERVER_SEED_BYTES, "the server seed"))
