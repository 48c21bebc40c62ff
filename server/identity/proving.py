"""Proving a second factor: the code of this half minute, or one of the recovery codes on paper. Each counts once."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from server.identity.second_factor import DIGITS, SecretSeals
from server.identity.second_factor_store import (
    confirm_secret,
    find_factor,
    use_recovery_code,
    use_step,
)


async def prove(connection: AsyncConnection, seals: SecretSeals, player_id: UUID, typed: str, now_ms: int) -> bool:
    """Whether the typed code is this player's, and spend it. Raises SecretUnreadable."""
    code = _as_written(typed)
    factor = await find_factor(connection, player_id)
    if factor is None or factor.sealed is None:
        return False
    if not _is_from_app(code):
        return await use_recovery_code(connection, player_id, code, now_ms)
    step = seals.unseal(factor.sealed, player_id).step_of(code, now_ms, factor.last_step)
    return step is not None and await use_step(connection, player_id, step)


async def confirm(connection: AsyncConnection, seals: SecretSeals, player_id: UUID, typed: str, now_ms: int) -> bool:
    """Put the offered secret to use when the typed code shows that the player's app has it. Raises SecretUnreadable."""
    code = _as_written(typed)
    factor = await find_factor(connection, player_id)
    if factor is None or factor.pending is None or not _is_from_app(code):
        return False
    step = seals.unseal(factor.pending, player_id).step_of(code, now_ms, last_step=0)
    if step is None:
        return False
    await confirm_secret(connection, player_id, step, now_ms)
    return True


def _as_written(typed: str) -> str:
    return typed.strip().replace(" ", "").upper()


def _is_from_app(code: str) -> bool:
    return len(code) == DIGITS and code.isascii() and code.isdigit()
