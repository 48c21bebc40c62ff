import json
from uuid import UUID

from server.protocol.messages import TableSummary
from server.tables.lobby import Lobby
from server.tables.places import PlayerIndex
from server.tables.rummy_game import RummyGame
from tests.server.tables.doubles import ScriptedConnection, World


def summary(number: int, seated: int = 0) -> TableSummary:
    world = World()
    config = world.stored(world.new_table()).config
    rules = RummyGame(config).settings.rules_view
    return TableSummary(
        table_id=UUID(int=number),
        name="t",
        asset="HT",
        practice=False,
        seat_count=4,
        seated=seated,
        bots=0,
        rate=10,
        commission_bp=500,
        rules=rules,
        hand_running=False,
    )


def watcher() -> ScriptedConnection:
    return World().new_player(UUID(int=1)).connection


def types(connection: ScriptedConnection) -> list[str]:
    return [json.loads(text)["type"] for text in connection.texts]


def test_watchers_get_the_list_then_each_change_then_the_closing() -> None:
    lobby, one = Lobby(), watcher()
    lobby.show(summary(1))
    lobby.watch(one)
    lobby.show(summary(2))
    lobby.show(summary(1, seated=3))
    lobby.close(UUID(int=2))
    lobby.close(UUID(int=2))
    assert types(one) == ["lobby", "lobby_table", "lobby_table", "lobby_table_closed"]
    assert lobby.summaries() == [summary(1, seated=3)]
    lobby.unwatch(one)
    lobby.show(summary(3))
    assert len(one.texts) == 4


def test_who_sits_where_is_known_by_player() -> None:
    index, one, two = PlayerIndex(), UUID(int=1), UUID(int=2)
    index.set(UUID(int=10), frozenset({one, two}))
    index.set(UUID(int=11), frozenset({one}))
    assert index.tables_of(one) == [UUID(int=10), UUID(int=11)]
    index.set(UUID(int=10), frozenset({two}))
    assert index.tables_of(one) == [UUID(int=11)]
    index.set(UUID(int=11), frozenset())
    assert index.tables_of(one) == []
