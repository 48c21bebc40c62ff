"""The verifier as its own file, opened from disk with no network, in a real Chromium."""

import copy
import json
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, FilePayload, Page, Route, expect

from tests.clients.test_web_pages import check
from tests.clients.web_page import chromium, visitor
from tests.live_house import LiveHouse

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "clients" / "web"
VERIFIER = WEB / "dist-verifier" / "verify.html"
VECTORS = ROOT / "tests" / "vectors"
SAMPLES = json.loads((VECTORS / "hand_files.json").read_text())
NAMES = [sample["name"] for sample in SAMPLES["hands"]]

Json = Any
"""Files that a test may break in any way."""


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    for script in ("build:verifier", "build:checks"):
        subprocess.run([ROOT / "scripts" / "npm.sh", "run", script], cwd=WEB, check=True, capture_output=True)


def hand_file(name: str, kind: str = "public") -> Json:
    return copy.deepcopy(next(sample[kind] for sample in SAMPLES["hands"] if sample["name"] == name))


@asynccontextmanager
async def verifier(browser: Browser, size: str = "desktop", locale: str = "en") -> AsyncIterator[Page]:
    """The file from disk; leaving it, no request may have left the page and no error been reported."""
    context = await visitor(browser, size, locale=locale)
    await context.set_offline(True)
    page = await context.new_page()
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    await page.goto(VERIFIER.as_uri())
    await page.locator("main").wait_for()
    yield page
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []
    assert errors == []
    await context.close()


async def give(page: Page, *files: Json) -> None:
    """Choose these as files."""
    payloads = [
        FilePayload(name=f"{number}.json", mimeType="application/json", buffer=json.dumps(file).encode())
        for number, file in enumerate(files)
    ]
    await page.locator('input[type="file"]').first.set_input_files(payloads)


async def expect_verdict(page: Page, ok: bool) -> None:
    await expect(page.get_by_test_id("verdict")).to_have_attribute("data-ok", "true" if ok else "false")


async def test_every_sample_verifies_in_all_twelve_checks() -> None:
    async with chromium() as browser, verifier(browser) as page:
        for name in NAMES:
            for kind in ("public", "own"):
                await page.goto("about:blank")
                await page.goto(VERIFIER.as_uri())
                await give(page, hand_file(name, kind))
                await expect_verdict(page, ok=True)
                await expect(page.locator('[data-step][data-status="ok"]')).to_have_count(12)


@pytest.mark.parametrize(
    ("step", "place", "field", "value"),
    [
        ("V1", (), "protocol", "rummy-fair/0"),
        ("V2", ("input", "terms"), "rate", 7),
        ("V3", (), "commitment", "00" * 32),
        ("V6", ("events", 5), "card", 3),
        ("V9", ("events", -2), "commission", 1),
        ("V10", ("heads",), 4, "00" * 32),
        ("V11", ("sth",), "signature", "00" * 64),
        ("V12", (), "close_index", 0),
    ],
)
async def test_a_changed_file_is_named_by_its_step_b36(
    step: str, place: tuple[str | int, ...], field: Json, value: Json
) -> None:
    file = hand_file("declared")
    part = file
    for name in place:
        part = part[name]
    part[field] = value
    async with chromium() as browser, verifier(browser) as page:
        await give(page, file)
        await expect_verdict(page, ok=False)
        await expect(page.locator('[data-status="failed"]')).to_have_attribute("data-step", step)
        await expect(page.locator('[data-status="ok"]')).to_have_count(int(step[1:]) - 1)


async def test_a_file_can_be_pasted_and_nonsense_is_refused_in_words() -> None:
    async with chromium() as browser, verifier(browser) as page:
        await page.locator("summary").first.click()
        text = page.get_by_role("textbox")
        for nonsense in ("hello", '{"a": 1}', '{"keys": [1.5]}'):
            await text.fill(nonsense)
            await page.get_by_role("button", name="Check the text").click()
            await expect(page.get_by_role("alert")).to_have_count(1)
        await text.fill(json.dumps(hand_file("declared")))
        await page.get_by_role("button", name="Check the text").click()
        await expect_verdict(page, ok=True)
        await expect(page.get_by_role("alert")).to_have_count(0)


async def test_signatures_are_held_against_the_keys_that_somebody_gives() -> None:
    keys = {"keys": SAMPLES["keys"]}
    async with chromium() as browser, verifier(browser) as page:
        await give(page, hand_file("declared"))
        await expect(page.get_by_test_id("verdict")).to_contain_text(SAMPLES["keys"][0]["key_id"])
        await page.get_by_text("Check another hand").click()
        await give(page, keys)
        await expect(page.get_by_test_id("verdict")).to_contain_text("the list of keys that you gave")
        await expect_verdict(page, ok=True)
        await give(page, {"keys": []})
        await expect(page.locator('[data-status="failed"]')).to_have_attribute("data-step", "V11")


async def test_kept_receipts_are_held_against_the_hand() -> None:
    own = hand_file("declared", "own")
    seat = next(part for part in own["seats"].values() if "state_receipts" in part)
    around = {
        "protocol": "rummy-fair/1",
        "hand_id": own["input"]["terms"]["hand_id"],
        "terms_hash": own["terms_hash"],
        "commitment": own["commitment"],
    }
    receipts = [
        around | {"receipt": "commit"} | own["commit_receipt"],
        around | {"receipt": "hashes"} | own["hashes_receipt"],
        *(around | {"receipt": "state"} | receipt for receipt in seat["state_receipts"][:3]),
    ]
    forged = around | {"receipt": "state"} | seat["state_receipts"][4] | {"k": 0}
    async with chromium() as browser, verifier(browser) as page:
        await give(page, receipts)
        await expect(page.locator('[data-receipt][data-status="not_reached"]')).to_have_count(5)
        await give(page, hand_file("declared"), forged)
        await expect_verdict(page, ok=True)
        await expect(page.locator('[data-receipt][data-status="ok"]')).to_have_count(5)
        await expect(page.locator('[data-receipt][data-status="failed"]')).to_have_count(1)


async def test_the_hand_is_watched_by_keyboard_and_each_seat_sees_its_own_cards() -> None:
    file = hand_file("declared_by_one_of_four")
    last = len(file["events"]) - 2
    async with chromium() as browser, verifier(browser) as page:
        await give(page, file)
        await expect_verdict(page, ok=True)
        event = page.get_by_test_id("event")
        await expect(event).to_contain_text("13 cards are dealt")
        for _ in range(3):
            await page.keyboard.press("ArrowRight")
        await expect(event).to_contain_text("Event 4 of")
        await page.keyboard.press("ArrowLeft")
        await expect(event).to_contain_text("Event 3 of")

        seats = [player["seat"] for player in file["input"]["terms"]["players"]]
        await page.get_by_label("Seen from").select_option(label=f"Seat {seats[0] + 1}")
        for seat in seats:
            faces_down = page.locator(f'[data-seat="{seat}"]').get_by_label("face-down card")
            await expect(faces_down).to_have_count(0 if seat == seats[0] else 13)

        await page.get_by_role("button", name="To the end").click()
        await expect(event).to_contain_text(f"Event {last} of")
        await expect(page.get_by_label("face-down card")).to_have_count(0)
        await page.get_by_role("button", name="To the start").click()
        await page.get_by_role("button", name="Play").click()
        await expect(event).to_contain_text("Event 3 of", timeout=10_000)
        await page.get_by_role("button", name="Pause").click()


@pytest.mark.parametrize("size", ["phone", "tablet", "desktop"])
@pytest.mark.parametrize(
    ("locale", "heading"), [("en", "Everything matches"), ("bn", "সব মিলেছে"), ("hi", "सब मेल खाता है")]
)
async def test_the_page_is_accessible_and_fits(size: str, locale: str, heading: str) -> None:
    async with chromium() as browser, verifier(browser, size, locale) as page:
        # axe is put in by the test; the page's own policy would not let it.
        await check(page, "start")
        await give(page, hand_file("declared_by_one_of_four", "own"))
        await expect(page.get_by_role("heading", name=heading)).to_be_visible()
        await page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
        await check(page, "a hand that matches")
        broken = hand_file("declared")
        broken["events"][5]["card"] = 3
        await give(page, broken)
        await expect_verdict(page, ok=False)
        await check(page, "a hand that does not match")


async def test_the_vectors_come_out_right_in_chromium_b26() -> None:
    async def serve(route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[-1]
        if name.endswith(".js"):
            await route.fulfill(path=WEB / "dist-checks" / name, content_type="text/javascript")
        else:
            await route.fulfill(body="<!doctype html>", content_type="text/html")

    async with chromium() as browser:
        page = await browser.new_page()
        await page.route("http://checks.test/**", serve)
        await page.goto("http://checks.test/")
        wrong = await page.evaluate(
            "async vectors => (await import('/browser_checks.js')).checkVectors(vectors)",
            json.loads((VECTORS / "fairness.json").read_text()),
        )
        assert wrong == []


async def test_a_house_is_asked_only_for_what_it_has(live_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await page.goto(f"{live_house.url}/verify.html#hand={'0' * 32}")
        await expect(page.get_by_role("alert")).to_contain_text("no finished hand")
        await page.get_by_label("Hand id").fill("not an id")
        await page.get_by_role("button", name="Get and check it").click()
        await expect(page.get_by_role("alert").last).to_contain_text("32 characters")
