from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness.encoding import Id, Malformed
from fairness.terms import DECKS_BY_SEATS, Terms

IDS = st.binary(min_size=16, max_size=16).map(Id)
RULE_TEXT = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=40)
U53 = st.integers(0, 2**53 - 1)


@st.composite
def any_terms(draw) -> Terms:
    seats = draw(st.sampled_from((4, 6, 8)))
    occupied = sorted(draw(st.sets(st.integers(0, seats - 1), min_size=2)))
    return Terms(
        hand_id=draw(IDS),
        table_id=draw(IDS),
        hand_no=draw(st.integers(1, 2**53 - 1)),
        seats=seats,
        decks=DECKS_BY_SEATS[seats],
        dealer=draw(st.integers(0, seats - 1)),
        rate=draw(U53),
        commission_bp=draw(st.integers(0, 10_000)),
        rules=draw(st.dictionaries(RULE_TEXT, RULE_TEXT, max_size=12)),
        opened_ms=draw(U53),
        players=tuple((seat, draw(IDS)) for seat in occupied),
    )


@pytest.fixture
def terms(vectors: dict[str, Any]) -> Terms:
    return Terms.from_json(vectors["deal"][0]["input"]["terms"])


def test_vectors(vectors: dict[str, Any]) -> None:
    cases = [(case["input"], case["output"]) for case in vectors["deal"]]
    cases += [(hand["input"], hand["deal"]) for hand in vectors["hands"]]
    for given_input, expected in cases:
        terms = Terms.from_json(given_input["terms"])
        assert terms.encode().hex() == expected["terms"]
        assert terms.hash().hex() == expected["terms_hash"]
        assert terms.to_json() == given_input["terms"]


@given(any_terms())
def test_bytes_and_json_round_trip(terms: Terms) -> None:
    assert Terms.decode(terms.encode(), terms.rules) == terms
    assert Terms.from_json(terms.to_json()) == terms


def test_order_of_rules_does_not_matter_and_their_text_does(terms: Terms) -> None:
    backwards = dict(reversed(terms.rules.items()))
    assert replace(terms, rules=backwards).hash() == terms.hash()
    assert replace(terms, rules=terms.rules | {"turn_seconds": "31"}).hash() != terms.hash()


def test_decoding_needs_the_rules_that_the_bytes_are_bound_to(terms: Terms) -> None:
    with pytest.raises(Malformed, match="other rules"):
        Terms.decode(terms.encode(), {})


@pytest.mark.parametrize("data", [b"", b"\x02", b"\x01" * 40])
def test_decoding_refuses_other_bytes(data: bytes) -> None:
    with pytest.raises(Malformed):
        Terms.decode(data, {})


def test_decoding_refuses_a_longer_message(terms: Terms) -> None:
    with pytest.raises(Malformed, match="goes on"):
        Terms.decode(terms.encode() + b"\0", terms.rules)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hand_id": b"short"}, "hand_id has 5 bytes"),
        ({"hand_no": 0}, "hand_no is 0"),
        ({"seats": 5}, "seats is 5"),
        ({"decks": 3}, "4 seats play with 2"),
        ({"dealer": 4}, "dealer is 4: allowed are 0 to 3"),
        ({"rate": -1}, "rate is -1"),
        ({"commission_bp": 10_001}, "commission_bp is 10001"),
        ({"opened_ms": 2**53}, "opened_ms"),
        ({"players": ((0, bytes(16)),)}, "at least 2"),
        ({"players": ((1, bytes(16)), (0, bytes(16)))}, "ascending"),
        ({"players": ((1, bytes(16)), (1, bytes(16)))}, "ascending"),
        ({"players": ((0, bytes(16)), (4, bytes(16)))}, "seats 0 to 3"),
        ({"players": ((0, bytes(16)), (1, b""))}, "player id of seat 1"),
        ({"rules": {"naïve": "1"}}, "printable ASCII"),
        ({"rules": {"a": "\n"}}, "printable ASCII"),
        ({"rules": {"a": "x" * 257}}, "at most 256"),
        ({"rules": {str(n): "" for n in range(65)}}, "at most 64"),
    ],
)
def test_terms_out_of_range_are_refused(terms: Terms, change: dict[str, Any], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        replace(terms, **change)


def test_players_by_seat(terms: Terms) -> None:
    assert terms.occupied == tuple(seat for seat, _ in terms.players)
    assert terms.player_at(terms.players[0][0]) == terms.players[0][1]
    with pytest.raises(KeyError):
        terms.player_at(7)
