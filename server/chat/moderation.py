"""Mute, report, silence: stored first, then heard."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from server.chat import queries
from server.protocol.chat_commands import MOST_NOTE, Mute, ReportChat
from server.protocol.messages import ErrorCode, Player
from server.tables.chat_text import clean_line
from server.tables.hub import House
from server.tables.refusal import Refused
from server.tables.voices import Voices

MOST_MUTED: Final = 500
"""Players whom one account can mute."""

MINUTE_MS: Final = 60_000


class Moderation:
    """may_report counts an account's reports; False when it makes too many."""

    def __init__(
        self,
        engine: AsyncEngine,
        house: House,
        voices: Voices,
        now_ms: Callable[[], int],
        may_report: Callable[[UUID], bool],
    ) -> None:
        self._engine = engine
        self._house = house
        self._voices = voices
        self._now_ms = now_ms
        self._may_report = may_report

    async def start(self) -> None:
        """Silence again who was silenced when the house stopped."""
        async with self._engine.connect() as database:
            for player_id, until_ms in (await queries.silences(database, self._now_ms())).items():
                self._voices.silence(player_id, until_ms)

    async def greet(self, player_id: UUID) -> list[UUID]:
        """Somebody comes: whom they do not hear."""
        async with self._engine.connect() as database:
            muted = await queries.muted_by(database, player_id)
        self._voices.set_muted(player_id, muted)
        return muted

    def forget(self, player_id: UUID) -> None:
        """Somebody's last connection is gone."""
        self._voices.forget(player_id)

    async def mute(self, player: Player, wish: Mute) -> list[UUID]:
        """Returns whom the player does not hear now. Raises Refused."""
        if wish.player_id == player.player_id:
            raise Refused(ErrorCode.NO_SUCH_PLAYER, "Nobody can mute themselves.")
        async with self._engine.begin() as database:
            if wish.on:
                await self._check_mute(len(await queries.muted_by(database, player.player_id)))
                await queries.mute(database, player.player_id, wish.player_id, self._now_ms())
            else:
                await queries.unmute(database, player.player_id, wish.player_id)
            muted = await queries.muted_by(database, player.player_id)
        if wish.on and wish.player_id not in muted:
            raise Refused(ErrorCode.NO_SUCH_PLAYER, "There is no such player.")
        self._voices.set_muted(player.player_id, muted)
        self._house.show_chat_again(player.player_id)
        return muted

    async def report(self, player: Player, wish: ReportChat) -> dict[str, Any]:
        """Store the report with what was said last at the table; returns its number. Raises Refused."""
        if wish.player_id == player.player_id:
            raise Refused(ErrorCode.NO_SUCH_PLAYER, "Nobody can report themselves.")
        lines = self._house.chat_evidence(wish.table_id, player.player_id, wish.player_id)
        if not lines:
            raise Refused(ErrorCode.NO_SUCH_PLAYER, "This player has said nothing at this table lately.")
        if not self._may_report(player.player_id):
            raise Refused(ErrorCode.TOO_MANY, "You have made many reports: wait a minute for the next.")
        note = clean_line(wish.note, MOST_NOTE) if wish.note.strip() else ""
        async with self._engine.begin() as database:
            report_id = await queries.report(
                database,
                at_ms=self._now_ms(),
                table_id=wish.table_id,
                reporter_id=player.player_id,
                reported_id=wish.player_id,
                reason=wish.reason,
                note=note,
                lines=lines,
            )
        return {"report_id": report_id}

    async def silence(self, by_id: UUID, player_id: UUID, minutes: int) -> int | None:
        """As an operator: nobody hears this account for so long; 0 gives the voice back.

        Returns until when, in Unix milliseconds; None for an unknown player.
        """
        now_ms = self._now_ms()
        until_ms = now_ms + minutes * MINUTE_MS
        async with self._engine.begin() as database:
            if not await queries.is_player(database, player_id):
                return None
            await queries.silence(database, player_id, by_id, now_ms, until_ms)
        self._voices.silence(player_id, until_ms)
        return until_ms

    async def reports(self, before: int, limit: int) -> list[dict[str, Any]]:
        async with self._engine.connect() as database:
            return await queries.reports(database, before, limit)

    async def _check_mute(self, muted: int) -> None:
        if muted >= MOST_MUTED:
            raise Refused(ErrorCode.TOO_MANY, f"You have muted {MOST_MUTED} players already.")
