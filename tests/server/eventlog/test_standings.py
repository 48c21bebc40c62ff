"""What a node may believe of its hands without looking, and when it must look again."""

from dataclasses import replace
from uuid import UUID

import pytest

from server.eventlog.standings import Standings
from server.eventlog.units import AppendEvents, SaveChairs
from server.tables.ports import EventRow, HandClosing

TABLE, HAND = UUID(int=1), UUID(int=2)
CLOSING = HandClosing("void", "operator", bytes(32), (), 0)


def rows(first: int, count: int) -> tuple[EventRow, ...]:
    return tuple(EventRow(k, b"", bytes(32), {}) for k in range(first, first + count))


def append(first: int = 0, count: int = 1) -> AppendEvents:
    return AppendEvents(TABLE, 5, HAND, rows(first, count), None)


@pytest.fixture
def known() -> Standings:
    """Three events of a hand are stored."""
    standings = Standings()
    standings.begin(7)
    standings.note([append(0, 3)])
    standings.keep()
    standings.begin(7)
    return standings


def test_the_next_step_of_a_known_hand_is_vouched_for(known) -> None:
    assert known.vouch_for(append(3, 2))


@pytest.mark.parametrize(
    "other",
    [
        append(2),
        append(4),
        replace(append(3), epoch=6),
        replace(append(3), hand_id=UUID(int=9)),
        replace(append(3), table_id=UUID(int=9)),
        replace(append(3), closing=CLOSING),
        replace(append(3), rows=(*rows(3, 1), *rows(5, 1))),
        SaveChairs(TABLE, 5, (), None),
    ],
)
def test_anything_else_must_be_looked_up(known, other) -> None:
    assert not known.vouch_for(other)


def test_nothing_is_known_before_a_commit_or_after_a_failure(known) -> None:
    known.note([append(3)])
    assert not known.vouch_for(append(4))
    known.forget()
    known.begin(7)
    assert not known.vouch_for(append(3))
    assert not known.vouch_for(append(4))


def test_nothing_is_known_once_a_table_was_taken_from_the_node(known) -> None:
    known.begin(8)
    assert not known.vouch_for(append(3))


def test_an_ended_hand_is_forgotten(known) -> None:
    known.note([replace(append(3), closing=CLOSING)])
    known.keep()
    known.begin(7)
    assert not known.vouch_for(append(3))
    assert not known.vouch_for(append(4))
