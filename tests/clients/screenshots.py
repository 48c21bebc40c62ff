"""Pictures of every page of a real house with bots, at every size: `make screenshots`. For people to look at.

usage: python -m tests.clients.screenshots [folder], by default `screenshots/` at the root of the checkout
"""

import asyncio
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from playwright.async_api import Browser, Page, expect

from tests.clients.desk_page import PLAIN_PAGES as DESK_PAGES
from tests.clients.desk_page import enrolled, show, signed_in
from tests.clients.web_page import (
    A_HAND_MS,
    SIZES,
    all_leave,
    chromium,
    click,
    enter,
    hand_cards,
    play_hand,
    sit,
    visitor,
    wait_for_cards,
    wait_for_turn,
)
from tests.live_house import LiveHouse

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
OTHER_LANGUAGES = {"bn": 4, "hi": 6}
"""On a phone, each at a table of another size: whoever just left one would wait there for its hand to end."""
PLAIN_PAGES = ("lobby", "open", "statement", "hands", "limits", "account", "rules", "fairness", "settings")
SETTINGS = {
    "RUMMY_PRACTICE_BOTS": "20",
    "RUMMY_COUNTDOWN_MS": "3000",
    "RUMMY_RESULT_PAUSE_MS": "60000",
    "RUMMY_PRACTICE_THINK_MS": "[100, 400]",
}
"""Slow enough to be seen at every size before the table moves on."""


class Album:
    """Takes each view at all sizes, or on a phone only, and says which."""

    def __init__(self, folder: Path, language: str) -> None:
        self._folder = folder
        self._language = language
        folder.mkdir(parents=True, exist_ok=True)

    async def take(self, page: Page, name: str, *sizes: str, whole: bool = True) -> None:
        """whole: the page down to its end, not only what a screen shows of it."""
        for size in sizes or tuple(SIZES):
            width, height = SIZES[size]
            await page.set_viewport_size({"width": width, "height": height})
            # Fans and bars are laid out anew, fonts may still be on their way.
            await page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
            path = self._folder / f"{name}-{self._language}-{width}.png"
            await page.screenshot(path=path, full_page=whole)
            print(path)


async def the_pages(album: Album, page: Page, url: str, *sizes: str) -> None:
    for name in PLAIN_PAGES:
        await page.goto(f"{url}/#/{name}")
        await page.locator("main h1").wait_for()
        await album.take(page, name, *sizes)


async def the_table(album: Album, page: Page, *sizes: str) -> None:
    """From the deal to the result, with every dialog of a turn: in the own turn, so that no result comes in between."""
    await wait_for_turn(page)
    await click(page, "arrange")
    await album.take(page, "table-draw", *sizes, whole=False)
    await click(page, "drop")
    await album.take(page, "table-drop", *sizes, whole=False)
    await click(page, "dialog-close")
    await click(page, "pile-history")
    await album.take(page, "table-pile", *sizes, whole=False)
    await click(page, "dialog-close")
    await click(page, "table-menu")
    await page.get_by_test_id("table-menu-dialog").wait_for()
    await album.take(page, "table-menu", *sizes, whole=False)
    await click(page, "dialog-close")
    await click(page, "draw-stock")
    await expect(hand_cards(page)).to_have_count(14)
    await hand_cards(page).last.click()
    await album.take(page, "table-discard", *sizes, whole=False)
    await click(page, "declare")
    await album.take(page, "table-declare", *sizes, whole=False)
    await click(page, "dialog-close")
    await click(page, "discard")
    await play_hand(page)
    await album.take(page, "table-result", *sizes, whole=False)


async def eight_seats(browser: Browser, folder: Path, url: str) -> None:
    """The fullest table at every size, with everything that it can show, and the pages of a player who has played."""
    album = Album(folder, "en")
    player = await (await visitor(browser)).new_page()
    other = await (await visitor(browser)).new_page()
    await player.goto(url)
    await player.get_by_test_id("guest-play").wait_for()
    await album.take(player, "door")
    await enter(player, url, "Asha")
    await enter(other, url, "Robin")
    await other.locator('[data-testid="lobby-table"][data-seats="8"]').first.get_by_test_id("watch").click()
    await other.get_by_test_id("table").wait_for()
    await album.take(other, "table-watch")
    await sit(player, 8)
    await click(other, "sit")
    await wait_for_cards(player)
    await the_table(album, player)
    await player.get_by_test_id("verify").click()
    await the_pages(album, player, url)
    await player.goto(f"{url}/#/hands")
    await click(player, "replay")
    await player.get_by_test_id("event").wait_for(timeout=30_000)
    await player.get_by_role("button", name="To the end").click()
    await album.take(player, "replay")
    verifier = player.context.pages[-1]
    await verifier.get_by_test_id("verdict").wait_for(timeout=30_000)
    await album.take(verifier, "verify")


async def another_language(browser: Browser, folder: Path, url: str, language: str, seats: int) -> None:
    album = Album(folder, language)
    page = await (await visitor(browser, "phone", locale=language)).new_page()
    await page.goto(url)
    await page.get_by_test_id("guest-play").wait_for()
    await album.take(page, "door", "phone")
    await enter(page, url, "Asha")
    await sit(page, seats)
    await wait_for_cards(page)
    await the_table(album, page, "phone")
    await click(page, "dialog-close")
    await the_pages(album, page, url, "phone")


async def the_desk(browser: Browser, folder: Path, house: LiveHouse) -> None:
    """Every page of the desk at every size, with an adjustment that waits and a case; then in the other languages."""
    token, _ = enrolled(house.url, house.operator_link, "Rani")
    page = await signed_in(browser, house.url, token)
    album = Album(folder, "en")
    await show(page, house.url, "settlements?outcome=declared")
    await page.get_by_test_id("settlements").get_by_role("link").first.click()
    await page.get_by_test_id("verdict").wait_for(timeout=30_000)
    hand = page.url.rsplit("#/", 1)[-1]
    await click(page, "ask-adjustment")
    await album.take(page, "desk-change", whole=False)
    await page.get_by_test_id("adjust-amount").fill("12.5")
    await page.get_by_test_id("reason").press_sequentially("the clock ran on")
    await click(page, "change-send")
    await click(page, "dialog-close")
    await click(page, "seat-player")
    await click(page, "open-case")
    await page.get_by_test_id("reason").fill("never loses to one neighbour")
    await click(page, "change-send")
    await page.get_by_test_id("case-steps").wait_for()
    case = page.url.rsplit("#/", 1)[-1]
    player = await page.locator('main a[href^="#/player/"]').first.get_attribute("href")
    await show(page, house.url, "tables")
    table = await page.get_by_test_id("tables").get_by_role("link").first.get_attribute("href")
    ones = {
        "hand": hand,
        "player": (player or "").removeprefix("#/"),
        "table": (table or "").removeprefix("#/"),
        "case": case,
        "report": f"report/{datetime.now(UTC).date()}",
    }
    pages = {name: name for name in DESK_PAGES} | ones
    for name, path in pages.items():
        await show(page, house.url, path)
        await album.take(page, f"desk-{name}")
    await page.set_viewport_size({"width": SIZES["phone"][0], "height": SIZES["phone"][1]})
    await click(page, "menu")
    await album.take(page, "desk-menu", "phone", whole=False)
    for language in OTHER_LANGUAGES:
        other = await signed_in(browser, house.url, token, "phone", language)
        for name, path in pages.items():
            await show(other, house.url, path)
            await Album(folder, language).take(other, f"desk-{name}", "phone")
    stranger = await (await visitor(browser, "phone")).new_page()
    await stranger.goto(f"{house.url}/operator")
    await stranger.get_by_test_id("sign-in-name").wait_for()
    await album.take(stranger, "desk-door")
    await enter(stranger, house.url, "Nosy")
    await stranger.goto(f"{house.url}/operator")
    await stranger.get_by_test_id("not-for-you").wait_for()
    await album.take(stranger, "desk-not-for-you")


async def for_the_readme(browser: Browser, url: str) -> None:
    """Two views of one table, a screen and a phone: the pictures in the README."""
    page = await (await visitor(browser)).new_page()
    await enter(page, url, "Asha")
    await sit(page, 6)
    await wait_for_cards(page)
    await wait_for_turn(page)
    await page.get_by_test_id("seat-1").or_(page.get_by_test_id("seat-2")).first.wait_for(timeout=A_HAND_MS)
    await click(page, "arrange")
    await page.wait_for_timeout(300)
    for name, size in (("table", "desktop"), ("phone", "phone")):
        width, height = SIZES[size]
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_timeout(300)
        await page.screenshot(path=IMAGES / f"{name}.png")


async def take_all(folder: Path, house: LiveHouse) -> None:
    url = house.url
    async with chromium() as browser:
        await for_the_readme(browser, url)
        await eight_seats(browser, folder, url)
        await all_leave(browser)
        for language, seats in OTHER_LANGUAGES.items():
            await another_language(browser, folder, url, language, seats)
            await all_leave(browser)
        await the_desk(browser, folder, house)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "screenshots"
    with tempfile.TemporaryDirectory() as data:
        house = LiveHouse(Path(data), None, SETTINGS)
        house.start()
        try:
            asyncio.run(take_all(folder, house))
        finally:
            house.stop()


if __name__ == "__main__":
    main()
