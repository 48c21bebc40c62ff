"""Private tables over real sockets and the database: opened, found by their invite, bounded, and gone when empty."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest
from websockets.asyncio.client import ClientConnection

from server.database import create_engine
from server.identity.secrets import secret_hash
from tests.live_house import LiveHouse, OpenHouse
from tests.server.test_socket import HELLO, ask, greeted, socket, token

OPEN = {"type": "open_table", "asset": "PT", "seat_count": 4, "rate": 100}


async def do(opened: ClientConnection, **command: Any) -> dict[str, Any]:
    return await ask(opened, {"id": uuid4().hex, **command})


@asynccontextmanager
async def guests(house: LiveHouse, count: int) -> AsyncIterator[list[ClientConnection]]:
    async with asyncio.timeout(30):
        contexts = [greeted(house) for _ in range(count)]
        opened = [await context.__aenter__() for context in contexts]
        try:
            yield opened
        finally:
            for context in contexts:
                await context.__aexit__(None, None, None)


async def test_a_table_is_opened_found_by_its_code_alone_and_played_at(shared_house: LiveHouse) -> None:
    async with guests(shared_house, 2) as (host, guest):
        opened = await do(host, **OPEN, rules={"turn_seconds": 20}, watching="nobody", chat="phrases")
        table_id, code = opened["result"]["table_id"], opened["result"]["code"]
        async with httpx.AsyncClient(trust_env=False) as http:
            listed = (await http.get(f"{shared_house.url}/api/tables")).json()
        assert table_id not in [table["table_id"] for table in listed]
        assert (await do(guest, type="sit", table_id=table_id))["code"] == "unknown_table"
        assert (await do(guest, type="use_invite", code="A" * 43))["code"] == "invite_unknown"

        let_in = await do(guest, type="use_invite", code=code)
        table = let_in["result"]["table"]
        assert (table["rules"]["turn_seconds"], table["watching"], table["chat"]) == (20, "nobody", "phrases")
        assert (table["commission_bp"], table["practice"], table["asset"]) == (500, True, "PT")
        for player in (host, guest):
            assert (await do(player, type="sit", table_id=table_id))["type"] == "ack"


async def test_the_same_open_twice_opens_one_table_and_a_player_has_but_a_few(shared_house: LiveHouse) -> None:
    bearer = await token(shared_house)
    async with socket(shared_house, bearer) as host, asyncio.timeout(30):
        await ask(host, HELLO)
        first = await ask(host, {"id": "same", **OPEN})
        assert await ask(host, {"id": "same", **OPEN}) == first
        for _ in range(2):
            assert (await do(host, **OPEN))["type"] == "ack"
        assert (await do(host, **OPEN))["code"] == "too_many_tables"
        assert (await do(host, **OPEN, buy_in=500))["code"] == "rate_not_offered"
        assert (await do(host, **OPEN, format="pool_101"))["code"] == "rate_not_offered"
        assert (await do(host, **{**OPEN, "rate": 1}))["code"] == "rate_not_offered"
        assert (await do(host, **OPEN, rules={"min_players": 5}))["code"] == "malformed"
    async with socket(shared_house, bearer) as again, asyncio.timeout(30):
        await again.send('{"type": "hello", "id": "h", "protocol": 1}')
        welcome = await again.recv()
        assert first["result"]["table_id"] in str(welcome)


async def test_a_private_table_may_play_matches(shared_house: LiveHouse) -> None:
    async with guests(shared_house, 1) as (host,):
        wish = {**OPEN, "rate": None, "format": "pool_101", "buy_in": 500}
        opened = await do(host, **wish)
        table = (await do(host, type="use_invite", code=opened["result"]["code"]))["result"]["table"]
        assert (table["rules"]["format"], table["buy_in"], table["rate"]) == ("pool_101", 500, 0)


async def test_a_new_invite_ends_the_one_before_but_nobody_who_came_in_by_it(shared_house: LiveHouse) -> None:
    async with guests(shared_house, 3) as (host, early, late):
        opened = (await do(host, **OPEN))["result"]
        table_id = opened["table_id"]
        assert (await do(early, type="use_invite", code=opened["code"]))["type"] == "ack"
        assert (await do(early, type="new_invite", table_id=table_id))["code"] == "not_host"
        newer = (await do(host, type="new_invite", table_id=table_id))["result"]["code"]
        assert (await do(late, type="use_invite", code=opened["code"]))["code"] == "invite_unknown"
        assert (await do(early, type="sit", table_id=table_id))["type"] == "ack"
        await do(host, type="host_table", table_id=table_id, joining=False)
        assert (await do(late, type="use_invite", code=newer))["code"] == "joining_closed"


async def test_it_survives_a_restart_with_its_guests_and_customs_and_closes_when_empty(
    open_house: OpenHouse, database_url: str
) -> None:
    house = open_house(RUMMY_PRIVATE_EMPTY_MS="1500")
    host_token, guest_token = await token(house), await token(house)
    async with socket(house, host_token) as host, socket(house, guest_token) as guest, asyncio.timeout(30):
        await ask(host, HELLO)
        await ask(guest, HELLO)
        opened = (await do(host, **OPEN, watching="nobody"))["result"]
        await do(guest, type="use_invite", code=opened["code"])
        await do(guest, type="sit", table_id=opened["table_id"])
    house.kill()
    house.start()
    engine = create_engine(database_url)
    try:
        async with engine.connect() as database:
            stored = (await database.exec_driver_sql("SELECT code_hash FROM private_tables")).scalar_one()
            assert stored == secret_hash(opened["code"])
    finally:
        await engine.dispose()
    async with socket(house, guest_token) as guest, asyncio.timeout(30):
        await ask(guest, HELLO)
        await guest.send(f'{{"type": "watch_table", "id": "w", "table_id": "{opened["table_id"]}"}}')
        assert '"watching":"nobody"' in str(await guest.recv())
        await do(guest, type="leave_table", table_id=opened["table_id"])
        for _ in range(100):
            answer = await do(guest, type="sit", table_id=str(opened["table_id"]))
            if answer.get("code") == "unknown_table":
                break
            await do(guest, type="leave_table", table_id=opened["table_id"])
            await asyncio.sleep(2)
        assert answer["code"] == "unknown_table"


@pytest.mark.parametrize("wishes", [{}, {"asset": "PT", "seat_count": 6}])
async def test_quick_seat_over_the_wire(shared_house: LiveHouse, wishes: dict[str, Any]) -> None:
    async with guests(shared_house, 1) as (seeker,):
        answer = await do(seeker, type="quick_seat", **wishes)
        assert answer["result"]["seat"] == 0
