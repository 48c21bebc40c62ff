"""Right answers for the trick games: cases made by independent slow programs, one file a game."""

import json
from pathlib import Path
from typing import Any

import pytest

from tricks.cards import Card, read_card

VECTORS = Path(__file__).parents[1] / "vectors"


def cases(game: str, kind: str) -> list[Any]:
    """pytest parameters: the game's cases of a kind, each with its id."""
    found = json.loads((VECTORS / f"{game}.json").read_text())["cases"]
    return [pytest.param(case, id=case["id"]) for case in found if case["kind"] == kind]


def read_cards(names: list[str]) -> tuple[Card, ...]:
    return tuple(read_card(name) for name in names)
