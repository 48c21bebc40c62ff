"""The history of one's own hands, over HTTP."""

from pathlib import Path
from uuid import UUID, uuid4

import httpx

from server.identity.sessions import NewSession, create_session
from server.protocol.messages import Player
from tests.server.eventlog.conftest import World
from tests.server.web.clocked_house import ClockedHouse, clocked_house, done, refused


async def signed_in(house: ClockedHouse, player: Player) -> httpx.AsyncClient:
    now_ms = house.clock.now_ms()
    token = str(player.player_id)
    async with house.services.engine.begin() as database:
        await create_session(database, NewSession(uuid4(), player.player_id, token, "", now_ms, now_ms + 10**9))
    return house.browser(authorization=f"Bearer {token}")


async def play_three(world: World) -> tuple[Player, ...]:
    """Anna and Bela play a hand, Bela and Cora two, of which the last is voided."""
    async with world.journal() as journal:
        anna, bela, cora = await world.players(3)
        table = await world.table(journal)
        await world.hand(table, (anna, bela)).play(journal)
        await world.hand(table, (bela, cora), hand_no=2).play(journal)
        await world.hand(table, (bela, cora), hand_no=3, moves=1).play(journal)
    return anna, bela, cora


async def test_my_hands_say_who_won_and_what_it_brought_me_page_by_page(
    world: World, database_url: str, tmp_path: Path
) -> None:
    anna, bela, _ = await play_three(world)
    async with clocked_house(database_url, tmp_path) as house:
        async with await signed_in(house, bela) as browser:
            everything = (await done(browser.get("/api/me/hands")))["hands"]
            assert [hand["hand_no"] for hand in everything] == [3, 2, 1]
            paged, before = [], {}
            while True:
                page = await done(browser.get("/api/me/hands", params={"limit": 1, **before}))
                paged += page["hands"]
                if page["next"] is None:
                    break
                before = {"before": page["next"]}
            assert paged == everything
            await refused(browser.get("/api/me/hands", params={"before": "x"}), 422, "malformed")
            statement = await done(browser.get("/api/me/statement", params={"asset": "HT"}))
        async with await signed_in(house, anna) as browser:
            (annas,) = (await done(browser.get("/api/me/hands")))["hands"]
        async with house.browser() as nobody:
            await refused(nobody.get("/api/me/hands"), 401, "sign_in")
    voided, _, first = everything
    assert (voided["outcome"], voided["void_reason"], voided["winner"]) == ("void", "operator", None)
    assert (voided["points"], voided["delta"], voided["commission"]) == (0, 0, 0)
    assert {line["hand_id"]: line["amount"] for line in statement["lines"] if line["kind"] == "settle"} == {
        hand["hand_id"]: hand["delta"] for hand in everything[1:]
    }
    assert annas["winner"] == first["winner"]
    assert UUID(first["winner"]["player_id"]) in (anna.player_id, bela.player_id)
    assert annas["delta"] + first["delta"] == -first["commission"]
    won = first if first["winner"]["seat"] == first["seat"] else annas
    assert (won["points"], won["delta"] >= 0) == (0, True)
    assert (first["table_name"], first["format"], first["asset"]) == ("Test", "points", "HT")
    assert [player["name"] for player in first["players"]] == ["Player 0", "Player 1"]
