"""The HTTP edge of a real house: signing in, what is shown to whom, and what is refused."""

import contextlib
from collections.abc import Iterator

import httpx
import pytest

from tests.enrolment import enrol
from tests.live_house import LiveHouse

CHANGE = {"x-rummy": "1"}


@contextlib.contextmanager
def guest(house: LiveHouse, name: str = "Asha") -> Iterator[httpx.Client]:
    with httpx.Client(base_url=house.url, trust_env=False, headers=CHANGE) as client:
        assert client.post("/api/guests", json={"name": name}).status_code == 201
        yield client


def test_a_guest_is_welcomed_with_tokens(shared_house: LiveHouse) -> None:
    with guest(shared_house, "  Asha  ") as asha:
        me = asha.get("/api/me").json()
        assert me["player"]["name"] == "Asha"
        assert me["balances"] == {
            "HT": {"available": 100_000, "held": 0},
            "PT": {"available": 1_000_000, "held": 0},
        }
        statement = asha.get("/api/me/statement", params={"asset": "PT"}).json()
        assert [(line["reason"], line["amount"], line["balance_after"]) for line in statement["lines"]] == [
            ("welcome", 1_000_000, 1_000_000)
        ]


def test_there_is_one_open_table_of_each_size_with_its_rules(shared_house: LiveHouse) -> None:
    tables = httpx.get(f"{shared_house.url}/api/tables", trust_env=False).json()
    shown = [(table["rules"]["format"], table["seat_count"], table["asset"], table["practice"]) for table in tables]
    assert shown == [
        ("points", 4, "PT", True),
        ("points", 6, "PT", True),
        ("points", 8, "PT", True),
        ("pool_101", 6, "PT", True),
        ("deals_2", 4, "PT", True),
        ("pool_101", 6, "HT", False),
        ("deals_2", 4, "HT", False),
    ]
    for table in tables:
        assert table["rules"]["turn_seconds"] == 30


def test_a_match_that_never_was_is_not_found(shared_house: LiveHouse) -> None:
    answer = httpx.get(f"{shared_house.url}/api/matches/0d5c1e5e-0000-4000-8000-000000000000", trust_env=False)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no_such_match")


def test_signing_out_ends_the_session(shared_house: LiveHouse) -> None:
    with guest(shared_house) as asha:
        token = asha.cookies["rummy_session"]
        assert asha.post("/api/sign-out").status_code == 204
    with httpx.Client(base_url=shared_house.url, trust_env=False) as thief:
        stolen = thief.get("/api/me", headers={"authorization": f"Bearer {token}"})
        assert stolen.status_code == 401
        assert stolen.json()["error"]["code"] == "sign_in"


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "csrf_header_missing"),
        ({**CHANGE, "origin": "http://evil.example"}, "forbidden_origin"),
        ({**CHANGE, "origin": "null"}, "forbidden_origin"),
    ],
)
def test_another_sites_page_changes_nothing(shared_house: LiveHouse, headers: dict[str, str], code: str) -> None:
    answer = httpx.post(f"{shared_house.url}/api/guests", json={}, headers=headers, trust_env=False)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == code


@pytest.mark.parametrize("body", [{"name": "\u200b"}, {"name": "x" * 25}, {"nam": "x"}, {"name": 5}, [], {"bot": "?"}])
def test_a_bad_sign_in_is_refused_with_words(shared_house: LiveHouse, body: object) -> None:
    answer = httpx.post(f"{shared_house.url}/api/guests", json=body, headers=CHANGE, trust_env=False)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


def test_the_operators_link_leads_to_a_password_an_app_and_the_desk(shared_house: LiveHouse) -> None:
    with httpx.Client(trust_env=False, headers=CHANGE) as operator:
        assert operator.get(shared_house.operator_link).status_code == 303
        desk = operator.get(f"{shared_house.url}/api/operator/overview")
        assert (desk.status_code, desk.json()["error"]["code"]) == (403, "enrol_second_factor")
        assert operator.get(f"{shared_house.url}/api/me").json()["next_step"] == "choose_password"
        enrol(operator, shared_house.url)
        assert operator.get(f"{shared_house.url}/api/me").json()["next_step"] is None
        desk = operator.get(f"{shared_house.url}/api/operator/overview")
        assert desk.status_code == 200
        assert set(desk.json()["trial_balance"].values()) <= {0}
        assert len(desk.json()["tables"]) == 7
    again = httpx.get(shared_house.operator_link, trust_env=False)
    assert again.status_code == 403
    assert "used or too old" in again.text


def test_links_of_the_command_line_lead_to_the_running_house(shared_house: LiveHouse) -> None:
    printed = shared_house.command("operator", "create", "Second desk")
    link = next(word for word in printed.split() if word.startswith("http"))
    assert link.startswith(shared_house.url)
    assert httpx.get(link, trust_env=False).status_code == 303


def test_the_desk_does_not_exist_for_players(shared_house: LiveHouse) -> None:
    with guest(shared_house) as asha:
        assert asha.get("/api/operator/overview").status_code == 404
    assert httpx.get(f"{shared_house.url}/api/operator/overview", trust_env=False).status_code == 404


def test_practice_tokens_are_filled_up_not_piled_up(shared_house: LiveHouse) -> None:
    with guest(shared_house) as asha:
        for _ in range(2):
            answer = asha.post("/api/practice/top-up", json={})
            assert answer.status_code == 200
            assert answer.json()["balances"]["PT"] == {"available": 1_000_000, "held": 0}


def test_every_response_carries_the_security_headers(shared_house: LiveHouse) -> None:
    for path in ("/", "/api/tables", "/api/nothing", "/healthz"):
        headers = httpx.get(shared_house.url + path, trust_env=False).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_large_answers_travel_compressed(shared_house: LiveHouse) -> None:
    answer = httpx.get(f"{shared_house.url}/api/tables", headers={"accept-encoding": "gzip"}, trust_env=False)
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.json()) == 7


def test_no_path_leads_out_of_the_client(shared_house: LiveHouse) -> None:
    for path in (
        "/../pyproject.toml",
        "/%2e%2e/pyproject.toml",
        "/..%2f..%2fpyproject.toml",
        "/assets/%00",
        "/" + "a" * 5_000,
    ):
        answer = httpx.get(shared_house.url + path, trust_env=False)
        assert answer.status_code in (200, 400, 404, 503)
        assert "setuptools" not in answer.text


def test_an_unknown_hand_is_no_secret(shared_house: LiveHouse) -> None:
    answer = httpx.get(f"{shared_house.url}/api/hands/0190a3f4-0000-7000-8000-000000000002", trust_env=False)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no_such_hand"


def test_health_says_alive_and_ready(shared_house: LiveHouse) -> None:
    assert httpx.get(f"{shared_house.url}/healthz", trust_env=False).json() == {"status": "alive"}
    assert httpx.get(f"{shared_house.url}/readyz", trust_env=False).json() == {"status": "ready"}
