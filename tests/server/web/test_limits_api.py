"""Limits that a player sets over HTTP, and the reminder that comes over the socket at its time."""

import json
from uuid import UUID, uuid4

from tests.server.web.clocked_house import ClockedHouse, done, greet, refused
from wallet.accounts import Asset
from wallet.contests import of_hand
from wallet.limits import DAY_MS, MINUTE_MS
from wallet.requests import HoldRequest
from wallet.verbs import hold_many

LIMITS = "/api/me/limits"


async def play_a_hand(house: ClockedHouse, player_id: str) -> None:
    """Tokens are set aside for this player: a hand of theirs starts now."""
    hold = HoldRequest(of_hand(uuid4()), uuid4(), Asset.PT, ((UUID(player_id), 8_000),), house.clock.now_ms())
    async with house.services.engine.begin() as database:
        await hold_many(database, [hold])


async def test_without_limits_everything_is_open_and_the_bounds_are_told(house: ClockedHouse) -> None:
    async with house.guest() as guest:
        limits = await done(guest.get(LIMITS))
        assert limits["loss"]["PT"] == {"units": None, "pending": None, "lost": 0, "held": 0, "left": None}
        assert limits["reminder"] == {"minutes": None, "pending": None, "played_ms": 0, "is_due": False}
        assert (limits["cool_off_until_ms"], limits["self_excluded_until_ms"]) == (None, None)
        assert limits["allowed"]["reminder_minutes"] == [10, 1_440]
        assert limits["allowed"]["cool_off_days"] == [1, 42]


async def test_lower_is_at_once_and_higher_after_a_day(house: ClockedHouse) -> None:
    async with house.guest() as guest:
        path = f"{LIMITS}/loss"
        await done(guest.put(path, json={"asset": "PT", "units": 50_000}))
        lowered = await done(guest.put(path, json={"asset": "PT", "units": 20_000}))
        assert (lowered["loss"]["PT"]["units"], lowered["loss"]["PT"]["left"]) == (20_000, 20_000)
        raised = await done(guest.put(path, json={"asset": "PT", "units": None}))
        pending = {"value": None, "at_ms": house.clock.now_ms() + DAY_MS}
        assert (raised["loss"]["PT"]["units"], raised["loss"]["PT"]["pending"]) == (20_000, pending)
        house.later(DAY_MS)
        assert (await done(guest.get(LIMITS)))["loss"]["PT"]["units"] is None


async def test_an_exclusion_gets_longer_and_never_shorter(house: ClockedHouse) -> None:
    async with house.guest() as guest:
        for kind, field, low, high in (
            ("cool-off", "cool_off_until_ms", 1, 42),
            ("self-exclusion", "self_excluded_until_ms", 180, 1_830),
        ):
            path = f"{LIMITS}/{kind}"
            for days in (low - 1, high + 1, -1, 2**53):
                error = await refused(guest.post(path, json={"days": days}), 422, "out_of_bounds")
                assert error["allowed"]
            for wrong in ({"days": 1.5}, {"days": "7"}, {"days": True}, {}, {"days": 7, "hours": 1}):
                await refused(guest.post(path, json=wrong), 422, "malformed")
            asked = await done(guest.post(path, json={"days": low + 1}))
            assert asked[field] == house.clock.now_ms() + (low + 1) * DAY_MS
            await refused(guest.post(path, json={"days": low}), 409, "only_longer")
            assert (await done(guest.post(path, json={"days": high})))[field] > asked[field]


async def test_the_reminder_comes_over_the_socket_at_its_moment_and_until_it_is_confirmed(house: ClockedHouse) -> None:
    async with house.guest() as guest:
        player_id = (await done(guest.get("/api/me")))["player"]["player_id"]
        await done(guest.put(f"{LIMITS}/reminder", json={"minutes": 10}))
        await play_a_hand(house, player_id)
        async with house.socket(guest) as opened:
            await greet(opened)
            house.later(9 * MINUTE_MS)
            assert not (await done(guest.get(LIMITS)))["reminder"]["is_due"]
            house.later(MINUTE_MS)
            reminder = json.loads(await opened.recv())
            assert reminder == {"type": "session_reminder", "after_ms": 600_000, "played_ms": 600_000}
        assert (await done(guest.get(LIMITS)))["reminder"]["is_due"]
        async with house.socket(guest) as again:
            await greet(again)
            house.later(MINUTE_MS)
            assert json.loads(await again.recv())["played_ms"] == 660_000
        seen = await done(guest.post(f"{LIMITS}/reminder/seen"))
        assert seen["reminder"] == {"minutes": 10, "pending": None, "played_ms": 0, "is_due": False}


async def test_another_players_limits_are_nobodys_business(house: ClockedHouse) -> None:
    async with house.guest() as guest, house.guest() as other, house.browser() as nobody:
        await done(guest.post(f"{LIMITS}/self-exclusion", json={"days": 200}))
        assert (await done(other.get(LIMITS)))["self_excluded_until_ms"] is None
        await refused(nobody.get(LIMITS), 401, "sign_in")
