"""`python -m server operator ...`: who works at the desk, decided by whoever has the house's database."""

import argparse
import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from server.database import create_engine
from server.house_folder import address_of
from server.identity import staff
from server.identity.accounts import Role
from server.identity.credentials import NameTaken
from server.identity.names import NameRefused, name_key
from server.identity.operator_codes import create_operator_code
from server.identity.secrets import new_secret
from server.identity.staff import STAFF_ROLES, StaffMember
from server.settings import Settings
from wallet.database_url import asyncpg_url, find_database_url

DESCRIPTION: Final = (
    "Operators and auditors: make one, list them, give one a new sign-in link, reset one who has lost their password or"
    " phone, or disable one."
)


class StaffRefused(Exception):
    """What was asked for can't be done; the message is one line that says why."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", required=True)
    create = acts.add_parser("create", help="a new account, and the one-time link with which it is entered")
    create.add_argument("name")
    create.add_argument("--role", choices=[role.value for role in STAFF_ROLES], default=Role.OPERATOR.value)
    acts.add_parser("list", help="everybody who is or was at the desk")
    for act, words in (
        ("link", "another one-time link; the second factor is still asked for"),
        ("reset", "forget password and second factor, end every session, and give a link to begin anew"),
        ("disable", "let this account in no more"),
    ):
        acts.add_parser(act, help=words).add_argument("who", metavar="NAME", help="or the account's id")


def run(arguments: argparse.Namespace, settings: Settings) -> str:
    """Do one act and return what to print. Raises StaffRefused, NoDatabase."""
    return asyncio.run(act(arguments, settings, lambda: time.time_ns() // 1_000_000))


async def act(arguments: argparse.Namespace, settings: Settings, now_ms: Callable[[], int]) -> str:
    """The same on a loop that runs already, by a clock in Unix milliseconds."""
    url = find_database_url() if settings.database_url is None else asyncpg_url(settings.database_url)
    engine = create_engine(url, connections=1)
    try:
        async with engine.begin() as database:
            return await _act(database, arguments, settings, now_ms())
    finally:
        await engine.dispose()


async def _act(database: AsyncConnection, arguments: argparse.Namespace, settings: Settings, now_ms: int) -> str:
    match arguments.act:
        case "list":
            return "\n".join(map(_line, await staff.list_staff(database))) or "nobody"
        case "create":
            return await _create(database, arguments.name, Role(arguments.role), settings, now_ms)
    member = await _find(database, arguments.who)
    name, player_id = member.identity.name, member.identity.player_id
    match arguments.act:
        case "link":
            if member.disabled:
                raise StaffRefused(f"{name} is disabled: `operator reset` lets them begin anew")
            return await _link(database, player_id, settings, now_ms)
        case "reset":
            await staff.reset(database, player_id, now_ms)
            return await _link(database, player_id, settings, now_ms)
        case "disable":
            await staff.disable(database, player_id, now_ms)
            return f"{name} is let in no more; what they had open closes within {settings.session_check_ms // 1000} s"
        case unknown:
            raise AssertionError(f"{unknown} is no act of this command")


async def _create(database: AsyncConnection, name: str, role: Role, settings: Settings, now_ms: int) -> str:
    if any(name_key(member.identity.name) == name_key(name) for member in await staff.list_staff(database)):
        raise StaffRefused(f"somebody at the desk is called {name} already")
    try:
        identity = await staff.create_staff(database, name, role, now_ms)
    except NameRefused as refused:
        raise StaffRefused(str(refused)) from None
    except NameTaken:
        raise StaffRefused(f"a player is called {name}, or so that it looks like it") from None
    return await _link(database, identity.player_id, settings, now_ms)


async def _find(database: AsyncConnection, who: str) -> StaffMember:
    members = await staff.list_staff(database)
    found = [member for member in members if who == str(member.identity.player_id) or who == member.identity.name] or [
        member for member in members if name_key(who) == name_key(member.identity.name)
    ]
    if not found:
        raise StaffRefused(f"nobody at the desk is called {who}: see `operator list`")
    if len(found) > 1:
        raise StaffRefused(f"several at the desk are called {who}: name one by the id in `operator list`")
    return found[0]


async def _link(database: AsyncConnection, player_id: UUID, settings: Settings, now_ms: int) -> str:
    code = new_secret(secrets.token_bytes)
    await create_operator_code(database, player_id, code, now_ms, settings.operator_code_minutes)
    return (
        f"one-time sign-in, for {settings.operator_code_minutes} minutes:\n"
        f"  {address_of(settings)}/operator/sign-in?code={code}"
    )


def _line(member: StaffMember) -> str:
    state = (
        "disabled"
        if member.disabled
        else "ready"
        if member.has_password and member.has_second_factor
        else "has not enrolled yet"
    )
    return f"{member.identity.player_id}  {member.identity.role.value:8}  {state:20}  {member.identity.name}"
