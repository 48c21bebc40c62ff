"""One-time codes: how an operator or auditor without a password comes in to choose one."""

from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity.secrets import secret_hash

MINUTE_MS: Final = 60_000

_INSERT_CODE: Final = text(
    "INSERT INTO operator_codes (code_hash, player_id, created_ms, expires_ms)"
    " VALUES (:code_hash, :player_id, :at_ms, :expires_ms)"
)
_USE_CODE: Final = text(
    "UPDATE operator_codes SET used_ms = :at_ms"
    " WHERE code_hash = :code_hash AND used_ms IS NULL AND expires_ms > :at_ms RETURNING player_id"
)
_VOID_CODES: Final = text("UPDATE operator_codes SET used_ms = :at_ms WHERE player_id = :player_id AND used_ms IS NULL")


async def create_operator_code(
    connection: AsyncConnection, player_id: UUID, code: str, at_ms: int, minutes: int
) -> None:
    """A code for this account; the ones that it had before open nothing any more."""
    await void_operator_codes(connection, player_id, at_ms)
    await connection.execute(
        _INSERT_CODE,
        {
            "code_hash": secret_hash(code),
            "player_id": player_id,
            "at_ms": at_ms,
            "expires_ms": at_ms + minutes * MINUTE_MS,
        },
    )


async def void_operator_codes(connection: AsyncConnection, player_id: UUID, at_ms: int) -> None:
    """Whatever codes this account has, none opens anything any more."""
    await connection.execute(_VOID_CODES, {"player_id": player_id, "at_ms": at_ms})


async def use_operator_code(connection: AsyncConnection, code: str, at_ms: int) -> UUID | None:
    """Redeem a one-time code: whose it was, or None when it is unknown, used or expired."""
    player_id: UUID | None = (
        await connection.execute(_USE_CODE, {"code_hash": secret_hash(code), "at_ms": at_ms})
    ).scalar()
    return player_id
