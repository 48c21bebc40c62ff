"""Finding a hand by what is known of it, and its whole story: every figure equals the rows that it is from."""

import csv
import io
from typing import Any
from uuid import UUID, uuid4

import pytest

from server.operator.presence import PresenceLog
from tests.server.operator.conftest import HANDS, PlayedHouse
from tests.server.web.clocked_house import done, refused

PUBLIC = {"roster", "dealt", "wild", "open", "draw_stock", "draw_pile", "discard", "out", "reshuffle"}

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_hands_are_found_by_whatever_is_known_of_them(played: PlayedHouse) -> None:
    every = (await done(played.get("settlements")))["hands"]
    assert [UUID(hand["hand_id"]).bytes for hand in every] == [hand.id for hand in reversed(played.hands)]
    hand = every[2]
    seat = max(hand["seats"], key=lambda line: abs(line["delta"]))

    async def found(**wanted: object) -> list[dict[str, Any]]:
        hands: list[dict[str, Any]] = (await done(played.get("settlements", **wanted)))["hands"]
        return hands

    assert await found(hand_id=hand["hand_id"]) == [hand]
    assert hand in await found(player=seat["name"].upper(), least_units=abs(seat["delta"]))
    assert hand in await found(player=seat["player_id"], most_units=abs(seat["delta"]), outcome=hand["outcome"])
    assert await found(table=hand["table_id"]) == [each for each in every if each["table_id"] == hand["table_id"]]
    assert await found(table="tes") == every
    assert await found(from_ms=hand["closed_ms"], to_ms=every[1]["closed_ms"]) == [hand]
    assert await found(rate=10, asset="HT", format="points") == every
    for nothing in ({"rate": 11}, {"asset": "PT"}, {"format": "pool_101"}, {"player": "%"}, {"hand_id": uuid4()}):
        assert await found(**nothing) == []


async def test_pages_of_hands_follow_one_another(played: PlayedHouse) -> None:
    seen: list[str] = []
    page: dict[str, Any] = {"next": ""}
    while page["next"] is not None:
        before = {"before": page["next"]} if page["next"] else {}
        page = await done(played.get("settlements", limit=4, **before))
        seen += [hand["hand_id"] for hand in page["hands"]]
    assert len(seen) == len(set(seen)) == HANDS
    await refused(played.get("settlements", before="1.2"), 422, "malformed")


async def test_what_is_exported_is_what_is_filtered(played: PlayedHouse) -> None:
    hands = (await done(played.get("settlements", player="Player 2")))["hands"]
    assert await done(played.get("settlements.json", player="Player 2")) == hands
    lines = list(csv.DictReader(io.StringIO((await played.get("settlements.csv", player="Player 2")).text)))
    assert [(line["hand_id"], line["player_id"], int(line["delta"])) for line in lines] == [
        (hand["hand_id"], seat["player_id"], seat["delta"]) for hand in hands for seat in hand["seats"]
    ]
    assert await done(played.get("settlements.json", rate=11)) == []


async def test_a_hand_is_shown_with_its_tokens_its_events_and_its_proof(played: PlayedHouse) -> None:
    hand = played.hands[1]
    page = await done(played.get(f"hands/{UUID(bytes=hand.id)}"))
    assert page["verdict"]["ok"]
    assert [step["step"] for step in page["verdict"]["steps"]] == [f"V{n}" for n in range(1, 13)]
    assert (page["entries_sum"], page["ledger_agrees"], page["holds"]) == (0, True, [])
    assert [event["k"] for event in page["events"]] == list(range(len(hand.events)))
    assert {(seat["player_id"], seat["delta"]) for seat in page["seats"]} == {
        (str(player_id), delta) for player_id, delta in hand.closing.deltas
    }
    for entry in page["entries"]:
        rows = await played.world.fetch(
            "SELECT account_id, available_after, held_after FROM wallet.postings WHERE entry_id = :entry_id",
            entry_id=entry["entry_id"],
        )
        assert {(line["account_id"], line["available_after"], line["held_after"]) for line in entry["postings"]} == {
            tuple(row) for row in rows
        }
    await refused(played.get(f"hands/{uuid4()}"), 404, "no_such_hand")


async def test_figures_are_those_of_the_ledger_and_the_journal(played: PlayedHouse) -> None:
    first, last = played.hands[0].opening.terms.opened_ms, played.world.now_ms()
    page = await done(played.get("today", from_ms=first, to_ms=last, rate=10, format="points"))
    total = page["series"]["total"]
    commission = await played.world.scalar(
        "SELECT sum(available) FROM wallet.accounts WHERE kind = 'commission' AND asset = 'HT'"
    )
    turnover = await played.world.scalar("SELECT -sum(delta) FROM hand_players WHERE delta < 0")
    assert (total["hands"], total["tables"], total["players"]) == (HANDS, 2, 4)
    assert (total["commission"], total["turnover"], total["seats"]) == (commission, turnover, 4 * HANDS)
    assert sum(step["figures"]["turnover"] for step in page["series"]["steps"]) == turnover
    assert page["live"]["balances"]
    one = await done(played.get("today", from_ms=first, to_ms=last, table_id=played.hands[0].table_id))
    assert one["series"]["total"]["hands"] == HANDS // 2
    await refused(played.get("today", from_ms=0, to_ms=last), 422, "out_of_bounds")


async def test_of_a_running_hand_the_desk_shows_what_the_table_sees(played: PlayedHouse) -> None:
    world = played.world
    async with world.journal() as journal:
        table = await world.table(journal)
        players = await world.players(2)
        hand = world.hand(table, players, seed=99)
        await hand.play(journal, upto=6)
        answer = await played.get(f"hands/{UUID(bytes=hand.id)}")
        page = answer.json()
        assert (page["status"], page["verdict"], page["ledger_agrees"]) == ("open", None, None)
        assert [event["k"] for event in page["events"]] == [row.k for batch in hand.batches[:6] for row in batch]
        assert {event["type"] for event in page["events"]} <= PUBLIC
        assert all("card" not in event for event in page["events"] if event["type"] == "draw_stock")
        assert {(line["player_id"], line["units"]) for line in page["holds"]} == {
            (str(player.player_id), hand.opening.hold_units) for player in players
        }
        for secret in (hand.opening.server_seed, hand.hand_key):
            assert secret.hex() not in answer.text
        for at in range(6, len(hand.batches)):
            await hand.append(journal, at)


async def test_who_looked_on_and_whose_line_was_lost_is_on_record_once(played: PlayedHouse) -> None:
    hand_id = UUID(bytes=played.hands[2].id)
    player_id = UUID(bytes=played.hands[2].opening.terms.players[0][1])
    services = played.house.services
    log = PresenceLog(services.engine, played.house.clock)
    async with played.house.guest("Uma") as browser:
        uma = UUID((await done(browser.get("/api/me")))["player"]["player_id"])
    for _ in range(2):
        log.watched(hand_id, uma, 5)
        log.cut_off(hand_id, player_id, 6)
        await log.write()
    page = await done(played.get(f"hands/{hand_id}"))
    assert [(each["name"], each["at_ms"]) for each in page["watchers"]] == [("Uma", 5)]
    assert [(each["player_id"], each["at_ms"]) for each in page["disconnects"]] == [(str(player_id), 6)]
