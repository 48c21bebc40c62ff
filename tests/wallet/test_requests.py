"""Requests check themselves: no half-told, unbalanced or doubled one reaches the database."""

from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from wallet.accounts import Asset
from wallet.contests import of_hand, of_match
from wallet.requests import MAX_UNITS, HoldRequest, Release, Settlement

HAND_ID, MATCH_ID, TABLE, ANN, BEN = (UUID(int=number) for number in range(5))
HAND, MATCH = of_hand(HAND_ID), of_match(MATCH_ID)


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
    assert hold((ANN, 5)).key == f"hold:{HAND_ID}"
    assert settlement((ANN, 5), (BEN, -5)).key == f"settle:{HAND_ID}"
    assert Release(HAND, "void", 1).key == f"release:{HAND_ID}"


def test_a_match_has_keys_of_its_own_even_where_a_hand_has_the_same_id() -> None:
    buy_in = replace(hold((ANN, 5)), contest=MATCH)
    assert buy_in.key == f"hold:match:{MATCH_ID}"
    assert replace(buy_in, more="again").key == f"hold:match:{MATCH_ID}:again"
    assert replace(settlement((ANN, 5), (BEN, -5)), contest=MATCH).key == f"settle:match:{MATCH_ID}"
    assert Release(MATCH, "void", 1).key == f"release:match:{MATCH_ID}"
    assert buy_in.body != replace(buy_in, contest=of_hand(MATCH_ID)).body


@pytest.mark.parametrize("more", ["", "x" * 61, "a\nb", "é"])
def test_a_later_buy_in_has_a_plain_short_name(more: str) -> None:
    with pytest.raises(ValueError, match="no name"):
        HoldRequest(MATCH, TABLE, Asset.HT, ((ANN, 5),), 1, more)


def test_a_hand_is_held_for_once() -> None:
    with pytest.raises(ValueError, match="only for a match"):
        HoldRequest(HAND, TABLE, Asset.HT, ((ANN, 5),), 1, "again")


def test_the_body_is_the_same_in_any_order_and_at_any_time() -> None:
    assert hold((ANN, 5), (BEN, 6), at_ms=1).body == hold((BEN, 6), (ANN, 5), at_ms=2).body
    assert hold((ANN, 5), (BEN, 6)).body != hold((ANN, 6), (BEN, 5)).body


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201, "a\x00b"])
def test_a_reason_is_told(reason: str) -> None:
    with pytest.raises(ValueError, match="reason"):
        Release(HAND, reason, 1)
