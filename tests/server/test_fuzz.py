"""Whatever is sent to a real house, over its socket or by HTTP: an answer, never a crash, never a hidden card.

RUMMY_FUZZ_EXAMPLES says how many batches each of the two gets.
"""

import asyncio
import contextlib
import json
import os
from collections.abc import Awaitable, Iterator
from typing import Any, Final
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from clients.python.account import Account, sign_in_as_guest
from server.app import create_app
from server.protocol.commands import COMMAND
from server.settings import Settings
from tests.live_house import LiveHouse, module_house
from tests.raw_seat import AtTable, deal, raw_seat, table_of_size
from tests.server.hand_knowledge import HandKnowledge

EXAMPLES: Final = int(os.environ.get("RUMMY_FUZZ_EXAMPLES", "15"))
UNLIMITED: Final = {
    "RUMMY_MESSAGES_PER_SECOND": "1000000",
    "RUMMY_MESSAGE_BURST": "1000000",
    "RUMMY_ACCOUNT_MESSAGES_PER_SECOND": "1000000",
    "RUMMY_ACCOUNT_REQUESTS_PER_MINUTE": "1000000",
    "RUMMY_RESULT_PAUSE_MS": "60000",
}
FUZZED = settings(
    max_examples=EXAMPLES,
    deadline=None,
    # What fails is printed as it was; to make it smaller costs more here than it is worth.
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)

SCHEMAS: Final[dict[str, Any]] = COMMAND.json_schema()["$defs"]
COMMAND_NAMES: Final = tuple(name for name, schema in SCHEMAS.items() if "type" in schema.get("properties", {}))
LEAVES_THE_TABLE: Final = frozenset({"leave_table", "hello"})

JUNK: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=12), inner, max_size=5),
    max_leaves=10,
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, module_database_url: str) -> Iterator[LiveHouse]:
    yield from module_house(tmp_path_factory, module_database_url, UNLIMITED)


class Talk:
    """One loop for all batches of a test, so that its sockets live as long."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self.stack = contextlib.AsyncExitStack()

    def run(self, work: Awaitable[Any]) -> Any:
        async def awaited() -> Any:
            async with asyncio.timeout(60):
                return await work

        return self._runner.run(awaited())

    def close(self) -> None:
        self.run(self.stack.aclose())
        self._runner.close()


@pytest.fixture
def talk() -> Iterator[Talk]:
    talk = Talk()
    yield talk
    talk.close()


def fault_free(house: LiveHouse) -> None:
    """The house lives, and its log tells of nothing that broke."""
    logged = house.log.read_text()
    for sign in ("Traceback", '"level": "error"', '"level":"error"', "table_broke", "Exception in ASGI"):
        assert sign not in logged, logged[-3_000:]
    assert httpx.get(f"{house.url}/readyz", trust_env=False, timeout=30).status_code == 200


# --- the socket ---


def value_like(schema: dict[str, Any], known: SearchStrategy[Any]) -> SearchStrategy[Any]:
    """Values that a field of this shape may have, mostly; some that it may not."""
    kinds = {
        "string": st.text(max_size=70) | known,
        "integer": st.integers(-3, 170) | st.integers(),
        "boolean": st.booleans(),
        "array": st.lists(st.lists(st.integers(0, 160), max_size=14), max_size=5),
    }
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    return st.one_of(kinds.get(schema.get("type", ""), JUNK), known, JUNK)


def commands(known: SearchStrategy[Any]) -> SearchStrategy[dict[str, Any]]:
    def of(name: str) -> SearchStrategy[dict[str, Any]]:
        fields = SCHEMAS[name]["properties"]
        shaped = {field: value_like(shape, known) for field, shape in fields.items() if field not in ("id", "table_id")}
        return st.fixed_dictionaries(shaped).map(lambda made: made | {"type": fields["type"]["const"]})

    harmless = [
        name for name in COMMAND_NAMES if SCHEMAS[name]["properties"]["type"].get("const") not in LEAVES_THE_TABLE
    ]
    return st.sampled_from(harmless).flatmap(of)


MESSAGES: Final = st.one_of(
    JUNK.map(json.dumps), st.text(max_size=200), st.binary(max_size=60), JUNK.map(lambda junk: {"type": junk})
)


def test_any_messages_at_a_table_are_answered_and_show_no_hidden_card_b31_b33(house: LiveHouse, talk: Talk) -> None:
    async def sit_and_deal() -> list[AtTable]:
        table_id = await table_of_size(house.url, 4)
        seats = [
            await talk.stack.enter_async_context(raw_seat(house.url, f"Guest {number}", table_id=table_id))
            for number in range(3)
        ]
        for seat in seats:
            await seat.do("watch_table")
            await seat.do("sit")
        await deal(seats)
        return seats

    seats: list[AtTable] = talk.run(sit_and_deal())
    hand_id = seats[0].table["public"]["hand"]["hand_id"]
    known = st.sampled_from([hand_id, str(seats[0].table_id), *map(str, seats[1].cards), "draw", "stock", ""])
    batch = st.lists(commands(known) | MESSAGES, min_size=1, max_size=20)

    @FUZZED
    @given(batch)
    def fuzz(messages: list[dict[str, Any] | str | bytes]) -> None:
        talk.run(say(seats, messages, hand_id))

    fuzz()
    talk.run(end_and_check(house, seats, hand_id))
    fault_free(house)


async def say(seats: list[AtTable], messages: list[dict[str, Any] | str | bytes], hand_id: str) -> None:
    fuzzer = next((seat for seat in seats if seat.is_on_turn), seats[0])
    for message in messages:
        if isinstance(message, dict):
            # Half of what is said comes near enough to be looked at by the table itself.
            message = {"table_id": str(fuzzer.table_id)} | message
            if "hand_id" in message and len(json.dumps(message)) % 2:
                message |= {"hand_id": hand_id}
            if "turn" in message and fuzzer.is_on_turn:
                message |= fuzzer.turn()
        answer = await fuzzer.ask(message)
        assert answer["type"] in ("ack", "error", "pong")
        assert answer.get("code") != "internal", (message, answer)
    for seat in seats:
        assert (await seat.ask({"type": "ping"}))["type"] == "pong"


async def end_and_check(house: LiveHouse, seats: list[AtTable], hand_id: str) -> None:
    """End the hand, and hold every frame and body against what its seat could know by then."""
    bodies: list[tuple[AtTable, str]] = []
    async with httpx.AsyncClient(base_url=house.url, trust_env=False, timeout=30) as http:
        for seat in seats:
            for path in ("/api/me", "/api/tables", "/api/me/hands", "/api/me/statement?asset=PT", "/api/log/leaves"):
                bodies.append((seat, (await http.get(path, headers=seat.account.headers)).text))
            assert (await http.get(f"/api/hands/{hand_id}", headers=seat.account.headers)).status_code in (200, 404)
        in_play = [len(seat.texts) for seat in seats]
        for seat in seats:
            await seat.ask(seat.command("leave_table"))
        file = (await http.get(f"/api/hands/{hand_id}")).json()
    knowledge = HandKnowledge(file)
    for seat, count in zip(seats, in_play, strict=True):
        knowledge.check_frames(str(seat.account.player_id), seat.texts[:count])
    for _, body in bodies:
        knowledge.check_body(body)


# --- HTTP ---


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    schema = create_app(Settings(), "postgresql://nowhere/nothing").openapi()
    return [
        (method, path, operation) for path, methods in schema["paths"].items() for method, operation in methods.items()
    ]


PATH_VALUES: Final = st.uuids().map(str) | st.text(min_size=1, max_size=30)
BODIES: Final = JUNK.map(lambda junk: json.dumps(junk).encode()) | st.binary(max_size=80)


def test_any_request_is_answered_without_a_fault(house: LiveHouse, talk: Talk) -> None:
    http = httpx.AsyncClient(base_url=house.url, trust_env=False, timeout=30, follow_redirects=False)
    account: Account = talk.run(sign_in_as_guest(http, house.url, "Fuzz", bot=False))
    every = operations()
    assert len(every) > 10

    @FUZZED
    @given(st.data())
    def fuzz(data: st.DataObject) -> None:
        for method, path, operation in every:
            talk.run(request(http, account, method, path, operation, data))

    fuzz()
    talk.run(http.aclose())
    fault_free(house)


async def request(
    http: httpx.AsyncClient, account: Account, method: str, path: str, operation: dict[str, Any], data: st.DataObject
) -> None:
    query: dict[str, Any] = {}
    for parameter in operation.get("parameters", ()):
        value = data.draw(PATH_VALUES | st.integers().map(str))
        if parameter["in"] == "path":
            path = path.replace("{" + parameter["name"] + "}", quote(value, safe=""))
        elif parameter["in"] == "query" and data.draw(st.booleans()):
            query[parameter["name"]] = value
    headers = {"x-rummy": "1", "content-type": "application/json"}
    if data.draw(st.booleans()) and not path.endswith("/sign-out"):
        headers |= account.headers
    body = data.draw(st.one_of(BODIES, shaped_body(operation))) if method in ("post", "put", "patch") else None
    answer = await http.request(method.upper(), path, params=query, headers=headers, content=body)
    assert answer.status_code < 500, (method, path, answer.status_code, answer.text)
    if answer.status_code >= 400 and path.startswith("/api/"):
        assert answer.json()["error"]["code"]


def shaped_body(operation: dict[str, Any]) -> SearchStrategy[bytes]:
    """An object with some of the names that any body here knows."""
    names = st.sampled_from(["name", "password", "bot", "code", "units", "minutes", "until_ms", "days", "new_password"])
    return st.dictionaries(names, JUNK | st.integers(0, 10_000), max_size=4).map(lambda made: json.dumps(made).encode())
