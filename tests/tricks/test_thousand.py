"""Thousand against the vectors: bids, what may be played, marriages, deals and the bookkeeping of a game."""

from typing import Any

import pytest

from tests.tricks.vectors import cases, read_cards
from tricks.cards import SUIT_NAMES, read_suit
from tricks.thousand import bidding, bookkeeping, following, marriages, scoring
from tricks.thousand.bookkeeping import DealEnd, PlayerScore


@pytest.mark.parametrize("case", cases("thousand", "legal"))
def test_what_may_be_played(case: dict[str, Any]) -> None:
    hand, trick = read_cards(case["hand"]), read_cards(case["trick"])
    trump = None if case["trump"] is None else read_suit(case["trump"])
    assert set(following.choice(trump, hand, trick).cards) == set(read_cards(case["legal"]))
    declares = () if trick else marriages.declaring_leads(hand, case["trick_no"])
    assert set(declares) == set(read_cards(case["declares"]))


@pytest.mark.parametrize("case", cases("thousand", "bid"))
def test_what_may_be_bid(case: dict[str, Any]) -> None:
    bids = bidding.bid_range(read_cards(case["hand"]), case["high"])
    assert (bids.limit, bids.lowest, bids.highest) == (case["limit"], case["lowest"], case["highest"])


@pytest.mark.parametrize("case", cases("thousand", "deal"))
def test_the_score_of_a_deal(case: dict[str, Any]) -> None:
    hands = [read_cards(hand) for hand in case["hands"]]
    expected = case["expect"]
    assert bidding.must_redeal(hands) == expected.get("redeal", False)
    if "winners" not in expected:
        return
    score = scoring.score_deal(hands, case["declarer"], [read_cards(trick) for trick in case["tricks"]])
    assert list(score.winners) == expected["winners"]
    assert list(score.cards) == expected["cards"]
    assert list(score.marriages) == expected["marriages"]
    assert list(score.took) == expected["took"]
    declared = [[said.trick, said.seat, SUIT_NAMES[said.suit]] for said in score.declared]
    assert declared == expected["declared"]


@pytest.mark.parametrize("case", cases("thousand", "settle"))
def test_the_bookkeeping_of_a_deal(case: dict[str, Any]) -> None:
    players = [_player(player) for player in case["players"]]
    end = DealEnd(case["declarer"], case["bid"], tuple(case["took"]), case["wrote_off"])
    settled = bookkeeping.settle(players, end)
    assert list(settled.points) == case["expect"]["points"]
    assert settled.after == tuple(_player(player) for player in case["expect"]["after"])
    assert settled.winner == case["expect"]["winner"]


def _player(given: dict[str, Any]) -> PlayerScore:
    return PlayerScore(given["score"], given["zeros"], given["writeoffs"], given["barrel"])
