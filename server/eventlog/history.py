"""The hands that a player has played, page by page, each as its settlement told it."""

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.event_codec import decode_event
from fairness.events import Settled
from server.eventlog.driver import driver_of

MAX_PAGE: Final = 200


@dataclass(frozen=True, slots=True)
class HandLine:
    """What one seat counted and got. delta: units, after commission for the winner."""

    seat: int
    player_id: UUID
    name: str
    points: int
    delta: int


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """winner: its seat; None for a void hand. position: where the hand stands in the house's log, for paging."""

    hand_id: UUID
    table_id: UUID
    table_name: str
    format: str
    hand_no: int
    asset: str
    opened_ms: int
    closed_ms: int
    outcome: str
    void_reason: str | None
    winner: int | None
    commission: int
    lines: tuple[HandLine, ...]
    position: int


# The settle event is among the last three of a hand: its type is the event's first byte.
_PLAYED: Final = f"""
SELECT h.hand_id, h.table_id, t.name AS table_name, t.format, h.hand_no,
       h.asset, h.opened_ms, h.closed_ms, h.outcome, h.void_reason, h.close_leaf,
       (SELECT e.data FROM hand_events AS e
        WHERE e.hand_id = h.hand_id AND get_byte(e.data, 0) = {Settled.TYPE} ORDER BY e.k DESC LIMIT 1) AS settled,
       (SELECT jsonb_agg(jsonb_build_object('seat', p.seat, 'player_id', p.player_id, 'name', who.name,
                                            'points', p.points, 'delta', p.delta) ORDER BY p.seat)
        FROM hand_players AS p JOIN players AS who USING (player_id) WHERE p.hand_id = h.hand_id) AS lines
FROM hands AS h JOIN tables AS t USING (table_id) JOIN hand_players AS mine USING (hand_id)
WHERE mine.player_id = $1 AND h.status = 'closed' AND h.close_leaf < $2
ORDER BY h.close_leaf DESC LIMIT $3
"""  # noqa: S608


async def hands_of_player(
    connection: AsyncConnection, player_id: UUID, before: int, limit: int
) -> tuple[PlayedHand, ...]:
    """Closed hands of this player, the last to close first; before: a position, and only hands before it."""
    rows = await (await driver_of(connection)).fetch(_PLAYED, player_id, before, limit)
    return tuple(_played(row) for row in rows)


def _played(row: Any) -> PlayedHand:
    settled = None if row["settled"] is None else decode_event(row["settled"])
    assert settled is None or isinstance(settled, Settled), "the first byte names the type of an event"
    return PlayedHand(
        hand_id=row["hand_id"],
        table_id=row["table_id"],
        table_name=row["table_name"],
        format=row["format"],
        hand_no=row["hand_no"],
        asset=row["asset"],
        opened_ms=row["opened_ms"],
        closed_ms=row["closed_ms"],
        outcome=row["outcome"],
        void_reason=row["void_reason"],
        winner=None if settled is None else settled.winner,
        commission=0 if settled is None else settled.commission,
        lines=tuple(
            HandLine(line["seat"], UUID(line["player_id"]), line["name"], line["points"], line["delta"])
            for line in row["lines"]
        ),
        position=row["close_leaf"],
    )
