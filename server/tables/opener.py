"""Opening a hand: who plays it, at which button, on which promise; nothing is shown before all of it is stored."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic
from uuid import UUID

from fairness.commitment import RandomSource
from fairness.encoding import as_id
from fairness.signing import SigningKeys
from fairness.terms import Terms
from server.tables.chairs import Chairs
from server.tables.durable import DurableJournal
from server.tables.game import State
from server.tables.lineup import least_players, lineup
from server.tables.match_life import MatchLife
from server.tables.phases import Seeds
from server.tables.ports import Chair, Clock, HandOpening, HoldsRefused
from server.tables.publisher import Publisher
from server.tables.record import HandRecord, new_opening
from server.tables.seeds import SeedsRound
from server.tables.table import Table
from server.tables.table_match import TableMatch


class HandOpener(Generic[State]):
    def __init__(
        self,
        table: Table[State],
        publisher: Publisher[State],
        journal: DurableJournal,
        chairs: Chairs[State],
        matches: MatchLife[State],
        clock: Clock,
        random: RandomSource,
        keys: SigningKeys,
        tokens_moved: Callable[[Iterable[UUID]], None],
    ) -> None:
        self._table = table
        self._publisher = publisher
        self._journal = journal
        self._chairs = chairs
        self._matches = matches
        self._clock = clock
        self._random = random
        self._keys = keys
        self._tokens_moved = tokens_moved

    async def open(self) -> bool:
        """Open a hand with everyone who plays on and can cover it; False when those are too few."""
        table = self._table
        while len(chairs := lineup(table)) >= least_players(table):
            begun = self._matches.new_match(chairs)
            opening = self._new_opening(chairs, begun or table.match, begun)
            try:
                receipt = await self._store_opening(opening)
            except HoldsRefused as refusal:
                await self._chairs.refuse(refusal.reasons)
                continue
            if begun is not None:
                table.match = begun
            await self._begin(HandRecord(opening, receipt, self._keys))
            return True
        return False

    async def _store_opening(self, opening: HandOpening) -> Mapping[str, Any]:
        return await self._journal.call(lambda journal: journal.open_hand(self._table.epoch, opening))

    def _new_opening(self, chairs: Sequence[Chair], match: TableMatch | None, begun: TableMatch | None) -> HandOpening:
        """match: what the hand is part of. begun: the same when it begins with this hand; then the buy-ins are held."""
        config, settings = self._table.config, self._table.game.settings
        terms = Terms(
            hand_id=as_id(self._random(16), "the hand id"),
            table_id=as_id(config.table_id.bytes, "the table id"),
            hand_no=self._table.last_hand_no + 1,
            seats=settings.seat_count,
            decks=settings.decks,
            dealer=_next_dealer(self._table.dealer, [chair.seat for chair in chairs]),
            rate=config.rate,
            commission_bp=config.commission_bp,
            rules={**settings.rules_map, **({} if match is None else match.hand_rules())},
            opened_ms=self._clock.now_ms(),
            players=tuple((chair.seat, as_id(chair.player.player_id.bytes, "a player id")) for chair in chairs),
        )
        hold_units = settings.hold_units if match is None or begun is not None else 0
        start = None if begun is None else begun.start
        return new_opening(terms, config.asset, hold_units, self._random, start)

    async def _begin(self, record: HandRecord) -> None:
        table = self._table
        table.last_hand_no = record.terms.hand_no
        table.dealer = record.terms.dealer
        for chair in table.seating.chairs:
            notes = table.notes.of(chair.player.player_id)
            notes.ready = notes.drop_next = False
            # Whoever only waits for the next hand or match does not sit out.
            notes.hands_sat_out = notes.hands_sat_out + 1 if chair.sitting_out else 0
        seeds = SeedsRound(record.terms_hash, record.seats)
        table.phase = Seeds(record, seeds, self._clock.now_ms() + table.timing.seeds_window_ms)
        self._publisher.publish()
        for seat in record.seats:
            self._publisher.tell(record.player_at(seat), record.commit_receipt(table.id))
        self._tokens_moved(record.player_at(seat) for seat in record.seats)


def _next_dealer(last: int | None, seats: Sequence[int]) -> int:
    """The button moves to the next player's seat; at a new table it starts at the first (rules section 2)."""
    return next((seat for seat in seats if last is not None and seat > last), seats[0])
