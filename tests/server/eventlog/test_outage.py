"""The database goes away in the middle of everything: nothing acknowledged is lost, nothing is stored twice."""

import asyncio
import secrets
import tempfile
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import make_url

from server import embedded_postgres
from server.database import create_engine, migrate
from server.eventlog.journal import PostgresJournal
from server.tables.ports import JournalUnavailable
from wallet.accounts import Asset
from wallet.open_holds import open_holds
from wallet.statement import balances, trial_balance

KILLS = 25


async def play_stubbornly(world, journal, table, players, enough: asyncio.Event) -> list:
    """Whole hands one after the other, each call made again until it is answered, as a table does it."""
    played: list = []
    while not enough.is_set() or not played:
        number = len(played) + 1
        hand = world.hand(table, players, seed=number, hand_no=number)
        await until_done(lambda hand=hand: journal.open_hand(hand.epoch, hand.opening))
        await until_done(lambda hand=hand: hand.contribute(journal))
        for batch in range(len(hand.batches)):
            await until_done(lambda hand=hand, batch=batch: hand.append(journal, batch))
        played.append(hand)
    return played


async def until_done(call) -> None:
    while True:
        try:
            await call()
            return
        except JournalUnavailable:
            await asyncio.sleep(0.02)


async def assert_whole(world, hands) -> None:
    """Every hand is stored exactly as it was played, its tokens moved once."""
    won: dict = {}
    for hand in hands:
        assert await world.stored_events(hand) == hand.events
        for player_id, delta in hand.closing.deltas:
            won[player_id] = won.get(player_id, 0) + delta
    assert await world.scalar("SELECT count(*) FROM hands WHERE status = 'closed'") == len(hands)
    assert await world.scalar("SELECT size FROM log_size") == 2 * len(hands)
    assert await world.scalar("SELECT count(*) FROM hand_events") == sum(len(hand.events) for hand in hands)
    async with world.engine.connect() as connection:
        assert await open_holds(connection) == ()
        assert sum(row.balance for row in await trial_balance(connection)) == 0
        for player_id, delta in won.items():
            assert (await balances(connection, player_id))[Asset.HT] == (1_000_000 + delta, 0)


async def test_backends_are_terminated_under_load(world) -> None:
    enough = asyncio.Event()
    async with world.journal() as journal:
        playing = await play_everywhere(world, journal, 6, enough)
        await terminate_backends(world.url)
        enough.set()
        hands = [hand for played in await playing for hand in played]
    await assert_whole(world, hands)


async def play_everywhere(world, journal, count: int, enough: asyncio.Event) -> asyncio.Future:
    tables = await world.tables(journal, count)
    seated = [await world.players(2) for _ in tables]
    return asyncio.gather(
        *(play_stubbornly(world, journal, *each, enough) for each in zip(tables, seated, strict=True))
    )


async def terminate_backends(url: str) -> None:
    """Terminate the journal's backends again and again, KILLS of them."""
    admin = await asyncpg.connect(make_url(url).set(drivername="postgresql").render_as_string(hide_password=False))
    kills = 0
    try:
        while kills < KILLS:
            kills += await admin.fetchval(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = 'rummy'"
            )
            await asyncio.sleep(0.01)
    finally:
        await admin.close()


async def test_postgresql_stops_and_starts_while_tables_play(world) -> None:
    with tempfile.TemporaryDirectory(prefix="rummy-outage-", ignore_cleanup_errors=True) as folder:
        url = await asyncio.to_thread(embedded_postgres.start, Path(folder))
        await migrate(url)
        own = replace(world, engine=create_engine(url), url=url)
        enough = asyncio.Event()
        try:
            async with own.journal() as journal:
                playing = await play_everywhere(own, journal, 3, enough)
                quiet = await own.table(journal)
                await asyncio.to_thread(embedded_postgres.stop, Path(folder))
                with pytest.raises(JournalUnavailable):
                    await journal.save_chairs(quiet.config.table_id, quiet.epoch, (), None)
                await asyncio.to_thread(embedded_postgres.start, Path(folder))
                await until_done(lambda: journal.save_chairs(quiet.config.table_id, quiet.epoch, (), None))
                enough.set()
                hands = [hand for played in await playing for hand in played]
            await assert_whole(own, hands)
        finally:
            await own.engine.dispose()
            await asyncio.to_thread(embedded_postgres.stop, Path(folder))


class CuttingProxy:
    """Stands between server and database. Once armed, it cuts at the next COMMIT: before it, or before its reply."""

    def __init__(self, socket: Path, target: Path, wait_for_commit: bool) -> None:
        self._socket = socket
        self._target = target
        self._wait = wait_for_commit
        self.armed = False
        self.cuts = 0

    @asynccontextmanager
    async def running(self):
        server = await asyncio.start_unix_server(self._serve, self._socket)
        try:
            yield self
        finally:
            server.close()

    async def _serve(self, client_reader, client_writer) -> None:
        reader, writer = await asyncio.open_unix_connection(self._target)
        back = asyncio.create_task(self._pump(reader, client_writer))
        while data := await client_reader.read(65_536):
            cut = self.armed and b"COMMIT;" in data
            if cut:
                self.armed = False
                self.cuts += 1
                back.cancel()
                if not self._wait:  # it never gets there
                    break
            writer.write(data)
            await writer.drain()
            if cut:
                await reader.read(65_536)  # PostgreSQL says that it is committed, and nobody hears it
                break
        back.cancel()
        client_writer.close()
        writer.close()

    async def _pump(self, reader, writer) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()


@pytest.mark.parametrize("committed", [True, False])
async def test_a_connection_dies_during_commit(world, tmp_path, committed) -> None:
    target = Path(make_url(world.url).query["host"]) / ".s.PGSQL.5432"
    proxy = CuttingProxy(tmp_path / ".s.PGSQL.5432", target, committed)
    url = make_url(world.url).set(query={"host": str(tmp_path)})
    async with proxy.running():
        engine = create_engine(url)
        journal = PostgresJournal(engine, world.keys, world.now_ms, secrets.token_bytes)
        async with journal.running():
            hand = world.hand(await world.table(journal), await world.players(2))
            steps = [
                lambda: journal.open_hand(hand.epoch, hand.opening),
                lambda: hand.contribute(journal),
                *(lambda number=number: hand.append(journal, number) for number in range(len(hand.batches))),
            ]
            for step in steps:
                proxy.armed = True
                await step()
                proxy.armed = False
        await engine.dispose()
    assert proxy.cuts >= len(steps)
    await assert_whole(world, [hand])
