"""Who may have tokens set aside for a hand or match: funds, and the limits that players set for themselves.

The facts are read under lock (`read_standings`); the decision over them is pure (`refusals_of`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import AmountUnits, of_player
from wallet.journal import Draft, EntryKind
from wallet.limits import LOSS_WINDOW_MS, MINUTE_MS, NO_LIMITS, LimitKind, PlayerLimits, limits_of
from wallet.play_sessions import PlaySession, keep_play_sessions, play_sessions, session_with_hold
from wallet.refusals import HoldRefusal, HoldRefusalCode
from wallet.requests import HoldRequest
from wallet.standing import Pair, Standing, lock_balances, won_since


@dataclass(frozen=True, slots=True)
class Standings:
    """Everything that a group of holds is decided on."""

    of: Mapping[Pair, Standing]
    limits: Mapping[UUID, PlayerLimits] = field(default_factory=dict)
    sessions: Mapping[UUID, PlaySession] = field(default_factory=dict)


async def read_standings(connection: AsyncConnection, requests: Sequence[HoldRequest]) -> Standings:
    """Lock and read all that decides on these requests. Raises NoAccount."""
    pairs = {(player_id, request.asset) for request in requests for player_id, _ in request.amounts}
    of = await lock_balances(connection, pairs)
    limits = await limits_of(connection, {player_id for player_id, _ in pairs})
    if limits:
        of |= await _with_wins(connection, of, limits, requests)
    reminded = [player_id for player_id, own in limits.items() if own.has_ever_set(LimitKind.SESSION_REMINDER)]
    return Standings(of, limits, await play_sessions(connection, reminded))


async def keep_sessions(connection: AsyncConnection, standings: Standings, requests: Sequence[HoldRequest]) -> None:
    """Note the start of these hands for the players with a session reminder."""
    sessions: dict[UUID, PlaySession] = {}
    for request in requests:
        for player_id, _ in request.amounts:
            if standings.limits.get(player_id, NO_LIMITS).has_ever_set(LimitKind.SESSION_REMINDER):
                before = sessions.get(player_id, standings.sessions.get(player_id))
                sessions[player_id] = session_with_hold(before, request.at_ms)
    await keep_play_sessions(connection, sessions)


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
        reason=f"{request.contest.kind} opened" if request.more is None else "bought in again",
        at_ms=request.at_ms,
        lines=tuple(of_player(player_id, -amount, amount) for player_id, amount in request.amounts),
        contest=request.contest,
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
    if own.value(LimitKind.FROZEN, at_ms) is not None:
        words = "is kept from playing by an operator"
        return HoldRefusal(request.contest, player_id, HoldRefusalCode.FROZEN, words)
    for kind, code in (
        (LimitKind.SELF_EXCLUSION, HoldRefusalCode.SELF_EXCLUSION),
        (LimitKind.COOL_OFF, HoldRefusalCode.COOL_OFF),
    ):
        until_ms = own.until_ms(kind, at_ms)
        if until_ms is not None:
            words = f"has chosen not to play until {until_ms}"
            return HoldRefusal(request.contest, player_id, code, words, until_ms=until_ms)
    reminder_ms = own.value(LimitKind.SESSION_REMINDER, at_ms)
    played_ms = 0 if session is None else session.played_ms(at_ms)
    if reminder_ms is not None and played_ms >= reminder_ms:
        words = f"has played {played_ms // MINUTE_MS} minutes and wants to confirm that before going on"
        return HoldRefusal(request.contest, player_id, HoldRefusalCode.SESSION_REMINDER, words)
    if amount > standing.available:
        return HoldRefusal(
            request.contest,
            player_id,
            HoldRefusalCode.INSUFFICIENT_FUNDS,
            f"has {standing.available} units of {request.asset} and needs {amount}",
            have=AmountUnits(standing.available),
            need=AmountUnits(amount),
        )
    loss_limit = own.value(LimitKind.LOSS_LIMIT, at_ms, request.asset)
    if loss_limit is not None:
        left = standing.may_lose(loss_limit)
        if amount > left:
            return HoldRefusal(
                request.contest,
                player_id,
                HoldRefusalCode.LOSS_LIMIT,
                f"may lose {left} more units of {request.asset} by their own limit, and {amount} are needed",
                have=AmountUnits(left),
                need=AmountUnits(amount),
            )
    return None


async def _with_wins(
    connection: AsyncConnection,
    of: Mapping[Pair, Standing],
    limits: Mapping[UUID, PlayerLimits],
    requests: Sequence[HoldRequest],
) -> dict[Pair, Standing]:
    """The standings of players with a loss limit, with what they won or lost in the window before their hand."""
    since: dict[Pair, int] = {}
    for request in requests:
        for player_id, _ in request.amounts:
            if limits.get(player_id, NO_LIMITS).value(LimitKind.LOSS_LIMIT, request.at_ms, request.asset) is not None:
                since[player_id, request.asset] = request.at_ms - LOSS_WINDOW_MS
    if not since:
        return {}
    won = await won_since(connection, since)
    return {pair: replace(of[pair], won=won.get(pair, 0)) for pair in since}
