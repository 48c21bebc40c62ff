"""Operators and auditors: made, reset and disabled by whoever has the house's database, never over the network."""

from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity import accounts, credentials
from server.identity.accounts import Identity, Kind, Role
from server.identity.names import lasting_name
from server.identity.operator_codes import void_operator_codes
from server.identity.second_factor_store import forget_factor
from server.identity.sessions import revoke_others

STAFF_ROLES: Final = (Role.OPERATOR, Role.AUDITOR)


@dataclass(frozen=True, slots=True)
class StaffMember:
    identity: Identity
    has_password: bool
    has_second_factor: bool
    disabled: bool


_SELECT: Final = (
    "SELECT p.player_id, p.name, p.kind, p.role, c.player_id IS NOT NULL AS has_password,"
    "       f.confirmed_ms IS NOT NULL AS has_second_factor, p.disabled_ms IS NOT NULL AS disabled"
    " FROM players p LEFT JOIN credentials c USING (player_id) LEFT JOIN second_factors f USING (player_id)"
    " WHERE p.role <> 'player'"
)
_LIST: Final = text(f"{_SELECT} ORDER BY p.created_ms, p.player_id")
_FIND: Final = text(f"{_SELECT} AND p.player_id = :player_id AND p.disabled_ms IS NULL")
_DISABLE: Final = text("UPDATE players SET disabled_ms = :at_ms WHERE player_id = :player_id AND disabled_ms IS NULL")
_ENABLE: Final = text("UPDATE players SET disabled_ms = NULL WHERE player_id = :player_id")
_FORGET_PASSWORD: Final = text("DELETE FROM credentials WHERE player_id = :player_id")


async def create_staff(connection: AsyncConnection, name: str, role: Role, at_ms: int) -> Identity:
    """A new operator or auditor, who has no tokens and does not play. Raises NameRefused, NameTaken."""
    assert role in STAFF_ROLES, f"{role} is not a role at the desk"
    identity = Identity(uuid4(), lasting_name(name), Kind.MEMBER, role)
    if await credentials.is_kept(connection, identity.name):
        raise credentials.NameTaken
    await accounts.create_player(connection, identity, at_ms)
    return identity


async def find_staff(connection: AsyncConnection, player_id: UUID) -> Identity | None:
    """An operator or auditor who is not disabled."""
    row = (await connection.execute(_FIND, {"player_id": player_id})).first()
    return None if row is None else Identity(row.player_id, row.name, Kind(row.kind), Role(row.role))


async def list_staff(connection: AsyncConnection) -> tuple[StaffMember, ...]:
    """Everybody who is or was at the desk, oldest first."""
    rows = await connection.execute(_LIST)
    return tuple(
        StaffMember(
            Identity(row.player_id, row.name, Kind(row.kind), Role(row.role)),
            row.has_password,
            row.has_second_factor,
            row.disabled,
        )
        for row in rows
    )


async def reset(connection: AsyncConnection, player_id: UUID, at_ms: int) -> None:
    """Forget password and second factor and end every session: the next one-time code begins anew."""
    await connection.execute(_FORGET_PASSWORD, {"player_id": player_id})
    await forget_factor(connection, player_id)
    await revoke_others(connection, player_id, None, at_ms)
    await connection.execute(_ENABLE, {"player_id": player_id})


async def disable(connection: AsyncConnection, player_id: UUID, at_ms: int) -> None:
    """Let this account in no more, by no way; what it did stays on record."""
    await connection.execute(_DISABLE, {"player_id": player_id, "at_ms": at_ms})
    await void_operator_codes(connection, player_id, at_ms)
    await revoke_others(connection, player_id, None, at_ms)
