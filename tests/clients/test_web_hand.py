"""Whole hands in a real Chromium against a real house: by mouse, by touch, by keyboard alone."""

import re

from playwright.async_api import Page, expect

from tests.clients.test_web_pages import check
from tests.clients.web_page import (
    chromium,
    click,
    drag,
    enter,
    hand_cards,
    held,
    play_hand,
    press_key,
    sit,
    tap,
    visitor,
    wait_for_cards,
    wait_for_turn,
)
from tests.live_house import LiveHouse


async def test_a_person_plays_a_hand_by_mouse_to_its_settlement_and_verifies_it(bots_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await enter(page, bots_house.url, "Mita")
        await sit(page, 4)
        await wait_for_cards(page)
        await expect(page.get_by_test_id("fair")).to_have_attribute("data-state", "sealed")
        await wait_for_turn(page)
        await play_turn_by_dragging(page)
        await play_hand(page)
        deltas = await result_deltas(page)
        assert sum(deltas) + await commission(page) == 0
        await check(page, "result")

        async with page.expect_popup() as opening:
            await click(page, "verify")
        verifier = await opening.value
        verdict = verifier.get_by_test_id("verdict")
        await expect(verdict).to_have_attribute("data-ok", "true", timeout=30_000)
        # What this device kept of the hand is held against it without being asked for.
        await expect(verifier.locator('[data-receipt="state"][data-status="ok"]')).to_have_count(1)
        await expect(verifier.locator('[data-receipt]:not([data-status="ok"])')).to_have_count(0)
        await verifier.close()

        await page.goto(f"{bots_house.url}/#/hands")
        await expect(page.get_by_test_id("hands").locator("li")).to_have_count(1)
        await watch_it_again(page)
        await page.goto(f"{bots_house.url}/#/statement")
        await click(page, "asset-PT")
        await expect(page.get_by_test_id("statement").locator("tbody tr").first).to_be_visible()


async def play_turn_by_dragging(page: Page) -> None:
    """A card is pulled from the stock, laid elsewhere in the hand, and another one pulled onto the pile."""
    await drag(page, page.get_by_test_id("stock"), page.get_by_test_id("group").first)
    await expect(hand_cards(page)).to_have_count(14)
    moved = (await held(page))[-1]
    await drag(
        page, page.locator(f'[data-testid="hand-card"][data-card="{moved}"]'), page.get_by_test_id("group").first
    )
    first = page.get_by_test_id("group").first.get_by_test_id("hand-card")
    assert str(moved) in await first.evaluate_all("cards => cards.map(card => card.dataset.card)")
    thrown = (await held(page))[-1]
    await drag(page, hand_cards(page).last, page.get_by_test_id("pile"))
    await expect(hand_cards(page)).to_have_count(13)
    assert thrown not in await held(page)


async def watch_it_again(page: Page) -> None:
    """The hand in the app, from the own chair at first, then from another one."""
    await click(page, "replay")
    event = page.get_by_test_id("event")
    await expect(event).to_contain_text("13 cards are dealt", timeout=30_000)
    seats = page.locator("[data-seat]")
    face_down = page.get_by_label("face-down card")
    await expect(face_down).to_have_count(13 * (await seats.count() - 1))
    own = page.locator("[data-seat].own")
    await expect(own.get_by_label("face-down card")).to_have_count(0)
    await page.keyboard.press("ArrowRight")
    await page.get_by_label("Seen from").select_option(value="all")
    await expect(face_down).to_have_count(0)
    await check(page, "replay")


async def test_a_person_plays_a_hand_by_touch_on_a_phone(bots_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser, "phone", touch=True)).new_page()
        await enter(page, bots_house.url, "Rafi")
        await sit(page, 6)
        await wait_for_cards(page)
        await play_hand(page, tap)
        assert sum(await result_deltas(page)) + await commission(page) == 0
        await check(page, "result on a phone")


async def test_a_drop_by_touch_on_a_phone_costs_what_the_button_said(bots_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser, "phone", touch=True)).new_page()
        await enter(page, bots_house.url, "Rafi")
        await sit(page, 8)
        await wait_for_cards(page)
        await wait_for_turn(page)
        await expect(page.get_by_test_id("drop")).to_contain_text("20 points")
        await tap(page, "drop")
        await tap(page, "confirm-drop")
        await expect(page.get_by_test_id("own-seat")).to_contain_text("Dropped")
        await page.get_by_test_id("result").wait_for(timeout=240_000)
        own = page.locator('[data-testid^="result-"]', has_text="You")
        await expect(own).to_have_attribute("data-points", "20")


async def test_a_person_plays_a_hand_by_the_keyboard_alone(bots_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await page.goto(bots_house.url)
        await page.get_by_test_id("guest-play").wait_for()
        await press_key(page, "guest-play")
        await page.get_by_test_id("lobby-table").first.wait_for()
        await press_key(page, "sit")
        await wait_for_cards(page)
        await wait_for_turn(page)
        await expect(page).to_have_title(re.compile("Your turn"))
        await play_hand(page, press_key)
        assert sum(await result_deltas(page)) + await commission(page) == 0
        await page.keyboard.press("Escape")
        await expect(page.get_by_test_id("result")).to_have_count(0)


async def result_deltas(page: Page) -> list[int]:
    lines = page.locator('[data-testid^="result-"]')
    return [int(delta) for delta in await lines.evaluate_all("lines => lines.map(l => l.dataset.delta)")]


async def commission(page: Page) -> int:
    text = await page.get_by_test_id("commission").inner_text()
    return round(float(text.split()[0].replace(",", "")) * 100)
