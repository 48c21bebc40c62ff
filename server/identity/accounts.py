"""Players: who somebody is, on a connection that the caller has put in a transaction."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection


class Kind(StrEnum):
    """What an account is."""

    GUEST = "guest"
    """There is no way back into it but its sessions."""
    MEMBER = "member"
    """Kept for good, with a name and a password."""
    BOT = "bot"
    OPERATOR = "operator"
    """The one that came with the house."""


class Role(StrEnum):
    """What an account may do beside playing."""

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

    @property
    def is_staff(self) -> bool:
        """Operators and auditors have no tokens and do not play."""
        return self.role is not Role.PLAYER


_INSERT_PLAYER: Final = text(
    "INSERT INTO players (player_id, name, kind, role, created_ms) VALUES (:player_id, :name, :kind, :role, :at_ms)"
)
_RENAME: Final = text("UPDATE players SET name = :name, kind = :kind WHERE player_id = :player_id")
_HOUSE_OPERATOR: Final = text("SELECT player_id FROM players WHERE kind = 'operator'")


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


async def rename(connection: AsyncConnection, identity: Identity) -> None:
    """Store the name and the kind that the account has from now on."""
    await connection.execute(
        _RENAME, {"player_id": identity.player_id, "name": identity.name, "kind": identity.kind.value}
    )


async def house_operator(connection: AsyncConnection) -> UUID | None:
    """The operator account that came with the house; None before the first start."""
    player_id: UUID | None = (await connection.execute(_HOUSE_OPERATOR)).scalar()
    return player_id
