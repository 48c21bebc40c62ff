"""Clients that do not play by the rules over HTTP: other sites' pages, stolen tokens, oversized and odd bodies."""

import httpx
import pytest
from websockets.asyncio.client import connect

from server.web.bounds import MOST_BODY_BYTES
from tests.server.web.clocked_house import CHANGE, PASSWORD, ClockedHouse, closed_with, done, greet, refused
from tests.server.web.conftest import OpenClockedHouse

EVIL = "https://evil.example"
CHANGES = (
    ("POST", "/api/guests"),
    ("POST", "/api/sign-in"),
    ("POST", "/api/sign-out"),
    ("POST", "/api/me/account"),
    ("POST", "/api/me/password"),
    ("DELETE", "/api/me/sessions/00000000-0000-4000-8000-000000000000"),
    ("POST", "/api/me/second-factor"),
    ("PUT", "/api/me/limits/loss"),
    ("POST", "/api/operator/adjustments"),
    ("POST", "/api/practice/top-up"),
)


async def test_another_sites_page_changes_nothing_whatever_it_sends(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha:
        for method, path in CHANGES:
            for origin in (EVIL, "null", house.url.replace("127.0.0.1", "localhost"), f"{house.url}.evil.example"):
                await refused(asha.request(method, path, headers={"origin": origin}), 403, "forbidden_origin")
        async with httpx.AsyncClient(base_url=house.url, trust_env=False, cookies=dict(asha.cookies)) as form:
            for method, path in CHANGES:
                error = await refused(form.request(method, path), 403, "csrf_header_missing")
                assert error["allowed"] == ["x-rummy"]
            posted = form.post("/api/me/sessions/end-others", data={"a": "b"}, headers={"origin": house.url})
            await refused(posted, 403, "csrf_header_missing")
        await done(asha.get("/api/me"))


async def test_another_sites_page_opens_no_socket(house: ClockedHouse) -> None:
    async with house.guest() as guest:
        for origin in (EVIL, "null"):
            async with house.socket(guest, origin=origin) as opened:
                assert (await closed_with(opened))[0] == 4403


async def test_a_stolen_session_is_worth_nothing_after_sign_out(house: ClockedHouse) -> None:
    async with house.guest() as guest:
        stolen = guest.cookies["rummy_session"]
        await done(guest.post("/api/sign-out"), 204)
        async with house.browser(authorization=f"Bearer {stolen}") as thief:
            await refused(thief.get("/api/me"), 401, "sign_in")
        url = house.url.replace("http", "ws") + "/ws"
        async with connect(url, additional_headers={"authorization": f"Bearer {stolen}"}, proxy=None) as opened:
            assert (await closed_with(opened))[0] == 4401


async def test_bodies_have_a_size_a_form_and_a_depth(house: ClockedHouse) -> None:
    async def chunks() -> object:
        for _ in range(20):
            yield b" " * 1_000

    json_type = {"content-type": "application/json"}
    async with house.browser() as browser:
        path = "/api/sign-in"
        body = b'{"name": "' + b"x" * MOST_BODY_BYTES + b'"}'
        await refused(browser.post(path, content=body, headers=json_type), 413, "too_large")
        await refused(browser.post(path, content=chunks(), headers=json_type), 413, "too_large")
        for content_type in ("text/plain", "multipart/form-data", "application/x-www-form-urlencoded", ""):
            headers = {"content-type": content_type}
            error = await refused(browser.post(path, content=b"{}", headers=headers), 415, "wrong_content_type")
            assert error["allowed"] == ["application/json"]
        for content in (
            b"",
            b"{",
            b"\xff\xfe",
            b"[]",
            b"null",
            b'{"name": "a"}',
            b'{"name": "\\ud800", "password": "x"}',
            b'{"name": 1e400, "password": "x"}',
            b'{"name": "a", "password": "x", "admin": true}',
        ):
            await refused(browser.post(path, content=content, headers=json_type), 422, "malformed")
        await refused(browser.post(path, content=b"[" * 16_000, headers=json_type), 400, "malformed")
        nul = b'{"name": "a\\u0000b", "password": "x\\u0000"}'
        await refused(browser.post(path, content=nul, headers=json_type), 401, "wrong_name_or_password")
        for method, where, status, code in (
            ("PATCH", path, 405, "method_not_allowed"),
            ("POST", "/api/nothing", 405, "method_not_allowed"),
            ("GET", "/api/nothing", 404, "not_found"),
        ):
            await refused(browser.request(method, where), status, code)
        error = await refused(browser.put("/api/sign-in"), 405, "method_not_allowed")
        assert error["allowed"] == ["POST"]


async def test_a_made_up_token_is_nobodys(house: ClockedHouse) -> None:
    async with httpx.AsyncClient(base_url=house.url, trust_env=False) as thief:
        for token in (b"x", b"x" * 10_000, b"\xff\xfe", b"null", b"' OR 1=1 --", b"a b c"):
            for header in ((b"authorization", b"Bearer " + token), (b"cookie", b"rummy_session=" + token)):
                await refused(thief.get("/api/me", headers=[header]), 401, "sign_in")


async def test_one_address_and_one_account_may_ask_only_so_much(open_clocked_house: OpenClockedHouse) -> None:
    few = open_clocked_house(requests_per_minute=20, account_requests_per_minute=5)
    async with few as house, house.guest() as guest, house.browser() as other:
        for _ in range(5):
            await done(guest.get("/api/me"))
        await refused(guest.get("/api/me"), 429, "too_many")
        for _ in range(13):
            await done(other.get("/api/tables"))
        answer = await other.get("/api/tables")
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many")
        assert answer.headers["retry-after"] == "1"
        # Another address, as a trusted proxy tells it, has its own allowance; all of an IPv6 household is one.
        await done(other.get("/api/tables", headers={"x-forwarded-for": "203.0.113.9"}))
        for number in range(20):
            await done(other.get("/api/tables", headers={"x-forwarded-for": f"2001:db8:1:2::{number:x}"}))
        await refused(other.get("/api/tables", headers={"x-forwarded-for": "2001:db8:1:2:f::"}), 429, "too_many")


async def test_sockets_of_an_address_and_messages_of_an_account_have_a_bound(
    open_clocked_house: OpenClockedHouse,
) -> None:
    few = open_clocked_house(sockets_per_address=2, account_messages_per_second=1)
    async with few as house, house.guest() as guest, house.socket(guest) as one, house.socket(guest) as two:
        await greet(one)
        await greet(two)
        async with house.socket(guest) as third:
            assert (await closed_with(third))[0] == 4429
        answers = []
        for number in range(4):
            opened = (one, two)[number % 2]
            await opened.send('{"type": "ping", "id": "p"}')
            answers.append("too_many" in str(await opened.recv()))
        assert answers == [False, False, False, True]


async def test_https_gets_cookies_and_headers_of_its_own(open_clocked_house: OpenClockedHouse) -> None:
    behind_proxy = {"x-forwarded-proto": "https", **CHANGE}
    async with open_clocked_house() as house, httpx.AsyncClient(base_url=house.url, trust_env=False) as browser:
        host = house.url.removeprefix("http://")
        answer = await browser.post("/api/guests", json={}, headers={**behind_proxy, "origin": f"https://{host}"})
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-rummy_session=")
        for part in ("HttpOnly", "Path=/", "SameSite=strict", "Secure"):
            assert part in cookie
        assert "Domain" not in cookie
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        forged = browser.post("/api/guests", json={}, headers={**behind_proxy, "origin": f"http://{host}"})
        await refused(forged, 403, "forbidden_origin")
        plain = await browser.post("/api/guests", json={}, headers=CHANGE)
        assert plain.headers["set-cookie"].startswith("rummy_session=")
        assert "Secure" not in plain.headers["set-cookie"]
        assert "strict-transport-security" not in plain.headers


async def test_every_answer_has_its_headers_refusals_too(house: ClockedHouse) -> None:
    async with house.browser() as browser:
        for method, path in (("GET", "/"), ("GET", "/api/me"), ("POST", "/api/guests"), ("GET", "/api/nothing")):
            headers = (await browser.request(method, path, headers={"origin": EVIL})).headers
            policy = headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"
            if path.startswith("/api/"):
                assert headers["cache-control"] == "no-store"


async def test_no_answer_and_no_log_has_a_secret(house: ClockedHouse, capfd: pytest.CaptureFixture[str]) -> None:
    async with house.member("Asha") as asha:
        token = asha.cookies["rummy_session"]
        await asha.post("/api/sign-in", json={"name": "Asha", "password": PASSWORD + "x"})
        await asha.post("/api/me/account", content=f'{{"password": "{PASSWORD}"')
    printed = "".join(capfd.readouterr())
    assert PASSWORD not in printed
    assert token not in printed
