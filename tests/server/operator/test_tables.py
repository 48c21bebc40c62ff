"""Tables at the desk: opened, set to other stakes, closed; each with its act on record, and none by an auditor."""

from uuid import uuid4

from tests.server.web.clocked_house import ClockedHouse, done, refused

DESK = "/api/operator"
WISH = {
    "name": "Evening",
    "asset": "HT",
    "seat_count": 6,
    "rate": 50,
    "commission_bp": 500,
    "reason": "more people in the evening",
}


async def test_a_table_is_opened_given_other_stakes_and_closed(house: ClockedHouse) -> None:
    async with house.staff("Ines") as (ines, _), house.staff("Omar", "--role", "auditor") as (omar, _):
        path = f"{DESK}/tables"
        await refused(omar.post(path, json=WISH), 403, "read_only")
        for wrong in (
            {"rate": None},
            {"buy_in": 500},
            {"commission_bp": 2_501},
            {"name": " "},
            {"rules": {"min_players": 7}},
        ):
            await refused(ines.post(path, json=WISH | wrong), 422, "malformed")
        table_id = (await done(ines.post(path, json=WISH), 201))["table_id"]
        lobby = {table["table_id"]: table for table in await done(omar.get("/api/tables"))}
        assert (lobby[table_id]["name"], lobby[table_id]["rate"]) == ("Evening", 50)
        where = f"{path}/{table_id}"
        change = {"rate": 80, "commission_bp": 400, "reason": "as announced"}
        assert (await done(ines.post(f"{where}/stakes", json=change), 202))["rate"] == 80
        await house.settled(table_id)
        shown = {each["table"]["table_id"]: each for each in await done(omar.get(path))}[table_id]
        assert (shown["table"]["rate"], shown["table"]["commission_bp"], shown["coming"]) == (80, 400, None)
        assert await house.sql("SELECT rate FROM tables WHERE table_id = :id", id=table_id) == 80
        for nothing in ({}, {"rate": 0}):
            await refused(ines.post(f"{where}/stakes", json={"reason": "as announced"} | nothing), 422, "malformed")
        await done(ines.post(f"{where}/close", json={"reason": "the evening is over"}), 202)
        await house.settled(table_id)
        await refused(ines.post(f"{where}/close", json={"reason": "the evening is over"}), 404, "no_such_table")
        await refused(ines.post(f"{path}/{uuid4()}/stakes", json=change), 404, "no_such_table")
        assert await house.sql("SELECT status FROM tables WHERE table_id = :id", id=table_id) == "closed"
        acts = (await done(omar.get(f"{DESK}/acts", params={"subject": table_id})))["acts"]
        assert [act["act"] for act in acts] == ["close_table", "set_stakes", "open_table"]
        assert acts[1]["reason"] == "as announced [rate 50 -> 80, commission_bp 500 -> 400]"


async def test_a_match_table_has_no_rate_to_change(house: ClockedHouse) -> None:
    async with house.staff("Ines") as (ines, _):
        tables = await done(ines.get(f"{DESK}/tables"))
        table_id = next(each["table"]["table_id"] for each in tables if each["table"]["buy_in"])
        body = {"rate": 10, "reason": "as announced"}
        await refused(ines.post(f"{DESK}/tables/{table_id}/stakes", json=body), 422, "out_of_bounds")
