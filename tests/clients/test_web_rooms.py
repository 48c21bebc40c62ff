"""Accounts, private tables, waiting, chat, a match with its offer to come back: people in browsers, at one house."""

from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from uuid import UUID, uuid4

import httpx
import pyotp
import pytest
from playwright.async_api import Page, expect

from clients.python.account import sign_in_as_guest
from clients.python.bot import Bot
from clients.python.client import HouseClient
from clients.python.strategies import BeforeDraw, Finish, SeatKnowledge
from server.protocol.commands import LeaveTable, Sit, SitOut
from server.protocol.lobby_commands import UseInvite
from tests.clients.test_web_pages import check
from tests.clients.web_page import chromium, click, enter, hand_cards, visitor, wait_for_turn
from tests.live_house import LiveHouse, module_house

PASSWORD = "mango cloud seven river"
UNHURRIED = {"RUMMY_MATCH_COUNTDOWN_MS": "5000", "RUMMY_RESULT_PAUSE_MS": "60000", "RUMMY_REJOIN_MS": "60000"}
"""People in browsers see and answer an offer before it is gone, on a busy machine, too."""


@pytest.fixture(scope="module")
def patient_house(tmp_path_factory: pytest.TempPathFactory, module_database_url: str) -> Iterator[LiveHouse]:
    yield from module_house(tmp_path_factory, module_database_url, UNHURRIED)


async def test_a_guest_keeps_the_account_signs_in_elsewhere_and_ends_that_from_here(patient_house: LiveHouse) -> None:
    async with chromium() as browser:
        here = await (await visitor(browser)).new_page()
        await enter(here, patient_house.url, "Mita")
        await here.goto(f"{patient_house.url}/#/account")
        await here.get_by_test_id("keep-password").fill("short")
        await click(here, "keep")
        await expect(here.get_by_test_id("keep-password-problem")).to_be_visible()
        await expect(here.get_by_test_id("keep-password")).to_be_focused()
        await check(here, "account of a guest")
        await here.get_by_test_id("keep-password").fill(PASSWORD)
        await click(here, "keep")
        await expect(here.get_by_test_id("sessions").locator("li")).to_have_count(1)

        there = await (await visitor(browser, "phone")).new_page()
        await there.goto(patient_house.url)
        await click(there, "have-account")
        await there.get_by_test_id("sign-in-name").fill("Mita")
        await there.get_by_test_id("sign-in-password").fill("not the password")
        await click(there, "sign-in")
        await expect(there.get_by_test_id("sign-in-password-problem")).to_be_visible()
        await there.get_by_test_id("sign-in-password").fill(PASSWORD)
        await click(there, "sign-in")
        await there.get_by_test_id("lobby-table").first.wait_for()
        await there.goto(f"{patient_house.url}/#/account")
        await expect(there.get_by_test_id("account-name")).to_have_text("Mita")
        await expect(there.get_by_test_id("sessions").locator("li")).to_have_count(2)
        await check(there, "account that is kept")

        await here.reload()
        await click(here, "end-session")
        await there.get_by_test_id("sign-in-name").wait_for()
        await expect(here.get_by_test_id("sessions").locator("li")).to_have_count(1)


async def test_an_operator_sets_up_a_second_factor_and_signs_in_with_it(patient_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await page.goto(patient_house.operator_link)
        await page.get_by_test_id("keep-name").fill("Night watch")
        await page.get_by_test_id("keep-password").fill(PASSWORD)
        await click(page, "keep")
        await page.get_by_test_id("factor-password").fill(PASSWORD)
        await click(page, "factor-offer")
        await expect(page.get_by_test_id("qr")).to_be_visible()
        await check(page, "second factor")
        secret = (await page.get_by_test_id("factor-secret").inner_text()).replace(" ", "")
        await page.get_by_test_id("factor-code").fill(pyotp.TOTP(secret).now())
        await click(page, "factor-confirm")
        await page.get_by_test_id("recovery-codes").locator("li").first.wait_for()
        codes = await page.get_by_test_id("recovery-codes").locator("li").all_inner_texts()
        await check(page, "recovery codes")
        await click(page, "recovery-kept")
        await expect(page.get_by_test_id("trial-balance")).to_have_attribute("data-balanced", "true")

        await page.goto(f"{patient_house.url}/#/account")
        await expect(page.get_by_test_id("desk-step")).to_have_attribute("data-step", "done")
        await page.goto(f"{patient_house.url}/operator")
        await click(page, "desk-sign-out")
        await page.get_by_test_id("sign-in-name").fill("Night watch")
        await page.get_by_test_id("sign-in-password").fill(PASSWORD)
        await click(page, "sign-in")
        await page.get_by_test_id("sign-in-code").fill(codes[0])
        await click(page, "sign-in")
        await page.get_by_test_id("trial-balance").wait_for()


async def test_a_private_table_fills_by_its_invite_and_a_chair_is_offered_to_who_waits(
    patient_house: LiveHouse,
) -> None:
    async with chromium() as browser, AsyncExitStack() as others:
        host = await (await visitor(browser)).new_page()
        await enter(host, patient_house.url, "Asha")
        code, table_id = await open_private_table(host)
        guest = await (await visitor(browser, "phone", touch=True)).new_page()
        await guest.goto(f"{patient_house.url}/#/join/{code}")
        await expect(guest.get_by_test_id("invited")).to_be_visible()
        await guest.get_by_test_id("guest-name").fill("Robin")
        await click(guest, "guest-play")
        await guest.get_by_test_id("invited-table").wait_for()
        await check(guest, "arriving by an invite")

        leaver, *_ = [await take_chair(others, patient_house, code, table_id) for _ in range(4)]
        await guest.reload()
        await click(guest, "join-waiting")
        await expect(guest.get_by_test_id("waiting-place")).to_have_attribute("data-position", "1")
        await guest.goto(f"{patient_house.url}/#/rules")
        await leaver.ask(LeaveTable(type="leave_table", id="leave", table_id=table_id))
        await expect(guest.get_by_test_id("chair-offer")).to_be_visible()
        await check(guest, "a chair on offer")
        await click(guest, "offer-take")
        await expect(guest.get_by_test_id("own-seat")).to_be_visible()

        await host.get_by_test_id("go-to-table").click()
        await click(host, "table-menu")
        await expect(host.get_by_test_id("invite-link")).to_have_value(f"{patient_house.url}/#/join/{code}")
        await check(host, "what a host may change")
        await host.get_by_test_id("host-joining").uncheck()
        late = await (await visitor(browser)).new_page()
        await enter(late, patient_house.url, "Late")
        await late.goto(f"{patient_house.url}/#/join/{code}")
        await expect(late.get_by_test_id("invite-problem")).to_be_visible()


async def test_people_chat_mute_and_report_and_a_watcher_only_reads(patient_house: LiveHouse) -> None:
    async with chromium() as browser:
        asha = await (await visitor(browser, "phone", touch=True)).new_page()
        robin = await (await visitor(browser, locale="bn")).new_page()
        watcher = await (await visitor(browser)).new_page()
        for page, name in ((asha, "Asha"), (robin, "Robin"), (watcher, "Wim")):
            await enter(page, patient_house.url, name)
        table = '[data-testid="lobby-table"][data-seats="8"]'
        for page in (asha, robin):
            await page.locator(table).get_by_test_id("sit").first.click()
            await page.get_by_test_id("chat-button").wait_for()
        await watcher.locator(table).get_by_test_id("watch").first.click()
        await click(robin, "chat-button")
        await robin.get_by_test_id("chat-text").fill("Shall we begin?")
        await click(robin, "chat-send")
        await click(robin, "phrase-good_luck")
        await expect(robin.get_by_test_id("chat-line")).to_contain_text(["Shall we begin?", "শুভ কামনা!"])
        await expect(asha.get_by_test_id("chat-button")).to_have_attribute("data-unread", "2")
        await click(asha, "chat-button")
        await expect(asha.get_by_test_id("chat-line")).to_contain_text(["Shall we begin?", "Good luck!"])
        await expect(asha.get_by_test_id("chat-button")).to_have_attribute("data-unread", "0")
        await check(asha, "chat")
        await click(watcher, "chat-button")
        await expect(watcher.get_by_test_id("chat-line")).to_have_count(2)
        await expect(watcher.get_by_test_id("chat-read-only")).to_be_visible()

        await click(asha, "chat-name")
        await click(asha, "chat-report")
        await check(asha, "report")
        await click(asha, "report-send")
        await expect(asha.get_by_test_id("report-sent")).to_be_visible()
        await click(asha, "dialog-close")
        await click(asha, "chat-mute")
        await expect(asha.get_by_test_id("chat-line")).to_have_count(0)
        await asha.get_by_test_id("chat").locator("summary").click()
        await click(asha, "chat-unmute")
        await expect(asha.get_by_test_id("chat-line")).to_have_count(2)
        await robin.keyboard.press("Escape")
        await expect(robin.get_by_test_id("chat")).to_have_count(0)
        await expect(robin.get_by_test_id("chat-button")).to_be_focused()


@dataclass(slots=True)
class Patient:
    """Throws back what it draws until the person in the browser is out, then gives up when it is its turn to lose."""

    loses: bool

    def before_draw(self, known: SeatKnowledge) -> BeforeDraw:
        return BeforeDraw.DROP if len(known.opponents) == 1 and self.loses else BeforeDraw.STOCK

    def after_draw(self, known: SeatKnowledge) -> Finish:
        return Finish(known.cards[-1], declare=False)


async def test_a_player_falls_out_of_a_pool_comes_back_and_wins_it(patient_house: LiveHouse) -> None:
    async with chromium() as browser, AsyncExitStack() as others, httpx.AsyncClient(trust_env=False) as http:
        page = await (await visitor(browser)).new_page()
        await enter(page, patient_house.url, "Tara")
        await page.get_by_test_id("filter-format").select_option("pool")
        await page.get_by_test_id("filter-tokens").select_option("PT")
        await check(page, "lobby with pools")
        await click(page, "quick-seat")
        await page.get_by_test_id("own-seat").wait_for()
        table_id = UUID(page.url.rsplit("/", 1)[-1])
        strategies = Patient(loses=True), Patient(loses=False)
        bots = []
        for strategy in strategies:
            account = await sign_in_as_guest(http, patient_house.url, "Patient (bot)", bot=True)
            bots.append(await others.enter_async_context(Bot(http, account, strategy)))
            await bots[-1].sit(table_id)
        await declare_wrongly(page)
        await expect(page.get_by_test_id("result")).to_be_visible(timeout=60_000)
        await expect(page.locator('[data-testid="standings"] [data-score="80"]')).to_have_count(1)
        await check(page, "hand of a match")
        for strategy in strategies:
            strategy.loses = not strategy.loses
        await click(page, "ready")
        await declare_wrongly(page)
        await page.get_by_test_id("rejoin").wait_for(timeout=60_000)
        await check(page, "offer to come back")
        await click(page, "rejoin-yes")
        await expect(page.get_by_test_id("rejoin")).to_have_count(0)
        await expect(page.locator('[data-testid="standings"] [data-score="41"]')).to_have_count(1)

        for bot in bots:
            await bot.client.ask(LeaveTable(type="leave_table", id="leave", table_id=table_id))
        await expect(page.get_by_test_id("match-result").first).to_have_attribute("data-outcome", "won")
        await check(page, "won match")


async def declare_wrongly(page: Page) -> None:
    await wait_for_turn(page)
    await click(page, "draw-stock")
    await expect(hand_cards(page)).to_have_count(14)
    await hand_cards(page).last.click()
    await click(page, "finish-slot")
    await click(page, "confirm-declare")


async def open_private_table(page: Page) -> tuple[str, UUID]:
    """A table that plays only with four; returns its code and its id."""
    await click(page, "open-private")
    await page.get_by_test_id("private-rate").fill("5000")
    await click(page, "open-table")
    await expect(page.get_by_test_id("private-rate")).to_be_focused()
    await page.get_by_test_id("private-rate").fill("0.5")
    await click(page, "more-rules")
    await page.get_by_test_id("private-min_players").fill("4")
    await check(page, "opening a private table")
    await click(page, "open-table")
    link = await page.get_by_test_id("invite-link").input_value()
    await check(page, "private table opened")
    table = await page.get_by_test_id("go-to-table").get_attribute("href")
    assert table is not None
    return link.rsplit("/", 1)[-1], UUID(table.rsplit("/", 1)[-1])


async def take_chair(open_clients: AsyncExitStack, house: LiveHouse, code: str, table_id: UUID) -> HouseClient:
    """Somebody who sits at the table, and sits out so that no hand begins."""
    async with httpx.AsyncClient(trust_env=False) as http:
        account = await sign_in_as_guest(http, house.url, f"Guest of {uuid4().hex[:6]}", bot=False)
    client = await open_clients.enter_async_context(HouseClient(account, lambda _: None))
    await client.ask(UseInvite(type="use_invite", id="in", code=code))
    await client.ask(Sit(type="sit", id="sit", table_id=table_id))
    await client.ask(SitOut(type="sit_out", id="out", table_id=table_id, on=True))
    return client
