from typing import Any

import pytest

from fairness.commitment import commitment, new_server_seed
from fairness.encoding import Malformed


def test_vectors(vectors: dict[str, Any]) -> None:
    for case in vectors["deal"]:
        th = bytes.fromhex(case["output"]["terms_hash"])
        seed = bytes.fromhex(case["input"]["server_seed"])
        assert commitment(th, seed).hex() == case["output"]["commitment"]


def test_a_seed_is_32_bytes_of_the_source_that_was_given() -> None:
    assert new_server_seed(lambda count: bytes(range(count))) == bytes(range(32))
    with pytest.raises(Malformed, match="the server seed has 31 bytes"):
        new_server_seed(lambda count: bytes(count - 1))
    with pytest.raises(Malformed, match="the server seed"):
        commitment(bytes(32), b"short")
