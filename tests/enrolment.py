"""From the one-time link to the desk, as an operator walks it the first time."""

import httpx
import pyotp

DESK_PASSWORD = "seven quiet lanterns"


def enrol(browser: httpx.Client, house_url: str, name: str = "Operator") -> pyotp.TOTP:
    """Choose a password and enrol an app for whom the link has just signed in; returns the app."""
    url = f"{house_url}/api/me"
    browser.post(f"{url}/account", json={"name": name, "password": DESK_PASSWORD}).raise_for_status()
    offered = browser.post(f"{url}/second-factor", json={"password": DESK_PASSWORD}).raise_for_status().json()
    app = pyotp.TOTP(offered["secret"])
    browser.post(f"{url}/second-factor/confirm", json={"code": app.now()}).raise_for_status()
    return app
