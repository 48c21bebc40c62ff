"""Limits that players set for themselves: what they asked, and what is in force at a moment.

A change that protects more takes effect at once, one that protects less after 24 hours. A new
wish takes the place of one that still waits. Nothing is overwritten: each change is a row, and what is in force
follows from the rows. They are enforced where holds are taken (`wallet.holding`); `wallet.own_limits` tells a player.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import Asset
from wallet.refusals import LimitRefusalCode, LimitRefused
from wallet.requests import MAX_UNITS
from wallet.standing import lock_balances

MINUTE_MS: Final = 60_000
HOUR_MS: Final = 60 * MINUTE_MS
DAY_MS: Final = 24 * HOUR_MS

LOOSENING_DELAY_MS: Final = DAY_MS
LOSS_WINDOW_MS: Final = DAY_MS
"""A day of the loss limit is the 24 hours before the hold: the same wherever a player lives, and no double day
around midnight."""
REMINDER_BOUNDS_MS: Final = (10 * MINUTE_MS, DAY_MS)
COOL_OFF_BOUNDS_MS: Final = (DAY_MS, 42 * DAY_MS)
SELF_EXCLUSION_BOUNDS_MS: Final = (180 * DAY_MS, 5 * 366 * DAY_MS)


class LimitKind(StrEnum):
    """What a limit's value means."""

    LOSS_LIMIT = "loss_limit"
    """Units of one asset that may be lost, wins counted against losses, in any 24 hours."""
    SESSION_REMINDER = "session_reminder"
    """Milliseconds of play after which no hand starts until the player has confirmed the time."""
    COOL_OFF = "cool_off"
    """Unix milliseconds until which no hand starts."""
    SELF_EXCLUSION = "self_exclusion"
    """The same, for long."""
    FROZEN = "frozen"
    """1 while an operator lets no hand start (`wallet.freezes`); no player sets or lifts it."""


@dataclass(frozen=True, slots=True)
class LimitChange:
    """One thing that a player asked; value None takes the limit away. asset: of a loss limit only."""

    kind: LimitKind
    asset: Asset | None
    value: int | None
    asked_ms: int
    effective_ms: int


@dataclass(frozen=True, slots=True)
class LimitState:
    """in_force: now (None: no limit). pending: what is to follow, and when, if anything is."""

    in_force: int | None
    pending: LimitChange | None


@dataclass(frozen=True, slots=True)
class PlayerLimits:
    """Everything one player has asked, oldest first."""

    changes: tuple[LimitChange, ...] = ()

    def state(self, kind: LimitKind, at_ms: int, asset: Asset | None = None) -> LimitState:
        """What is in force at a moment; a change that still waited when the next one was asked never takes effect."""
        in_force: int | None = None
        pending: LimitChange | None = None
        for change in self.changes:
            if change.kind is not kind or change.asset is not asset:
                continue
            if pending is not None and pending.effective_ms <= change.asked_ms:
                in_force = pending.value
            pending = change
        if pending is not None and pending.effective_ms <= at_ms:
            return LimitState(pending.value, None)
        return LimitState(in_force, pending)

    def value(self, kind: LimitKind, at_ms: int, asset: Asset | None = None) -> int | None:
        return self.state(kind, at_ms, asset).in_force

    def until_ms(self, kind: LimitKind, at_ms: int) -> int | None:
        """The end of a cool-off or self-exclusion that runs at this moment."""
        until_ms = self.value(kind, at_ms)
        return None if until_ms is None or until_ms <= at_ms else until_ms

    def has_ever_set(self, kind: LimitKind) -> bool:
        return any(change.kind is kind for change in self.changes)


NO_LIMITS: Final = PlayerLimits()

CHANGES: Final = text(
    "SELECT player_id, kind::text, asset::text, value, asked_ms, effective_ms, change_id FROM wallet.limit_changes"
    " WHERE player_id = ANY (CAST(:player_ids AS uuid[]))"
    " UNION ALL"
    " SELECT player_id, 'frozen', NULL, CASE WHEN frozen THEN 1 END, at_ms, at_ms, freeze_id FROM wallet.freezes"
    " WHERE player_id = ANY (CAST(:player_ids AS uuid[])) ORDER BY player_id, change_id"
)
ADD_CHANGE: Final = text(
    "INSERT INTO wallet.limit_changes (player_id, kind, asset, value, asked_ms, effective_ms)"
    " VALUES (:player_id, :kind, :asset, :value, :asked_ms, :effective_ms)"
)


async def limits_of(connection: AsyncConnection, player_ids: Iterable[UUID]) -> Mapping[UUID, PlayerLimits]:
    """The limits of those of the players who ever set one, and whom an operator has frozen."""
    rows = await connection.execute(CHANGES, {"player_ids": list(player_ids)})
    return {
        player_id: PlayerLimits(tuple(_change(*row[1:-1]) for row in of_player))
        for player_id, of_player in groupby(rows, key=lambda row: row.player_id)
    }


async def limits(connection: AsyncConnection, player_id: UUID) -> PlayerLimits:
    return (await limits_of(connection, [player_id])).get(player_id, NO_LIMITS)


async def set_loss_limit(
    connection: AsyncConnection, player_id: UUID, asset: Asset, units: int | None, at_ms: int
) -> LimitChange:
    """Lose at most `units` in any 24 hours; None lifts the limit, as every raise after 24 hours.

    What is in force already, set again, takes back a raise that still waits. Raises LimitRefused, NoAccount.
    """
    if units is not None:
        _require_within("a loss limit", units, (0, MAX_UNITS), "units")
    return await _set_amount(connection, player_id, LimitKind.LOSS_LIMIT, asset, units, at_ms)


async def set_session_reminder(
    connection: AsyncConnection, player_id: UUID, after_ms: int | None, at_ms: int
) -> LimitChange:
    """Ask for a confirmation after this much play; None or longer takes effect after 24 hours."""
    if after_ms is not None:
        _require_within("a session reminder", after_ms, REMINDER_BOUNDS_MS, "ms")
    return await _set_amount(connection, player_id, LimitKind.SESSION_REMINDER, None, after_ms, at_ms)


async def cool_off(connection: AsyncConnection, player_id: UUID, until_ms: int, at_ms: int) -> LimitChange:
    """Start no hand until then: 1 to 42 days from now. A running one can only be made longer."""
    return await _exclude(connection, player_id, LimitKind.COOL_OFF, until_ms, at_ms, COOL_OFF_BOUNDS_MS)


async def self_exclude(connection: AsyncConnection, player_id: UUID, until_ms: int, at_ms: int) -> LimitChange:
    """Start no hand until then: 180 days to 5 years from now. A running one can only be made longer."""
    return await _exclude(connection, player_id, LimitKind.SELF_EXCLUSION, until_ms, at_ms, SELF_EXCLUSION_BOUNDS_MS)


async def _set_amount(
    connection: AsyncConnection, player_id: UUID, kind: LimitKind, asset: Asset | None, value: int | None, at_ms: int
) -> LimitChange:
    await _one_at_a_time(connection, player_id)
    in_force = (await limits(connection, player_id)).value(kind, at_ms, asset)
    looser = in_force is not None and (value is None or value > in_force)
    effective_ms = at_ms + LOOSENING_DELAY_MS if looser else at_ms
    return await _add(connection, player_id, LimitChange(kind, asset, value, at_ms, effective_ms))


async def _exclude(
    connection: AsyncConnection, player_id: UUID, kind: LimitKind, until_ms: int, at_ms: int, bounds: tuple[int, int]
) -> LimitChange:
    _require_within(f"a {kind.replace('_', ' ')}", until_ms - at_ms, bounds, "ms from now")
    await _one_at_a_time(connection, player_id)
    in_force = (await limits(connection, player_id)).value(kind, at_ms)
    if in_force is not None and until_ms < in_force:
        raise LimitRefused(LimitRefusalCode.ONLY_LONGER, f"it already lasts until {in_force}: it can only be extended")
    return await _add(connection, player_id, LimitChange(kind, None, until_ms, at_ms, at_ms))


async def _one_at_a_time(connection: AsyncConnection, player_id: UUID) -> None:
    """Changes of one player follow one another, and no hold of theirs is between reading limits and taking effect."""
    await lock_balances(connection, [(player_id, asset) for asset in Asset])


async def _add(connection: AsyncConnection, player_id: UUID, change: LimitChange) -> LimitChange:
    await connection.execute(
        ADD_CHANGE,
        {
            "player_id": player_id,
            "kind": change.kind,
            "asset": change.asset,
            "value": change.value,
            "asked_ms": change.asked_ms,
            "effective_ms": change.effective_ms,
        },
    )
    return change


def _change(kind: str, asset: str | None, value: int | None, asked_ms: int, effective_ms: int) -> LimitChange:
    return LimitChange(LimitKind(kind), Asset(asset) if asset else None, value, asked_ms, effective_ms)


def _require_within(what: str, value: int, bounds: Sequence[int], unit: str) -> None:
    low, high = bounds
    if not low <= value <= high:
        raise LimitRefused(LimitRefusalCode.OUT_OF_BOUNDS, f"{what} of {value} {unit}: allowed are {low} to {high}")
