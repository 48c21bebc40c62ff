"""Players at the desk, what operators may do about them, and days that are signed off."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.server.operator.conftest import DESK, PlayedHouse
from tests.server.web.clocked_house import done, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

DAY = "2027-01-15"
"""On which the fixture's hands are played, by India's clock."""
REASON = {"reason": "a complaint is looked into"}


async def _player(played: PlayedHouse, name: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = (await done(played.get("players", q=name)))["players"]
    assert len(found) == 1
    return found[0]


async def test_players_are_found_and_shown_with_what_they_have(played: PlayedHouse) -> None:
    listed = await _player(played, "player 1")
    assert await _player(played, listed["player_id"]) == listed
    tokens = await played.world.fetch(
        "SELECT asset, available, held FROM wallet.accounts WHERE player_id = :player_id ORDER BY asset",
        player_id=UUID(listed["player_id"]),
    )
    assert [tuple(each.values()) for each in listed["tokens"]] == [tuple(row) for row in tokens]
    answer = await done(played.get(f"players/{listed['player_id']}"))
    assert answer["page"]["hands"] == len(played.hands)
    assert answer["limits"]["self_excluded_until_ms"] is None
    lines = (await done(played.get(f"players/{listed['player_id']}/statement")))["lines"]
    assert lines[0]["balance_after"] == sum(listed["tokens"][0][side] for side in ("available", "held"))
    first = await done(played.get("players", limit=3))
    rest = await done(played.get("players", limit=3, before=first["next"]))
    ids = [each["player_id"] for page in (first, rest) for each in page["players"]]
    assert len(set(ids)) == len(ids) == 4
    await refused(played.get(f"players/{uuid4()}"), 404, "no_such_player")
    await refused(played.get(f"players/{uuid4()}/statement", before="x"), 422, "malformed")


async def test_who_shares_a_browser_or_an_address_is_shown(played: PlayedHouse) -> None:
    async with played.house.guest("Asha") as browser:
        asha = (await done(browser.get("/api/me")))["player"]["player_id"]
        await done(browser.post("/api/guests", json={"name": "Bina"}), 201)
    page = (await done(played.get(f"players/{asha}")))["page"]
    shared = {each["name"]: (each["device"], each["address"]) for each in page["shared_with"]}
    assert shared["Bina"] == (True, True)
    assert page["sessions"][0]["address"] == "127.0.0.1"


async def test_a_frozen_player_takes_no_chair_until_an_operator_lifts_it(played: PlayedHouse) -> None:
    house = played.house
    async with house.staff("Omar") as (omar, _), house.guest("Chandan") as browser:
        player_id = (await done(browser.get("/api/me")))["player"]["player_id"]
        path = f"{DESK}/players/{player_id}"
        await refused(played.auditor.post(f"{path}/freeze", json=REASON), 403, "read_only")
        await refused(browser.post(f"{path}/freeze", json=REASON), 404, "not_found")
        await refused(omar.post(f"{path}/freeze", json={}), 422, "malformed")
        await refused(omar.post(f"{DESK}/players/{uuid4()}/freeze", json=REASON), 404, "no_such_player")
        for changed in (True, False):
            assert await done(omar.post(f"{path}/freeze", json=REASON)) == {"frozen": True, "changed": changed}
        shown = await done(omar.get(path))
        assert shown["page"]["player"]["frozen"]
        assert [(each["by_name"], each["reason"]) for each in shown["page"]["freezes"]] == [("Omar", REASON["reason"])]
        assert await house.sit(browser) == "account_frozen"
        assert (await done(omar.post(f"{path}/unfreeze", json=REASON)))["changed"]
        assert await house.sit(browser) == "ack"
        acts = (await done(omar.get(f"{DESK}/acts", params={"subject": player_id})))["acts"]
        assert [act["act"] for act in acts] == ["unfreeze", "freeze"]
        # What a player chose for themselves is no operator's to take back: there is no address for it.
        for verb in (omar.put, omar.delete, omar.post):
            assert (await verb(f"{path}/limits")).status_code in (404, 405)


async def test_a_day_is_closed_once_and_stays_as_it_was(played: PlayedHouse) -> None:
    house = played.house
    async with house.staff("Deepa") as (deepa, _):
        await refused(deepa.post(f"{DESK}/reports/days/{DAY}/close", json=REASON), 409, "day_goes_on")
        house.later(2 * 86_400_000)
        await refused(deepa.get(f"{DESK}/reports/days/{DAY}"), 404, "not_found")
    async with house.staff("Esha") as (esha, _):
        report = await done(esha.get(f"{DESK}/reports/days/{DAY}"))
        asset = report["assets"][0]
        assert (report["is_over"], report["closed"]) == (True, None)
        moved = await played.world.fetch(
            "SELECT count(DISTINCT e.entry_id), -sum(p.available_change + p.held_change)"
            " FROM wallet.postings p JOIN wallet.entries e USING (entry_id) JOIN wallet.accounts a USING (account_id)"
            " WHERE e.kind = 'settle' AND a.kind = 'player' AND p.available_change + p.held_change < 0"
        )
        assert (asset["settled"], asset["turnover"]) == tuple(moved[0])
        commission = "SELECT sum(available) FROM wallet.accounts WHERE kind = 'commission' AND asset = 'HT'"
        assert asset["commission"] == await played.world.scalar(commission)
        assert asset["hands"] == len(played.hands) == sum(row["hands"] for row in asset["rows"])
        assert (asset["held_over"], asset["contests_over"]) == (0, 0)
        closed = [await done(esha.post(f"{DESK}/reports/days/{DAY}/close", json=REASON)) for _ in range(2)]
        assert closed[0] == closed[1]
        assert closed[0]["assets"] == report["assets"]
        assert (closed[0]["closed"]["name"], closed[0]["closed"]["agrees"]) == ("Esha", True)
        acts = (await done(esha.get(f"{DESK}/acts", params={"act": "close_day"})))["acts"]
        assert [act["subject"] for act in acts] == [DAY]
        days = await done(esha.get(f"{DESK}/reports/days"))
        assert [each["day"] for each in days["days"]] == [DAY]
        lines = (await esha.get(f"{DESK}/reports/days/{DAY}.csv")).text.splitlines()
        assert lines[0].startswith("day,asset,format,rate")
        assert f"{DAY},HT,all,,{asset['hands']}," in "\n".join(lines)


async def test_what_is_on_record_cannot_be_changed_by_the_server(played: PlayedHouse) -> None:
    for table in ("operator_acts", "day_closes", "wallet.freezes", "hand_watchers", "integrity_case_steps"):
        for change in (
            f"DELETE FROM {table}",
            f"TRUNCATE {table}",
            f"UPDATE {table} SET {table.split('.')[-1]} = NULL",
        ):
            with pytest.raises(Exception, match=r"permission denied|does not exist"):
                await played.house.sql(change)
