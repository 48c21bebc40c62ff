"""Signing in over HTTP."""

import contextlib
from dataclasses import dataclass, field
from uuid import UUID

import httpx


class SignInRefused(Exception):
    """The house did not sign us in; the message is its own words."""


@dataclass(frozen=True, slots=True)
class Account:
    """A player and the token that speaks for them."""

    url: str
    player_id: UUID
    name: str
    token: str = field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}", "x-rummy": "1"}

    @property
    def socket_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/ws"


async def sign_in_as_guest(http: httpx.AsyncClient, url: str, name: str, *, bot: bool) -> Account:
    """A new guest with its welcome grant. Raises SignInRefused, httpx.TransportError."""
    response = await http.post(f"{url}/api/guests", json={"name": name, "bot": bot}, headers={"x-rummy": "1"})
    if response.status_code != httpx.codes.CREATED:
        raise SignInRefused(f"{response.status_code}: {response.text}")
    body = response.json()
    return Account(url, UUID(body["player"]["player_id"]), body["player"]["name"], body["token"])


async def top_up_practice(http: httpx.AsyncClient, account: Account) -> None:
    """Fill practice tokens up to the welcome grant again. A house that can't just now will be asked again."""
    with contextlib.suppress(httpx.TransportError):
        await http.post(f"{account.url}/api/practice/top-up", json={}, headers=account.headers)
