"""The operator's desk in real browsers: a complaint from its hand to its correction, who may what, and how it reads."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass
from uuid import UUID

import httpx
import pyotp
import pytest
from playwright.async_api import expect
from sqlalchemy import text

from clients.python.account import Account, sign_in_as_guest
from clients.python.bot import Bot
from clients.python.strategies.weak import Weak
from server.database import create_engine
from server.protocol.messages import Table
from tests.clients.desk_page import PLAIN_PAGES, enrolled, show, signed_in
from tests.clients.test_web_pages import DESK_SCRIPT_BYTES, check, compressed, scripts_of
from tests.clients.web_page import SIZES, chromium, click, enter, visitor
from tests.live_house import LiveHouse, module_house

CHANGES = ("ask-adjustment", "freeze", "open-table", "want-stakes", "want-close", "approve", "close-day", "open-case")
A_HAND_SECONDS = 120
_LONG_AGO = text(
    "UPDATE sessions SET second_factor_ms = 1 WHERE player_id = (SELECT player_id FROM players WHERE name = 'Rani')"
)
"""When the first operator last proved the second factor."""


@dataclass(frozen=True)
class PlayedHouse:
    """asha: has complained about the hand, which is over."""

    house: LiveHouse
    asha: Account
    hand_id: UUID
    table_id: UUID
    operator: str
    second: str
    auditor: str
    app: pyotp.TOTP
    """The first operator's."""

    @property
    def desk(self) -> str:
        return f"{self.house.url}/operator"

    @property
    def pages(self) -> tuple[str, ...]:
        one = (f"hand/{self.hand_id}", f"player/{self.asha.player_id}", f"table/{self.table_id}", "report/2026-01-01")
        return (*PLAIN_PAGES, *one)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, module_database_url: str) -> Iterator[PlayedHouse]:
    """A hand of two people is over, two operators and an auditor have their second factors."""
    for house in module_house(tmp_path_factory, module_database_url, {"RUMMY_RESULT_PAUSE_MS": "60000"}):
        with ThreadPoolExecutor(4) as threads:
            hand = threads.submit(asyncio.run, a_hand(house.url))
            made = [
                threads.submit(house.command, "operator", "create", name, "--role", role)
                for name, role in (("Omar", "operator"), ("Ines", "auditor"))
            ]
            links = [house.operator_link, *(each.result().split()[-1] for each in made)]
            staff = list(threads.map(enrolled, [house.url] * 3, links, ("Rani", "Omar", "Ines")))
            sessions = [session for session, _ in staff]
            yield PlayedHouse(house, *hand.result(), *sessions, staff[0][1])


async def a_hand(url: str) -> tuple[Account, UUID, UUID]:
    """One whole hand of Asha and Robin at a table of four. Both are beginners: they never drop."""
    ended: asyncio.Future[UUID] = asyncio.get_running_loop().create_future()

    def look(table: Table) -> None:
        if table.public.result is not None and not ended.done():
            ended.set_result(table.public.result.hand_id)

    async with httpx.AsyncClient(trust_env=False) as http:
        tables = (await http.get(f"{url}/api/tables")).json()
        table_id = UUID(next(one["table_id"] for one in tables if one["seat_count"] == 4 and one["rate"] > 0))
        asha, robin = [await sign_in_as_guest(http, url, name, bot=False) for name in ("Asha", "Robin")]
        async with Bot(http, asha, Weak()) as first, Bot(http, robin, Weak()) as second:
            await first.sit(table_id, look, lambda: False)
            await second.sit(table_id, wants_more=lambda: False)
            hand_id = await asyncio.wait_for(ended, A_HAND_SECONDS)
            for bot in (first, second):
                await bot.leave(table_id)
    return asha, hand_id, table_id


async def test_a_complaint_is_settled_with_its_proof_by_two_operators(played: PlayedHouse) -> None:
    async with chromium() as browser:
        rani = await signed_in(browser, played.house.url, played.operator)
        await rani.goto(f"{played.desk}#/today?asset=PT")
        await expect(rani.get_by_test_id("trial-balance")).to_have_attribute("data-balanced", "true")
        await expect(rani.get_by_test_id("figure-hands")).to_contain_text("1")
        await click(rani, "chapter-settlements")
        await rani.get_by_test_id("filter-player").fill("ash")
        await rani.get_by_test_id("filter-least").fill("0.01")
        await click(rani, "filter-send")
        rows = rani.get_by_test_id("settlements").locator("tbody tr")
        await expect(rows).to_have_count(1)
        await expect(rani.get_by_test_id("export-csv")).to_have_attribute(
            "href", "/api/operator/settlements.csv?player=ash&least_units=1"
        )
        await rows.get_by_role("link").click()

        await expect(rani.get_by_test_id("verdict")).to_have_attribute("data-ok", "true", timeout=30_000)
        await expect(rani.get_by_test_id("ledger-agrees")).to_have_attribute("data-ok", "true")
        await expect(rani.get_by_test_id("entries-sum")).to_have_attribute("data-sum", "0")
        await expect(rani.get_by_test_id("hand-events")).to_contain_text("Asha draws")
        await expect(rani.get_by_test_id("hand-seats").locator("li[data-seat]")).to_have_count(2)
        asha = rani.get_by_test_id("hand-seats").locator("li[data-seat]").filter(has_text="Asha")
        await asha.get_by_test_id("ask-adjustment").click()
        await rani.get_by_test_id("adjust-amount").fill("2.5")
        await rani.get_by_test_id("reason").press_sequentially("a wrong clock")
        await click(rani, "change-send")
        await rani.get_by_test_id("adjust-asked").wait_for()
        await click(rani, "dialog-close")
        await click(rani, "chapter-adjustments")
        await expect(rani.get_by_test_id("adjustments")).to_contain_text("Asha")
        # Whoever asked does not decide.
        await expect(rani.get_by_test_id("approve")).to_have_count(0)

        omar = await signed_in(browser, played.house.url, played.second)
        await show(omar, played.house.url, "adjustments")
        await click(omar, "approve")
        await click(omar, "change-send")
        await expect(omar.get_by_test_id("adjustments-none")).to_be_visible()
        await click(omar, "chapter-audit")
        log = omar.get_by_test_id("acts").locator("tbody tr")
        await expect(log).to_have_count(2)
        await expect(log.first).to_contain_text("Omar")
        await expect(log.last).to_contain_text("Rani")
        await expect(log.last).to_contain_text("a wrong clock")
        await show(omar, played.house.url, f"player/{played.asha.player_id}")
        await click(omar, "statement-PT")
        await expect(omar.get_by_test_id("statement")).to_contain_text("+2.50 PT")

        player = await signed_in(browser, played.house.url, played.asha.token)
        await player.goto(f"{played.house.url}/#/statement")
        await click(player, "asset-PT")
        await expect(player.get_by_test_id("statement").locator("tbody tr").first).to_contain_text("a wrong clock")
        await expect(player.get_by_test_id("statement").locator("tbody tr").first).to_contain_text("+2.50")


async def test_an_operator_freezes_a_player_and_changes_and_closes_a_table(played: PlayedHouse) -> None:
    async with chromium() as browser:
        page = await signed_in(browser, played.house.url, played.operator, "phone")
        await show(page, played.house.url, f"player/{played.asha.player_id}")
        for expected in ("true", "false"):
            await click(page, "freeze")
            await click(page, "change-send")
            await expect(page.get_by_test_id("reason")).to_be_focused()
            await page.get_by_test_id("reason").fill("two accounts")
            await click(page, "change-send")
            await expect(page.get_by_test_id("player-standing")).to_have_attribute("data-frozen", expected)

        await show(page, played.house.url, "tables")
        await click(page, "open-table")
        await page.get_by_test_id("table-name").fill("Evening table")
        await page.get_by_test_id("reason").fill("many guests")
        await click(page, "change-send")
        await expect(page.locator("main h1")).to_have_text("Evening table")
        await click(page, "want-stakes")
        await page.get_by_test_id("stakes-rate").fill("3")
        await page.get_by_test_id("reason").fill("asked for")
        await click(page, "change-send")
        # Nothing runs there: the coming stakes are in force as soon as the table has heard of them.
        await expect(page.get_by_test_id("table-price")).to_contain_text("3")
        await click(page, "want-close")
        await page.get_by_test_id("reason").fill("not needed")
        await click(page, "change-send")
        await expect(page.get_by_test_id("table-gone")).to_be_visible()


async def test_a_running_hand_is_seen_without_its_cards_and_voided(played: PlayedHouse) -> None:
    async with chromium() as browser, AsyncExitStack() as seats:
        http = await seats.enter_async_context(httpx.AsyncClient(trust_env=False))
        tables = (await http.get(f"{played.house.url}/api/tables")).json()
        table_id = UUID(next(one["table_id"] for one in tables if one["seat_count"] == 6 and one["rate"] > 0))
        for name in ("Slow", "Slower"):
            account = await sign_in_as_guest(http, played.house.url, name, bot=False)
            seat = await seats.enter_async_context(Bot(http, account, Weak(), think_ms=(60_000, 60_000)))
            await seat.sit(table_id)
        page = await signed_in(browser, played.house.url, played.operator)
        await show(page, played.house.url, f"table/{table_id}")
        await click(page, "running-hand")
        await page.get_by_test_id("hand-facts").wait_for()
        await expect(page.get_by_test_id("hand-outcome")).to_have_text("Being played")
        await expect(page.get_by_test_id("hand-holds").locator("li")).to_have_count(2)
        await expect(page.get_by_test_id("verdict")).to_have_count(0)
        await expect(page.get_by_test_id("hand-seats").locator("svg")).to_have_count(0)
        await show(page, played.house.url, f"table/{table_id}")
        await click(page, "want-void-hand")
        await page.get_by_test_id("reason").fill("a card was seen")
        await click(page, "change-send")
        await expect(page.get_by_test_id("table-hands").locator("tbody tr").first).to_contain_text("Void")


async def test_a_change_asks_for_a_fresh_code_and_goes_on_with_it(
    played: PlayedHouse, module_database_url: str
) -> None:
    engine = create_engine(module_database_url)
    async with engine.begin() as database:
        await database.execute(_LONG_AGO)
    await engine.dispose()
    async with chromium() as browser:
        page = await signed_in(browser, played.house.url, played.operator)
        await show(page, played.house.url, f"player/{played.asha.player_id}")
        for code, frozen in (("000000", "false"), (played.app.at(time.time() + 30), "true")):
            if await page.get_by_test_id("reason").count() == 0:
                await click(page, "freeze")
                await page.get_by_test_id("reason").fill("a stolen phone")
                await click(page, "change-send")
            await page.get_by_test_id("prove-code").fill(code)
            await click(page, "prove")
            await expect(page.get_by_test_id("player-standing")).to_have_attribute("data-frozen", frozen)


async def test_a_case_is_opened_noted_assigned_and_closed(played: PlayedHouse) -> None:
    async with chromium() as browser:
        page = await signed_in(browser, played.house.url, played.operator)
        await show(page, played.house.url, f"player/{played.asha.player_id}")
        await click(page, "open-case")
        await page.get_by_test_id("reason").fill("plays for a friend")
        await click(page, "change-send")
        await page.get_by_test_id("case-steps").wait_for()
        await click(page, "case-assign")
        await page.get_by_test_id("case-operator").select_option(label="Omar")
        await page.get_by_test_id("reason").fill("please look")
        await click(page, "change-send")
        await expect(page.get_by_test_id("case-assignee")).to_have_text("Omar")
        await click(page, "case-close")
        await page.get_by_test_id("case-finding").select_option("unfounded")
        await page.get_by_test_id("reason").fill("they never met")
        await click(page, "change-send")
        await expect(page.get_by_test_id("case-state")).to_have_attribute("data-open", "false")
        await expect(page.get_by_test_id("case-steps").locator("li")).to_have_count(3)
        await check(page, "a case")
        await click(page, "chapter-integrity")
        await expect(page.get_by_test_id("cases")).to_contain_text("Unfounded")


async def test_an_auditor_reads_every_page_and_finds_nothing_that_changes(played: PlayedHouse) -> None:
    async with chromium() as browser:
        page = await signed_in(browser, played.house.url, played.auditor, "phone")
        for path in played.pages:
            await show(page, played.house.url, path)
            await check(page, f"{path} of an auditor")
            for change in CHANGES:
                await expect(page.get_by_test_id(change)).to_have_count(0)
        await expect(page.get_by_test_id("read-only")).to_be_visible()


async def test_every_page_is_accessible_and_fits(played: PlayedHouse) -> None:
    async with chromium() as browser:
        page = await signed_in(browser, played.house.url, played.operator)
        for path in played.pages:
            await show(page, played.house.url, path)
            await check(page, f"{path} of an operator")
            for width, height in (SIZES["tablet"], SIZES["desktop"]):
                await page.set_viewport_size({"width": width, "height": height})
                assert await page.evaluate("document.documentElement.scrollWidth") <= width, f"{path} at {width}"


async def test_a_player_hears_that_the_desk_is_not_for_them(played: PlayedHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser, "phone")).new_page()
        await enter(page, played.house.url, "Nosy")
        await page.goto(f"{played.desk}#/settlements")
        await expect(page.get_by_test_id("not-for-you")).to_contain_text("Nosy")
        await check(page, "the desk's door to a player")


async def test_the_desk_speaks_the_browser_s_language_within_its_budget(played: PlayedHouse) -> None:
    async with chromium() as browser:
        for locale, heading in (("en", "Today"), ("bn", "আজ"), ("hi", "आज")):
            page = await signed_in(browser, played.house.url, played.auditor, locale=locale)
            scripts = scripts_of(page)
            await page.goto(played.desk)
            await expect(page.locator("main h1")).to_have_text(heading)
            await page.get_by_test_id("chart-hands").locator("canvas").wait_for()
            sizes = await compressed(scripts)
            assert sum(sizes.values()) <= DESK_SCRIPT_BYTES, (locale, sizes)
