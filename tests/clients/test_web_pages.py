"""Every page at every size and in every language: nothing sticks out, nothing a screen reader would trip over."""

import gzip
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, Response, expect

from tests.clients.web_page import chromium, enter, sit, visitor, wait_for_cards
from tests.live_house import LiveHouse

AXE = Path(__file__).resolve().parents[2] / "clients" / "web" / "node_modules" / "axe-core" / "axe.min.js"
TABLE_SCRIPT_BYTES = 75_000
"""Compressed script that a seated player's first page may load: 80 kB were asked for."""
DESK_SCRIPT_BYTES = 120_000
"""The same for an operator's first page, charts included."""

PAGES = ("lobby", "open", "statement", "hands", "limits", "account", "rules", "fairness", "settings")


@pytest.mark.parametrize("size", ["phone", "tablet", "desktop"])
async def test_pages_are_accessible_and_fit(bots_house: LiveHouse, size: str) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser, size)).new_page()
        await page.goto(bots_house.url)
        await page.get_by_test_id("guest-play").wait_for()
        await check(page, "door")
        await enter(page, bots_house.url, "Lina")
        for name in PAGES:
            await page.goto(f"{bots_house.url}/#/{name}")
            await page.locator("main h1").wait_for()
            await check(page, name)
        await page.goto(f"{bots_house.url}/#/lobby")
        await sit(page, 8)
        await wait_for_cards(page)
        await check(page, "table")


@pytest.mark.parametrize(
    ("locale", "heading", "digit"), [("en", "Tables", "4"), ("bn", "টেবিল", "৪"), ("hi", "टेबल", "4")]
)
async def test_the_house_speaks_the_browser_s_language(
    bots_house: LiveHouse, locale: str, heading: str, digit: str
) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser, "phone", locale=locale)).new_page()
        await enter(page, bots_house.url, "Lina")
        await expect(page.locator("main h1")).to_have_text(heading)
        await expect(page.get_by_test_id("filter-4")).to_contain_text(digit)
        await expect(page.locator("html")).to_have_attribute("lang", locale)
        await check(page, f"lobby in {locale}")


@pytest.mark.parametrize(("locale", "seats"), [("en", 6), ("bn", 4)])
async def test_the_first_load_of_the_table_page_stays_within_its_budget(
    bots_house: LiveHouse, locale: str, seats: int
) -> None:
    async with chromium() as browser:
        context = await visitor(browser, "phone", locale=locale)
        page = await context.new_page()
        await enter(page, bots_house.url, "Lina")
        await sit(page, seats)
        address = page.url
        await page.close()
        page = await context.new_page()
        scripts = scripts_of(page)
        await page.goto(address)
        await wait_for_cards(page)
        # Whatever it finds out about a hand that began before: everything that checks it is loaded by then.
        await expect(page.get_by_test_id("fair")).to_have_attribute(
            "data-state", re.compile("sealed|partial|elsewhere")
        )
        sizes = await compressed(scripts)
        assert sum(sizes.values()) <= TABLE_SCRIPT_BYTES, sizes


def scripts_of(page: Page) -> list[Response]:
    """Every script that the page loads from now on."""
    scripts: list[Response] = []
    page.on("response", lambda found: scripts.append(found) if found.url.endswith(".js") else None)
    return scripts


async def compressed(scripts: list[Response]) -> dict[str, int]:
    """Bytes of each after compression, by its name."""
    return {one.url.rsplit("/", 1)[-1]: len(gzip.compress(await one.body())) for one in scripts}


async def check(page: Page, name: str) -> None:
    """No serious accessibility fault, and no sideways scrolling."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    violations = await page.evaluate("async () => (await axe.run()).violations")
    serious = [
        f"{one['id']}: {one['nodes'][0]['html'][:160]}"
        for one in violations
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == [], f"{name}: {serious}"
    width = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1], f"{name} is {width[0]} pixels wide on a screen of {width[1]}"
