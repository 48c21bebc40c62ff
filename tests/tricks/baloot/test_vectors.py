"""Baloot against the vectors: bidding, following, Ekka, projects, deals and matches."""

from typing import Any

import pytest

from tests.tricks.vectors import cases, read_cards
from tricks.baloot.bidding import Bought, Call, CallName, CallRefused, ThrownIn, ToCall, auction
from tricks.baloot.contract import Contract, Mode, hokum
from tricks.baloot.following import choice, is_ekka
from tricks.baloot.projects import Project, best_seat, find_projects
from tricks.baloot.scoring import match_winner, score_deal
from tricks.cards import RANK_NAMES, read_card, read_suit


def contract_of(case: dict[str, Any]) -> Contract:
    return Contract(Mode(case["mode"]), None if case["trump"] is None else read_suit(case["trump"]))


@pytest.mark.parametrize("case", cases("baloot", "legal"))
def test_what_may_be_played(case: dict[str, Any]) -> None:
    chosen = choice(contract_of(case), read_cards(case["hand"]), read_cards(case["trick"]), case.get("ekka", False))
    assert set(chosen.cards) == set(read_cards(case["legal"]))


@pytest.mark.parametrize("case", cases("baloot", "ekka"))
def test_a_lead_that_is_ekka(case: dict[str, Any]) -> None:
    gone = read_cards(case["gone"])
    assert is_ekka(hokum(read_suit(case["trump"])), gone, read_card(case["lead"])) == case["ekka"]


@pytest.mark.parametrize("case", cases("baloot", "projects"))
def test_projects(case: dict[str, Any]) -> None:
    mode = Mode(case["mode"])
    found = [find_projects(mode, read_cards(hand)) for hand in case["hands"]]
    assert _named(found) == case["expect"]["projects"]
    assert best_seat(found, case["first"]) == case["expect"]["best_project_seat"]


@pytest.mark.parametrize("case", cases("baloot", "deal"))
def test_the_score_of_a_deal(case: dict[str, Any]) -> None:
    first = (case["dealer"] + 1) % 4
    hands = [read_cards(hand) for hand in case["hands"]]
    tricks = [read_cards(trick) for trick in case["tricks"]]
    score = score_deal(contract_of(case), first, case["buyer"], hands, tricks)
    expected = dict(case["expect"])
    assert _named(score.projects) == expected.pop("projects")
    assert {name: _plain(getattr(score, name)) for name in expected} == expected


@pytest.mark.parametrize("case", cases("baloot", "bidding"))
def test_bidding(case: dict[str, Any]) -> None:
    standing = auction(case["dealer"], read_card(case["upcard"]), [_call(text) for text in case["calls"]])
    if "next" in case["expect"]:
        assert isinstance(standing, ToCall)
        assert (standing.seat, standing.round) == (case["expect"]["next"]["seat"], case["expect"]["next"]["round"])
        assert set(standing.options) == {_call(text) for text in case["expect"]["next"]["options"]}
    elif case["expect"]["result"]["mode"] == "thrown in":
        assert standing == ThrownIn()
    else:
        bought = case["expect"]["result"]
        assert standing == Bought(contract_of(bought), bought["buyer"], bought["takes"])


def test_a_call_that_is_not_allowed() -> None:
    with pytest.raises(CallRefused, match="only pass, hokum, sun"):
        auction(0, read_card("TH"), [_call("ashkal")])


@pytest.mark.parametrize("case", cases("baloot", "match"))
def test_who_has_won_the_match(case: dict[str, Any]) -> None:
    ours, theirs = case["totals"]
    assert match_winner((ours, theirs)) == case["winner"]


def _call(text: str) -> Call:
    name, _, trump = text.partition(":")
    return Call(CallName(name), read_suit(trump) if trump else None)


def _named(projects: Any) -> list[list[list[str]]]:
    return [[_project(project) for project in seat] for seat in projects]


def _project(project: Project) -> list[str]:
    return [project.kind.name.lower().replace("_", " "), project.shape.value, RANK_NAMES[project.rank]]


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
