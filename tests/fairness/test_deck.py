from collections import Counter
from typing import Any

import pytest

from fairness.deck import (
    Deal,
    Reshuffler,
    UniformStream,
    deal,
    deal_order,
    derive_deck,
    hand_key,
    reshuffle,
    shuffle,
    shuffle_key,
)
from fairness.encoding import MAC, u64


def test_deal_vectors(vectors: dict[str, Any]) -> None:
    for case in vectors["deal"]:
        terms, output = case["input"]["terms"], case["output"]
        hk = hand_key(
            bytes.fromhex(case["input"]["server_seed"]),
            bytes.fromhex(output["terms_hash"]),
            bytes.fromhex(output["roster_hash"]),
        )
        assert hk.hex() == output["hand_key"]
        deck = derive_deck(hk, terms["decks"])
        assert list(deck) == output["deck"]
        order = deal_order(terms["seats"], terms["dealer"], tuple(player["seat"] for player in terms["players"]))
        assert list(order) == output["deal_order"]
        dealt = deal(deck, order)
        assert {str(seat): list(cards) for seat, cards in dealt.hands.items()} == output["hands"]
        assert (dealt.wild, dealt.open, list(dealt.stock)) == (output["wild"], output["open"], output["stock"])


def test_reshuffle_vectors(vectors: dict[str, Any]) -> None:
    for case in vectors["reshuffle"]:
        hk, pile = bytes.fromhex(case["hand_key"]), case["pile_bottom_first"]
        assert list(reshuffle(hk, case["r"], pile[:-1])) == case["stock_top_first"]
        assert list(Reshuffler(hk)(case["r"], pile[:-1])) == case["stock_top_first"]
        assert pile[-1] == case["kept_top"]


def test_uniform_vectors(vectors: dict[str, Any]) -> None:
    for case in vectors["uniform"]:
        stream = UniformStream(bytes.fromhex(case["key"]))
        assert [stream.uniform(case["n"]) for _ in case["values"]] == case["values"]
        assert stream.blocks_used == case["blocks_used"]


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_uniform_refuses_what_32_bits_cannot_give(n: int) -> None:
    with pytest.raises(ValueError, match="n is 1 to"):
        UniformStream(bytes(32)).uniform(n)


def test_uniform_rejects_and_uses_up_words_beyond_the_last_full_multiple() -> None:
    """A slow second opinion, with an n that rejects nearly every other word."""
    n, key = 2**31 + 1, bytes(32)
    words = [MAC(key, u64(block))[at : at + 4] for block in range(40) for at in range(0, 32, 4)]
    kept = [value for word in words if (value := int.from_bytes(word, "big")) < n]
    stream = UniformStream(key)
    assert [stream.uniform(n) for _ in range(100)] == kept[:100]


def test_shuffle_keys_differ_by_number() -> None:
    assert len({shuffle_key(bytes(32), number) for number in range(11)}) == 11


def test_shuffle_keeps_every_card_and_leaves_its_input() -> None:
    items = list(range(50))
    shuffled = shuffle(items, bytes(32))
    assert Counter(shuffled) == Counter(items)
    assert items == list(range(50))
    assert shuffle([], bytes(32)) == ()
    assert shuffle([7], bytes(32)) == (7,)


def test_reshuffles_count_from_one() -> None:
    with pytest.raises(ValueError, match="count from 1"):
        reshuffle(bytes(32), 0, [1, 2])


@pytest.mark.parametrize(
    ("seats", "dealer", "occupied", "expected"),
    [
        (4, 3, (0, 1), (0, 1)),
        (4, 0, (0, 1, 3), (1, 3, 0)),
        (6, 2, (0, 2, 5), (5, 0, 2)),
        (8, 7, (7, 0), (0, 7)),
        (8, 4, (1, 2), (1, 2)),
    ],
)
def test_deal_order_starts_after_the_dealer(seats: int, dealer: int, occupied: tuple[int, ...], expected) -> None:
    assert deal_order(seats, dealer, occupied) == expected


def test_nothing_secret_shows_in_repr() -> None:
    dealt = deal(tuple(range(106)), (0, 1))
    assert repr(dealt) == "Deal(order=(0, 1), wild=26, open=27)"
    assert isinstance(dealt, Deal)
    assert repr(Reshuffler(b"secret key")) == "Reshuffler()"
