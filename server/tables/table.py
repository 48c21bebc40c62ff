"""One table as its actor knows it: everything that can change, in one place, changed by that actor alone."""

from dataclasses import dataclass, field
from typing import Generic
from uuid import UUID

from server.tables.game import Game, State
from server.tables.notes import Notebook
from server.tables.phases import Phase, Playing, Result, Seeds
from server.tables.ports import NO_ORDERS, Chair, Customs, TableConfig, TableOrders
from server.tables.record import HandRecord
from server.tables.seating import Seating
from server.tables.table_match import TableMatch
from server.tables.timing import TableTiming
from server.tables.waiting import WaitingList


@dataclass(slots=True)
class Table(Generic[State]):
    """What is here is durable already, or nobody would miss it (notes, the countdown, a result that is shown)."""

    config: TableConfig
    game: Game[State]
    timing: TableTiming
    epoch: int
    seating: Seating
    dealer: int | None
    last_hand_no: int
    phase: Phase[State]
    notes: Notebook = field(default_factory=Notebook)
    customs: Customs = field(default_factory=Customs)
    orders: TableOrders = NO_ORDERS
    guests: frozenset[UUID] = frozenset()
    """Who was let in to a private table by its invite, besides its host."""
    waiting: WaitingList = field(default_factory=WaitingList)
    match: TableMatch | None = None
    """The match that goes on, or has ended and is still shown; always None in points."""

    @property
    def id(self) -> UUID:
        return self.config.table_id

    @property
    def free_chairs(self) -> int:
        """Chairs that anyone may take: nobody's, and not kept for one who waits."""
        return max(self.seating.seat_count - len(self.seating.chairs) - self.waiting.kept, 0)

    @property
    def running(self) -> Seeds | Playing[State] | None:
        """The hand that runs, in either of its phases."""
        return self.phase if isinstance(self.phase, Seeds | Playing) else None

    @property
    def record(self) -> HandRecord | None:
        """The hand that runs or has just ended."""
        return self.phase.record if isinstance(self.phase, Seeds | Playing | Result) else None

    @property
    def game_state(self) -> State | None:
        """The game of that hand, once its cards are dealt."""
        return self.phase.state if isinstance(self.phase, Playing | Result) else None

    def seat_in_hand(self, chair: Chair) -> int | None:
        """The chair's seat when its player was dealt into the hand that runs or has just ended."""
        record = self.record
        return None if record is None else record.seat_of(chair.player.player_id)

    def still_plays(self, chair: Chair) -> bool:
        """Whether the running hand still needs this player: they contribute, or are not out."""
        running = self.running
        seat = self.seat_in_hand(chair)
        if running is None or seat is None:
            return False
        return isinstance(running, Seeds) or seat in self.game.seats_in(running.state)

    def gone_seats(self) -> tuple[int, ...]:
        """The seats whose players have left while the hand runs."""
        return tuple(chair.seat for chair in self.seating.chairs if chair.gone)
