"""Tells a table's audience what is so: numbered messages, the public part encoded once for everybody."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic
from uuid import UUID

from pydantic_core import to_json

from server.protocol.commands import ResumePoint
from server.protocol.messages import Message, TableSummary
from server.tables import views
from server.tables.audience import Audience
from server.tables.game import State
from server.tables.ports import Clock, Connection
from server.tables.table import Table

KEPT_MESSAGES: Final = 64
"""How many messages back a client may resume: a minute of a busy table. Beyond that it gets a snapshot."""


@dataclass(frozen=True, slots=True)
class _Sent:
    seq: int
    events: tuple[str, ...]


class Publisher(Generic[State]):
    """One table's voice within one epoch. `seq` counts what it told everybody; a snapshot to one repeats the newest."""

    def __init__(
        self,
        table: Table[State],
        audience: Audience,
        clock: Clock,
        on_summary: Callable[[TableSummary], None],
    ) -> None:
        self._table = table
        self._audience = audience
        self._clock = clock
        self._on_summary = on_summary
        self._seq = 0
        self._recent: deque[_Sent] = deque(maxlen=KEPT_MESSAGES)
        self._public = ""
        self._summary: TableSummary | None = None

    def now_ms(self) -> int:
        """The time as messages state it."""
        return self._clock.now_ms()

    def publish(self, events: Sequence[dict[str, Any]] = ()) -> None:
        """Show everybody the table as it is now, and what just happened."""
        view = views.public_view(self._table, self._audience)
        self._public = view.model_dump_json()
        self._seq += 1
        sent = _Sent(self._seq, tuple(_encode(event) for event in events))
        self._recent.append(sent)
        self._send_to(self._audience, sent.events, snapshot=False)
        if view.table != self._summary:
            self._summary = view.table
            self._on_summary(view.table)

    def show(self, connection: Connection, resume: ResumePoint | None = None) -> None:
        """Show one connection where the table stands: what it missed since `resume`, or the whole hand so far."""
        missed = () if resume is None else self._missed(resume)
        if missed:
            self._send_to((connection,), [event for sent in missed for event in sent.events], snapshot=False)
            return
        record = self._table.record
        whole = () if record is None else tuple(_encode(event) for event in record.public_events(0))
        self._send_to((connection,), whole, snapshot=True)

    def show_player(self, player_id: UUID) -> None:
        """Show a player's connections what changed for them alone."""
        for connection in self._audience.of(player_id):
            self.show(connection)

    def tell(self, player_id: UUID, message: Message) -> None:
        """Send something to all of a player's connections."""
        text = message.model_dump_json()
        for connection in self._audience.of(player_id):
            connection.send(text)

    def announce(self, message: Message) -> None:
        """Send something to everybody who watches."""
        text = message.model_dump_json()
        for connection in self._audience:
            connection.send(text)

    def _missed(self, resume: ResumePoint) -> tuple[_Sent, ...]:
        """The messages after a resume point; () when there are none, or the point is of another epoch or too old."""
        if resume.epoch != self._table.epoch or resume.seq > self._seq:
            return ()
        newer = tuple(sent for sent in self._recent if sent.seq > resume.seq)
        return newer if len(newer) == self._seq - resume.seq else ()

    def _send_to(self, connections: Sequence[Connection] | Audience, events: Sequence[str], snapshot: bool) -> None:
        start = (
            f'{{"type":"table","table_id":"{self._table.id}","epoch":{self._table.epoch},"seq":{self._seq},'
            f'"now_ms":{self._clock.now_ms()},"snapshot":{"true" if snapshot else "false"},'
            f'"events":[{",".join(events)}],"public":{self._public},"you":'
        )
        parts: dict[tuple[UUID, bool], str] = {}
        for connection in connections:
            connection.send(f"{start}{self._private(connection, parts)}}}")

    def _private(self, connection: Connection, parts: dict[tuple[UUID, bool], str]) -> str:
        player_id = connection.player.player_id
        chair = self._table.seating.of(player_id)
        if chair is None:
            return "null"
        may_act = self._audience.may_act(connection)
        part = parts.get((player_id, may_act))
        if part is None:
            part = parts[player_id, may_act] = views.private_view(self._table, chair, may_act).model_dump_json()
        return part


def _encode(event: dict[str, Any]) -> str:
    return to_json(event).decode()
