"""Every operation of the HTTP API with well-formed, half-formed and senseless input: an answer in form, never a 5xx.

RUMMY_SWEEP sets how many requests are made.
"""

import os
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.app import create_app
from server.settings import Settings
from tests.enrolment import enrol
from tests.live_house import LiveHouse
from tests.server.web.clocked_house import CHANGE

REQUESTS = int(os.environ.get("RUMMY_SWEEP", "250"))
SCHEMA: dict[str, Any] = create_app(Settings(), "postgresql://nowhere/nothing").openapi()
OPERATIONS = [
    (method, path, operation) for path, methods in SCHEMA["paths"].items() for method, operation in methods.items()
]

UUIDS = st.uuids().map(str)
TEXTS = st.one_of(st.text(max_size=30), st.sampled_from(["", "\x00", "Asha", "PT", "null", "-1", "1e9", "(bot)"]))
NUMBERS = st.one_of(st.integers(-(2**70), 2**70), st.sampled_from([0, 1, -1, 2**31, 2**53, 2**63]), st.floats())
JUNK: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS, UUIDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=5,
)


def shaped(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of this JSON schema, more or less: now and then one of its parts is junk."""
    if "$ref" in schema:
        return shaped(SCHEMA["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    if "anyOf" in schema:
        return st.one_of([shaped(each) for each in schema["anyOf"]])
    if "enum" in schema:
        return st.one_of(st.sampled_from(schema["enum"]), TEXTS)
    match schema.get("type"):
        case "object":
            parts = {name: st.one_of(shaped(part), shaped(part), JUNK) for name, part in schema["properties"].items()}
            return st.one_of(st.fixed_dictionaries(parts), st.fixed_dictionaries({}, optional=parts), JUNK)
        case "array":
            return st.lists(shaped(schema["items"]), max_size=3)
        case "string":
            return UUIDS if schema.get("format") == "uuid" else TEXTS
        case "integer" | "number":
            return st.one_of(st.integers(0, 400), NUMBERS)
        case "boolean":
            return st.booleans()
        case _:
            return JUNK


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, str, dict[str, str], Any]:
    """A method, a path, its query, and a body or None."""
    method, path, operation = draw(st.sampled_from(OPERATIONS))
    query = {}
    for parameter in operation.get("parameters", ()):
        value = str(draw(st.one_of(shaped(parameter["schema"]), TEXTS)))
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", value)
        elif draw(st.booleans()):
            query[parameter["name"]] = value
    body = operation.get("requestBody")
    return method, path, query, None if body is None else draw(shaped(body["content"]["application/json"]["schema"]))


class Callers:
    """Nobody, a guest and an operator; who was signed out by a request comes in anew."""

    def __init__(self, house: LiveHouse) -> None:
        self._house = house
        self.nobody = self._client()
        self.operator = self._client()
        self.operator.get(house.operator_link)
        enrol(self.operator, house.url)
        self._guest: httpx.Client | None = None

    @property
    def guest(self) -> httpx.Client:
        if self._guest is None or self._guest.get("/api/me").status_code == 401:
            self._guest = self._client()
            self._guest.post("/api/guests", json={})
        return self._guest

    def _client(self) -> httpx.Client:
        return httpx.Client(base_url=self._house.url, trust_env=False, headers=CHANGE, timeout=30)


@pytest.fixture(scope="module")
def callers(shared_house: LiveHouse) -> Callers:
    return Callers(shared_house)


@settings(max_examples=REQUESTS, deadline=None, suppress_health_check=list(HealthCheck))
@given(request=requests(), who=st.sampled_from(["nobody", "guest", "operator"]))
def test_whatever_is_asked_the_answer_is_in_form(
    callers: Callers, request: tuple[str, str, dict[str, str], Any], who: str
) -> None:
    method, path, query, body = request
    client: httpx.Client = getattr(callers, who)
    try:
        wanted = client.build_request(method, path, params=query, json=body)
    except (UnicodeEncodeError, ValueError, httpx.InvalidURL):
        return  # What no client could send.
    answer = client.send(wanted)
    assert answer.status_code < 500, (method, path, query, body, answer.text)
    if answer.status_code >= 400:
        error = answer.json()["error"]
        assert error["code"]
        assert error["message"]
    elif answer.status_code not in (204, 303) and path.startswith("/api/"):
        answer.json()
