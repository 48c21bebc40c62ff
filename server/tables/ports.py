"""What a table needs from the world: a clock, durable storage, and connections to speak to.

Each port is named for what the table needs. The real ones are wired in `server.app`; tests bring a clock that
jumps and connections that remember.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol
from uuid import UUID

from fairness.terms import Terms
from rummy.formats.kinds import FormatName
from rummy.rules import TableRules
from server.protocol.lobby_commands import ChatRule, Watching
from server.protocol.messages import Player
from server.tables.match_ports import MatchStart, MatchStep, StoredMatch


class Clock(Protocol):
    def now_ms(self) -> int:
        """Unix milliseconds."""

    async def sleep_until(self, deadline_ms: int) -> None:
        """Return at or after the deadline, never before."""


class Measures(Protocol):
    """Hears how the house does; nothing depends on it."""

    def now(self) -> float:
        """Seconds, on a clock that only goes forward."""

    def answered(self, command: str, outcome: str, began: float) -> None:
        """A command was answered: with `ack`, `repeated`, or the code of an error. began: when it came, by `now`."""

    def hand_ended(self, outcome: str) -> None: ...


class NoMeasures:
    """For a house that nobody watches."""

    def now(self) -> float:
        return 0.0

    def answered(self, command: str, outcome: str, began: float) -> None:
        return

    def hand_ended(self, outcome: str) -> None:
        return


class Connection(Protocol):
    """One socket of one signed-in player."""

    @property
    def player(self) -> Player: ...

    def send(self, text: str) -> None:
        """Queue one encoded message. Never waits: a connection that can't keep up is dropped with a reason."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What is fixed while a table is open, and shown before anyone sits down."""

    table_id: UUID
    name: str
    asset: str
    practice: bool
    rate: int
    commission_bp: int
    rules: TableRules
    host: Player | None = None
    """Who opened this private table; None for the house's own, which stand in the lobby."""
    format: FormatName = FormatName.POINTS
    """All but points are played in matches: there `rate` is 0 and `buy_in`, in token units, is above 0."""
    buy_in: int = 0


@dataclass(frozen=True, slots=True)
class Customs:
    """What may change about a table while it is open, and has nothing to do with its game.

    joining: False when the host of a private table lets nobody else sit down.
    """

    watching: Watching = "anyone"
    chat: ChatRule = "free"
    joining: bool = True


@dataclass(frozen=True, slots=True)
class TableOrders:
    """What an operator wants of a table once no hand and no match runs. rate, commission_bp: None leaves as it is."""

    closing: bool = False
    rate: int | None = None
    commission_bp: int | None = None

    @property
    def names_stakes(self) -> bool:
        return self.rate is not None or self.commission_bp is not None

    def changes(self, config: TableConfig) -> bool:
        """Whether the stakes are to be others than they are."""
        return self.rate not in (None, config.rate) or self.commission_bp not in (None, config.commission_bp)


NO_ORDERS: Final = TableOrders()


class Onlookers(Protocol):
    """Hears who looks on and whose line is lost while a hand runs; the table waits for nothing of it."""

    def watched(self, hand_id: UUID, player_id: UUID, at_ms: int) -> None: ...

    def cut_off(self, hand_id: UUID, player_id: UUID, at_ms: int) -> None: ...


class NoOnlookers:
    """For a house that keeps no record of them."""

    def watched(self, hand_id: UUID, player_id: UUID, at_ms: int) -> None:
        return

    def cut_off(self, hand_id: UUID, player_id: UUID, at_ms: int) -> None:
        return


@dataclass(frozen=True, slots=True)
class Chair:
    """Who sits where; kept durably so that a restart finds everyone in their seat."""

    seat: int
    player: Player
    sitting_out: bool = False
    leaving: bool = False
    """Gives up the chair once the running hand has ended."""
    gone: bool = False
    """Has left in mid-hand; the chair stays theirs in name until that hand has ended, and nobody takes it."""


@dataclass(frozen=True, slots=True)
class HandOpening:
    """Everything that must be durable before the commitment is shown (FAIRNESS_SPEC section 4)."""

    terms: Terms
    commitment: bytes
    server_seed: bytes = field(repr=False)
    asset: str = "HT"
    hold_units: int = 0
    match: MatchStart | None = None
    """The match that begins with this hand; the hold is then the match's. Later hands of it hold nothing."""


class HoldReason(StrEnum):
    """Why nothing is held for a player, and so no hand opens with them; but for a freeze, the limits are their own."""

    INSUFFICIENT_FUNDS = "insufficient_funds"
    NO_ACCOUNT = "no_account"
    LOSS_LIMIT = "loss_limit"
    SESSION_REMINDER = "session_reminder"
    COOL_OFF = "cool_off"
    SELF_EXCLUSION = "self_exclusion"
    FROZEN = "frozen"


BREAKS: Final = frozenset({HoldReason.COOL_OFF, HoldReason.SELF_EXCLUSION, HoldReason.FROZEN})
"""Whoever is kept out by these has no use for a chair."""


@dataclass(frozen=True, slots=True)
class OwnBreak:
    """A player does not play until then. reason: one of BREAKS; until_ms: None while an operator says so."""

    reason: HoldReason
    until_ms: int | None


class HoldsRefused(Exception):
    """The hand was not opened: these players can't cover it or may not play now. Nothing was stored."""

    def __init__(self, reasons: Mapping[UUID, HoldReason]) -> None:
        super().__init__(f"{len(reasons)} players cannot take part")
        self.reasons = dict(reasons)


class Fenced(Exception):
    """A newer owner of the table exists: this one must stop and believe nothing it has not stored."""


class JournalUnavailable(Exception):
    """The storage can't be reached now, and whether the call was stored is unknown: make the same call again.

    Every call of the journal made again with the same arguments is done once.
    """


@dataclass(frozen=True, slots=True)
class EventRow:
    """One transcript event as it is chained.

    clock: for recovery only, how the clocks stand after it, and which command it answers.
    """

    k: int
    data: bytes
    head: bytes
    clock: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HandClosing:
    """What ends a hand, in the transaction of its last events: seed revealed, tokens moved, holds gone."""

    outcome: str
    void_reason: str | None
    server_seed: bytes
    deltas: tuple[tuple[UUID, int], ...]
    commission: int
    match: MatchStep | None = None
    """What the hand is in its match, and perhaps the match's end. Such a hand moves no tokens itself."""


@dataclass(frozen=True, slots=True)
class StoredContribution:
    seat: int
    hash: bytes
    nonce: bytes | None = None
    text: bytes | None = None


@dataclass(frozen=True, slots=True)
class LiveHand:
    """A hand that had not ended when its owner stopped."""

    terms: Terms
    commitment: bytes
    commit_receipt: Mapping[str, Any]
    hashes_closed: bool
    contributions: tuple[StoredContribution, ...]
    rows: tuple[EventRow, ...]
    server_seed: bytes = field(repr=False)
    hashes_receipt: Mapping[str, Any] | None = None
    """As given to close_hashes; None while the list is open."""


@dataclass(frozen=True, slots=True)
class EndedHand:
    """A table's newest hand when it had ended before its owner stopped: its result may still have been shown.

    players: who played it, by seat; they may have left since.
    """

    terms: Terms
    commitment: bytes
    commit_receipt: Mapping[str, Any]
    hashes_receipt: Mapping[str, Any] | None
    rows: tuple[EventRow, ...]
    server_seed: bytes
    closed_ms: int
    players: Mapping[int, Player]


@dataclass(frozen=True, slots=True)
class StoredTable:
    config: TableConfig
    epoch: int
    chairs: tuple[Chair, ...]
    last_hand_no: int
    dealer: int | None
    live_hand: LiveHand | None
    last_alive_ms: int
    """The last moment at which the table's owner is known to have run: what came after was our outage."""
    ended_hand: EndedHand | None = None
    """None while a hand runs, and when the last one ended too long ago for its result to be shown."""
    customs: Customs = Customs()
    guests: frozenset[UUID] = frozenset()
    """Who was let in to a private table."""
    match: StoredMatch | None = None
    """The match that goes on at the table."""
    orders: TableOrders = NO_ORDERS


class Journal(Protocol):
    """Durable order of everything that happens. Each call returns once what it was given can't be lost.

    Every call may raise JournalUnavailable, and every call that carries an epoch may raise Fenced.
    """

    async def open_hand(self, epoch: int, opening: HandOpening) -> Mapping[str, Any]:
        """Store the sealed seed, take the holds, log the open leaf and sign a tree head, all or nothing.

        Returns the commit receipt with its inclusion proof. Raises HoldsRefused, Fenced.
        """

    async def record_hash(
        self, table_id: UUID, epoch: int, hand_id: bytes, seat: int, contribution_hash: bytes
    ) -> None: ...

    async def close_hashes(self, table_id: UUID, epoch: int, hand_id: bytes, hashes_receipt: Mapping[str, Any]) -> None:
        """Close the list of hashes and keep the receipt that the table signed for it: one list, signed once."""

    async def record_reveal(
        self, table_id: UUID, epoch: int, hand_id: bytes, seat: int, nonce: bytes, text: bytes
    ) -> None: ...

    async def append(
        self, table_id: UUID, epoch: int, hand_id: bytes, rows: Sequence[EventRow], closing: HandClosing | None = None
    ) -> None:
        """Store events; with `closing` also settle or release, reveal the seed, log the close leaf. Raises Fenced."""

    async def step_match(self, table_id: UUID, epoch: int, step: MatchStep) -> None:
        """Store what happens in a match between two hands: a rejoin with its hold, who left, perhaps its end.

        Raises HoldsRefused for a rejoin that the player can't cover, Fenced.
        """

    async def save_chairs(self, table_id: UUID, epoch: int, chairs: Sequence[Chair], dealer: int | None) -> None: ...

    async def own_break(self, player_id: UUID) -> OwnBreak | None:
        """The freeze, self-exclusion or cool-off that keeps this player from playing now."""

    async def save_customs(self, table_id: UUID, epoch: int, customs: Customs) -> None: ...

    async def set_stakes(self, table_id: UUID, epoch: int, rate: int, commission_bp: int) -> None:
        """Other stakes for coming hands or matches, between two of them; what was ordered so is done with that."""

    async def close_table(self, table_id: UUID, epoch: int) -> None:
        """Close a table for good, between hands: nothing more can be stored for it."""

    async def load_tables(self) -> Sequence[StoredTable]:
        """Take over every open table (a new epoch each) and return how it stood."""

    async def load_table(self, table_id: UUID) -> StoredTable:
        """Take over one open table (a new epoch) and return how it stood: how a table that crashed begins again."""
