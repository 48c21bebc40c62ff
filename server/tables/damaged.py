"""The end of a hand whose stored record cannot be played on with: void, by what of it can still be believed.

Terms and seed are bound to the commitment that everybody was shown, so they hold whatever became of the events. What
follows here is chained to the last head as it is stored: verification names the damage, and shows what came after it.
"""

from uuid import UUID

from fairness.contributions import Contribution, Roster, Status
from fairness.encoding import Hash
from fairness.event_codec import decode_event, encode_event
from fairness.events import Event, Outcome, RosterClosed, SeedRevealed, Settled, SettleLine, Voided, VoidReason
from fairness.terms import Terms
from fairness.transcript import chained, first_head
from rummy.formats.match import HandWasVoid
from server.tables.match_ports import MatchStep
from server.tables.ports import EventRow, HandClosing, LiveHand
from server.tables.table_match import TableMatch


class DamagedHand(Exception):
    """What is stored of a hand is not what was chained: nobody may play on with it. The message has no secrets."""


def end_of_damaged(live: LiveHand, match: TableMatch | None, now_ms: int) -> tuple[tuple[EventRow, ...], HandClosing]:
    """What to store so that the hand is over: nobody pays, the holds are released, the seed is revealed.

    match: that the hand is part of; it goes on with another hand.
    """
    terms = live.terms
    at_ms = max(now_ms, _last_ms(live))
    events: list[Event] = [] if live.rows else [RosterClosed(at_ms, _roster(live))]
    events += [
        Voided(at_ms, VoidReason.SERVER_FAILURE),
        Settled(at_ms, Outcome.VOID, None, tuple(SettleLine(seat, 0, 0) for seat in terms.occupied), 0),
        SeedRevealed(at_ms, live.server_seed),
    ]
    in_match = None if match is None else match.step((HandWasVoid(),), at_ms)
    return _rows(live, events), _closing(terms, live.server_seed, in_match)


def _rows(live: LiveHand, events: list[Event]) -> tuple[EventRow, ...]:
    k, head = (live.rows[-1].k, live.rows[-1].head) if live.rows else (-1, None)
    head = first_head(live.terms.hash(), live.commitment) if head is None else Hash(head)
    rows: list[EventRow] = []
    for event in events:
        k += 1
        head = chained(head, k, event)
        rows.append(EventRow(k, encode_event(event), head, {}))
    return tuple(rows)


def _closing(terms: Terms, server_seed: bytes, in_match: MatchStep | None) -> HandClosing:
    return HandClosing(
        outcome=Outcome.VOID.word,
        void_reason=VoidReason.SERVER_FAILURE.word,
        server_seed=server_seed,
        deltas=tuple((UUID(bytes=player_id), 0) for _, player_id in terms.players),
        commission=0,
        match=in_match,
    )


def _roster(live: LiveHand) -> Roster:
    """Of a hand without one: whoever gave a hash counts as withheld (FAIRNESS_SPEC section 8)."""
    hashes = {one.seat: Hash(one.hash) for one in live.contributions}
    return Roster(
        tuple(
            Contribution(seat, Status.WITHHELD if seat in hashes else Status.NONE, hashes.get(seat))
            for seat in live.terms.occupied
        )
    )


def _last_ms(live: LiveHand) -> int:
    """The time of the last event that can be read: what follows is not earlier."""
    for row in reversed(live.rows):
        try:
            return decode_event(row.data).at_ms
        except ValueError:
            continue
    return 0
