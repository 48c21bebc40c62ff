"""Mute, report and silence over real sockets: kept per account, with evidence, and across a restart."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import httpx
from websockets.asyncio.client import ClientConnection

from tests.enrolment import enrol
from tests.live_house import LiveHouse, OpenHouse
from tests.server.hosting.test_private_tables import do, guests
from tests.server.test_socket import HELLO, ask, socket, token


@contextmanager
def operator(house: LiveHouse) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=house.url, trust_env=False, headers={"x-rummy": "1"}) as desk:
        assert desk.get(house.operator_link).status_code == 303
        enrol(desk, house.url)
        yield desk


async def seated(house: LiveHouse, table_id: str, *players: ClientConnection) -> None:
    for player in players:
        assert (await do(player, type="sit", table_id=table_id))["type"] == "ack"


async def hear(opened: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(await opened.recv())
        if message["type"] == kind:
            return message


async def hello(opened: ClientConnection) -> dict[str, Any]:
    await opened.send(json.dumps(HELLO))
    welcome = await hear(opened, "welcome")
    await hear(opened, "ack")
    return welcome


def table_of(house: LiveHouse, number: int = 0) -> str:
    table_id: str = httpx.get(f"{house.url}/api/tables", trust_env=False).json()[number]["table_id"]
    return table_id


async def test_a_mute_is_kept_with_the_account_and_heard_of_by_nobody_else(shared_house: LiveHouse) -> None:
    table_id = table_of(shared_house)
    loud_token, quiet_token = await token(shared_house), await token(shared_house)
    async with asyncio.timeout(30):
        async with socket(shared_house, loud_token) as loud, socket(shared_house, quiet_token) as quiet:
            loud_id = (await hello(loud))["player"]["player_id"]
            assert (await hello(quiet))["muted"] == []
            await seated(shared_house, table_id, loud, quiet)
            await do(loud, type="say", table_id=table_id, text="one")
            assert (await hear(quiet, "chat"))["line"]["text"] == "one"
            await quiet.send(json.dumps({"id": "m", "type": "mute", "player_id": loud_id, "on": True}))
            assert (await hear(quiet, "chat_history"))["lines"] == []
            assert (await hear(quiet, "muted"))["players"] == [loud_id]
            await hear(quiet, "ack")
            await do(loud, type="say", table_id=table_id, text="two")
            unknown = await do(quiet, type="mute", player_id=str(UUID(int=1)), on=True)
            assert unknown["code"] == "no_such_player"
        async with socket(shared_house, quiet_token) as quiet:
            assert (await hello(quiet))["muted"] == [loud_id]
            await quiet.send(json.dumps({"id": "w", "type": "watch_table", "table_id": table_id}))
            assert (await hear(quiet, "chat_history"))["lines"] == []
            await quiet.send(json.dumps({"id": "u", "type": "mute", "player_id": loud_id, "on": False}))
            lines = (await hear(quiet, "chat_history"))["lines"]
            assert [line["text"] for line in lines] == ["one", "two"]


async def test_a_report_keeps_the_lines_and_a_silence_outlives_a_restart(open_house: OpenHouse) -> None:
    house = open_house()
    table_id = table_of(house)
    rude_token = await token(house)
    with operator(house) as desk:
        async with asyncio.timeout(60), socket(house, rude_token) as rude, guests(house, 1) as (other,):
            rude_id = (await hello(rude))["player"]["player_id"]
            await seated(house, table_id, rude, other)
            silent = await do(other, type="report_chat", table_id=table_id, player_id=rude_id, reason="abuse")
            assert silent["code"] == "no_such_player"
            await do(rude, type="say", table_id=table_id, text="something rude")
            report = {"type": "report_chat", "table_id": table_id, "player_id": rude_id, "reason": "abuse", "id": "r"}
            filed = await ask(other, {**report, "note": "again"})
            assert filed == await ask(other, {**report, "note": "again"})

            page = desk.get("/api/operator/chat-reports").json()
            assert [each["report_id"] for each in page["reports"]] == [filed["result"]["report_id"]]
            assert (page["reports"][0]["note"], page["next"]) == ("again", None)
            assert page["reports"][0]["lines"][-1]["text"] == "something rude"
            silenced = desk.post(f"/api/operator/players/{rude_id}/silence", json={"minutes": 60})
            assert silenced.status_code == 200
            assert desk.post(f"/api/operator/players/{UUID(int=1)}/silence", json={"minutes": 1}).status_code == 404
            assert (await hear(rude, "notice"))["code"] == "chat_silenced"
            assert (await do(rude, type="say", table_id=table_id, text="still"))["code"] == "chat_silenced"
        house.kill()
        house.start()
        async with asyncio.timeout(60), socket(house, rude_token) as rude:
            await hello(rude)
            assert (await do(rude, type="say", table_id=table_id, text="and now"))["code"] == "chat_silenced"
            desk.post(f"/api/operator/players/{rude_id}/silence", json={"minutes": 0})
            assert (await do(rude, type="say", table_id=table_id, text="sorry"))["type"] == "ack"
        assert "rude" not in house.log.read_text()


async def test_operators_set_a_tables_customs_and_players_cannot(shared_house: LiveHouse) -> None:
    table_id = table_of(shared_house, 1)
    wanted = {"watching": "nobody", "chat": "off"}
    async with guests(shared_house, 1) as (spectator,):
        await do(spectator, type="watch_table", table_id=table_id)
        with operator(shared_house) as desk:
            assert desk.post(f"/api/operator/tables/{table_id}/customs", json=wanted).status_code == 204
            assert desk.post(f"/api/operator/tables/{UUID(int=1)}/customs", json=wanted).status_code == 404
        assert (await hear(spectator, "table_gone"))["reason"] == "forbidden"
    headers = {"authorization": f"Bearer {await token(shared_house)}", "x-rummy": "1"}
    async with httpx.AsyncClient(base_url=shared_house.url, trust_env=False, headers=headers) as player:
        for path in (f"tables/{table_id}/customs", f"players/{UUID(int=1)}/silence"):
            assert (await player.post(f"/api/operator/{path}", json=wanted)).status_code == 404
        assert (await player.get("/api/operator/chat-reports")).status_code == 404
