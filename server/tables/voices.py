"""Who may speak in the house, how often, and who hears whom; kept in memory for those who are here."""

from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import Final
from uuid import UUID

from server.protocol.messages import ErrorCode
from server.tables.ports import Clock
from server.tables.refusal import Refused

LINES_AT_ONCE: Final = 5
LINES_WINDOW_MS: Final = 10_000
"""So many lines of one account in so much time, whatever the table."""

_MOST_SPEAKERS: Final = 5_000


class Voices:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._muted: dict[UUID, frozenset[UUID]] = {}
        self._silent_until: dict[UUID, int] = {}
        self._spoken: OrderedDict[UUID, deque[int]] = OrderedDict()

    def hears(self, listener_id: UUID, speaker_id: UUID) -> bool:
        return speaker_id not in self._muted.get(listener_id, ())

    def set_muted(self, listener_id: UUID, muted: Iterable[UUID]) -> None:
        self._muted[listener_id] = frozenset(muted)

    def forget(self, listener_id: UUID) -> None:
        """Somebody has left the house: whom they muted is read again when they come back."""
        self._muted.pop(listener_id, None)

    def silence(self, player_id: UUID, until_ms: int) -> None:
        """Until a time; one that has passed gives the voice back."""
        if until_ms > self._clock.now_ms():
            self._silent_until[player_id] = until_ms
        else:
            self._silent_until.pop(player_id, None)

    def speak(self, player_id: UUID) -> None:
        """Count one line. Raises Refused for somebody who may not speak, or not so soon."""
        now_ms = self._clock.now_ms()
        silent_until = self._silent_until.get(player_id)
        if silent_until is not None and now_ms < silent_until:
            minutes = -(-(silent_until - now_ms) // 60_000)
            raise Refused(ErrorCode.CHAT_SILENCED, f"An operator has silenced your chat; {minutes} min are left.")
        self._silent_until.pop(player_id, None)
        lines = self._spoken.setdefault(player_id, deque(maxlen=LINES_AT_ONCE))
        self._spoken.move_to_end(player_id)
        if len(lines) == LINES_AT_ONCE and now_ms - lines[0] < LINES_WINDOW_MS:
            words = f"At most {LINES_AT_ONCE} lines in {LINES_WINDOW_MS // 1000} s: wait a moment."
            raise Refused(ErrorCode.TOO_MANY, words)
        lines.append(now_ms)
        if len(self._spoken) > _MOST_SPEAKERS:
            self._spoken.popitem(last=False)
