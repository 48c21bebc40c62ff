"""A table as the journal found it: the same cards, turn and misses, the clocks set on by our own outage."""

from fairness.event_codec import decode_event
from fairness.events import RosterClosed
from fairness.json_form import Fields
from fairness.receipts import HashesReceipt
from fairness.signing import SigningKeys
from server.tables.game import Game, State
from server.tables.phases import Phase, Playing, Seeds, Waiting
from server.tables.ports import HandOpening, LiveHand, StoredTable
from server.tables.record import HandRecord
from server.tables.seating import Seating
from server.tables.seeds import SeedsRound
from server.tables.table import Table
from server.tables.timing import TableTiming
from server.tables.turn_clock import TurnClock


class DamagedHand(Exception):
    """What is stored of a hand is not what was chained: nobody may play on with it. The message has no secrets."""


def recover(
    stored: StoredTable, game: Game[State], timing: TableTiming, keys: SigningKeys, now_ms: int
) -> Table[State]:
    """The table as it stood. Raises DamagedHand."""
    live = stored.live_hand
    return Table(
        config=stored.config,
        game=game,
        timing=timing,
        epoch=stored.epoch,
        seating=Seating(game.settings.seat_count, tuple(sorted(stored.chairs, key=lambda chair: chair.seat))),
        dealer=stored.dealer if live is None else live.terms.dealer,
        last_hand_no=stored.last_hand_no,
        phase=Waiting() if live is None else _live_phase(live, stored, game, timing, keys, now_ms),
    )


def _live_phase(
    live: LiveHand, stored: StoredTable, game: Game[State], timing: TableTiming, keys: SigningKeys, now_ms: int
) -> Phase[State]:
    opening = HandOpening(live.terms, live.commitment, live.server_seed, stored.config.asset, game.settings.hold_units)
    record = HandRecord(opening, live.commit_receipt, keys)
    if live.hashes_receipt is not None:
        record.keep_hashes(HashesReceipt.read(Fields(live.hashes_receipt, "hashes receipt")))
    if not live.rows:
        # Nobody could contribute while we were away: the open window begins anew.
        deadline_ms = now_ms + timing.grace_ms + timing.seeds_window_ms
        seeds = SeedsRound.restore(record.terms_hash, record.seats, live.contributions, live.hashes_closed)
        return Seeds(record, seeds, deadline_ms)
    state = _replay(live, record, game)
    alive_ms = max(stored.last_alive_ms, record.events[-1].at_ms)
    clock = TurnClock.from_stored(live.rows[-1].clock, game.settings.turn_ms)
    return Playing(record, state, clock.later(max(now_ms - alive_ms, 0) + timing.grace_ms))


def _replay(live: LiveHand, record: HandRecord, game: Game[State]) -> State:
    """Play the stored events again from the seed, and hold them against the chain that was stored with them."""
    roster, *events = [decode_event(row.data) for row in live.rows]
    if not isinstance(roster, RosterClosed):
        raise DamagedHand(f"hand {record.hand_id} does not begin with its roster")
    restored = game.restore(live.terms, record.hand_key(roster.roster), events)
    record.extend((roster,), (), {})
    record.extend(restored.events, restored.showings, {})
    if record.head != live.rows[-1].head:
        raise DamagedHand(f"hand {record.hand_id}: the stored events do not give the stored chain")
    return restored.state
