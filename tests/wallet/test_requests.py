"""Requests check themselves: no half-told, unbalanced or doubled one reaches the database."""

from uuid import UUID, uuid4

import pytest

from wallet.accounts import Asset
from wallet.requests import MAX_UNITS, HoldRequest, Release, Settlement

HAND, TABLE, ANN, BEN = (UUID(int=number) for number in range(4))


def hold(*amounts: tuple[UUID, int], at_ms: int = 1) -> HoldRequest:
    return HoldRequest(HAND, TABLE, Asset.HT, amounts, at_ms)


def settlement(*deltas: tuple[UUID, int], commission: int = 0) -> Settlement:
    return Settlement(HAND, TABLE, Asset.HT, deltas, commission, 1)


@pytest.mark.parametrize(
    ("amounts", "words"),
    [
        ((), "0 players"),
        (((ANN, 0),), "hold of 0"),
        (((ANN, -5),), "hold of -5"),
        (((ANN, MAX_UNITS + 1),), "hold of"),
        (((ANN, 5), (ANN, 5)), "twice"),
        (tuple((uuid4(), 5) for _ in range(17)), "17 players"),
    ],
)
def test_a_hold_is_positive_and_names_each_player_once(amounts: tuple[tuple[UUID, int], ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        hold(*amounts)


@pytest.mark.parametrize(
    ("deltas", "commission", "words"),
    [
        (((ANN, 100), (BEN, -99)), 0, "sum to 1"),
        (((ANN, 95), (BEN, -100)), 4, "sum to -1"),
        (((ANN, 105), (BEN, -100)), -5, "commission of -5"),
        (((ANN, 100), (ANN, -100)), 0, "twice"),
        (((ANN, MAX_UNITS + 1), (BEN, -MAX_UNITS - 1)), 0, "beyond"),
        ((), 0, "0 players"),
    ],
)
def test_a_settlement_balances(deltas: tuple[tuple[UUID, int], ...], commission: int, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        settlement(*deltas, commission=commission)


def test_the_key_comes_from_the_hand() -> None:
    assert hold((ANN, 5)).key == f"hold:{HAND}"
    assert settlement((ANN, 5), (BEN, -5)).key == f"settle:{HAND}"
    assert Release(HAND, "void", 1).key == f"release:{HAND}"


def test_the_body_is_the_same_in_any_order_and_at_any_time() -> None:
    assert hold((ANN, 5), (BEN, 6), at_ms=1).body == hold((BEN, 6), (ANN, 5), at_ms=2).body
    assert hold((ANN, 5), (BEN, 6)).body != hold((ANN, 6), (BEN, 5)).body


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201, "a\x00b"])
def test_a_reason_is_told(reason: str) -> None:
    with pytest.raises(ValueError, match="reason"):
        Release(HAND, reason, 1)
