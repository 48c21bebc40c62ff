"""Accounts that last, private tables, waiting for a chair: each person in a browser of their own, at one house."""

from contextlib import AsyncExitStack
from uuid import UUID, uuid4

import httpx
import pyotp
from playwright.async_api import Page, expect

from clients.python.account import sign_in_as_guest
from clients.python.client import HouseClient
from server.protocol.commands import LeaveTable, Sit, SitOut
from server.protocol.lobby_commands import UseInvite
from tests.clients.test_web_pages import check
from tests.clients.web_page import chromium, click, enter, visitor
from tests.live_house import LiveHouse

PASSWORD = "mango cloud seven river"


async def test_a_guest_keeps_the_account_signs_in_elsewhere_and_ends_that_from_here(shared_house: LiveHouse) -> None:
    async with chromium() as browser:
        here = await (await visitor(browser)).new_page()
        await enter(here, shared_house.url, "Mita")
        await here.goto(f"{shared_house.url}/#/account")
        await here.get_by_test_id("keep-password").fill("short")
        await click(here, "keep")
        await expect(here.get_by_test_id("keep-password-problem")).to_be_visible()
        await expect(here.get_by_test_id("keep-password")).to_be_focused()
        await check(here, "account of a guest")
        await here.get_by_test_id("keep-password").fill(PASSWORD)
        await click(here, "keep")
        await expect(here.get_by_test_id("sessions").locator("li")).to_have_count(1)

        there = await (await visitor(browser, "phone")).new_page()
        await there.goto(shared_house.url)
        await click(there, "have-account")
        await there.get_by_test_id("sign-in-name").fill("Mita")
        await there.get_by_test_id("sign-in-password").fill("not the password")
        await click(there, "sign-in")
        await expect(there.get_by_test_id("sign-in-password-problem")).to_be_visible()
        await there.get_by_test_id("sign-in-password").fill(PASSWORD)
        await click(there, "sign-in")
        await there.get_by_test_id("lobby-table").first.wait_for()
        await there.goto(f"{shared_house.url}/#/account")
        await expect(there.get_by_test_id("account-name")).to_have_text("Mita")
        await expect(there.get_by_test_id("sessions").locator("li")).to_have_count(2)
        await check(there, "account that is kept")

        await here.reload()
        await click(here, "end-session")
        await there.get_by_test_id("sign-in-name").wait_for()
        await expect(here.get_by_test_id("sessions").locator("li")).to_have_count(1)


async def test_an_operator_sets_up_a_second_factor_and_signs_in_with_it(shared_house: LiveHouse) -> None:
    async with chromium() as browser:
        page = await (await visitor(browser)).new_page()
        await page.goto(shared_house.operator_link)
        await click(page, "desk-unlock")
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
        codes = await page.get_by_test_id("recovery-codes").locator("li").all_inner_texts()
        await check(page, "recovery codes")
        await click(page, "recovery-kept")
        await expect(page.get_by_test_id("desk-step")).to_have_attribute("data-step", "done")
        await page.goto(f"{shared_house.url}/#/desk")
        await page.get_by_test_id("trial-balance").wait_for()

        await page.goto(f"{shared_house.url}/#/account")
        await click(page, "sign-out")
        await click(page, "have-account")
        await page.get_by_test_id("sign-in-name").fill("Night watch")
        await page.get_by_test_id("sign-in-password").fill(PASSWORD)
        await click(page, "sign-in")
        await page.get_by_test_id("sign-in-code").fill(codes[0])
        await click(page, "sign-in")
        await page.get_by_test_id("lobby-table").first.wait_for()


async def test_a_private_table_fills_by_its_invite_and_a_chair_is_offered_to_who_waits(
    shared_house: LiveHouse,
) -> None:
    async with chromium() as browser, AsyncExitStack() as others:
        host = await (await visitor(browser)).new_page()
        await enter(host, shared_house.url, "Asha")
        code, table_id = await open_private_table(host)
        guest = await (await visitor(browser, "phone", touch=True)).new_page()
        await guest.goto(f"{shared_house.url}/#/join/{code}")
        await expect(guest.get_by_test_id("invited")).to_be_visible()
        await guest.get_by_test_id("guest-name").fill("Robin")
        await click(guest, "guest-play")
        await guest.get_by_test_id("invited-table").wait_for()
        await check(guest, "arriving by an invite")

        leaver, *_ = [await take_chair(others, shared_house, code, table_id) for _ in range(4)]
        await guest.reload()
        await click(guest, "join-waiting")
        await expect(guest.get_by_test_id("waiting-place")).to_have_attribute("data-position", "1")
        await guest.goto(f"{shared_house.url}/#/rules")
        await leaver.ask(LeaveTable(type="leave_table", id="leave", table_id=table_id))
        await expect(guest.get_by_test_id("chair-offer")).to_be_visible()
        await check(guest, "a chair on offer")
        await click(guest, "offer-take")
        await expect(guest.get_by_test_id("own-seat")).to_be_visible()

        await host.get_by_test_id("go-to-table").click()
        await click(host, "table-menu")
        await expect(host.get_by_test_id("invite-link")).to_have_value(f"{shared_house.url}/#/join/{code}")
        await check(host, "what a host may change")
        await host.get_by_test_id("host-joining").uncheck()
        late = await (await visitor(browser)).new_page()
        await enter(late, shared_house.url, "Late")
        await late.goto(f"{shared_house.url}/#/join/{code}")
        await expect(late.get_by_test_id("invite-problem")).to_be_visible()


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
