from uuid import UUID

from server.protocol.messages import Player
from server.tables.audience import MOST_SPECTATORS, Audience
from tests.server.tables.doubles import ScriptedConnection


def connection(player: int) -> ScriptedConnection:
    return ScriptedConnection(Player(player_id=UUID(int=player), name="p"))


def test_the_newest_connection_holds_the_controls_and_the_one_before_inherits_them() -> None:
    audience, first, second = Audience(), connection(1), connection(1)
    assert audience.take_controls(first) is None
    assert audience.take_controls(second) is first
    assert (audience.may_act(first), audience.may_act(second)) == (False, True)
    assert audience.take_controls(second) is None
    audience.remove(second)
    assert audience.may_act(first)


def test_players_are_apart() -> None:
    audience, one, two = Audience(), connection(1), connection(2)
    audience.take_controls(one)
    audience.take_controls(two)
    assert audience.may_act(one)
    assert list(audience) == [one, two]
    assert audience.of(UUID(int=1)) == (one,)


def test_removing_a_stranger_changes_nothing() -> None:
    audience, one = Audience(), connection(1)
    audience.take_controls(one)
    audience.remove(connection(1))
    audience.remove(connection(2))
    assert one in audience


def test_absence_is_counted_from_the_last_connection_or_the_first_question() -> None:
    audience, one = Audience(), connection(1)
    assert audience.absent_ms(UUID(int=1), 100) == 0
    assert audience.absent_ms(UUID(int=1), 130) == 30
    audience.take_controls(one)
    assert audience.absent_ms(UUID(int=1), 500) == 0
    audience.remove(one)
    audience.note_absence(UUID(int=1), 600)
    assert audience.absent_ms(UUID(int=1), 650) == 50
    audience.forget_absences(but=frozenset())
    assert audience.absent_ms(UUID(int=1), 700) == 0


def test_spectators_are_bounded() -> None:
    audience = Audience()
    for number in range(MOST_SPECTATORS):
        assert not audience.spectators_are_many()
        audience.take_controls(connection(number))
    assert audience.spectators_are_many()
