"""Clocks in the page: a question that outlives its turn sends nothing; a sleeping tab and a wrong device clock."""

import asyncio
import math
import time
from uuid import uuid4

import pytest
from playwright.async_api import Page, expect

from rummy.rules import TableRules
from server.database import create_engine
from server.eventlog import queries
from server.tables.ports import TableConfig
from tests.clients.page_line import PageLine
from tests.clients.web_page import chromium, click, enter, hand_cards, sit, visitor, wait_for_cards, wait_for_turn
from tests.live_house import LiveHouse, OpenHouse

TURN_SECONDS = 6
ASLEEP_SECONDS = 4
TEN_MINUTES_MS = 600_000
WRONG_DEVICE_CLOCK = f"""
const real = Date.now.bind(Date);
Date.now = () => real() + {TEN_MINUTES_MS};
"""


@pytest.fixture
async def hasty_house(open_house: OpenHouse, database_url: str) -> LiveHouse:
    """One table where a turn is short and has no time bank."""
    rules = TableRules(4, turn_seconds=TURN_SECONDS, time_bank_seconds=0, missed_turns_to_drop=10)
    engine = create_engine(database_url)
    async with engine.begin() as connection:
        table = TableConfig(uuid4(), "Hasty", "PT", True, 100, 500, rules)
        await queries.create_table(connection, table, 1)
    await engine.dispose()
    return await asyncio.to_thread(open_house, RUMMY_PRACTICE_BOTS="3")


async def test_a_question_that_outlives_its_turn_closes_and_nothing_is_sent_b16(hasty_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        line = await PageLine.of(page)
        await enter(page, hasty_house.url, "Puja")
        await sit(page, 4)
        await wait_for_cards(page)

        await wait_for_turn(page)
        await click(page, "drop")
        confirm = page.get_by_test_id("confirm")
        await expect(page.get_by_test_id("confirm-left")).to_be_visible()
        await expect(confirm).to_have_count(0, timeout=2 * TURN_SECONDS * 1000)

        await wait_for_turn(page)
        await click(page, "draw-stock")
        await expect(hand_cards(page)).to_have_count(14)
        await hand_cards(page).last.click()
        await click(page, "declare")
        await expect(page.get_by_test_id("confirm-declare")).to_be_visible()
        await expect(confirm).to_have_count(0, timeout=2 * TURN_SECONDS * 1000)
        await expect(page.get_by_test_id("own-seat")).to_have_attribute("data-turn", "false")
        assert line.moves("drop", "declare") == []


async def test_a_clock_is_the_houses_after_a_sleep_and_on_a_device_that_is_ten_minutes_fast_b17(
    practice_house: LiveHouse,
) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await page.add_init_script(WRONG_DEVICE_CLOCK)
        line = await PageLine.of(page)
        await enter(page, practice_house.url, "Jaya")
        await sit(page, 4)
        await wait_for_cards(page)
        await wait_for_turn(page)
        await expect_the_houses_time(page, line)
        asleep = await page.context.new_cdp_session(page)
        await asleep.send("Page.setWebLifecycleState", {"state": "frozen"})
        await asyncio.sleep(ASLEEP_SECONDS)
        await asleep.send("Page.setWebLifecycleState", {"state": "active"})
        await expect_the_houses_time(page, line)


async def expect_the_houses_time(page: Page, line: PageLine) -> None:
    """What the ring says is the house's deadline less the house's time, to half a second."""
    seconds = page.get_by_test_id("own-seat").get_by_test_id("seconds")
    await asyncio.sleep(0.5)
    before_ms = time.time() * 1000
    shown = int(await seconds.inner_text())
    after_ms = time.time() * 1000
    deadline_ms = line.newest_table()["public"]["hand"]["turn"]["clock_ms"]
    most = math.ceil((deadline_ms - before_ms + 500) / 1000)
    least = math.ceil((deadline_ms - after_ms - 500) / 1000)
    assert least <= shown <= most, f"{shown} s are shown, {(deadline_ms - after_ms) / 1000:.1f} s are left"
