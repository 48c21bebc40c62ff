"""Somebody at the desk, as tests and pictures drive them: how they come in, and how its pages are opened."""

import httpx
import pyotp
from playwright.async_api import Browser, Page, expect

from tests.clients.web_page import visitor
from tests.enrolment import enrol

SESSION = "rummy_session"
PLAIN_PAGES = ("today", "settlements", "players", "adjustments", "tables", "integrity", "reports", "audit")


def enrolled(url: str, link: str, name: str) -> tuple[str, pyotp.TOTP]:
    """The session and the app of somebody who came by a link and set up password and second factor."""
    with httpx.Client(headers={"x-rummy": "1"}, trust_env=False) as browser:
        browser.get(link)
        app = enrol(browser, url, name)
        return browser.cookies[SESSION], app


async def signed_in(browser: Browser, url: str, token: str, size: str = "desktop", locale: str = "en") -> Page:
    """A new page of somebody who has this session; not at the desk yet."""
    context = await visitor(browser, size, locale=locale)
    await context.add_cookies([{"name": SESSION, "value": token, "url": url}])
    return await context.new_page()


async def show(page: Page, url: str, path: str) -> None:
    """A page of the desk, once everything on it is there."""
    await page.goto(f"{url}/operator#/{path}")
    await page.locator("main h1").wait_for()
    await expect(page.locator('[aria-busy="true"]')).to_have_count(0)
