"""The desk: how somebody comes to it, who may only read, and what takes a fresh second factor and leaves a trace."""

import json
from uuid import uuid4

import pytest

from server.staff_command import StaffRefused
from server.web.authentication import SECOND_FACTOR_FRESH_MS
from tests.server.web.clocked_house import PASSWORD, ClockedHouse, closed_with, done, greet, refused

DESK = "/api/operator"


def adjustment(player_id: str, **changed: object) -> dict[str, object]:
    return {
        "adjustment_id": str(uuid4()),
        "player_id": player_id,
        "asset": "PT",
        "amount": 500,
        "reason": "the table was down",
    } | changed


async def test_a_link_leads_to_password_and_app_and_then_to_the_desk(house: ClockedHouse) -> None:
    async with house.browser() as ines:
        link = (await house.command("create", "Ines", "--role", "auditor")).split()[-1]
        assert (await ines.get(link)).status_code == 303
        me = await done(ines.get("/api/me"))
        assert (me["role"], me["next_step"], me["player"]["name"]) == ("auditor", "choose_password", "Ines")
        error = await refused(ines.get(f"{DESK}/overview"), 403, "enrol_second_factor")
        assert error["allowed"]
        await house.enrolled(ines, "Ines")
        await done(ines.get(f"{DESK}/overview"))
        assert (await ines.get(link)).status_code == 403
        assert "ready" in await house.command("list")
        # Another link replaces the password, and never the app.
        again = (await house.command("link", "ines")).split()[-1]
        async with house.browser() as whoever:
            await whoever.get(again)
            await refused(whoever.get(f"{DESK}/overview"), 403, "prove_second_factor")
            assert (await done(whoever.get("/api/me")))["next_step"] == "prove_second_factor"


async def test_a_session_at_the_desk_is_short(house: ClockedHouse) -> None:
    async with house.staff("Ines") as (ines, app):
        house.later(12 * 3_600_000)
        await refused(ines.get(f"{DESK}/overview"), 404, "not_found")
        await refused(ines.get("/api/me"), 401, "sign_in")
        body = {"name": "Ines", "password": PASSWORD}
        await refused(ines.post("/api/sign-in", json=body), 401, "second_factor_needed")
        await done(ines.post("/api/sign-in", json={**body, "code": app.code()}))
        await done(ines.get(f"{DESK}/overview"))


async def test_players_find_nothing_and_auditors_only_read(house: ClockedHouse) -> None:
    table_id = (await done(house.browser().get("/api/tables")))[0]["table_id"]
    reads = ("overview", "acts", "adjustments")
    changes = (
        f"tables/{table_id}/void-hand",
        f"tables/{table_id}/void-match",
        "adjustments",
        f"adjustments/{uuid4()}/approve",
    )
    async with house.guest() as guest, house.staff("Ines", "--role", "auditor") as (ines, _):
        for path in reads:
            await refused(guest.get(f"{DESK}/{path}"), 404, "not_found")
            await done(ines.get(f"{DESK}/{path}"))
        for path in changes:
            await refused(guest.post(f"{DESK}/{path}", json={}), 404, "not_found")
            await refused(ines.post(f"{DESK}/{path}", json={"reason": "because"}), 403, "read_only")
        # And whoever works at the desk has no tokens and does not play.
        for request in (ines.post("/api/practice/top-up"), ines.get("/api/me/limits")):
            await refused(request, 403, "players_only")
        async with house.socket(ines) as opened:
            await greet(opened)
            await opened.send(json.dumps({"type": "sit", "id": "s", "table_id": table_id}))
            assert json.loads(await opened.recv())["code"] == "players_only"


async def test_what_moves_tokens_takes_a_fresh_code_and_two_operators(house: ClockedHouse) -> None:
    async with house.guest() as guest, house.staff("Ines") as (ines, app), house.staff("Omar") as (omar, _):
        player_id = (await done(guest.get("/api/me")))["player"]["player_id"]
        house.later(SECOND_FACTOR_FRESH_MS)
        wanted = adjustment(player_id)
        await refused(ines.post(f"{DESK}/adjustments", json=wanted), 403, "prove_second_factor")
        await done(ines.post("/api/me/second-factor/prove", json={"code": app.code()}))
        for _ in range(2):
            await done(ines.post(f"{DESK}/adjustments", json=wanted), 201)
        await refused(ines.post(f"{DESK}/adjustments", json={**wanted, "amount": 7}), 409, "key_reused")
        approve = f"{DESK}/adjustments/{wanted['adjustment_id']}/approve"
        await refused(ines.post(approve), 403, "same_operator")
        await refused(omar.post(approve), 403, "prove_second_factor")
        (waiting,) = await done(omar.get(f"{DESK}/adjustments"))
        assert (waiting["amount"], waiting["requested_name"]) == (500, "Ines")
        assert waiting["player_name"] == (await done(guest.get("/api/me")))["player"]["name"]
    async with house.staff("Pia") as (pia, _):
        await done(pia.post(approve))
        assert await done(pia.get(f"{DESK}/adjustments")) == []
        acts = await done(pia.get(f"{DESK}/acts"))
    assert [(act["name"], act["act"]) for act in acts["acts"]] == [
        ("Pia", "approve_adjustment"),
        ("Ines", "ask_adjustment"),
        ("Ines", "ask_adjustment"),
    ]
    assert await house.sql("SELECT available FROM wallet.accounts WHERE asset = 'PT' AND kind = 'player'") == 1_000_500


async def test_a_correction_that_cannot_be_is_refused_with_the_reason(house: ClockedHouse) -> None:
    async with house.guest() as guest, house.staff("Ines") as (ines, _), house.staff("Omar") as (omar, _):
        player_id = (await done(guest.get("/api/me")))["player"]["player_id"]
        path = f"{DESK}/adjustments"
        await refused(ines.post(path, json=adjustment(str(uuid4()))), 404, "no_such_player")
        await refused(ines.post(path, json=adjustment(player_id, corrects=10**9)), 404, "no_such_entry")
        for wrong in ({"amount": 0}, {"amount": 1.5}, {"reason": "  "}, {"reason": "a\x00b c"}, {"asset": "XX"}):
            await refused(ines.post(path, json=adjustment(player_id, **wrong)), 422, "malformed")
        too_much = adjustment(player_id, amount=-(10**9))
        await done(ines.post(path, json=too_much), 201)
        where = f"{path}/{too_much['adjustment_id']}"
        await refused(omar.post(f"{where}/approve"), 409, "insufficient_funds")
        await done(omar.post(f"{where}/reject", json={"reason": "more than there is"}), 204)
        await refused(omar.post(f"{where}/approve"), 409, "already_decided")
        await refused(omar.post(f"{path}/{uuid4()}/approve"), 404, "no_such_adjustment")


async def test_a_hand_is_voided_only_where_one_runs(house: ClockedHouse) -> None:
    async with house.staff("Ines") as (ines, _):
        table_id = (await done(ines.get("/api/tables")))[0]["table_id"]
        body = {"reason": "a card was seen"}
        await refused(ines.post(f"{DESK}/tables/{table_id}/void-hand", json=body), 409, "no_hand")
        await refused(ines.post(f"{DESK}/tables/{uuid4()}/void-hand", json=body), 404, "no_such_table")
        await refused(ines.post(f"{DESK}/tables/{table_id}/void-match", json=body), 409, "no_match")
        await refused(ines.post(f"{DESK}/tables/{uuid4()}/void-match", json=body), 404, "no_such_table")
        await refused(ines.post(f"{DESK}/tables/{table_id}/void-hand", json={}), 422, "malformed")


async def test_whoever_lost_everything_is_reset_and_whoever_left_is_disabled(house: ClockedHouse) -> None:
    async with house.staff("Ines") as (ines, _), house.socket(ines) as opened, house.browser() as again:
        await greet(opened)
        link = (await house.command("reset", "Ines")).split()[-1]
        await refused(ines.get("/api/me"), 401, "sign_in")
        house.later(house.services.settings.session_check_ms)
        assert (await closed_with(opened))[0] == 4401
        await again.get(link)
        await house.enrolled(again, "Ines")
        unused = (await house.command("link", "Ines")).split()[-1]
        await house.command("disable", "Ines")
        await refused(again.get("/api/me"), 401, "sign_in")
        assert (await again.get(unused)).status_code == 403
        body = {"name": "Ines", "password": PASSWORD}
        await refused(again.post("/api/sign-in", json=body), 401, "wrong_name_or_password")
        with pytest.raises(StaffRefused, match="disabled"):
            await house.command("link", "Ines")


async def test_the_command_says_why_not(house: ClockedHouse) -> None:
    async with house.member("Asha"):
        for arguments, why in (
            (("create", "Asha"), "a player is called"),
            (("create", "x" * 25), "at most 24"),
            (("create", "0perator"), "at the desk is called"),
            (("link", "Nobody"), "nobody at the desk"),
        ):
            with pytest.raises(StaffRefused, match=why):
                await house.command(*arguments)


async def test_whoever_silences_an_account_or_changes_a_table_leaves_a_trace(house: ClockedHouse) -> None:
    async with house.guest() as guest, house.staff("Ines") as (ines, _):
        player_id = (await done(guest.get("/api/me")))["player"]["player_id"]
        table_id = (await done(guest.get("/api/tables")))[0]["table_id"]
        await done(ines.post(f"{DESK}/players/{player_id}/silence", json={"minutes": 5}))
        await done(ines.post(f"{DESK}/tables/{table_id}/customs", json={"chat": "off"}), 204)
        acts = (await done(ines.get(f"{DESK}/acts", params={"limit": 1})))["acts"]
        assert [(act["act"], act["subject"], act["reason"]) for act in acts] == [("set_customs", table_id, "chat: off")]
        older = await done(ines.get(f"{DESK}/acts", params={"before": acts[0]["act_id"]}))
    assert [(act["act"], act["subject"]) for act in older["acts"]] == [("silence", player_id)]
    assert older["next"] is None
