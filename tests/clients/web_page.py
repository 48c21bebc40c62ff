"""A person at the web client, as tests drive them: by what is on the screen, through stable `data-testid` names."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from playwright.async_api import Browser, BrowserContext, Error, Locator, Page, async_playwright, expect

DIST = Path(__file__).resolve().parents[2] / "clients" / "web" / "dist" / "index.html"
QUIET = ["--no-sandbox", "--disable-background-networking"]
SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desktop": (1440, 900)}
A_HAND_MS = 240_000
"""More than a hand with quick bots ever takes."""

# A machine that is busy with other work is slow, not wrong.
expect.set_options(timeout=20_000)

LEAVE_EVERYWHERE = """async () => {
  const socket = new WebSocket(`ws://${location.host}/ws`);
  const heard = new Promise((done) => {
    let left = 0;
    socket.onclose = done;
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "welcome") {
        left = message.seated_at.length;
        for (const [at, table_id] of message.seated_at.entries()) {
          // Who watched last acts for the seat.
          socket.send(JSON.stringify({ type: "watch_table", id: `watch-${at}`, table_id, resume: null }));
          socket.send(JSON.stringify({ type: "leave_table", id: `leave-${at}`, table_id, after_hand: false }));
        }
        if (left === 0) done();
      } else if (message.id?.startsWith("leave-") && --left === 0) done();
    };
  });
  socket.onopen = () => socket.send(JSON.stringify({ type: "hello", id: "hello", protocol: 1 }));
  await heard;
  socket.close();
}"""
"""A visitor who goes gives up every chair, so that the next test of the same house finds it as this one did."""

Press = Callable[[Page, str], Awaitable[None]]


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """The Chromium that scripts/chromium.sh names, or the one on the path. Fails, never skips, when there is none."""
    path = os.environ.get("RUMMY_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome-stable")
    assert path is not None, "no Chromium: run make test, or set RUMMY_CHROMIUM"
    assert DIST.exists(), "the web client is not built: run make client"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=QUIET)
        try:
            yield browser
        finally:
            await all_leave(browser)
            await browser.close()


async def all_leave(browser: Browser) -> None:
    for context in browser.contexts:
        page = next((page for page in context.pages if page.url.startswith("http://127.0.0.1")), None)
        if page is not None:
            # Reloads, closed houses and pages that are no house's have nothing to leave.
            with suppress(Error, TimeoutError):
                await asyncio.wait_for(page.evaluate(LEAVE_EVERYWHERE), 5)


async def visitor(
    browser: Browser, size: str = "desktop", *, touch: bool = False, locale: str = "en", installs: bool = False
) -> BrowserContext:
    """A new visitor without any session, on a screen of this size. installs: their browser keeps the client at hand."""
    width, height = SIZES[size]
    return await browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=touch,
        locale=locale,
        reduced_motion="reduce",
        service_workers="allow" if installs else "block",
    )


async def enter(page: Page, url: str, name: str) -> None:
    await page.goto(url)
    await page.get_by_test_id("guest-name").fill(name)
    await page.get_by_test_id("guest-play").click()
    await page.get_by_test_id("lobby-table").first.wait_for()


async def sit(page: Page, seats: int) -> None:
    table = page.locator(f'[data-testid="lobby-table"][data-seats="{seats}"]').first
    await expect(table.get_by_test_id("table-rules")).to_be_visible()
    await table.get_by_test_id("sit").click()
    await page.get_by_test_id("table").wait_for()


async def wait_for_cards(page: Page) -> None:
    await expect(hand_cards(page)).to_have_count(13, timeout=60_000)


def hand_cards(page: Page) -> Locator:
    return page.get_by_test_id("hand-card")


async def held(page: Page) -> list[int]:
    """The own cards, as they lie from left to right."""
    return [int(card) for card in await hand_cards(page).evaluate_all("cards => cards.map(c => c.dataset.card)")]


async def click(page: Page, testid: str) -> None:
    await page.get_by_test_id(testid).first.click()


async def tap(page: Page, testid: str) -> None:
    await page.get_by_test_id(testid).first.tap()


async def press_key(page: Page, testid: str) -> None:
    """Reach a control by the Tab key alone, then press it by Enter."""
    for _ in range(80):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement?.dataset.testid ?? ''") == testid:
            await page.keyboard.press("Enter")
            return
    raise AssertionError(f"the Tab key never reaches {testid}")


async def drag(page: Page, taken: Locator, to: Locator) -> None:
    """By mouse, in steps, as a hand does it."""
    start, end = await taken.bounding_box(), await to.bounding_box()
    assert start is not None
    assert end is not None
    await page.mouse.move(start["x"] + 15, start["y"] + 20)
    await page.mouse.down()
    await page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=6)
    await page.mouse.up()


async def wait_for_turn_or_result(page: Page) -> bool:
    """True when it is this player's turn to draw, False when the hand has ended."""
    either = page.locator('[data-testid="draw-stock"], [data-testid="result"]').first
    await either.wait_for(timeout=A_HAND_MS)
    return await page.get_by_test_id("result").count() == 0


async def wait_for_turn(page: Page) -> None:
    """Until this player is to draw: in this hand, or in a later one when this one ends before their turn."""
    await page.get_by_test_id("draw-stock").wait_for(timeout=A_HAND_MS)


async def play_turn(page: Page, press: Press = click) -> None:
    """Draw from the stock, discard the last card of the fan."""
    await press(page, "draw-stock")
    await expect(hand_cards(page)).to_have_count(14)
    if press is press_key:
        await press_key(page, "hand-card")
    else:
        await (hand_cards(page).last.tap() if press is tap else hand_cards(page).last.click())
    await press(page, "discard")
    await expect(hand_cards(page)).to_have_count(13)


async def play_hand(page: Page, press: Press = click) -> int:
    """Play until the result is shown; returns how many own turns it took."""
    turns = 0
    while await wait_for_turn_or_result(page):
        await play_turn(page, press)
        turns += 1
    return turns
