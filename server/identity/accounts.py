"""Players and their sessions, on a connection that the caller has put in a transaction."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity.secrets import secret_hash

DAY_MS: Final = 86_400_000
MINUTE_MS: Final = 60_000


class Kind(StrEnum):
    GUEST = "guest"
    BOT = "bot"
    OPERATOR = "operator"


class Role(StrEnum):
    PLAYER = "player"
    OPERATOR = "operator"
    AUDITOR = "auditor"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a request or a socket speaks for."""

    player_id: UUID
    name: str
    kind: Kind
    role: Role


_INSERT_PLAYER: Final = text(
    "INSERT INTO players (player_id, name, kind, role, created_ms) VALUES (:player_id, :name, :kind, :role, :at_ms)"
)
_INSERT_SESSION: Final = text(
    "INSERT INTO sessions (token_hash, player_id, created_ms, expires_ms)"
    " VALUES (:token_hash, :player_id, :at_ms, :expires_ms)"
)
_FIND_SESSION: Final = text(
    "SELECT player_id, name, kind, role FROM sessions JOIN players USING (player_id)"
    " WHERE token_hash = :token_hash AND revoked_ms IS NULL AND expires_ms > :at_ms"
)
_REVOKE_SESSION: Final = text(
    "UPDATE sessions SET revoked_ms = :at_ms WHERE token_hash = :token_hash AND revoked_ms IS NULL"
)
_HOUSE_OPERATOR: Final = text("SELECT player_id FROM players WHERE kind = 'operator'")
_INSERT_CODE: Final = text(
    "INSERT INTO operator_codes (code_hash, player_id, created_ms, expires_ms)"
    " VALUES (:code_hash, :player_id, :at_ms, :expires_ms)"
)
_USE_CODE: Final = text(
    "UPDATE operator_codes SET used_ms = :at_ms"
    " WHERE code_hash = :code_hash AND used_ms IS NULL AND expires_ms > :at_ms RETURNING player_id"
)


async def create_player(connection: AsyncConnection, identity: Identity, at_ms: int) -> None:
    await connection.execute(
        _INSERT_PLAYER,
        {
            "player_id": identity.player_id,
            "name": identity.name,
            "kind": identity.kind.value,
            "role": identity.role.value,
            "at_ms": at_ms,
        },
    )


async def create_session(connection: AsyncConnection, player_id: UUID, token: str, at_ms: int, days: int) -> None:
    await connection.execute(
        _INSERT_SESSION,
        {
            "token_hash": secret_hash(token),
            "player_id": player_id,
            "at_ms": at_ms,
            "expires_ms": at_ms + days * DAY_MS,
        },
    )


async def find_session(connection: AsyncConnection, token: str, at_ms: int) -> Identity | None:
    """Whose session a token opens; None when it is unknown, expired or revoked."""
    row = (await connection.execute(_FIND_SESSION, {"token_hash": secret_hash(token), "at_ms": at_ms})).first()
    return None if row is None else Identity(row.player_id, row.name, Kind(row.kind), Role(row.role))


async def revoke_session(connection: AsyncConnection, token: str, at_ms: int) -> None:
    await connection.execute(_REVOKE_SESSION, {"token_hash": secret_hash(token), "at_ms": at_ms})


async def house_operator(connection: AsyncConnection) -> UUID | None:
    """The operator account that came with the house; None before the first start."""
    player_id: UUID | None = (await connection.execute(_HOUSE_OPERATOR)).scalar()
    return player_id


async def create_operator_code(
    connection: AsyncConnection, player_id: UUID, code: str, at_ms: int, minutes: int
) -> None:
    await connection.execute(
        _INSERT_CODE,
        {
            "code_hash": secret_hash(code),
            "player_id": player_id,
            "at_ms": at_ms,
            "expires_ms": at_ms + minutes * MINUTE_MS,
        },
    )


async def use_operator_code(connection: AsyncConnection, code: str, at_ms: int) -> UUID | None:
    """Redeem a one-time code: whose it was, or None when it is unknown, used or expired."""
    player_id: UUID | None = (
        await connection.execute(_USE_CODE, {"code_hash": secret_hash(code), "at_ms": at_ms})
    ).scalar()
    return player_id
