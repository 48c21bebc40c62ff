"""What happens at a table besides playing well: reloads, a frozen house, a second tab, a late click, layout."""

import json

from playwright.async_api import WebSocketRoute, expect

from tests.clients.line import Line
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


async def test_a_reload_in_mid_turn_shows_the_same_cards_laid_the_same_way_b08(bots_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await enter(page, bots_house.url, "Noor")
        await sit(page, 4)
        await wait_for_cards(page)
        await wait_for_turn(page)
        await click(page, "draw-stock")
        await expect(hand_cards(page)).to_have_count(14)
        await click(page, "sort-rank")
        before = await held(page)
        await page.reload()
        await expect(hand_cards(page)).to_have_count(14)
        assert await held(page) == before
        await expect(page.get_by_test_id("discard")).to_be_visible()


async def test_two_clicks_on_discard_throw_one_card_and_it_is_the_named_one_b29(bots_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await enter(page, bots_house.url, "Ila")
        await sit(page, 6)
        await wait_for_cards(page)
        await wait_for_turn(page)
        await click(page, "draw-stock")
        await expect(hand_cards(page)).to_have_count(14)
        chosen = (await held(page))[-1]
        await hand_cards(page).last.click()
        await page.get_by_test_id("discard").dblclick()
        await expect(hand_cards(page)).to_have_count(13)
        assert chosen not in await held(page)


async def test_the_newest_tab_holds_the_controls_and_the_older_one_says_so(bots_house: LiveHouse) -> None:
    async with chromium() as browser:
        context = await visitor(browser)
        page = await context.new_page()
        await enter(page, bots_house.url, "Uma")
        await sit(page, 8)
        await wait_for_cards(page)
        await wait_for_turn(page)
        await click(page, "draw-stock")
        await expect(hand_cards(page)).to_have_count(14)
        await page.reload()
        await expect(hand_cards(page)).to_have_count(14)
        second = await context.new_page()
        await second.goto(page.url)
        await second.get_by_test_id("own-seat").wait_for()
        await expect(page.get_by_test_id("acting-elsewhere")).to_be_visible()
        await click(page, "act-here")
        await expect(second.get_by_test_id("acting-elsewhere")).to_be_visible()
        await expect(page.get_by_test_id("acting-elsewhere")).to_have_count(0)
        await hand_cards(page).last.click()
        await click(page, "discard")
        await expect(hand_cards(page)).to_have_count(13)
        await expect(page.get_by_test_id("fair-problem")).to_have_count(0)


async def test_a_silent_house_is_shown_as_lost_and_found_again_without_a_reload_b04(practice_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await enter(page, practice_house.url, "Dev")
        badge = page.get_by_test_id("connection")
        await expect(badge).to_have_attribute("data-status", "live")
        practice_house.pause()
        try:
            await expect(badge).to_have_attribute("data-status", "lost", timeout=12_000)
        finally:
            practice_house.go_on()
        await expect(badge).to_have_attribute("data-status", "live", timeout=20_000)


async def test_a_cut_line_is_shown_and_what_was_sent_into_it_is_done_once(bots_house: LiveHouse) -> None:
    async with Line(bots_house.port) as line, chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await enter(page, line.url, "Tara")
        await sit(page, 6)
        await wait_for_cards(page)
        await wait_for_turn(page)
        await click(page, "draw-stock")
        await expect(hand_cards(page)).to_have_count(14)
        thrown = (await held(page))[-1]
        await hand_cards(page).last.click()
        await line.cut()
        await expect(page.get_by_test_id("connection")).to_have_attribute("data-status", "lost", timeout=5_000)
        await click(page, "discard")
        await expect(page.get_by_test_id("sending")).to_be_visible()
        await expect(page.get_by_test_id("discard")).to_have_count(0)
        await expect(hand_cards(page)).to_have_count(14)
        line.mend()
        await expect(page.get_by_test_id("connection")).to_have_attribute("data-status", "live", timeout=15_000)
        await expect(hand_cards(page)).to_have_count(13)
        assert thrown not in await held(page)
        await expect(page.get_by_test_id("refusal")).to_have_count(0)


async def test_a_reloaded_table_still_moves_after_a_visit_to_the_lobby_and_knows_its_own_seal(
    bots_house: LiveHouse,
) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await enter(page, bots_house.url, "Rani")
        await sit(page, 4)
        await wait_for_cards(page)
        fair = page.get_by_test_id("fair")
        await expect(fair).to_have_attribute("data-state", "sealed")
        await page.reload()
        await expect(fair).to_have_attribute("data-state", "sealed")
        await click(page, "to-lobby")
        await click(page, "back-to-table")
        await wait_for_turn(page)
        await play_turn(page)
        await expect(page.get_by_test_id("own-seat")).to_have_attribute("data-turn", "false")


async def test_own_cards_lie_whole_above_the_buttons_on_a_phone(bots_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser, "phone", touch=True)).new_page()
        await enter(page, bots_house.url, "Tuli")
        await sit(page, 8)
        await wait_for_cards(page)
        await wait_for_turn(page)
        lowest = "cards => Math.max(...cards.map(card => card.getBoundingClientRect().bottom))"
        buttons = "element => element.closest('.actions').getBoundingClientRect().top"
        assert await hand_cards(page).evaluate_all(lowest) <= await page.get_by_test_id("drop").evaluate(buttons)
        await click(page, "drop")
        await click(page, "confirm-drop")
        await expect(page.get_by_test_id("own-seat")).to_contain_text("Dropped")
        await expect(page.get_by_test_id("sort-suit")).to_have_count(0)
        assert await hand_cards(page).evaluate_all(lowest) <= 740
        await click(page, "to-lobby")
        await page.get_by_test_id("back-to-table").wait_for()
        assert await page.evaluate("document.documentElement.scrollWidth") == 360


async def test_notices_cover_nothing_and_a_house_that_is_back_does_not_restart_any_more(bots_house: LiveHouse) -> None:
    sockets: list[WebSocketRoute] = []

    def hear(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    async with chromium() as browser:
        page = await (await visitor(browser, "phone")).new_page()
        await page.route_web_socket("**/ws", hear)
        await enter(page, bots_house.url, "Roma")
        badge = page.get_by_test_id("connection")
        await expect(badge).to_have_attribute("data-status", "live")
        for code in ("draining", "sat_out_no_tokens"):
            sockets[-1].send(
                json.dumps({"type": "notice", "code": code, "table_id": None, "message": "", "until_ms": None})
            )
        notices = page.get_by_test_id("notice")
        await expect(notices).to_have_count(2)
        heading = await page.get_by_role("heading", level=1).bounding_box()
        last = await notices.last.bounding_box()
        assert heading is not None
        assert last is not None
        assert last["y"] + last["height"] <= heading["y"]
        await sockets[-1].close(code=1012)
        await expect(notices).to_have_count(1, timeout=15_000)
        await expect(notices).to_contain_text("too few tokens")
        await notices.get_by_role("button", name="Close").click()
        await expect(notices).to_have_count(0)
