"""Matches worked out by hand (tests/vectors/matches): every score, offer and token after every step."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rummy.formats.counting import HandLine
from rummy.formats.kinds import MATCH_FORMATS, FormatName
from rummy.formats.match import (
    Declined,
    Forfeited,
    HandCounted,
    HandWasVoid,
    MatchEvent,
    MatchState,
    NotInThisMatch,
    Rejoined,
    Standing,
    begin,
    evolve,
    fold,
)
from rummy.formats.payout import payout_of
from rummy.state import OutBy

MATCHES = sorted((Path(__file__).parents[2] / "vectors" / "matches").glob("*.txt"))


def lines_of(path: Path) -> Iterator[str]:
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            yield line


def pairs(text: str) -> dict[int, str]:
    return {int(seat): value for seat, value in re.findall(r"(\d+)=(\S+)", text)}


def read_event(text: str, state: MatchState) -> MatchEvent:
    word, _, rest = text.strip().partition(" ")
    match word:
        case "hand":
            winner, _, others = rest.partition(":")
            lines = {int(winner): HandLine(int(winner), 0)} | {
                seat: HandLine(seat, int(value)) if value.isdigit() else HandLine(seat, 40, OutBy(value))
                for seat, value in pairs(others).items()
            }
            return HandCounted(int(winner), tuple(lines[seat] for seat in sorted(lines)))
        case "void":
            return HandWasVoid()
        case "rejoin":
            return Rejoined(int(rest))
        case "decline":
            return Declined(tuple(map(int, rest.split())))
        case "leave":
            return Forfeited(tuple(map(int, rest.split())))
    raise AssertionError(text)


def check_standing(state: MatchState, text: str) -> None:
    text, offered, offers = text.partition("offers")
    for seat, value in pairs(text).items():
        score, _, standing = value.partition(":")
        player = state.player(seat)
        assert (player.score, player.standing) == (int(score), Standing(standing or "in")), f"seat {seat}: {text}"
    if offered:
        seats, _, comeback = offers.strip().partition(" at ")
        assert state.offers == (() if seats == "none" else tuple(map(int, seats.split())))
        assert state.comeback == (int(comeback) if comeback else 0)


@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
def test_a_match_worked_out_by_hand(path: Path) -> None:
    first, *steps, paid = lines_of(path)
    name, seats, buy_in, commission_bp = re.fullmatch(
        r"match (\S+) seats ([\d ]+) buy_in (\d+) commission_bp (\d+)", first
    ).groups()  # type: ignore[union-attr]
    state = begin(MATCH_FORMATS[FormatName(name)], map(int, seats.split()))
    for step in steps:
        assert not state.is_over, step
        happened, _, after = step.partition("->")
        state = evolve(state, read_event(happened, state))
        check_standing(state, after)
    assert state.is_over
    pot, commission, deltas = re.fullmatch(r"paid pot (\d+) commission (\d+): (.*)", paid).groups()  # type: ignore[union-attr]
    payout = payout_of(state, int(buy_in), int(commission_bp))
    assert (payout.pot, payout.commission) == (int(pot), int(commission))
    assert {line.seat: str(line.delta) for line in payout.lines} == pairs(deltas)


def hand(winner: int, **others: int) -> HandCounted:
    lines = {winner: 0} | {int(seat[1:]): points for seat, points in others.items()}
    return HandCounted(winner, tuple(HandLine(seat, lines[seat]) for seat in sorted(lines)))


POOL = MATCH_FORMATS[FormatName.POOL_101]


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([hand(0, s1=10)], "2) are in"),
        ([hand(0, s1=10, s2=10, s3=1)], "3)"),
        ([Rejoined(1)], "no open offer"),
        ([Declined((1,))], "no open offer"),
        ([hand(0, s1=80, s2=1), hand(0, s1=80, s2=1), hand(0, s2=3)], "stands open"),
        ([Forfeited((1,)), Forfeited((1,))], "nothing to forfeit"),
        ([Forfeited((0, 1)), hand(2)], "over"),
        ([hand(0, s1=80, s2=1), hand(0, s1=80, s2=1), Declined((1,)), Rejoined(1)], "no open offer"),
    ],
)
def test_what_cannot_happen_is_refused(events: list[MatchEvent], words: str) -> None:
    with pytest.raises(NotInThisMatch, match=re.escape(words)):
        fold(begin(POOL, (0, 1, 2)), events)


@pytest.mark.parametrize("seats", [(), (3,), (1, 1)])
def test_a_match_needs_two_players(seats: tuple[int, ...]) -> None:
    with pytest.raises(NotInThisMatch):
        begin(POOL, seats)
