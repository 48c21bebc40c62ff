"""Where somebody is signed in, and ending that: at once, everywhere it is used."""

from uuid import uuid4

from server.web.session_watch import ENDED
from tests.server.web.clocked_house import PASSWORD, ClockedHouse, closed_with, done, greet, refused

PHONE = "Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537"
SIGN_IN = {"name": "Asha", "password": PASSWORD}


async def test_sessions_are_listed_with_their_devices_and_never_their_tokens(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.browser(**{"user-agent": PHONE}) as phone:
        house.later(120_000)
        await done(phone.post("/api/sign-in", json=SIGN_IN))
        async with house.socket(phone) as opened:
            await greet(opened)
            listed = (await done(phone.get("/api/me/sessions")))["sessions"]
        assert [(each["device"].split("/")[0], each["current"], each["connected"]) for each in listed] == [
            ("Chrome · Android", True, True),
            ("python-httpx", False, False),
        ]
        assert listed[0]["created_ms"] == listed[1]["created_ms"] + 120_000
        token = asha.cookies["rummy_session"]
        assert token not in str(listed)
        assert await house.sql("SELECT count(*) FROM sessions WHERE token_hash = :token", token=token.encode()) == 0


async def test_a_session_ended_from_another_device_is_over_at_once(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.browser() as phone, house.guest() as stranger:
        await done(phone.post("/api/sign-in", json=SIGN_IN))
        on_phone = next(each for each in (await done(asha.get("/api/me/sessions")))["sessions"] if not each["current"])
        async with house.socket(phone) as opened, house.socket(asha) as kept:
            await greet(opened)
            await greet(kept)
            where = f"/api/me/sessions/{on_phone['session_id']}"
            await refused(stranger.delete(where), 404, "no_such_session")
            await done(asha.delete(where), 204)
            assert await closed_with(opened) == (4401, "this session was ended from another one")
            await greet(kept)
        await refused(phone.get("/api/me"), 401, "sign_in")
        await refused(asha.delete(where), 404, "no_such_session")
        await refused(asha.delete(f"/api/me/sessions/{uuid4()}"), 404, "no_such_session")


async def test_all_others_are_ended_with_one_request(house: ClockedHouse) -> None:
    async with house.member("Asha") as asha, house.browser() as phone, house.browser() as tablet:
        for device in (phone, tablet):
            await done(device.post("/api/sign-in", json=SIGN_IN))
        assert await done(asha.post("/api/me/sessions/end-others")) == {"ended": 2}
        for device in (phone, tablet):
            await refused(device.get("/api/me"), 401, "sign_in")
        await done(asha.get("/api/me"))


async def test_a_session_that_ran_out_loses_its_socket(house: ClockedHouse) -> None:
    async with house.guest() as guest, house.socket(guest) as opened:
        await greet(opened)
        house.later(house.services.settings.session_days * 86_400_000)
        assert await closed_with(opened) == (4401, ENDED)
        await refused(guest.get("/api/me"), 401, "sign_in")


async def test_a_session_ended_in_the_database_loses_its_socket_within_the_check(house: ClockedHouse) -> None:
    async with house.guest() as guest, house.socket(guest) as opened:
        await greet(opened)
        await house.sql("UPDATE sessions SET revoked_ms = 1")
        house.later(house.services.settings.session_check_ms)
        assert await closed_with(opened) == (4401, ENDED)


async def test_the_oldest_of_too_many_sockets_is_let_go(house: ClockedHouse) -> None:
    async with house.guest() as guest, house.socket(guest) as oldest:
        await greet(oldest)
        others = [house.socket(guest) for _ in range(16)]
        for other in others:
            await other.__aenter__()
        try:
            assert (await closed_with(oldest))[0] == 4409
        finally:
            for other in others:
                await other.__aexit__(None, None, None)
