"""Guests who become permanent, sign in from anywhere, and change their password."""

from argon2 import PasswordHasher

from server.identity.sign_in_guard import FROM_HERE
from tests.server.web.clocked_house import PASSWORD, ClockedHouse, closed_with, done, greet, refused


async def test_a_guest_becomes_permanent_and_keeps_tokens_and_id(house: ClockedHouse) -> None:
    async with house.guest("Asha") as asha, house.browser() as phone:
        before = await done(asha.get("/api/me"))
        planted = asha.cookies["rummy_session"]
        answer = await done(asha.post("/api/me/account", json={"name": "Asha R", "password": PASSWORD}))
        after = await done(asha.get("/api/me"))
        assert answer["player"] == after["player"] == {**before["player"], "name": "Asha R"}
        assert after["permanent"]
        assert after["balances"] == before["balances"]
        # Whoever had planted or seen the guest's token has nothing from it any more.
        await refused(phone.get("/api/me", headers={"authorization": f"Bearer {planted}"}), 401, "sign_in")
        signed_in = await done(phone.post("/api/sign-in", json={"name": " ASHA r ", "password": PASSWORD}))
        assert signed_in["player"]["player_id"] == before["player"]["player_id"]
        assert (await done(phone.get("/api/me")))["balances"] == before["balances"]
    stored = await house.sql("SELECT password_hash FROM credentials")
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


async def test_a_name_that_looks_like_anothers_is_taken(house: ClockedHouse) -> None:
    async with house.member("Asha 10"), house.guest() as other, house.browser() as newcomer:
        for name in ("Asha 10", "ASHA 10", "asha10", "A.s.h.a. lo", "A\u200dsha IO"):
            body = {"name": name, "password": PASSWORD}
            await refused(other.post("/api/me/account", json=body), 409, "name_taken")
            await refused(newcomer.post("/api/guests", json={"name": name}), 409, "name_taken")
        await done(other.post("/api/me/account", json={"name": "Asha 11", "password": PASSWORD}))


async def test_what_cannot_be_kept_is_refused_with_the_reason(house: ClockedHouse) -> None:
    async with house.guest() as guest, house.browser() as bots:
        for name in ("", "...", "x" * 25, "Robo (bot)", "Ash\u0430"):
            body = {"name": name, "password": PASSWORD}
            await refused(guest.post("/api/me/account", json=body), 422, "name_refused")
        for password in ("short", "x" * 129, "password12", "ashaashaasha"):
            body = {"name": "Asha", "password": password}
            error = await refused(guest.post("/api/me/account", json=body), 422, "password_refused")
            assert password not in error["message"]
        await done(guest.post("/api/me/account", json={"name": "Asha", "password": PASSWORD}))
        body = {"name": "Other", "password": PASSWORD}
        await refused(guest.post("/api/me/account", json=body), 409, "already_permanent")
        await done(bots.post("/api/guests", json={"name": "Robo (bot)", "bot": True}), 201)
        await refused(bots.post("/api/me/account", json=body), 403, "bots_stay_guests")


async def test_a_wrong_name_and_a_wrong_password_are_told_apart_by_nothing(house: ClockedHouse) -> None:
    async with house.member("Asha"), house.browser() as stranger:
        wrong_password = await refused(
            stranger.post("/api/sign-in", json={"name": "Asha", "password": "not the one of hers"}),
            401,
            "wrong_name_or_password",
        )
        wrong_name = await refused(
            stranger.post("/api/sign-in", json={"name": "Nobody", "password": PASSWORD}), 401, "wrong_name_or_password"
        )
        assert wrong_name == wrong_password


async def test_guessing_passwords_has_to_wait_longer_and_longer(house: ClockedHouse) -> None:
    async with house.member("Asha"), house.member("Bela"), house.browser() as thief:
        guess = {"name": "Asha", "password": "is it this one, or that"}
        for _ in range(FROM_HERE.free + 1):
            await refused(thief.post("/api/sign-in", json=guess), 401, "wrong_name_or_password")
        waits = []
        for _ in range(4):
            answer = await thief.post("/api/sign-in", json=guess)
            assert answer.status_code == 429
            assert answer.json()["error"]["code"] == "too_many_tries"
            waits.append(int(answer.headers["retry-after"]))
            house.later(waits[-1] * 1000)
            await refused(thief.post("/api/sign-in", json=guess), 401, "wrong_name_or_password")
        assert waits == [1, 2, 4, 8]
        # The right password has to wait too: else the wait would say which one it is.
        await refused(thief.post("/api/sign-in", json={**guess, "password": PASSWORD}), 429, "too_many_tries")
        # Others who come from the same address do not.
        await done(thief.post("/api/sign-in", json={"name": "Bela", "password": PASSWORD}))


async def test_signing_in_ends_the_session_that_came_with_it(house: ClockedHouse) -> None:
    async with house.member("Asha"), house.guest() as browser, house.socket(browser) as opened:
        await greet(opened)
        planted = browser.cookies["rummy_session"]
        await done(browser.post("/api/sign-in", json={"name": "Asha", "password": PASSWORD}))
        assert browser.cookies["rummy_session"] != planted
        assert (await closed_with(opened))[0] == 4401
        async with house.browser(authorization=f"Bearer {planted}") as thief:
            await refused(thief.get("/api/me"), 401, "sign_in")


async def test_a_made_up_token_never_becomes_a_session(house: ClockedHouse) -> None:
    async with house.member("Asha"), house.browser() as victim:
        victim.cookies.set("rummy_session", "planted-by-a-thief")
        await done(victim.post("/api/sign-in", json={"name": "Asha", "password": PASSWORD}))
        async with house.browser(authorization="Bearer planted-by-a-thief") as thief:
            await refused(thief.get("/api/me"), 401, "sign_in")


async def test_another_password_ends_every_other_session(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.browser() as phone:
        await done(phone.post("/api/sign-in", json={"name": "Asha", "password": PASSWORD}))
        async with house.socket(phone) as on_phone, house.socket(asha) as here:
            await greet(on_phone)
            await greet(here)
            body = {"password": "not the one of hers", "new_password": "a quite different secret"}
            await refused(asha.post("/api/me/password", json=body), 403, "wrong_password")
            await done(asha.post("/api/me/password", json={**body, "password": PASSWORD}))
            assert await closed_with(on_phone) == (4401, "the password was changed: sign in again")
            await greet(here)
        await refused(phone.get("/api/me"), 401, "sign_in")
        await done(asha.get("/api/me"))
        old = {"name": "Asha", "password": PASSWORD}
        await refused(phone.post("/api/sign-in", json=old), 401, "wrong_name_or_password")
        await done(phone.post("/api/sign-in", json={**old, "password": "a quite different secret"}))


async def test_a_hash_with_older_parameters_is_renewed_at_sign_in(house: ClockedHouse) -> None:
    async with house.member("Asha"), house.browser() as phone:
        old = PasswordHasher(time_cost=1, memory_cost=8_192, parallelism=1).hash(PASSWORD)
        await house.sql("UPDATE credentials SET password_hash = :old", old=old)
        await done(phone.post("/api/sign-in", json={"name": "Asha", "password": PASSWORD}))
        assert "m=19456,t=2,p=1" in await house.sql("SELECT password_hash FROM credentials")
        await done(phone.post("/api/sign-in", json={"name": "Asha", "password": PASSWORD}))
