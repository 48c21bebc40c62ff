"""The right answers of the protocol, and whole hands that were played by it."""

import json
from pathlib import Path
from typing import Any

import pytest

VECTORS = Path(__file__).parents[1] / "vectors"


@pytest.fixture(scope="session")
def vectors() -> dict[str, Any]:
    """FAIRNESS_SPEC section 13."""
    return json.loads((VECTORS / "fairness.json").read_text())


@pytest.fixture(scope="session")
def hand_files() -> dict[str, Any]:
    """Whole hands of every kind: `write_hand_files.py` made them."""
    return json.loads((VECTORS / "hand_files.json").read_text())
