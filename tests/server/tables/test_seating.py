from uuid import UUID

import pytest

from server.protocol.messages import ErrorCode, Player
from server.tables.ports import Chair
from server.tables.refusal import Refused
from server.tables.seating import Seating


def player(number: int) -> Player:
    return Player(player_id=UUID(int=number), name=f"p{number}")


def seating() -> Seating:
    """Four seats with three players: one plays on, one is leaving after the hand, one has gone."""
    return Seating(4, (Chair(0, player(0)), Chair(1, player(1), leaving=True), Chair(3, player(3), gone=True)))


def test_the_first_free_chair_is_taken_and_the_chairs_stay_in_order() -> None:
    after, seat = seating().sit(player(9), None)
    assert seat == 2
    assert [chair.seat for chair in after.chairs] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("who", "seat", "code"),
    [
        (9, 0, ErrorCode.SEAT_TAKEN),
        (9, 3, ErrorCode.SEAT_TAKEN),
        (9, 4, ErrorCode.NO_SUCH_SEAT),
        (0, 2, ErrorCode.ALREADY_SEATED),
        (3, 2, ErrorCode.ALREADY_SEATED),
    ],
)
def test_a_chair_that_cannot_be_had_is_refused(who: int, seat: int | None, code: ErrorCode) -> None:
    with pytest.raises(Refused) as refusal:
        seating().sit(player(who), seat)
    assert refusal.value.code is code


@pytest.mark.parametrize("who", [1, 3])
def test_who_is_leaving_or_gone_takes_the_own_chair_back(who: int) -> None:
    after, seat = seating().sit(player(who), None)
    assert seat == who
    assert after.at(who) == Chair(who, player(who))


@pytest.mark.parametrize("asked", [None, 0])
def test_asking_again_for_the_own_chair_changes_nothing(asked: int | None) -> None:
    assert seating().sit(player(0), asked) == (seating(), 0)


def test_a_full_table_says_so() -> None:
    full, _ = seating().sit(player(9), None)
    with pytest.raises(Refused) as refusal:
        full.sit(player(10), None)
    assert refusal.value.code is ErrorCode.TABLE_FULL


def test_who_has_gone_has_no_chair_but_in_name() -> None:
    assert seating().of(UUID(int=3)) is None
    assert seating().in_name_of(UUID(int=3)) is not None
    assert [chair.seat for chair in seating().present] == [0, 1]
    with pytest.raises(Refused) as refusal:
        seating().chair_of(UUID(int=3))
    assert refusal.value.code is ErrorCode.NOT_SEATED


def test_only_those_who_stay_and_do_not_rest_play_on() -> None:
    assert [chair.seat for chair in seating().playing_on] == [0]
    assert seating().sat_out([UUID(int=0)]).playing_on == ()


def test_after_the_hand_the_leavers_chairs_are_free() -> None:
    assert [chair.seat for chair in seating().after_hand().chairs] == [0]
