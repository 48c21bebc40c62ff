"""Who may have tokens set aside for a hand: funds, and the limits that players set for themselves.

The facts are read under lock (`read_standings`); the decision over them is pure (`refusals_of`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import AmountUnits, Asset, of_player
from wallet.journal import Draft, EntryKind
from wallet.limits import LOSS_WINDOW_MS, MINUTE_MS, NO_LIMITS, LimitKind, PlayerLimits, limits_of
from wallet.refusals import HoldRefusal, HoldRefusalCode, NoAccount
from wallet.requests import HoldRequest

SESSION_BREAK_MS: Final = 30 * MINUTE_MS
"""A session ends when this long no hand was started: then the time to the reminder starts anew."""


@dataclass(frozen=True, slots=True)
class PlaySession:
    """How long somebody with a session reminder has been playing."""

    started_ms: int
    last_hold_ms: int
    acknowledged_ms: int

    def is_over(self, at_ms: int) -> bool:
        return at_ms - self.last_hold_ms > SESSION_BREAK_MS

    def played_ms(self, at_ms: int) -> int:
        """Since the session began or the player last confirmed the time, whichever is later."""
        return at_ms - max(self.started_ms, self.acknowledged_ms)


@dataclass(frozen=True, slots=True)
class Standing:
    """What one player has in one asset under lock. won: units won less lost by settlements in the loss window."""

    available: int
    held: int
    won: int = 0


@dataclass(frozen=True, slots=True)
class Standings:
    """Everything that a group of holds is decided on."""

    of: Mapping[tuple[UUID, Asset], Standing]
    limits: Mapping[UUID, PlayerLimits] = field(default_factory=dict)
    sessions: Mapping[UUID, PlaySession] = field(default_factory=dict)


LOCK_ACCOUNTS: Final = text(
    "SELECT player_id, asset, available, held"
    " FROM wallet.lock_accounts(CAST(:players AS uuid[]), CAST(:assets AS text[]))"
)
WON_SINCE: Final = text(
    "SELECT a.player_id, a.asset, sum(p.available_change + p.held_change)::bigint AS won"
    " FROM unnest(CAST(:players AS uuid[]), CAST(:assets AS text[]), CAST(:since AS bigint[]))"
    "   w (player_id, asset, since_ms)"
    " JOIN wallet.accounts a ON a.player_id = w.player_id AND a.asset = w.asset"
    " CROSS JOIN LATERAL ("
    # Backwards along the account until its time is before the window: as many lines as were written within it.
    "   SELECT coalesce((SELECT before.version FROM wallet.postings before"
    "                    WHERE before.account_id = a.account_id AND before.booked_ms < w.since_ms"
    "                    ORDER BY before.version DESC LIMIT 1), 0) AS version) start"
    " JOIN wallet.postings p ON p.account_id = a.account_id AND p.version > start.version"
    " JOIN wallet.entries e ON e.entry_id = p.entry_id AND e.kind = 'settle'"
    " GROUP BY a.player_id, a.asset"
)
SESSIONS: Final = text(
    "SELECT player_id, started_ms, last_hold_ms, acknowledged_ms FROM wallet.play_sessions"
    " WHERE player_id = ANY (CAST(:players AS uuid[]))"
)
KEEP_SESSIONS: Final = text(
    "INSERT INTO wallet.play_sessions (player_id, started_ms, last_hold_ms, acknowledged_ms)"
    " SELECT * FROM unnest(CAST(:players AS uuid[]), CAST(:started AS bigint[]), CAST(:last AS bigint[]),"
    "                      CAST(:acknowledged AS bigint[]))"
    " ON CONFLICT (player_id) DO UPDATE SET started_ms = excluded.started_ms, last_hold_ms = excluded.last_hold_ms,"
    "                                       acknowledged_ms = excluded.acknowledged_ms"
)


async def lock_balances(
    connection: AsyncConnection, wanted: Iterable[tuple[UUID, Asset]]
) -> dict[tuple[UUID, Asset], Standing]:
    """Lock these players' accounts until the transaction ends, and read them. Raises NoAccount."""
    pairs = sorted(set(wanted))
    rows = await connection.execute(
        LOCK_ACCOUNTS, {"players": [player_id for player_id, _ in pairs], "assets": [asset for _, asset in pairs]}
    )
    found = {(row.player_id, Asset(row.asset)): Standing(row.available, row.held) for row in rows}
    missing = {player_id for player_id, asset in pairs if (player_id, asset) not in found}
    if missing:
        raise NoAccount(sorted(missing))
    return found


async def read_standings(connection: AsyncConnection, requests: Sequence[HoldRequest]) -> Standings:
    """Lock and read all that decides on these requests. Raises NoAccount."""
    pairs = {(player_id, request.asset) for request in requests for player_id, _ in request.amounts}
    of = await lock_balances(connection, pairs)
    limits = await limits_of(connection, {player_id for player_id, _ in pairs})
    if limits:
        of |= await _with_wins(connection, of, limits, requests)
    reminded = [player_id for player_id, own in limits.items() if _has_reminder(own)]
    sessions = await _sessions(connection, reminded) if reminded else {}
    return Standings(of, limits, sessions)


async def keep_sessions(connection: AsyncConnection, standings: Standings, requests: Sequence[HoldRequest]) -> None:
    """Note the start of these hands for the players with a session reminder."""
    sessions = dict(standings.sessions)
    players = []
    for request in requests:
        for player_id, _ in request.amounts:
            if _has_reminder(standings.limits.get(player_id, NO_LIMITS)):
                sessions[player_id] = _session_at(sessions.get(player_id), request.at_ms)
                players.append(player_id)
    if not players:
        return
    kept = {player_id: sessions[player_id] for player_id in sorted(players)}
    await connection.execute(
        KEEP_SESSIONS,
        {
            "players": list(kept),
            "started": [session.started_ms for session in kept.values()],
            "last": [session.last_hold_ms for session in kept.values()],
            "acknowledged": [session.acknowledged_ms for session in kept.values()],
        },
    )


def refusals_of(requests: Sequence[HoldRequest], standings: Standings) -> list[HoldRefusal]:
    """Every reason against these holds, taken in order: a later hand sees what the earlier ones would take."""
    left = dict(standings.of)
    refusals: list[HoldRefusal] = []
    for request in requests:
        for player_id, amount in request.amounts:
            pair = (player_id, request.asset)
            own = standings.limits.get(player_id, NO_LIMITS)
            refusal = _refusal(request, player_id, amount, left[pair], own, standings.sessions.get(player_id))
            if refusal is None:
                standing = left[pair]
                left[pair] = replace(standing, available=standing.available - amount, held=standing.held + amount)
            else:
                refusals.append(refusal)
    return refusals


def draft_hold(request: HoldRequest) -> Draft:
    return Draft(
        key=request.key,
        kind=EntryKind.HOLD,
        asset=request.asset,
        body=request.body,
        reason="hand opened",
        at_ms=request.at_ms,
        lines=tuple(of_player(player_id, -amount, amount) for player_id, amount in request.amounts),
        hand_id=request.hand_id,
        table_id=request.table_id,
    )


def _refusal(
    request: HoldRequest,
    player_id: UUID,
    amount: int,
    standing: Standing,
    own: PlayerLimits,
    session: PlaySession | None,
) -> HoldRefusal | None:
    at_ms = request.at_ms
    for kind, code in (
        (LimitKind.SELF_EXCLUSION, HoldRefusalCode.SELF_EXCLUSION),
        (LimitKind.COOL_OFF, HoldRefusalCode.COOL_OFF),
    ):
        until_ms = own.value(kind, at_ms)
        if until_ms is not None and at_ms < until_ms:
            words = f"has chosen not to play until {until_ms}"
            return HoldRefusal(request.hand_id, player_id, code, words, until_ms=until_ms)
    reminder_ms = own.value(LimitKind.SESSION_REMINDER, at_ms)
    if reminder_ms is not None and session is not None and not session.is_over(at_ms):
        played_ms = session.played_ms(at_ms)
        if played_ms >= reminder_ms:
            words = f"has played {played_ms // MINUTE_MS} minutes and wants to confirm that before going on"
            return HoldRefusal(request.hand_id, player_id, HoldRefusalCode.SESSION_REMINDER, words)
    if amount > standing.available:
        return HoldRefusal(
            request.hand_id,
            player_id,
            HoldRefusalCode.INSUFFICIENT_FUNDS,
            f"has {standing.available} units of {request.asset} and needs {amount}",
            have=AmountUnits(standing.available),
            need=AmountUnits(amount),
        )
    loss_limit = own.value(LimitKind.LOSS_LIMIT, at_ms, request.asset)
    if loss_limit is not None:
        may_lose = loss_limit + standing.won - standing.held
        if amount > may_lose:
            left = max(may_lose, 0)
            return HoldRefusal(
                request.hand_id,
                player_id,
                HoldRefusalCode.LOSS_LIMIT,
                f"may lose {left} more units of {request.asset} by their own limit, and the hand needs {amount}",
                have=AmountUnits(left),
                need=AmountUnits(amount),
            )
    return None


def _session_at(session: PlaySession | None, at_ms: int) -> PlaySession:
    if session is None or session.is_over(at_ms):
        return PlaySession(at_ms, at_ms, 0)
    return replace(session, last_hold_ms=max(session.last_hold_ms, at_ms))


def _has_reminder(own: PlayerLimits) -> bool:
    return any(change.kind is LimitKind.SESSION_REMINDER for change in own.changes)


async def _sessions(connection: AsyncConnection, player_ids: Sequence[UUID]) -> dict[UUID, PlaySession]:
    rows = await connection.execute(SESSIONS, {"players": list(player_ids)})
    return {player_id: PlaySession(*times) for player_id, *times in rows}


async def _with_wins(
    connection: AsyncConnection,
    of: Mapping[tuple[UUID, Asset], Standing],
    limits: Mapping[UUID, PlayerLimits],
    requests: Sequence[HoldRequest],
) -> dict[tuple[UUID, Asset], Standing]:
    """The standings of players with a loss limit, with what they won or lost in the window before their hand."""
    since: dict[tuple[UUID, Asset], int] = {}
    for request in requests:
        for player_id, _ in request.amounts:
            if limits.get(player_id, NO_LIMITS).value(LimitKind.LOSS_LIMIT, request.at_ms, request.asset) is not None:
                since[player_id, request.asset] = request.at_ms - LOSS_WINDOW_MS
    if not since:
        return {}
    rows = await connection.execute(
        WON_SINCE,
        {
            "players": [player_id for player_id, _ in since],
            "assets": [asset for _, asset in since],
            "since": list(since.values()),
        },
    )
    won = {(row.player_id, Asset(row.asset)): row.won for row in rows}
    return {pair: replace(of[pair], won=won.get(pair, 0)) for pair in since}
