"""The client as an app of its own: it installs, opens without a network, keeps no hand, and survives a new version."""

import json
import shutil
from pathlib import Path

from playwright.async_api import Page, expect

from tests.clients.test_web_pages import check
from tests.clients.web_page import DIST, chromium, click, enter, sit, visitor, wait_for_cards
from tests.live_house import LiveHouse, OpenHouse

SAMPLES = Path(__file__).resolve().parents[1] / "vectors" / "hand_files.json"
KEPT = """async () => {
  const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = await Promise.all(caches_.map((cache) => cache.keys()));
  return requests.flat().map((request) => new URL(request.url).pathname);
}"""


async def wait_until_kept(page: Page) -> None:
    await page.evaluate("navigator.serviceWorker.ready")
    await page.reload()
    await page.wait_for_function("navigator.serviceWorker.controller !== null")


async def test_it_can_be_installed(live_house: LiveHouse) -> None:
    async with chromium() as browser:
        context = await visitor(browser, "phone", installs=True)
        page = await context.new_page()
        await page.goto(live_house.url)
        await wait_until_kept(page)
        devtools = await context.new_cdp_session(page)
        found = await devtools.send("Page.getAppManifest")
        assert found["errors"] == []
        errors = (await devtools.send("Page.getInstallabilityErrors"))["installabilityErrors"]
        # Tests browse in private windows, which install nothing.
        assert [one for one in errors if one["errorId"] != "in-incognito"] == []


async def test_without_a_network_it_says_so_and_still_verifies(bots_house: LiveHouse) -> None:
    async with chromium() as browser:
        context = await visitor(browser, "phone", installs=True)
        page = await context.new_page()
        await enter(page, bots_house.url, "Nila")
        await wait_until_kept(page)
        await page.goto(f"{bots_house.url}/#/hands")
        await page.goto(f"{bots_house.url}/#/statement")
        await page.locator("main h1").wait_for()
        kept = await page.evaluate(KEPT)
        assert "/index.html" in kept
        assert [path for path in kept if path.startswith("/api/")] == []

        await context.set_offline(True)
        await page.reload()
        await expect(page.get_by_test_id("offline")).to_be_visible()
        await check(page, "offline")
        await page.goto(f"{bots_house.url}/#/rules")
        await expect(page.locator("main h1")).to_have_text("How rummy is played here")
        await page.goto(f"{bots_house.url}/verify.html")
        sample = json.dumps(json.loads(SAMPLES.read_text())["hands"][0]["public"])
        await page.locator('input[type="file"]').first.set_input_files(
            {"name": "hand.json", "mimeType": "application/json", "buffer": sample.encode()}
        )
        await expect(page.get_by_test_id("verdict")).to_have_attribute("data-ok", "true")

        await page.goto(f"{bots_house.url}/#/lobby")
        await expect(page.get_by_test_id("offline")).to_be_visible()
        await context.set_offline(False)
        await page.get_by_test_id("lobby-table").first.wait_for()


async def test_a_new_version_leaves_a_running_table_whole(open_house: OpenHouse, tmp_path: Path) -> None:
    client = tmp_path / "client"
    shutil.copytree(DIST.parent, client)
    house = open_house(RUMMY_PRACTICE_BOTS="4", RUMMY_CLIENT_DIR=str(client))
    async with chromium() as browser:
        page = await (await visitor(browser, installs=True)).new_page()
        await enter(page, house.url, "Oli")
        await wait_until_kept(page)
        await sit(page, 4)
        await wait_for_cards(page)
        for part in (client / "assets").iterdir():
            part.rename(part.with_name(f"new-{part.name}"))
        worker = client / "service-worker.js"
        worker.write_text(worker.read_text().replace("/assets/", "/assets/new-") + "// another version\n")
        await page.evaluate("navigator.serviceWorker.ready.then((one) => one.update())")
        await click(page, "table-menu")
        await expect(page.get_by_test_id("table-menu-dialog")).to_be_visible()
        await click(page, "dialog-close")
        await click(page, "pile-history")
        await expect(page.get_by_test_id("pile-history-dialog")).to_be_visible()
