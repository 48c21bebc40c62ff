"""How long somebody with a session reminder has been playing, and when they last confirmed the time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

SESSION_BREAK_MS: Final = 30 * 60_000
"""A session ends when this long no hand or match was started or settled: then the time to the reminder starts anew."""


@dataclass(frozen=True, slots=True)
class PlaySession:
    """Kept from the first hand on that starts after a reminder was set.

    last_played_ms: when tokens of the player last moved. A long match holds once, and its end is still play.
    """

    started_ms: int
    last_played_ms: int
    acknowledged_ms: int

    def is_over(self, at_ms: int) -> bool:
        return at_ms - self.last_played_ms > SESSION_BREAK_MS

    def played_ms(self, at_ms: int) -> int:
        """Since the session began or the player last confirmed the time, whichever is later; 0 when it is over."""
        return 0 if self.is_over(at_ms) else max(at_ms - max(self.started_ms, self.acknowledged_ms), 0)


SESSIONS: Final = text(
    "SELECT s.player_id, s.started_ms,"
    "       greatest(s.last_hold_ms, (SELECT max(a.booked_ms) FROM wallet.accounts a"
    "                                 WHERE a.player_id = s.player_id AND a.kind = 'player')),"
    "       s.acknowledged_ms"
    " FROM wallet.play_sessions s WHERE s.player_id = ANY (CAST(:players AS uuid[]))"
)
KEEP_SESSIONS: Final = text(
    "INSERT INTO wallet.play_sessions (player_id, started_ms, last_hold_ms, acknowledged_ms)"
    " SELECT * FROM unnest(CAST(:players AS uuid[]), CAST(:started AS bigint[]), CAST(:last AS bigint[]),"
    "                      CAST(:acknowledged AS bigint[]))"
    " ON CONFLICT (player_id) DO UPDATE SET started_ms = excluded.started_ms, last_hold_ms = excluded.last_hold_ms,"
    "                                       acknowledged_ms = excluded.acknowledged_ms"
)
ACKNOWLEDGE: Final = text(
    "UPDATE wallet.play_sessions SET acknowledged_ms = greatest(acknowledged_ms, :at_ms) WHERE player_id = :player_id"
)


async def play_sessions(connection: AsyncConnection, player_ids: Sequence[UUID]) -> dict[UUID, PlaySession]:
    """The newest session of those of the players who have one."""
    if not player_ids:
        return {}
    rows = await connection.execute(SESSIONS, {"players": list(player_ids)})
    return {player_id: PlaySession(*times) for player_id, *times in rows}


async def keep_play_sessions(connection: AsyncConnection, sessions: Mapping[UUID, PlaySession]) -> None:
    if not sessions:
        return
    kept = dict(sorted(sessions.items()))
    await connection.execute(
        KEEP_SESSIONS,
        {
            "players": list(kept),
            "started": [session.started_ms for session in kept.values()],
            "last": [session.last_played_ms for session in kept.values()],
            "acknowledged": [session.acknowledged_ms for session in kept.values()],
        },
    )


async def acknowledge_reminder(connection: AsyncConnection, player_id: UUID, at_ms: int) -> None:
    """The player has seen how long they have played: the time to the next reminder starts now."""
    await connection.execute(ACKNOWLEDGE, {"player_id": player_id, "at_ms": at_ms})


def session_with_hold(session: PlaySession | None, at_ms: int) -> PlaySession:
    """The session after a hand that starts now: the one that goes on, or a new one."""
    if session is None or session.is_over(at_ms):
        return PlaySession(at_ms, at_ms, 0)
    return replace(session, last_played_ms=max(session.last_played_ms, at_ms))
