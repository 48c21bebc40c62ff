"""Steps of a match: stored once however often they are sent, held for or refused whole, never changed."""

from dataclasses import replace
from uuid import uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from server.eventlog.errors import JournalConflict
from server.eventlog.journal import PostgresJournal
from server.protocol.messages import Player
from server.tables.match_ports import MatchEnd, MatchEndLine, MatchStart, MatchStep, Rejoin
from server.tables.ports import Fenced, HoldsRefused, StoredTable
from tests.server.eventlog.conftest import START_MS, World
from wallet import verbs
from wallet.accounts import Asset
from wallet.check import check

BUY_IN = 500
DECLINED = ({"type": "decline", "seats": [1]},)
REJOINED = ({"type": "rejoin", "seat": 1},)


async def begun(
    world: World, journal: PostgresJournal, units: int
) -> tuple[StoredTable, tuple[Player, ...], MatchStart]:
    """A match of two whose first hand has just opened."""
    table = await world.table(journal)
    players = await world.players(2, units)
    start = MatchStart(uuid4(), "pool_101", BUY_IN, 500)
    hand = world.hand(table, players)
    await journal.open_hand(table.epoch, replace(hand.opening, match=start, hold_units=BUY_IN))
    return table, players, start


async def balance(world: World, player: Player) -> tuple[int, int]:
    async with world.engine.connect() as connection:
        return (await verbs.balances(connection, player.player_id))[Asset.HT]


async def steps(world: World, start: MatchStart) -> int:
    count: int = await world.scalar("SELECT count(*) FROM match_steps WHERE match_id = :id", id=start.match_id)
    return count


def ended(players: tuple[Player, ...], start: MatchStart, number: int) -> MatchStep:
    loser, winner = players
    lines = (
        MatchEndLine(0, loser.player_id, 101, "out", BUY_IN, -BUY_IN),
        MatchEndLine(1, winner.player_id, 40, "in", 2 * BUY_IN, BUY_IN - 25),
    )
    return MatchStep(
        start.match_id, number, START_MS, ({"type": "leave", "seats": [0]},), end=MatchEnd("won", lines, 25)
    )


async def test_a_step_is_stored_once_and_ends_with_the_tokens(world: World) -> None:
    async with world.journal() as journal:
        table, players, start = await begun(world, journal, units=2_000)
        table_id, epoch = table.config.table_id, table.epoch
        rejoin = Rejoin(uuid4(), players[1].player_id, BUY_IN)
        again = MatchStep(start.match_id, 0, START_MS, REJOINED, rejoin)
        for _ in range(2):
            await journal.step_match(table_id, epoch, again)
        assert await balance(world, players[1]) == (2_000 - 2 * BUY_IN, 2 * BUY_IN)
        for wrong in (replace(again, events=DECLINED), replace(again, number=2), replace(again, match_id=uuid4())):
            with pytest.raises(JournalConflict):
                await journal.step_match(table_id, epoch, wrong)
        with pytest.raises(Fenced):
            await journal.step_match(table_id, epoch + 1, replace(again, number=1))
        end = ended(players, start, 1)
        for _ in range(2):
            await journal.step_match(table_id, epoch, end)
        assert [await balance(world, player) for player in players] == [(1_500, 0), (2_475, 0)]
        with pytest.raises(JournalConflict, match="has ended"):
            await journal.step_match(table_id, epoch, replace(again, number=2))
    assert await steps(world, start) == 2
    async with world.engine.connect() as connection:
        assert (await check(connection)).findings == ()


async def test_a_rejoin_that_cannot_be_covered_leaves_no_trace_and_spoils_no_neighbour(world: World) -> None:
    async with world.journal() as journal:
        table, players, start = await begun(world, journal, units=BUY_IN)
        rejoin = Rejoin(uuid4(), players[1].player_id, BUY_IN)
        with pytest.raises(HoldsRefused):
            await journal.step_match(
                table.config.table_id, table.epoch, MatchStep(start.match_id, 0, START_MS, REJOINED, rejoin)
            )
        assert await steps(world, start) == 0
        await journal.step_match(table.config.table_id, table.epoch, MatchStep(start.match_id, 0, START_MS, DECLINED))
    async with world.journal() as journal:
        found = await journal.load_table(table.config.table_id)
    assert found.match is not None
    assert found.match.start == start
    assert found.match.steps == (DECLINED,)
    assert found.match.players == dict(enumerate(players))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE match_steps SET events = '[]'",
        "DELETE FROM match_steps",
        "DELETE FROM matches",
        "UPDATE matches SET buy_in = 1",
        "UPDATE matches SET status = 'closed'",
        "UPDATE tables SET buy_in = 1",
        "INSERT INTO match_steps SELECT match_id, 7, 0, '[]' FROM matches",
    ],
)
async def test_what_is_on_record_of_a_match_stands(world: World, change: str) -> None:
    async with world.journal() as journal:
        table, _, start = await begun(world, journal, units=2_000)
        await journal.step_match(table.config.table_id, table.epoch, MatchStep(start.match_id, 0, START_MS, DECLINED))
    with pytest.raises(DBAPIError):
        async with world.engine.begin() as connection:
            await connection.execute(text(change))
