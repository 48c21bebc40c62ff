"""Names and passwords of permanent accounts, on a connection that the caller has put in a transaction."""

from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity.accounts import Identity, Kind, Role
from server.identity.names import name_key


class NameTaken(Exception):
    """Somebody keeps this name, or one that looks like it."""


class AlreadyKept(Exception):
    """The account has its name and password already."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What signs somebody in. password_hash: in argon2's own notation, parameters and salt included."""

    identity: Identity
    password_hash: str = field(repr=False)
    has_second_factor: bool


_INSERT: Final = text(
    "INSERT INTO credentials (player_id, name_key, password_hash, changed_ms)"
    " VALUES (:player_id, :name_key, :password_hash, :at_ms)"
)
_CHANGE: Final = text(
    "UPDATE credentials SET password_hash = :password_hash, changed_ms = :at_ms WHERE player_id = :player_id"
)
_SELECT: Final = (
    "SELECT player_id, name, kind, role, password_hash, confirmed_ms IS NOT NULL AS has_second_factor"
    " FROM credentials JOIN players USING (player_id) LEFT JOIN second_factors USING (player_id)"
    " WHERE disabled_ms IS NULL"
)
_BY_NAME: Final = text(f"{_SELECT} AND name_key = :name_key")
_OF_PLAYER: Final = text(f"{_SELECT} AND player_id = :player_id")
_IS_KEPT: Final = text("SELECT EXISTS (SELECT FROM credentials WHERE name_key = :name_key)")


async def keep_name(connection: AsyncConnection, identity: Identity, password_hash: str, at_ms: int) -> None:
    """Give an account its password, under its name. Raises NameTaken, AlreadyKept: the transaction is then spoilt."""
    try:
        await connection.execute(
            _INSERT,
            {
                "player_id": identity.player_id,
                "name_key": name_key(identity.name),
                "password_hash": password_hash,
                "at_ms": at_ms,
            },
        )
    except IntegrityError as fault:
        if "credentials_name_is_free" in str(fault.orig):
            raise NameTaken from None
        if "credentials_pkey" in str(fault.orig):
            raise AlreadyKept from None
        raise


async def change_password(connection: AsyncConnection, player_id: UUID, password_hash: str, at_ms: int) -> None:
    await connection.execute(_CHANGE, {"player_id": player_id, "password_hash": password_hash, "at_ms": at_ms})


async def by_name(connection: AsyncConnection, name: str) -> Credentials | None:
    """Whom a typed name signs in; case and look-alikes do not matter. None: nobody, or a disabled account."""
    return _credentials((await connection.execute(_BY_NAME, {"name_key": _storable(name_key(name))})).first())


async def of_player(connection: AsyncConnection, player_id: UUID) -> Credentials | None:
    return _credentials((await connection.execute(_OF_PLAYER, {"player_id": player_id})).first())


async def is_kept(connection: AsyncConnection, name: str) -> bool:
    """Whether a permanent account has this name, or one that looks like it."""
    return bool((await connection.execute(_IS_KEPT, {"name_key": _storable(name_key(name))})).scalar())


def _storable(key: str) -> str:
    """Without the one character that PostgreSQL has no text for; no stored key has it either."""
    return key.replace("\0", "")


def _credentials(row: Row[Any] | None) -> Credentials | None:
    if row is None:
        return None
    identity = Identity(row.player_id, row.name, Kind(row.kind), Role(row.role))
    return Credentials(identity, row.password_hash, row.has_second_factor)
