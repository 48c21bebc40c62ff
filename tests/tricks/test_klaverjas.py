"""Klaverjas against the vectors: what may be played, what a trick is worth, how a deal is scored."""

from typing import Any

import pytest

from tests.tricks.vectors import cases, read_cards
from tricks.cards import read_suit
from tricks.duties import Duty
from tricks.klaverjas import following, scoring
from tricks.klaverjas.following import Variant


@pytest.mark.parametrize("case", cases("klaverjas", "legal"))
def test_what_may_be_played(case: dict[str, Any]) -> None:
    hand = read_cards(case["hand"])
    choice = following.choice(Variant(case["rules"]), read_suit(case["trump"]), hand, read_cards(case["trick"]))
    assert set(choice.cards) == set(read_cards(case["legal"]))
    assert choice.duty is not Duty.FREE or choice.cards == hand


@pytest.mark.parametrize("case", cases("klaverjas", "trick"))
def test_a_trick(case: dict[str, Any]) -> None:
    trump, trick = read_suit(case["trump"]), read_cards(case["trick"])
    ranking = following.ranking(trump)
    assert ranking.winning(trick) == case["winner"]
    assert ranking.points_of(trick) == case["points"]
    assert scoring.roem(trump, trick) == case["roem"]


@pytest.mark.parametrize("case", cases("klaverjas", "deal"))
def test_the_score_of_a_deal(case: dict[str, Any]) -> None:
    tricks = [read_cards(trick) for trick in case["tricks"]]
    score = scoring.score_deal(read_suit(case["trump"]), case["first"], case["maker"], tricks)
    expected = case["expect"]
    assert {name: _plain(getattr(score, name)) for name in expected} == expected


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
