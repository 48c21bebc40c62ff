"""Enrolling, proving and losing a second factor; what a code is worth, and how often."""

from urllib.parse import parse_qs, urlsplit

import httpx

from server.identity.second_factor import STEP_MS
from tests.server.web.clocked_house import PASSWORD, App, ClockedHouse, closed_with, done, greet, refused

SIGN_IN = {"name": "Asha", "password": PASSWORD}
FACTOR = "/api/me/second-factor"


async def enrolled(house: ClockedHouse, browser: httpx.AsyncClient, password: str = PASSWORD) -> tuple[App, list[str]]:
    """The authenticator app of an account that has one from now on, and its recovery codes."""
    offered = await done(browser.post(FACTOR, json={"password": password}), 201)
    app = App(house, offered["secret"])
    confirmed = await done(browser.post(f"{FACTOR}/confirm", json={"code": app.code()}))
    return app, confirmed["recovery_codes"]


async def test_an_app_is_enrolled_by_uri_and_asked_for_at_sign_in(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.browser() as phone, house.guest() as guest:
        await refused(guest.post(FACTOR, json={"password": PASSWORD}), 409, "not_permanent")
        await refused(asha.post(FACTOR, json={"password": "not the one of hers"}), 403, "wrong_password")
        await refused(asha.post(f"{FACTOR}/confirm", json={"code": "123456"}), 401, "wrong_code")
        offered = await done(asha.post(FACTOR, json={"password": PASSWORD}), 201)
        uri = urlsplit(offered["otpauth_uri"])
        assert (uri.scheme, uri.netloc, uri.path) == ("otpauth", "totp", "/Rummy%20house:Asha")
        assert parse_qs(uri.query) == {"secret": [offered["secret"]], "issuer": ["Rummy house"]}
        # Not in use before the app has shown that it has it.
        await done(phone.post("/api/sign-in", json=SIGN_IN))
        app = App(house, offered["secret"])
        confirmed = await done(asha.post(f"{FACTOR}/confirm", json={"code": app.code()}))
        assert len(set(confirmed["recovery_codes"])) == 10
        # Whoever came in with the password alone is out.
        await refused(phone.get("/api/me"), 401, "sign_in")
        assert (await refused(phone.post("/api/sign-in", json=SIGN_IN), 401, "second_factor_needed"))["allowed"] == [
            "code"
        ]
        await done(phone.post("/api/sign-in", json={**SIGN_IN, "code": app.code()}))
    sealed = await house.sql("SELECT sealed_secret FROM second_factors")
    assert offered["secret"].encode() not in sealed


async def test_a_code_counts_once_and_only_in_its_time(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.browser() as phone:
        app, _ = await enrolled(house, asha)
        # The code that confirmed the app was seen, too.
        replayed = {**SIGN_IN, "code": app.code_again()}
        await refused(phone.post("/api/sign-in", json=replayed), 401, "wrong_code")
        used = {**SIGN_IN, "code": app.code()}
        await done(phone.post("/api/sign-in", json=used))
        await refused(phone.post("/api/sign-in", json=used), 401, "wrong_code")
        drifting = {**SIGN_IN, "code": app.code()}
        house.later(STEP_MS)
        await done(phone.post("/api/sign-in", json=drifting))
        too_old = {**SIGN_IN, "code": app.code()}
        house.later(2 * STEP_MS)
        await refused(phone.post("/api/sign-in", json=too_old), 401, "wrong_code")


async def test_guessing_codes_has_to_wait_even_with_the_right_one(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.browser() as thief:
        app, _ = await enrolled(house, asha)
        for number in range(6):
            guess = {**SIGN_IN, "code": f"00000{number}"}
            await refused(thief.post("/api/sign-in", json=guess), 401, "wrong_code")
        error = await refused(
            thief.post("/api/sign-in", json={**SIGN_IN, "code": app.code_again()}), 429, "too_many_tries"
        )
        assert error["allowed"] == ["again in 2 seconds"]
        await refused(asha.post(f"{FACTOR}/prove", json={"code": app.code_again()}), 429, "too_many_tries")
        await done(thief.post("/api/sign-in", json={**SIGN_IN, "code": app.code()}))


async def test_each_recovery_code_opens_once(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.browser() as phone:
        _, codes = await enrolled(house, asha)
        typed = {**SIGN_IN, "code": f" {codes[3].lower()} "}
        await done(phone.post("/api/sign-in", json=typed))
        assert (await done(phone.get(FACTOR)))["recovery_codes_left"] == 9
        await refused(phone.post("/api/sign-in", json=typed), 401, "wrong_code")
        renewed = await done(asha.post(f"{FACTOR}/recovery-codes"))
        old = {**SIGN_IN, "code": codes[4]}
        await refused(phone.post("/api/sign-in", json=old), 401, "wrong_code")
        await done(phone.post("/api/sign-in", json={**SIGN_IN, "code": renewed["recovery_codes"][0]}))
    assert await house.sql("SELECT count(*) FROM recovery_codes WHERE code_hash = :c", c=codes[0].encode()) == 0


async def test_another_app_or_none_takes_a_fresh_code(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha:
        app, _ = await enrolled(house, asha)
        house.later(10 * 60_000)
        for method, path in (("POST", FACTOR), ("POST", f"{FACTOR}/recovery-codes"), ("DELETE", FACTOR)):
            body = {"password": PASSWORD} if path == FACTOR and method == "POST" else None
            error = await refused(asha.request(method, path, json=body), 403, "prove_second_factor")
            assert error["allowed"] == ["POST /api/me/second-factor/prove"]
        proved = await done(asha.post(f"{FACTOR}/prove", json={"code": app.code()}))
        assert proved["fresh_until_ms"] == house.clock.now_ms() + 600_000
        await done(asha.delete(FACTOR), 204)
        assert await done(asha.get(FACTOR)) == {
            "enrolled": False,
            "required": False,
            "recovery_codes_left": 0,
            "fresh_until_ms": proved["fresh_until_ms"],
        }
        await refused(asha.post(f"{FACTOR}/prove", json={"code": app.code()}), 409, "no_second_factor")


async def test_enrolling_gives_the_session_a_new_token_and_keeps_its_socket(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.socket(asha) as opened, house.browser() as other:
        await greet(opened)
        await done(other.post("/api/sign-in", json=SIGN_IN))
        seen = asha.cookies["rummy_session"]
        async with house.socket(other) as others:
            await greet(others)
            await enrolled(house, asha)
            assert (await closed_with(others))[0] == 4401
        await greet(opened)
        async with house.browser(authorization=f"Bearer {seen}") as thief:
            await refused(thief.get("/api/me"), 401, "sign_in")


async def test_a_secret_that_does_not_open_leaves_the_recovery_codes(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.member("Bela") as bela, house.browser() as phone:
        app, codes = await enrolled(house, asha)
        await enrolled(house, bela)
        # Another player's secret is worth nothing here, whoever writes it into the database.
        swap = "SELECT sealed_secret FROM second_factors JOIN players USING (player_id) WHERE name = 'Bela'"
        await house.sql(f"UPDATE second_factors SET sealed_secret = ({swap})")
        await refused(phone.post("/api/sign-in", json={**SIGN_IN, "code": app.code()}), 401, "wrong_code")
        await done(phone.post("/api/sign-in", json={**SIGN_IN, "code": codes[0]}))
