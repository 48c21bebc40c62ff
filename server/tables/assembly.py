"""One table's parts, put together around what the journal found."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import UUID

from fairness.commitment import RandomSource
from fairness.signing import SigningKeys
from server.protocol.messages import TableSummary
from server.tables.actor import TableActor
from server.tables.audience import Audience
from server.tables.between_hands import BetweenHands
from server.tables.chairs import Chairs
from server.tables.durable import DurableJournal
from server.tables.hand_life import HandLife
from server.tables.inbox import Inbox
from server.tables.opener import HandOpener
from server.tables.ports import Clock, Journal, StoredTable
from server.tables.publisher import Publisher
from server.tables.recovery import recover
from server.tables.replies import Replies
from server.tables.rummy_game import RummyGame, RummyHand
from server.tables.timing import TableTiming
from server.tables.watching import Watching


@dataclass(frozen=True, slots=True)
class TableServices:
    """What every table of the house shares.

    on_summary hears how a table shows in the lobby, on_seated who has a chair there, on_gone that it is no longer ours.
    """

    journal: Journal
    clock: Clock
    random: RandomSource
    keys: SigningKeys
    timing: TableTiming
    stopping: asyncio.Event
    tokens_moved: Callable[[Iterable[UUID]], None]
    on_summary: Callable[[TableSummary], None]
    on_seated: Callable[[UUID, frozenset[UUID]], None]
    on_gone: Callable[[UUID], None]


def assemble(
    stored: StoredTable, services: TableServices, inbox: Inbox, audience: Audience, journal: DurableJournal
) -> TableActor[RummyHand]:
    """An actor for the table as it was stored; it is listed and shown at once. Raises DamagedHand."""
    clock = services.clock
    table = recover(stored, RummyGame(stored.config), services.timing, services.keys, clock.now_ms())
    publisher = Publisher(table, audience, clock, services.on_summary)
    chairs = Chairs(table, publisher, journal, lambda players: services.on_seated(table.id, players))
    hands = HandLife(table, publisher, journal, clock, services.tokens_moved)
    opener = HandOpener(table, publisher, journal, chairs, clock, services.random, services.keys, services.tokens_moved)
    replies = Replies()
    for hand in (stored.live_hand, stored.ended_hand):
        replies.recall(() if hand is None else hand.rows)
    services.on_seated(table.id, frozenset(chair.player.player_id for chair in table.seating.present))
    publisher.publish()
    return TableActor(
        table,
        inbox=inbox,
        audience=audience,
        clock=clock,
        journal=journal,
        publisher=publisher,
        watching=Watching(table, audience, publisher),
        chairs=chairs,
        hands=hands,
        between=BetweenHands(table, publisher, chairs, opener, audience, clock),
        replies=replies,
    )
