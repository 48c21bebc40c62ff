"""Who has a second factor, and what was used of it, on a connection that the caller has put in a transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity.secrets import secret_hash


@dataclass(frozen=True, slots=True)
class StoredFactor:
    """sealed: in use; pending: shown to the player and not yet confirmed with a code; None where there is none."""

    sealed: bytes | None = field(repr=False)
    pending: bytes | None = field(repr=False)
    last_step: int


_FIND: Final = text(
    "SELECT sealed_secret, pending_secret, last_step FROM second_factors WHERE player_id = :player_id FOR UPDATE"
)
_OFFER: Final = text(
    "INSERT INTO second_factors (player_id, pending_secret) VALUES (:player_id, :pending)"
    " ON CONFLICT (player_id) DO UPDATE SET pending_secret = excluded.pending_secret"
)
_CONFIRM: Final = text(
    "UPDATE second_factors"
    " SET sealed_secret = pending_secret, pending_secret = NULL, confirmed_ms = :at_ms, last_step = :step"
    " WHERE player_id = :player_id"
)
_USE_STEP: Final = text(
    "UPDATE second_factors SET last_step = :step WHERE player_id = :player_id AND last_step < :step RETURNING last_step"
)
_FORGET: Final = text("DELETE FROM second_factors WHERE player_id = :player_id")
_FORGET_CODES: Final = text("DELETE FROM recovery_codes WHERE player_id = :player_id")
_INSERT_CODES: Final = text(
    "INSERT INTO recovery_codes (code_hash, player_id, created_ms)"
    " SELECT hash, :player_id, :at_ms FROM unnest(CAST(:hashes AS bytea[])) hash"
)
_USE_CODE: Final = text(
    "UPDATE recovery_codes SET used_ms = :at_ms"
    " WHERE code_hash = :code_hash AND player_id = :player_id AND used_ms IS NULL RETURNING code_hash"
)
_CODES_LEFT: Final = text("SELECT count(*) FROM recovery_codes WHERE player_id = :player_id AND used_ms IS NULL")


async def find_factor(connection: AsyncConnection, player_id: UUID) -> StoredFactor | None:
    """The row, locked until the transaction ends: two requests with one code take turns."""
    row = (await connection.execute(_FIND, {"player_id": player_id})).first()
    return None if row is None else StoredFactor(*row)


async def offer_secret(connection: AsyncConnection, player_id: UUID, pending: bytes) -> None:
    """Keep a sealed secret until a code confirms it; what is in use stays in use until then."""
    await connection.execute(_OFFER, {"player_id": player_id, "pending": pending})


async def confirm_secret(connection: AsyncConnection, player_id: UUID, step: int, at_ms: int) -> None:
    await connection.execute(_CONFIRM, {"player_id": player_id, "step": step, "at_ms": at_ms})


async def use_step(connection: AsyncConnection, player_id: UUID, step: int) -> bool:
    """Spend the code of a step and of all before it; False when it was spent."""
    return (await connection.execute(_USE_STEP, {"player_id": player_id, "step": step})).first() is not None


async def forget_factor(connection: AsyncConnection, player_id: UUID) -> None:
    await connection.execute(_FORGET, {"player_id": player_id})
    await connection.execute(_FORGET_CODES, {"player_id": player_id})


async def replace_recovery_codes(
    connection: AsyncConnection, player_id: UUID, codes: Sequence[str], at_ms: int
) -> None:
    """These codes instead of all before; only their hashes are kept."""
    await connection.execute(_FORGET_CODES, {"player_id": player_id})
    hashes = [secret_hash(code) for code in codes]
    await connection.execute(_INSERT_CODES, {"player_id": player_id, "hashes": hashes, "at_ms": at_ms})


async def use_recovery_code(connection: AsyncConnection, player_id: UUID, code: str, at_ms: int) -> bool:
    values = {"code_hash": secret_hash(code), "player_id": player_id, "at_ms": at_ms}
    return (await connection.execute(_USE_CODE, values)).first() is not None


async def recovery_codes_left(connection: AsyncConnection, player_id: UUID) -> int:
    left: int = (await connection.execute(_CODES_LEFT, {"player_id": player_id})).scalar_one()
    return left
