import secrets
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness.encoding import Malformed
from fairness.sealing import (
    KEY_FILE,
    SealBroken,
    SealRing,
    load_or_create_seal_ring,
    retire_seal_key,
    rotate_seal_ring,
)
from fairness.signing import KEY_FILE as SIGNING_KEY_FILE

SEED, HAND, C = bytes(range(32)), bytes(16), bytes(reversed(range(32)))


@pytest.fixture
def ring() -> SealRing:
    return SealRing.generate(secrets.token_bytes)


def test_a_sealed_seed_opens_for_its_hand_alone(ring: SealRing) -> None:
    sealed = ring.seal(SEED, HAND, C, secrets.token_bytes)
    assert (len(sealed), sealed[0], sealed[1:9]) == (69, 1, ring.current)
    assert SEED not in sealed
    assert ring.unseal(sealed, HAND, C) == SEED
    for hand, promised in ((bytes(15) + b"x", C), (HAND, SEED)):
        with pytest.raises(SealBroken, match="does not open for this hand"):
            ring.unseal(sealed, hand, promised)


def test_every_seal_has_a_nonce_of_its_own(ring: SealRing) -> None:
    assert len({ring.seal(SEED, HAND, C, secrets.token_bytes)[9:21] for _ in range(50)}) == 50


@given(st.integers(0, 68), st.integers(1, 255))
def test_any_changed_byte_breaks_it(place: int, difference: int) -> None:
    ring = SealRing.generate(secrets.token_bytes)
    sealed = bytearray(ring.seal(SEED, HAND, C, secrets.token_bytes))
    sealed[place] ^= difference
    with pytest.raises(SealBroken):
        ring.unseal(bytes(sealed), HAND, C)


@pytest.mark.parametrize("data", [b"", bytes(68), bytes(70)])
def test_other_lengths_never_were_sealed_seeds(ring: SealRing, data: bytes) -> None:
    with pytest.raises(Malformed):
        ring.unseal(data, HAND, C)


def test_rotation_opens_old_seals_and_makes_new_ones(ring: SealRing) -> None:
    old = ring.seal(SEED, HAND, C, secrets.token_bytes)
    rotated = ring.rotated(secrets.token_bytes)
    assert rotated.unseal(old, HAND, C) == SEED
    assert rotated.seal(SEED, HAND, C, secrets.token_bytes)[1:9] == rotated.current != ring.current
    again = rotated.reseal(old, HAND, C, secrets.token_bytes)
    assert again[1:9] == rotated.current
    assert rotated.reseal(again, HAND, C, secrets.token_bytes) == again
    retired = rotated.without(ring.current)
    assert retired.unseal(again, HAND, C) == SEED
    with pytest.raises(SealBroken, match="not in the ring"):
        retired.unseal(old, HAND, C)
    with pytest.raises(ValueError, match="current seal key"):
        rotated.without(rotated.current)


def test_the_files_life(tmp_path: Path) -> None:
    first = load_or_create_seal_ring(tmp_path, secrets.token_bytes)
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert load_or_create_seal_ring(tmp_path, secrets.token_bytes) == first
    second = rotate_seal_ring(tmp_path, secrets.token_bytes)
    assert set(second.keys) == {first.current, second.current}
    assert retire_seal_key(tmp_path, first.current).keys.keys() == {second.current}
    assert load_or_create_seal_ring(tmp_path, secrets.token_bytes).current == second.current
    with pytest.raises(ValueError, match="current seal key"):
        retire_seal_key(tmp_path, second.current)


def test_seal_keys_and_signing_keys_lie_in_different_files() -> None:
    assert KEY_FILE != SIGNING_KEY_FILE


def test_keys_do_not_show_in_repr(ring: SealRing) -> None:
    assert repr(ring) == f"SealRing(current={ring.current!r})"
