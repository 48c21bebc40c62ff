"""A seeded history is a real one, and on it the desk's figures equal an independent recomputation and need no scans."""

import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.database import create_engine
from server.operator import figures, reports
from server.operator.figures import DAY_MS, HOUR_MS
from server.operator.reading import reading
from server.operator.settlements import HandCursor, HandFilter, settlements_query
from server.seeding.history import HasHistory, seed_history
from server.seeding.plan import HistoryPlan
from tests.server.operator.conftest import DESK
from tests.server.web.clocked_house import ClockedHouse, clocked_house, done, refused
from wallet.check import check

pytestmark = pytest.mark.asyncio(loop_scope="module")

PLAN = HistoryPlan(hands=150, players=90, days=3, from_ms=1_800_000_000_000, seed=3, table_count=10)
END_MS = PLAN.from_ms + 3 * DAY_MS
BIG = (
    "hands",
    "hand_players",
    "hand_events",
    "entries",
    "postings",
    "players",
    "sessions",
    "hand_contributions",
    "hand_disconnects",
    "hand_watchers",
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def past(module_database_url: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ClockedHouse]:
    folder = tmp_path_factory.mktemp("past")
    engine = create_engine(module_database_url)
    assert (await seed_history(engine, PLAN, folder / "keys")).hands == PLAN.hands
    with pytest.raises(HasHistory):
        await seed_history(engine, PLAN, folder / "keys")
    await engine.dispose()
    async with clocked_house(module_database_url, folder, keys_dir=folder / "keys") as house:
        house.clock.jump_to(END_MS)
        yield house


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def auditor(past: ClockedHouse) -> AsyncIterator[httpx.AsyncClient]:
    async with past.staff("Ines", "--role", "auditor") as (ines, _):
        yield ines


async def rows(past: ClockedHouse, query: str, **values: Any) -> list[Any]:
    async with past.services.engine.connect() as connection:
        return list(await connection.execute(text(query), values))


async def test_a_seeded_history_is_whole(past: ClockedHouse, auditor: httpx.AsyncClient) -> None:
    async with past.services.engine.connect() as connection:
        report = await check(connection)
    assert report.findings == ()
    hands = (await done(auditor.get(f"{DESK}/settlements", params={"limit": 200})))["hands"]
    assert len(hands) == PLAN.hands
    assert {hand["outcome"] for hand in hands} >= {"declared", "last_in"}
    for hand in hands[::30]:
        page = await done(auditor.get(f"{DESK}/hands/{hand['hand_id']}"))
        assert page["verdict"]["ok"], page["verdict"]
        assert page["ledger_agrees"]


@pytest.mark.parametrize("by", [{}, {"rate": 25}, {"format": "points"}, {"asset": "PT"}, {"table": 0}])
async def test_figures_equal_an_independent_recomputation(
    past: ClockedHouse, auditor: httpx.AsyncClient, by: dict[str, Any]
) -> None:
    """From the seats of every hand instead of the ledger, and hand by hand instead of in one statement."""
    from_ms, to_ms = PLAN.from_ms + 7 * HOUR_MS, PLAN.from_ms + 2 * DAY_MS + 5 * HOUR_MS
    wanted = dict(by)
    if "table" in wanted:
        del wanted["table"]
        wanted["table_id"] = str(PLAN.tables()[0].table_id)
    hands = await rows(
        past,
        "SELECT h.hand_id, h.closed_ms, h.table_id, h.outcome, p.player_id, p.delta,"
        "       EXISTS (SELECT FROM hand_disconnects d"
        "               WHERE d.hand_id = p.hand_id AND d.player_id = p.player_id) AS cut"
        " FROM hands h JOIN tables t USING (table_id) JOIN hand_players p USING (hand_id)"
        " WHERE h.closed_ms >= :from_ms AND h.closed_ms < :to_ms AND h.asset = :asset"
        "   AND (CAST(:rate AS bigint) IS NULL OR t.rate = :rate)"
        "   AND (CAST(:table_id AS uuid) IS NULL OR h.table_id = :table_id)",
        from_ms=from_ms,
        to_ms=to_ms,
        asset=wanted.get("asset", "HT"),
        rate=wanted.get("rate"),
        table_id=None if "table_id" not in wanted else UUID(wanted["table_id"]),
    )
    for length, step in (("hour", HOUR_MS), ("day", DAY_MS)):
        asked = {"from_ms": from_ms, "to_ms": to_ms, "step": length} | wanted
        page = await done(auditor.get(f"{DESK}/today", params=asked))
        offset_ms = page["offset_minutes"] * 60_000
        for shown in (page["series"]["total"], *(each["figures"] for each in page["series"]["steps"])):
            assert shown["turnover"] >= shown["commission"] >= 0
        assert page["series"]["total"] == recomputed(hands)
        for each in page["series"]["steps"]:
            assert (each["from_ms"] + offset_ms) % step == 0
            within = [row for row in hands if each["from_ms"] <= row.closed_ms < each["from_ms"] + step]
            assert each["figures"] == recomputed(within)


def recomputed(seats: list[Any]) -> dict[str, int]:
    hands = {row.hand_id: row for row in seats}
    cut_off = sum(row.cut for row in seats)
    return {
        "hands": len(hands),
        "voids": sum(row.outcome == "void" for row in hands.values()),
        "tables": len({row.table_id for row in seats}),
        "players": len({row.player_id for row in seats}),
        "seats": len(seats),
        "seats_cut_off": cut_off,
        "disconnect_bp": round(10_000 * cut_off / len(seats)) if seats else 0,
        "settled": sum(row.outcome != "void" for row in hands.values()),
        "turnover": -sum(row.delta for row in seats if row.delta < 0),
        "commission": -sum(row.delta for row in seats),
    }


async def test_what_is_carried_over_a_days_end_is_what_the_journal_held_then(
    past: ClockedHouse, auditor: httpx.AsyncClient
) -> None:
    opened_ms, closed_ms = (
        await rows(past, "SELECT opened_ms, closed_ms FROM hands WHERE asset = 'HT' ORDER BY closed_ms DESC LIMIT 1")
    )[0]
    moment_ms = (opened_ms + closed_ms) // 2
    async with reading(past.services.engine) as connection:
        held = await reports._held_at(connection, moment_ms)
    by_journal = await rows(
        past,
        "SELECT e.asset, sum(p.held_change)::bigint FROM wallet.postings p JOIN wallet.entries e USING (entry_id)"
        " WHERE e.at_ms < :at_ms GROUP BY e.asset HAVING sum(p.held_change) <> 0",
        at_ms=moment_ms,
    )
    assert {asset: units for asset, (units, _) in held.items()} == dict(map(tuple, by_journal))
    assert held["HT"][0] > 0


async def test_no_page_reads_a_big_table_from_end_to_end(past: ClockedHouse) -> None:
    """Asked not to scan, PostgreSQL still would where no index could answer."""
    hand_id, player_id = (await rows(past, "SELECT hand_id, player_id FROM hand_players LIMIT 1"))[0]
    day = {"from_ms": PLAN.from_ms, "to_ms": PLAN.from_ms + DAY_MS}
    span = day | {"first": 1, "last": 100}
    async with reading(past.services.engine) as connection:
        await connection.execute(text("SET LOCAL enable_seqscan = off"))
        for wanted in (
            HandFilter(),
            HandFilter(hand_id=hand_id),
            HandFilter(player=str(player_id)),
            HandFilter(player="asha"),
            HandFilter(table=str(PLAN.tables()[0].table_id)),
            HandFilter(from_ms=day["from_ms"], to_ms=day["to_ms"]),
            HandFilter(least_units=100, most_units=200),
        ):
            before = HandCursor(END_MS, hand_id)
            await expect_no_scan(connection, *await settlements_query(connection, wanted, before, 50))
        stepped = span | {"asset": "HT", "step_ms": HOUR_MS, "offset_ms": 0, "commission_accounts": [1]}
        for query in (figures._HANDS, figures._SEATS, figures._CUT_OFF, figures._MONEY, figures._SETTLED):
            statement = query.format(joined="", filtered="", closed=figures._CLOSED)
            await expect_no_scan(connection, text(statement), stepped)
        for query in (reports._HANDS, reports._MONEY, reports._ISSUED, reports._SPAN):
            await expect_no_scan(connection, query, span)
        await expect_no_scan(connection, reports._HELD, {"at_ms": END_MS})


async def expect_no_scan(connection: AsyncConnection, statement: Any, values: dict[str, Any]) -> None:
    used = {name: value for name, value in values.items() if f":{name}" in statement.text}
    plan = "\n".join((await connection.execute(text(f"EXPLAIN {statement.text}"), used)).scalars())
    scanned = set(re.findall(r"Seq Scan on (\w+)", plan)) & set(BIG)
    assert not scanned, plan


async def test_players_find_nothing_anywhere_and_auditors_change_nothing(
    past: ClockedHouse, auditor: httpx.AsyncClient
) -> None:
    known = {
        "{hand_id}": str((await rows(past, "SELECT hand_id FROM hands LIMIT 1"))[0][0]),
        "{player_id}": str((await rows(past, "SELECT player_id FROM hand_players LIMIT 1"))[0][0]),
        "{table_id}": str(PLAN.tables()[0].table_id),
        "{kind}": "csv",
        "{day}": "2027-01-16",
    }
    paths = (await done(auditor.get("/openapi.json")))["paths"]
    desk = {path: methods for path, methods in paths.items() if path.startswith(DESK)}
    assert len(desk) > 35
    async with past.guest() as guest:
        for path, methods in desk.items():
            for name, value in known.items():
                path = path.replace(name, value)
            path = re.sub(r"\{\w+\}", str(uuid4()), path)
            for method in methods:
                body = {} if method == "get" else {"json": {}}
                await refused(guest.request(method.upper(), path, **body), 404, "not_found")
                answer = await auditor.request(method.upper(), path, **body)
                if method != "get":
                    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "read_only"), path
                else:
                    assert answer.status_code == 200 or answer.json()["error"]["code"].startswith("no_such_"), path
