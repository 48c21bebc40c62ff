"""Whole hands in a real Chromium against a real house: by mouse, by touch, by keyboard alone."""

import re

from playwright.async_api import Page, expect

from tests.clients.web_page import (
    chromium,
    click,
    enter,
    play_hand,
    play_turn,
    press_key,
    sit,
    tap,
    visitor,
    wait_for_cards,
    wait_for_turn,
)
from tests.live_house import LiveHouse


async def test_a_person_plays_a_hand_to_its_settlement_and_verifies_it(practice_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await enter(page, practice_house.url, "Mita")
        await sit(page, 4)
        await wait_for_cards(page)
        await expect(page.get_by_test_id("fair")).to_have_attribute("data-state", "sealed")

        await play_hand(page)
        deltas = await result_deltas(page)
        assert sum(deltas) + await commission(page) == 0
        await expect(page.get_by_test_id("fair")).to_have_attribute("data-state", "sealed")

        async with page.expect_popup() as opening:
            await click(page, "verify")
        verifier = await opening.value
        verdict = verifier.get_by_test_id("verdict")
        await expect(verdict).to_have_attribute("data-ok", "true", timeout=30_000)
        # What this device kept of the hand is held against it without being asked for.
        await expect(verifier.locator('[data-receipt="state"][data-status="ok"]')).to_have_count(1)
        await expect(verifier.locator('[data-receipt]:not([data-status="ok"])')).to_have_count(0)

        await page.goto(f"{practice_house.url}/#/hands")
        await expect(page.get_by_test_id("hands").locator("li")).to_have_count(1)
        await page.goto(f"{practice_house.url}/#/statement")
        await click(page, "asset-PT")
        await expect(page.get_by_test_id("statement").locator("tbody tr").first).to_be_visible()


async def test_a_drop_by_touch_on_a_phone_costs_what_the_button_said(practice_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser, "phone", touch=True)).new_page()
        await enter(page, practice_house.url, "Rafi")
        await sit(page, 6)
        await wait_for_cards(page)
        await wait_for_turn(page)
        await expect(page.get_by_test_id("drop")).to_contain_text("20 points")
        await tap(page, "drop")
        await tap(page, "confirm-drop")
        await expect(page.get_by_test_id("own-seat")).to_contain_text("Dropped")
        await page.get_by_test_id("result").wait_for(timeout=240_000)
        own = page.locator('[data-testid^="result-"]', has_text="You")
        await expect(own).to_have_attribute("data-points", "20")


async def test_a_turn_by_the_keyboard_alone(practice_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await page.goto(practice_house.url)
        await page.get_by_test_id("guest-play").wait_for()
        await press_key(page, "guest-play")
        await page.get_by_test_id("lobby-table").first.wait_for()
        await press_key(page, "sit")
        await wait_for_cards(page)
        await wait_for_turn(page)
        await expect(page).to_have_title(re.compile("Your turn"))
        await play_turn(page, press_key)


async def result_deltas(page: Page) -> list[int]:
    lines = page.locator('[data-testid^="result-"]')
    return [int(delta) for delta in await lines.evaluate_all("lines => lines.map(l => l.dataset.delta)")]


async def commission(page: Page) -> int:
    text = await page.get_by_test_id("commission").inner_text()
    return round(float(text.split()[0].replace(",", "")) * 100)
