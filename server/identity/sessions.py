"""Sessions: the devices on which somebody is signed in, on a connection that the caller has put in a transaction.

A session keeps its id while its token is replaced: whenever it may do more than before, the token that somebody else
could have planted or seen opens nothing any more.
"""

import re
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity.accounts import Identity, Kind, Role
from server.identity.secrets import secret_hash

SEEN_EVERY_MS: Final = 60_000
"""How exact `last_seen_ms` is: noting every request would write at every read."""
MOST_LISTED: Final = 100
MAX_DEVICE_LENGTH: Final = 60

_BROWSERS: Final = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class Session:
    """One device on which somebody is signed in, and what it has shown. has_password, has_second_factor: the account's.

    second_factor_ms: when this session last proved the second factor, None for never.
    """

    session_id: UUID
    identity: Identity
    created_ms: int
    expires_ms: int
    last_seen_ms: int
    second_factor_ms: int | None
    has_password: bool
    has_second_factor: bool


@dataclass(frozen=True, slots=True)
class ListedSession:
    session_id: UUID
    device: str
    created_ms: int
    last_seen_ms: int
    expires_ms: int


_INSERT: Final = text(
    "INSERT INTO sessions"
    " (session_id, token_hash, player_id, created_ms, expires_ms, device, last_seen_ms, second_factor_ms, address,"
    "  device_id) VALUES"
    " (:session_id, :token_hash, :player_id, :at_ms, :expires_ms, :device, :at_ms, :second_factor_ms, :address,"
    "  :device_id)"
)
_FIND: Final = text(
    "SELECT s.session_id, s.created_ms, s.expires_ms, coalesce(s.last_seen_ms, s.created_ms) AS last_seen_ms,"
    "       s.second_factor_ms, p.player_id, p.name, p.kind, p.role, c.player_id IS NOT NULL AS has_password,"
    "       f.confirmed_ms IS NOT NULL AS has_second_factor"
    " FROM sessions s JOIN players p USING (player_id)"
    " LEFT JOIN credentials c USING (player_id) LEFT JOIN second_factors f USING (player_id)"
    " WHERE s.token_hash = :token_hash AND s.revoked_ms IS NULL AND s.expires_ms > :at_ms AND p.disabled_ms IS NULL"
)
_SEEN: Final = text(
    "UPDATE sessions SET last_seen_ms = :at_ms"
    " WHERE session_id = ANY (CAST(:session_ids AS uuid[])) AND coalesce(last_seen_ms, 0) <= :before_ms"
)
_LIST: Final = text(
    "SELECT session_id, device, created_ms, coalesce(last_seen_ms, created_ms) AS last_seen_ms, expires_ms"
    " FROM sessions WHERE player_id = :player_id AND revoked_ms IS NULL AND expires_ms > :at_ms"
    " ORDER BY coalesce(last_seen_ms, created_ms) DESC, session_id LIMIT :most"
)
_RENEW: Final = text(
    "UPDATE sessions SET token_hash = :token_hash, second_factor_ms = coalesce(:second_factor_ms, second_factor_ms)"
    " WHERE session_id = :session_id AND revoked_ms IS NULL"
)
_PROVED: Final = text("UPDATE sessions SET second_factor_ms = :at_ms WHERE session_id = :session_id")
_REVOKE: Final = text(
    "UPDATE sessions SET revoked_ms = :at_ms"
    " WHERE player_id = :player_id AND session_id = :session_id AND revoked_ms IS NULL RETURNING session_id"
)
_REVOKE_OTHERS: Final = text(
    "UPDATE sessions SET revoked_ms = :at_ms"
    " WHERE player_id = :player_id AND session_id IS DISTINCT FROM :kept AND revoked_ms IS NULL RETURNING session_id"
)
_ALIVE: Final = text(
    "SELECT s.session_id FROM sessions s JOIN players p USING (player_id)"
    " WHERE s.session_id = ANY (CAST(:session_ids AS uuid[])) AND s.revoked_ms IS NULL AND s.expires_ms > :at_ms"
    " AND p.disabled_ms IS NULL"
)


@dataclass(frozen=True, slots=True)
class NewSession:
    """A session that begins. device: as `device_words` says it. address, device_id: where it came from, where known."""

    session_id: UUID
    player_id: UUID
    token: str
    device: str
    at_ms: int
    expires_ms: int
    second_factor_ms: int | None = None
    address: str = ""
    device_id: UUID | None = None


async def create_session(connection: AsyncConnection, new: NewSession) -> None:
    await connection.execute(
        _INSERT,
        {
            "session_id": new.session_id,
            "token_hash": secret_hash(new.token),
            "player_id": new.player_id,
            "at_ms": new.at_ms,
            "expires_ms": new.expires_ms,
            "device": new.device,
            "second_factor_ms": new.second_factor_ms,
            "address": new.address,
            "device_id": new.device_id,
        },
    )


async def find_session(connection: AsyncConnection, token: str, at_ms: int) -> Session | None:
    """The session that a token opens; None when it is unknown, expired or revoked, or its account disabled."""
    row = (await connection.execute(_FIND, {"token_hash": secret_hash(token), "at_ms": at_ms})).first()
    if row is None:
        return None
    return Session(
        session_id=row.session_id,
        identity=Identity(row.player_id, row.name, Kind(row.kind), Role(row.role)),
        created_ms=row.created_ms,
        expires_ms=row.expires_ms,
        last_seen_ms=row.last_seen_ms,
        second_factor_ms=row.second_factor_ms,
        has_password=row.has_password,
        has_second_factor=row.has_second_factor,
    )


async def note_seen(connection: AsyncConnection, session_ids: list[UUID], at_ms: int) -> None:
    """Note that somebody was here; those noted less than SEEN_EVERY_MS ago stay as they are."""
    await connection.execute(_SEEN, {"session_ids": session_ids, "at_ms": at_ms, "before_ms": at_ms - SEEN_EVERY_MS})


async def list_sessions(connection: AsyncConnection, player_id: UUID, at_ms: int) -> tuple[ListedSession, ...]:
    """A player's live sessions, the one seen last first; at most MOST_LISTED."""
    rows = await connection.execute(_LIST, {"player_id": player_id, "at_ms": at_ms, "most": MOST_LISTED})
    return tuple(ListedSession(*row) for row in rows)


async def renew_token(
    connection: AsyncConnection, session_id: UUID, token: str, second_factor_ms: int | None = None
) -> None:
    """The same session under another token: the old one opens nothing any more."""
    await connection.execute(
        _RENEW, {"session_id": session_id, "token_hash": secret_hash(token), "second_factor_ms": second_factor_ms}
    )


async def note_second_factor(connection: AsyncConnection, session_id: UUID, at_ms: int) -> None:
    await connection.execute(_PROVED, {"session_id": session_id, "at_ms": at_ms})


async def revoke_session(connection: AsyncConnection, player_id: UUID, session_id: UUID, at_ms: int) -> bool:
    """End one session of this player; False when they have no such live one."""
    revoked = await connection.execute(_REVOKE, {"player_id": player_id, "session_id": session_id, "at_ms": at_ms})
    return revoked.first() is not None


async def revoke_others(
    connection: AsyncConnection, player_id: UUID, kept: UUID | None, at_ms: int
) -> tuple[UUID, ...]:
    """End every session of a player but the kept one (None: all); returns the ids of those that ended."""
    rows = await connection.execute(_REVOKE_OTHERS, {"player_id": player_id, "kept": kept, "at_ms": at_ms})
    return tuple(rows.scalars())


async def alive_sessions(connection: AsyncConnection, session_ids: list[UUID], at_ms: int) -> frozenset[UUID]:
    """Those of the sessions that are neither revoked nor expired, and whose account is not disabled."""
    return frozenset((await connection.execute(_ALIVE, {"session_ids": session_ids, "at_ms": at_ms})).scalars())


def device_words(user_agent: str) -> str:
    """A browser and a system by their names, the same in every language; else the program's own first word."""
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "")
    if browser or system:
        return " · ".join(part for part in (browser, system) if part)
    program = re.match(r"[\x21-\x7e]+", user_agent)
    return program.group()[:MAX_DEVICE_LENGTH] if program else ""
