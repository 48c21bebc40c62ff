"""Signals as the desk reads them: the worst first, each told in words, with its figures and the hands to look at."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, assert_never
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from server.operator.integrity.signals import ALARM_SCORE, SignalKind

MAX_PAGE: Final = 200
MOST_HANDS: Final = 50


@dataclass(frozen=True, slots=True)
class SignalPlayer:
    player_id: UUID
    name: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of the evidence; label: its name for a client to translate."""

    label: str
    value: float


@dataclass(frozen=True, slots=True)
class Signal:
    """score: how many usual spreads from what was to be expected. alarm: above the line that honest players stay below.

    players: of a flow who gains and who loses, of soft play who feeds and who takes. case_id: of the newest case on it.
    """

    signal_id: UUID
    kind: SignalKind
    asset: str | None
    score: float
    alarm: bool
    players: tuple[SignalPlayer, ...]
    words: str
    evidence: tuple[Figure, ...]
    first_ms: int
    updated_ms: int
    case_id: UUID | None


@dataclass(frozen=True, slots=True)
class SignalFilter:
    """None asks nothing."""

    kind: SignalKind | None = None
    alarm: bool | None = None
    player_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class SignalsPage:
    """Alarms first, then by score. next: the `after` of the page after this one.

    looked_ms: when new hands were last looked for. waiting: closed hands that are not counted yet.
    """

    signals: tuple[Signal, ...]
    next: int | None
    alarm_score: float
    looked_ms: int
    waiting: int


@dataclass(frozen=True, slots=True)
class SignalHands:
    """The newest hands that both were dealt into, at most MOST_HANDS; of one player, their own."""

    signal: Signal
    hand_ids: tuple[UUID, ...]


_SIGNALS: Final = """
SELECT s.signal_id, s.kind, s.asset, s.score, s.alarm, s.evidence, s.first_ms, s.updated_ms,
       (SELECT jsonb_agg(jsonb_build_array(u.player_id, who.name) ORDER BY u.place)
        FROM unnest(s.player_ids) WITH ORDINALITY u (player_id, place) JOIN players who USING (player_id)) AS players,
       (SELECT c.case_id FROM integrity_cases c WHERE c.signal_id = s.signal_id
        ORDER BY c.opened_ms DESC LIMIT 1) AS case_id
FROM integrity_signals s WHERE {filtered}
ORDER BY s.alarm DESC, s.score DESC, s.signal_id OFFSET :after LIMIT :enough
"""
_PROGRESS: Final = text(
    "SELECT p.looked_ms, (SELECT count(*) FROM hands h WHERE h.close_leaf >= p.next_leaf) AS waiting"
    " FROM integrity_progress p"
)
_HANDS: Final = text(
    "SELECT h.hand_id FROM hands h JOIN hand_players p USING (hand_id)"
    " WHERE p.player_id = :first AND h.status = 'closed' AND (CAST(:asset AS text) IS NULL OR h.asset = :asset)"
    "   AND (CAST(:second AS uuid) IS NULL OR EXISTS (SELECT FROM hand_players o"
    "        WHERE o.hand_id = p.hand_id AND o.player_id = :second))"
    " ORDER BY h.closed_ms DESC, h.hand_id LIMIT :most"
)


async def signals_page(connection: AsyncConnection, wanted: SignalFilter, after: int, limit: int) -> SignalsPage:
    """after: how many to pass over; there are never more than a few thousand. At most MAX_PAGE."""
    where, values = ["true"], {"after": after, "enough": limit + 1}
    for condition, name, value in (
        ("s.kind = :kind", "kind", None if wanted.kind is None else wanted.kind.value),
        ("s.alarm = :alarm", "alarm", wanted.alarm),
        ("s.player_ids @> ARRAY[CAST(:player_id AS uuid)]", "player_id", wanted.player_id),
    ):
        if value is not None:
            where.append(condition)
            values[name] = value  # type: ignore[assignment]
    rows = (await connection.execute(text(_SIGNALS.format(filtered=" AND ".join(where))), values)).all()
    progress = (await connection.execute(_PROGRESS)).one()
    return SignalsPage(
        tuple(map(_signal, rows[:limit])),
        after + limit if len(rows) > limit else None,
        ALARM_SCORE,
        progress.looked_ms,
        progress.waiting,
    )


async def signal_hands(connection: AsyncConnection, signal_id: UUID) -> SignalHands | None:
    """A signal with the hands to look at; None for an unknown one."""
    statement = text(_SIGNALS.format(filtered="s.signal_id = :signal_id"))
    row = (await connection.execute(statement, {"signal_id": signal_id, "after": 0, "enough": 1})).one_or_none()
    if row is None:
        return None
    signal = _signal(row)
    values = {
        "first": signal.players[0].player_id,
        "second": signal.players[1].player_id if len(signal.players) > 1 else None,
        "asset": signal.asset,
        "most": MOST_HANDS,
    }
    return SignalHands(signal, tuple((await connection.execute(_HANDS, values)).scalars()))


def _signal(row: Any) -> Signal:
    players = tuple(SignalPlayer(UUID(player_id), name) for player_id, name in row.players)
    kind = SignalKind(row.kind)
    return Signal(
        signal_id=row.signal_id,
        kind=kind,
        asset=row.asset,
        score=round(row.score, 2),
        alarm=row.alarm,
        players=players,
        words=words_for_signal(kind, [player.name for player in players], row.evidence, row.score),
        evidence=tuple(Figure(label, value) for label, value in sorted(row.evidence.items())),
        first_ms=row.first_ms,
        updated_ms=row.updated_ms,
        case_id=row.case_id,
    )


def words_for_signal(kind: SignalKind, names: list[str], evidence: Mapping[str, Any], score: float) -> str:
    """What was seen and what was to be expected, in a few plain sentences."""
    seen = {name: f"{value:,}" for name, value in evidence.items()}
    times = f"{score:.1f} times the usual spread"
    match kind:
        case SignalKind.ONE_SIDED_FLOW:
            return (
                f"{names[0]} won {seen['flow_points']} points more from {names[1]} than the other way round, in"
                f" {seen['hands']} hands of both. By how the two do against everybody else, {seen['expected_points']}"
                f" were to be expected, give or take {seen['spread_points']}: that is {times}."
            )
        case SignalKind.SOFT_PLAY:
            return (
                f"{names[1]} took {seen['taken']} of the {seen['discards']} cards that {names[0]} threw just before"
                f" their turn. By what {names[1]} takes from others and what others take from {names[0]},"
                f" {seen['expected']} were to be expected: that is {times}."
            )
        case SignalKind.SHARED_DEVICE:
            what = "the same browser" if evidence["device"] else "the same address"
            return (
                f"{names[0]} and {names[1]} signed in from {what} and were dealt into {seen['hands']} hands together."
            )
        case SignalKind.MACHINE_TIMING:
            return (
                f"{names[0]} takes {int(evidence['mean_ms']):,} ms over a move, give or take"
                f" {int(evidence['spread_ms']):,} ms, in {seen['moves']} moves. People are far less even: that is"
                f" {times}."
            )
        case _:
            assert_never(kind)
