"""Limits that a person sets for themselves: stricter at once, looser later, and the question after some time."""

import json

from playwright.async_api import WebSocketRoute, expect

from tests.clients.test_web_pages import check
from tests.clients.web_page import chromium, click, enter, visitor
from tests.live_house import LiveHouse


async def test_a_stricter_limit_holds_at_once_and_a_looser_one_later(shared_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser, "phone")).new_page()
        await enter(page, shared_house.url, "Pia")
        await page.goto(f"{shared_house.url}/#/limits")
        loss = page.get_by_test_id("loss-HT")
        await loss.get_by_test_id("wanted").fill("50")
        await loss.get_by_role("button", name="Set").click()
        await expect(loss).to_contain_text("50 HT, of which 50 HT are left")
        await loss.get_by_test_id("wanted").fill("80.50")
        await loss.get_by_role("button", name="Set").click()
        await expect(loss).to_contain_text("80.50 HT from")
        await expect(loss).to_contain_text("50 HT, of which 50 HT are left")
        await page.get_by_test_id("reminder").select_option("60")
        await expect(page.get_by_test_id("reminder")).to_have_value("60")
        await check(page, "limits")
        days = page.get_by_test_id("cool-off").get_by_test_id("days")
        await days.fill("2")
        await page.get_by_test_id("cool-off").get_by_role("button").click()
        await click(page, "confirm-away")
        await expect(page.get_by_test_id("cool-off-until")).to_be_visible()


async def test_after_the_time_they_chose_the_house_asks_whether_they_go_on(shared_house: LiveHouse) -> None:
    sockets: list[WebSocketRoute] = []

    def hear(route: WebSocketRoute) -> None:
        route.connect_to_server()
        sockets.append(route)

    async with chromium() as browser:
        page = await (await visitor(browser, "phone")).new_page()
        await page.route_web_socket("**/ws", hear)
        await enter(page, shared_house.url, "Tuli")
        # The shortest time that can be chosen is longer than a test may take: the line says it earlier.
        sockets[-1].send(json.dumps({"type": "session_reminder", "after_ms": 3_600_000, "played_ms": 3_660_000}))
        reminder = page.get_by_test_id("session-reminder")
        await expect(reminder).to_contain_text("You have played for 61 minutes")
        await check(page, "session reminder")
        await click(page, "reminder-go-on")
        await expect(reminder).to_have_count(0)
