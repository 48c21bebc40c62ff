"""A page whose line breaks in mid-hand: what it shows as done, who is seen at the table, what it comes back to."""

from playwright.async_api import Page, expect

from tests.clients.page_line import PageLine
from tests.clients.web_page import (
    chromium,
    click,
    enter,
    hand_cards,
    held,
    play_turn,
    sit,
    visitor,
    wait_for_cards,
    wait_for_turn,
)
from tests.live_house import LiveHouse

FOUND_AGAIN_MS = 30_000


async def reconnected(page: Page, line: PageLine) -> None:
    """The page has noticed by itself, says so while nothing gets through, and is back when something does."""
    badge = page.get_by_test_id("connection")
    await expect(badge).to_have_attribute("data-status", "lost", timeout=FOUND_AGAIN_MS)
    line.mend()
    await expect(badge).to_have_attribute("data-status", "live", timeout=FOUND_AGAIN_MS)
    assert line.sockets >= 2


async def test_a_discard_into_a_dead_line_is_shown_as_sent_only_and_then_done_once_b02(
    bots_house: LiveHouse,
) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        line = await PageLine.of(page)
        await enter(page, bots_house.url, "Sumi")
        await sit(page, 4)
        await wait_for_cards(page)
        await wait_for_turn(page)
        await click(page, "draw-stock")
        await expect(hand_cards(page)).to_have_count(14)
        chosen = (await held(page))[-1]
        await hand_cards(page).last.click()
        line.die()
        await click(page, "discard")
        await expect(page.get_by_test_id("sending")).to_be_visible()
        await expect(hand_cards(page)).to_have_count(14)
        await reconnected(page, line)
        await expect(hand_cards(page)).to_have_count(13)
        assert chosen not in await held(page)
        tries = line.moves("discard")
        assert len(tries) == 2
        assert len({move["id"] for move in tries}) == 1
        seat = line.newest_table()["you"]["seat"]
        thrown = {
            (event["k"], event["card"])
            for message in line.heard
            for event in message.get("events", ())
            if event["type"] == "discard" and event["seat"] == seat
        }
        assert [card for _, card in thrown].count(chosen) == 1


async def test_a_page_back_from_a_dead_line_is_one_player_at_the_table_of_now_b12_b13(
    bots_house: LiveHouse,
) -> None:
    """The line dies behind the own move, three others play on; the old socket still stands open at the house."""
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        line = await PageLine.of(page)
        await enter(page, bots_house.url, "Mou")
        await sit(page, 6)
        await wait_for_cards(page)
        await wait_for_turn(page)
        await play_turn(page)
        line.die()
        before = len(line.heard)
        table = line.newest_table()
        await reconnected(page, line)
        back = await line.table_after(before)
        assert back["snapshot"] or back["events"]
        await expect(page.get_by_test_id("own-seat")).to_have_count(1)
        seats = line.newest_table()["public"]["seats"]
        mine = line.newest_table()["you"]["seat"]
        people = [seat["player"]["player_id"] for seat in seats if seat["player"] is not None]
        assert len(people) == len(set(people)) >= table["public"]["table"]["seated"]
        assert seats[mine]["connected"]
        if line.newest_table()["public"]["phase"] == "playing":
            hand = line.newest_table()["public"]["hand"]
            top = hand["discard_pile"][-1] if hand["discard_pile"] else ""
            await expect(page.get_by_test_id("pile")).to_have_attribute("data-card", str(top))
            await expect(hand_cards(page)).to_have_count(len(line.newest_table()["you"]["cards"]))
