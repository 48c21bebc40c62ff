"""People as the desk knows them: found by name or id, with what they have, how they came, and whom they came with."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.operator.settlements import as_uuid, prefix_pattern
from wallet.accounts import Asset

MAX_PAGE: Final = 200
_MOST_SESSIONS: Final = 50
_MOST_SHARED: Final = 50
_MOST_ADJUSTMENTS: Final = 100


@dataclass(frozen=True, slots=True)
class PlayerCursor:
    """Where a page of players ends; `str` and `parse` invert."""

    created_ms: int
    player_id: UUID

    def __str__(self) -> str:
        return f"{self.created_ms}.{self.player_id}"

    @classmethod
    def parse(cls, written: str) -> "PlayerCursor":
        """Raises ValueError for anything that no page ever gave."""
        created_ms, _, player_id = written.partition(".")
        if not (created_ms.isascii() and created_ms.isdecimal() and len(created_ms) <= 18):
            raise ValueError("this is no cursor of a list of players")
        return cls(int(created_ms), UUID(player_id))


@dataclass(frozen=True, slots=True)
class TokensOf:
    """Units of one asset."""

    asset: Asset
    available: int
    held: int


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """kind: `guest`, `member` or `bot`. last_seen_ms: null for somebody who never signed in by a session.

    self_excluded_until_ms: of a self-exclusion that runs, which nobody can shorten.
    """

    player_id: UUID
    name: str
    kind: str
    created_ms: int
    last_seen_ms: int | None
    tokens: tuple[TokensOf, ...]
    frozen: bool
    self_excluded_until_ms: int | None


@dataclass(frozen=True, slots=True)
class PlayersPage:
    """The newest first; next: the `before` of the page after this one."""

    players: tuple[ListedPlayer, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class KnownSession:
    """device: browser and system in words. ended_ms: when it was ended; null for one that lasts or ran out."""

    session_id: UUID
    device: str
    device_id: UUID | None
    address: str
    created_ms: int
    last_seen_ms: int
    expires_ms: int
    ended_ms: int | None


@dataclass(frozen=True, slots=True)
class SharedWith:
    """Another account that signed in from the same browser, or from the same address."""

    player_id: UUID
    name: str
    kind: str
    device: bool
    address: bool


@dataclass(frozen=True, slots=True)
class FreezeOnRecord:
    frozen: bool
    by_id: UUID
    by_name: str
    reason: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class AdjustmentOnRecord:
    """approved: null while it waits for a second operator. amount: units, above zero for the player."""

    adjustment_id: UUID
    asset: Asset
    amount: int
    reason: str
    corrects: int | None
    requested_by: UUID
    requested_name: str
    requested_ms: int
    approved: bool | None
    decided_by: UUID | None
    decided_name: str | None
    decided_ms: int | None


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """hands: how many closed hands they were dealt into."""

    player: ListedPlayer
    hands: int
    sessions: tuple[KnownSession, ...]
    shared_with: tuple[SharedWith, ...]
    freezes: tuple[FreezeOnRecord, ...]
    adjustments: tuple[AdjustmentOnRecord, ...]


_LISTED: Final = """
SELECT p.player_id, p.name, p.kind, p.created_ms,
       (SELECT max(coalesce(s.last_seen_ms, s.created_ms)) FROM sessions s
        WHERE s.player_id = p.player_id) AS last_seen,
       (SELECT jsonb_agg(jsonb_build_array(a.asset, a.available, a.held) ORDER BY a.asset)
        FROM wallet.accounts a WHERE a.player_id = p.player_id AND a.kind = 'player') AS tokens,
       coalesce((SELECT f.frozen FROM wallet.freezes f WHERE f.player_id = p.player_id
                 ORDER BY f.freeze_id DESC LIMIT 1), false) AS frozen,
       (SELECT max(l.value) FROM wallet.limit_changes l
        WHERE l.player_id = p.player_id AND l.kind = 'self_exclusion' AND l.value > :now_ms) AS excluded
FROM (SELECT * FROM players WHERE role = 'player' {filtered}
      ORDER BY created_ms DESC, player_id DESC LIMIT :enough) p
ORDER BY p.created_ms DESC, p.player_id DESC
"""
_HANDS: Final = text("SELECT count(*) FROM hand_players p WHERE p.player_id = :player_id AND p.points IS NOT NULL")
_SESSIONS: Final = text(
    "SELECT session_id, device, device_id, address, created_ms, coalesce(last_seen_ms, created_ms), expires_ms,"
    "       revoked_ms"
    " FROM sessions WHERE player_id = :player_id ORDER BY created_ms DESC, session_id LIMIT :most"
)
_SHARED: Final = text(
    "SELECT who.player_id, who.name, who.kind, bool_or(same.device), bool_or(same.address)"
    " FROM ("
    "   SELECT other.player_id, true AS device, false AS address"
    "   FROM sessions mine JOIN sessions other ON other.device_id = mine.device_id WHERE mine.player_id = :player_id"
    "   UNION ALL"
    "   SELECT other.player_id, false, true"
    "   FROM sessions mine JOIN sessions other ON other.address = mine.address AND other.address <> ''"
    "   WHERE mine.player_id = :player_id AND mine.address <> ''"
    " ) same JOIN players who USING (player_id) WHERE who.player_id <> :player_id"
    " GROUP BY who.player_id, who.name, who.kind"
    " ORDER BY bool_or(same.device) DESC, who.name, who.player_id LIMIT :most"
)
_FREEZES: Final = text(
    "SELECT f.frozen, f.by_id, who.name, f.reason, f.at_ms"
    " FROM wallet.freezes f JOIN players who ON who.player_id = f.by_id"
    " WHERE f.player_id = :player_id ORDER BY f.freeze_id DESC"
)
_ADJUSTMENTS: Final = text(
    "SELECT a.adjustment_id, a.asset, a.amount, a.reason, a.corrects, a.requested_by, asker.name, a.requested_ms,"
    "       d.approved, d.decided_by, decider.name, d.decided_ms"
    " FROM wallet.adjustments a JOIN players asker ON asker.player_id = a.requested_by"
    " LEFT JOIN wallet.adjustment_decisions d USING (adjustment_id)"
    " LEFT JOIN players decider ON decider.player_id = d.decided_by"
    " WHERE a.player_id = :player_id ORDER BY a.requested_ms DESC, a.adjustment_id LIMIT :most"
)

_NAMES: Final = text("SELECT player_id, name FROM players WHERE player_id = ANY (:player_ids)")


async def players_page(
    connection: AsyncConnection, written: str | None, before: PlayerCursor | None, limit: int, now_ms: int
) -> PlayersPage:
    """People who play, the newest first. written: an id, or how the name begins. At most MAX_PAGE."""
    filtered = ""
    values: dict[str, Any] = {}
    if written is not None:
        known = as_uuid(written)
        filtered = " AND lower(name) LIKE :pattern" if known is None else " AND player_id = :player_id"
        values = {"pattern": prefix_pattern(written)} if known is None else {"player_id": known}
    if before is not None:
        filtered += " AND (created_ms, player_id) < (:before_ms, :before_id)"
        values |= {"before_ms": before.created_ms, "before_id": before.player_id}
    rows = await _listed(connection, filtered, {**values, "enough": limit + 1, "now_ms": now_ms})
    players = rows[:limit]
    more = len(rows) > limit
    return PlayersPage(players, str(PlayerCursor(players[-1].created_ms, players[-1].player_id)) if more else None)


async def player_page(connection: AsyncConnection, player_id: UUID, now_ms: int) -> PlayerPage | None:
    """Everything about one player but their limits; None for somebody who does not play here."""
    values = {"player_id": player_id, "enough": 1, "now_ms": now_ms}
    found = await _listed(connection, " AND player_id = :player_id", values)
    if not found:
        return None
    of_player = {"player_id": player_id}
    sessions = await connection.execute(_SESSIONS, of_player | {"most": _MOST_SESSIONS})
    shared = await connection.execute(_SHARED, of_player | {"most": _MOST_SHARED})
    adjustments = await connection.execute(_ADJUSTMENTS, of_player | {"most": _MOST_ADJUSTMENTS})
    return PlayerPage(
        player=found[0],
        hands=(await connection.execute(_HANDS, of_player)).scalar_one(),
        sessions=tuple(KnownSession(*row) for row in sessions),
        shared_with=tuple(SharedWith(*row) for row in shared),
        freezes=tuple(FreezeOnRecord(*row) for row in await connection.execute(_FREEZES, of_player)),
        adjustments=tuple(_adjustment(*row) for row in adjustments),
    )


async def names_of(connection: AsyncConnection, player_ids: Collection[UUID]) -> dict[UUID, str]:
    """What these accounts are called; operators have names as well."""
    rows = await connection.execute(_NAMES, {"player_ids": list(player_ids)})
    return {row.player_id: row.name for row in rows}


async def _listed(connection: AsyncConnection, filtered: str, values: dict[str, Any]) -> tuple[ListedPlayer, ...]:
    rows = await connection.execute(text(_LISTED.format(filtered=filtered)), values)
    return tuple(
        ListedPlayer(
            player_id=row.player_id,
            name=row.name,
            kind=row.kind,
            created_ms=row.created_ms,
            last_seen_ms=row.last_seen,
            tokens=tuple(TokensOf(Asset(asset), available, held) for asset, available, held in row.tokens or ()),
            frozen=row.frozen,
            self_excluded_until_ms=row.excluded,
        )
        for row in rows
    )


def _adjustment(adjustment_id: UUID, asset: str, *rest: Any) -> AdjustmentOnRecord:
    return AdjustmentOnRecord(adjustment_id, Asset(asset), *rest)
