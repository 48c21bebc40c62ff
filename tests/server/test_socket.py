"""The socket's edge of a real house, met by a client that does not play by the protocol."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.live_house import LiveHouse, OpenHouse

HELLO = {"type": "hello", "id": "h", "protocol": 1}


async def token(house: LiveHouse) -> str:
    async with httpx.AsyncClient(trust_env=False) as http:
        answer = await http.post(f"{house.url}/api/guests", json={}, headers={"x-rummy": "1"})
    given: str = answer.json()["token"]
    return given


@asynccontextmanager
async def socket(house: LiveHouse, bearer: str | None, origin: str | None = None) -> AsyncIterator[ClientConnection]:
    headers = {} if bearer is None else {"authorization": f"Bearer {bearer}"}
    if origin is not None:
        headers["origin"] = origin
    url = house.url.replace("http", "ws") + "/ws"
    async with connect(url, additional_headers=headers, proxy=None, compression=None) as opened:
        yield opened


@asynccontextmanager
async def greeted(house: LiveHouse) -> AsyncIterator[ClientConnection]:
    async with socket(house, await token(house)) as opened:
        await ask(opened, HELLO)
        yield opened


async def ask(opened: ClientConnection, message: Any) -> dict[str, Any]:
    """Send one message and return the ack or error that answers it."""
    await opened.send(message if isinstance(message, str | bytes) else json.dumps(message))
    while True:
        answer: dict[str, Any] = json.loads(await opened.recv())
        if answer["type"] in ("ack", "error", "pong"):
            return answer


async def until_closed(opened: ClientConnection) -> list[dict[str, Any]]:
    """Everything that is still said before the house closes the socket."""
    async with asyncio.timeout(30):
        return [json.loads(text) async for text in opened]


async def close_code(opened: ClientConnection) -> int | None:
    with contextlib.suppress(ConnectionClosed):
        await until_closed(opened)
    return opened.close_code


async def send_many(opened: ClientConnection, count: int, kind: str) -> None:
    """As many as the house takes before it closes."""
    with contextlib.suppress(ConnectionClosed):
        for number in range(count):
            await opened.send(json.dumps({"type": kind, "id": f"m{number}"}))


async def test_hello_is_answered_with_who_and_what_i_am(shared_house: LiveHouse) -> None:
    async with socket(shared_house, await token(shared_house)) as opened:
        await opened.send(json.dumps(HELLO))
        welcome = json.loads(await opened.recv())
        assert welcome["type"] == "welcome"
        assert welcome["balances"]["PT"] == {"available": 1_000_000, "held": 0}
        assert welcome["seated_at"] == []
        assert json.loads(await opened.recv()) == {"type": "ack", "id": "h", "result": None}


@pytest.mark.parametrize("bearer", [None, "stolen", ""])
async def test_without_a_session_the_socket_is_closed(shared_house: LiveHouse, bearer: str | None) -> None:
    async with socket(shared_house, bearer) as opened:
        assert await close_code(opened) == 4401


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
async def test_a_forged_origin_is_closed(shared_house: LiveHouse, origin: str) -> None:
    async with socket(shared_house, await token(shared_house), origin) as opened:
        assert await close_code(opened) == 4403


async def test_the_houses_own_origin_is_welcome(shared_house: LiveHouse) -> None:
    async with socket(shared_house, await token(shared_house), shared_house.url) as opened:
        assert (await ask(opened, HELLO))["type"] == "ack"


async def test_nothing_is_done_before_hello(shared_house: LiveHouse) -> None:
    async with socket(shared_house, await token(shared_house)) as opened:
        answer = await ask(opened, {"type": "watch_lobby", "id": "w"})
        assert (answer["code"], answer["allowed"]) == ("say_hello", ["hello"])


async def test_another_protocol_is_refused_with_the_spoken_one(shared_house: LiveHouse) -> None:
    async with socket(shared_house, await token(shared_house)) as opened:
        answer = await ask(opened, {**HELLO, "protocol": 99})
        assert (answer["code"], answer["allowed"]) == ("unsupported_protocol", ["1"])


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("", "malformed"),
        ("not json", "malformed"),
        (b"\x00\xff", "malformed"),
        ("[" * 10_000, "malformed"),
        ('{"id": "x", "type": "draw"}', "malformed"),
        ('{"id": "x", "type": "ping", "pad": "' + "a" * 20_000 + '"}', "too_large"),
        ({"id": "x", "type": "sit", "table_id": str(uuid4())}, "unknown_table"),
    ],
)
async def test_each_bad_message_gets_its_own_error_and_the_socket_lives(
    shared_house: LiveHouse, message: object, code: str
) -> None:
    async with greeted(shared_house) as opened:
        answer = await ask(opened, message)
        assert answer["type"] == "error"
        assert answer["code"] == code
        assert answer["message"]
        assert (await ask(opened, {"type": "ping", "id": "p"}))["type"] == "pong"


async def test_a_flood_is_warned_and_then_closed(open_house: OpenHouse) -> None:
    house = open_house(RUMMY_MESSAGES_PER_SECOND="5", RUMMY_MESSAGE_BURST="10")
    async with greeted(house) as flooding, greeted(house) as other:
        flood = asyncio.create_task(send_many(flooding, 10_000, "ping"))
        said = []
        with contextlib.suppress(ConnectionClosed):
            async for text in flooding:
                said.append(json.loads(text))
        await flood
        assert "too_many" in {message.get("code") for message in said}
        assert flooding.close_code == 4429
        assert (await ask(other, {"type": "ping", "id": "p"}))["type"] == "pong"


async def test_signing_out_closes_the_open_sockets_of_that_session(shared_house: LiveHouse) -> None:
    bearer = await token(shared_house)
    async with socket(shared_house, bearer) as opened:
        await ask(opened, HELLO)
        async with httpx.AsyncClient(trust_env=False) as http:
            headers = {"authorization": f"Bearer {bearer}", "x-rummy": "1"}
            assert (await http.post(f"{shared_house.url}/api/sign-out", headers=headers)).status_code == 204
        assert await close_code(opened) == 4401
    async with socket(shared_house, bearer) as stolen:
        assert await close_code(stolen) == 4401


async def test_a_client_that_never_reads_is_dropped_and_others_play_on(open_house: OpenHouse) -> None:
    house = open_house(RUMMY_MESSAGES_PER_SECOND="100000", RUMMY_MESSAGE_BURST="1000000", RUMMY_OUTBOX_MESSAGES="16")
    bearer = await token(house)
    url = house.url.replace("http", "ws") + "/ws"
    headers = {"authorization": f"Bearer {bearer}"}
    async with (
        greeted(house) as other,
        connect(url, additional_headers=headers, proxy=None, compression=None, max_queue=1, ping_interval=None) as deaf,
    ):
        await deaf.send(json.dumps(HELLO))
        await send_many(deaf, 20_000, "watch_lobby")
        # The reason reaches a client that reads again soon; later it finds the line cut.
        assert await close_code(deaf) in (4408, 1006)
        assert (await ask(other, {"type": "ping", "id": "p"}))["type"] == "pong"


async def test_a_server_that_stops_says_that_it_restarts(open_house: OpenHouse) -> None:
    house = open_house()
    async with greeted(house) as opened:
        house.ask_to_stop()
        assert await close_code(opened) == 1012
