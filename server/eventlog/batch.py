"""One transaction's work for a whole batch of tables, in set-based statements."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar
from uuid import UUID

from fairness.commitment import RandomSource
from server.eventlog.chairs import save_chairs
from server.eventlog.closings import EndingHand, close_hands, close_leaf, ending_hands
from server.eventlog.contributions import close_lists, record_hashes, record_reveals
from server.eventlog.driver import Driver
from server.eventlog.errors import JournalConflict
from server.eventlog.events import append_events
from server.eventlog.judge import Refuse, Store, StoredBefore, judge
from server.eventlog.keys import HouseKeys
from server.eventlog.log import LogAppender
from server.eventlog.matches import insert_matches, placed_steps, store_steps
from server.eventlog.openings import insert_hands, open_leaf, sign_openings
from server.eventlog.session import Session
from server.eventlog.standings import Standings
from server.eventlog.stored import Stored, look_up
from server.eventlog.tokens import move_tokens
from server.eventlog.units import (
    Answer,
    AppendEvents,
    Beat,
    CloseHashes,
    OpenHand,
    RecordHash,
    RecordReveal,
    SaveChairs,
    StepMatch,
    TableUnit,
    Unit,
)
from server.tables.ports import Fenced, HoldsRefused

U = TypeVar("U", bound=TableUnit)

Result = Answer | Fenced | HoldsRefused | JournalConflict
"""What becomes of a unit when its transaction commits: its answer, or why nothing was stored for it."""

_LIVE: Final = """
UPDATE journal_nodes SET last_alive_ms = greatest(last_alive_ms, $2) WHERE node_id = $1 RETURNING fence_no
"""


class BatchWriter:
    """Writes batches for one node. After each transaction say `keep` or `forget`."""

    def __init__(self, node_id: UUID, keys: HouseKeys, now_ms: Callable[[], int], random: RandomSource) -> None:
        self._node_id = node_id
        self._keys = keys
        self._now_ms = now_ms
        self._random = random
        self._log = LogAppender(keys.signing)
        self._standings = Standings()

    async def write(self, session: Session, units: Sequence[Unit]) -> list[Result]:
        """Write units, at most one a table, in the session's transaction; results in the same order.

        Raises whatever the database or the wallet refuses: then the transaction is spoilt for all of them.
        """
        now_ms = self._now_ms()
        # SQLAlchemy opens its transaction with the first statement that it sends itself. This one also locks the
        # node's row: whoever takes over our tables waits for us, or we for them.
        fence_no = (await session.connection.exec_driver_sql(_LIVE, (self._node_id, now_ms))).scalar_one_or_none()
        if fence_no is None:
            raise JournalConflict(f"node {self._node_id} was never registered")
        self._standings.begin(fence_no)
        asked = [unit for unit in units if not isinstance(unit, Beat)]
        to_store: list[TableUnit] = []
        unknown: list[TableUnit] = []
        for unit in asked:
            (to_store if self._standings.vouch_for(unit) else unknown).append(unit)
        stored = await look_up(session.driver, unknown) if unknown else {}
        results: dict[UUID, Result] = {}
        for unit in unknown:
            match judge(unit, stored.get(unit.table_id), self._node_id):
                case Store():
                    to_store.append(unit)
                case StoredBefore(answer):
                    results[unit.table_id] = answer
                case Refuse(error):
                    results[unit.table_id] = error
        results |= await self._store(session, to_store, stored, now_ms)
        if not results:
            return [None] * len(units)
        return [None if isinstance(unit, Beat) else results.get(unit.table_id) for unit in units]

    def keep(self) -> None:
        """The transaction was committed."""
        self._log.keep()
        self._standings.keep()

    def forget(self) -> None:
        """The transaction failed, or nobody knows."""
        self._log.forget()
        self._standings.forget()

    async def _store(
        self, session: Session, units: Sequence[TableUnit], stored: dict[UUID, Stored], now_ms: int
    ) -> dict[UUID, Result]:
        driver = session.driver
        await record_hashes(driver, _of(RecordHash, units))
        await close_lists(driver, _of(CloseHashes, units))
        await record_reveals(driver, _of(RecordReveal, units))
        await save_chairs(driver, _of(SaveChairs, units))
        appended = _of(AppendEvents, units)
        await append_events(driver, appended)
        self._standings.note(appended)
        # Balances and the log are what other transactions wait for: they come last, and always in this order.
        openings = _of(OpenHand, units)
        ending = ending_hands(appended, stored)
        steps = placed_steps(_of(StepMatch, units), ending, stored)
        refused = await move_tokens(session.connection, openings, ending, steps, now_ms)
        held = [unit for unit in openings if unit.table_id not in refused]
        await insert_matches(driver, held, now_ms)
        await store_steps(driver, [placed for placed in steps if placed.table_id not in refused], now_ms)
        return {**refused, **await self._log_hands(driver, held, ending, now_ms)}

    async def _log_hands(
        self, driver: Driver, openings: Sequence[OpenHand], ending: Sequence[EndingHand], now_ms: int
    ) -> dict[UUID, Answer]:
        if not openings and not ending and not self._log.head_is_due(now_ms):
            return {}
        leaves = [*map(open_leaf, openings), *map(close_leaf, ending)]
        growth = await self._log.append(driver, leaves, now_ms)
        opened = sign_openings(openings, growth)
        await insert_hands(driver, opened, self._keys.seals, self._random)
        await close_hands(driver, ending, growth.first_index + len(openings), now_ms)
        return {each.unit.table_id: each.receipt for each in opened}


def _of(kind: type[U], units: Sequence[TableUnit]) -> list[U]:
    return [unit for unit in units if isinstance(unit, kind)]
