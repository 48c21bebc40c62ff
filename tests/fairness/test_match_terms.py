"""What a hand's terms say of its match: read as written, and refused when it is half said or misshapen."""

from dataclasses import replace

import pytest

from fairness.encoding import Id
from fairness.match_terms import MatchTerms, UnknownRules, match_terms
from fairness.rehearsal import RehearsedHouse
from fairness.rehearsed_players import eager
from fairness.replay import rules_map, table_rules
from fairness.terms import Terms
from rummy.formats.kinds import FormatName
from rummy.rules import TableRules

BOUND = MatchTerms(FormatName.POOL_201, 5_000, Id(b"\x0a" * 16), 7, ((0, 12), (1, 200)))


@pytest.fixture(scope="module")
def terms() -> Terms:
    played = RehearsedHouse(1).play(eager, TableRules(4), 2).terms
    players = tuple((seat, player_id) for seat, (_, player_id) in enumerate(played.players))
    return replace(played, rate=0, players=players, rules={**rules_map(TableRules(4)), **BOUND.to_map()})


def test_terms_of_a_match_are_read_as_they_were_written(terms: Terms) -> None:
    assert match_terms(terms) == BOUND
    assert table_rules(terms) == TableRules(4)
    points = {name: value for name, value in terms.rules.items() if name not in BOUND.to_map()}
    assert match_terms(replace(terms, rules=points | {"format": "points"})) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"match": None}, "the rule match is missing"),
        ({"match": "0A" * 16}, "32 hex digits"),
        ({"match_hand": "0"}, "a number from 1 on"),
        ({"match_hand": "07"}, "a number from 1 on"),
        ({"buy_in": "-1"}, "a number from 1 on"),
        ({"buy_in": str(2**53)}, "a number from 1 on"),
        ({"standing": "0:12"}, "one score for each player"),
        ({"standing": "0:12  1:200"}, "seat:score"),
        ({"standing": "0:012 1:200"}, "seat:score"),
        ({"standing": ""}, "seat:score"),
        ({"format": "points"}, "belongs to a match"),
        ({"format": "pool_301"}, "this house plays"),
    ],
)
def test_what_is_half_said_or_misshapen_is_refused(terms: Terms, change: dict[str, str | None], words: str) -> None:
    rules = {name: value for name, value in ({**terms.rules} | change).items() if value is not None}
    with pytest.raises(UnknownRules, match=words):
        table_rules(replace(terms, rules=rules))


def test_the_hands_of_a_match_move_no_tokens(terms: Terms) -> None:
    with pytest.raises(UnknownRules, match="move no tokens"):
        table_rules(replace(terms, rate=1))
