"""One table's parts, put together around what the journal found."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from uuid import UUID

from fairness.commitment import RandomSource
from fairness.signing import SigningKeys
from server.protocol.messages import TableSummary
from server.tables.actor import TableActor
from server.tables.audience import Audience
from server.tables.between_hands import BetweenHands
from server.tables.chairs import Chairs
from server.tables.chat import ChatRoom
from server.tables.closing import Closing
from server.tables.door import Door
from server.tables.durable import DurableJournal
from server.tables.hand_life import HandLife
from server.tables.host import TableHost
from server.tables.inbox import Inbox
from server.tables.match_life import MatchLife
from server.tables.opener import HandOpener
from server.tables.orders import StandingOrders
from server.tables.ports import Clock, Journal, Measures, Onlookers, StoredTable
from server.tables.publisher import Publisher
from server.tables.reception import Reception
from server.tables.recovery import recover
from server.tables.replies import Replies
from server.tables.rummy_game import RummyGame, RummyHand
from server.tables.timing import TableTiming
from server.tables.vacating import Vacating
from server.tables.voices import Voices
from server.tables.waiting import WaitingList
from server.tables.waiting_room import WaitingRoom
from server.tables.watching import Watching


@dataclass(frozen=True, slots=True)
class TableServices:
    """What every table of the house shares.

    on_summary hears how a table shows in the lobby, on_seated who has a chair there, on_waiting who waits for one,
    on_gone that it is no longer ours. claim: see Chairs. lines_of: the tables at which a player waits.
    may_open: False once the house opens no more hands.
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
    on_waiting: Callable[[UUID, frozenset[UUID]], None]
    on_gone: Callable[[UUID], None]
    voices: Voices
    measures: Measures
    onlookers: Onlookers
    may_open: Callable[[], bool]
    claim: Callable[[UUID], AbstractContextManager[None]]
    lines_of: Callable[[UUID], Iterable[UUID]]


def assemble(
    stored: StoredTable,
    services: TableServices,
    inbox: Inbox,
    audience: Audience,
    line: WaitingList,
    chat: ChatRoom,
    journal: DurableJournal,
) -> TableActor[RummyHand]:
    """An actor for the table as it was stored; it is listed and shown at once. Raises DamagedHand."""
    clock = services.clock
    table = recover(stored, RummyGame(stored.config), services.timing, services.keys, clock.now_ms(), line)
    publisher = Publisher(table, audience, clock, services.on_summary)
    chairs = Chairs(table, publisher, journal, lambda players: services.on_seated(table.id, players), services.claim)
    door = Door(table, clock)
    watching = Watching(table, audience, publisher, door, chat.greet, services.onlookers)
    waiting = WaitingRoom(
        table, publisher, clock, lambda players: services.on_waiting(table.id, players), services.lines_of
    )
    host = TableHost(table, publisher, journal, chat)
    matches = MatchLife(table, publisher, journal, clock, services.random, services.tokens_moved)
    hands = HandLife(table, publisher, journal, clock, matches, services.tokens_moved, services.measures.hand_ended)
    opener = HandOpener(
        table, publisher, journal, chairs, matches, clock, services.random, services.keys, services.tokens_moved
    )
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
        watching=watching,
        chairs=chairs,
        hands=hands,
        matches=matches,
        vacating=Vacating(table, chairs, audience, clock),
        between=BetweenHands(table, publisher, chairs, matches, opener, audience, clock, services.may_open),
        replies=replies,
        measures=services.measures,
        reception=Reception(journal, door, chairs, waiting, watching, host),
        door=door,
        waiting=waiting,
        host=host,
        closing=Closing(table, journal, clock),
        orders=StandingOrders(table, publisher, journal, RummyGame),
    )
