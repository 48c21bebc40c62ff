"""Storing a history batch by batch, with the house's own journal, log and wallet, acting as the server's own role."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.commitment import RandomSource
from fairness.encoding import Hash, Id
from fairness.events import Outcome, VoidReason
from fairness.leaves import CloseLeaf
from server.eventlog import queries
from server.eventlog.contributions import close_lists
from server.eventlog.driver import Driver, driver_of
from server.eventlog.keys import HouseKeys, publish_keys
from server.eventlog.log import LogAppender
from server.eventlog.openings import insert_hands, open_leaf, sign_openings
from server.eventlog.units import CloseHashes, OpenHand
from server.seeding.plan import HistoryPlan, SeededPlayer
from server.seeding.playing import PlayedHand
from server.tables.ports import HandOpening, TableConfig
from wallet import verbs
from wallet.accounts import AccountKind, Asset, of_house, of_player
from wallet.contests import of_hand
from wallet.journal import MAX_DRAFTS, Draft, EntryKind, post
from wallet.requests import HoldRequest, Release, Settlement, body_hash

WELCOME_UNITS: Final = 50_000_000
"""What every player of a history begins with, in each asset."""
HOLD_POINTS: Final = 130
_SESSION_MS: Final = 90 * 86_400_000

_OPEN_ACCOUNTS: Final = """
INSERT INTO wallet.accounts (player_id, asset, kind)
SELECT player_id, asset, 'player' FROM unnest($1::uuid[]) player_id, unnest($2::text[]) asset ON CONFLICT DO NOTHING
"""
_CLOSE: Final = """
UPDATE hands SET status = 'closed', server_seed = ended.server_seed, outcome = ended.outcome,
                 void_reason = ended.void_reason, closed_ms = ended.closed_ms, close_leaf = ended.close_leaf
FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
    AS ended (hand_id, server_seed, outcome, void_reason, closed_ms, close_leaf)
WHERE hands.hand_id = ended.hand_id
"""
_SCORE: Final = """
UPDATE hand_players AS p SET points = ended.points, delta = ended.delta
FROM unnest($1::uuid[], $2::smallint[], $3::integer[], $4::bigint[]) AS ended (hand_id, seat, points, delta)
WHERE p.hand_id = ended.hand_id AND p.seat = ended.seat
"""


class HistoryWriter:
    """Writes in its connection's transaction; the caller commits, and lets go of it when that fails."""

    def __init__(self, connection: AsyncConnection, driver: Driver, keys: HouseKeys, random: RandomSource) -> None:
        self._connection = connection
        self._driver = driver
        self._keys = keys
        self._random = random
        self._log = LogAppender(keys.signing)

    @classmethod
    async def on(cls, connection: AsyncConnection, keys: HouseKeys, random: RandomSource) -> "HistoryWriter":
        await connection.exec_driver_sql("SET LOCAL synchronous_commit = off")
        return cls(connection, await driver_of(connection), keys, random)

    async def begin(self, plan: HistoryPlan) -> None:
        """Tables, and people with their tokens."""
        await publish_keys(self._connection, self._keys.signing)
        for number, config in enumerate(plan.tables()):
            await queries.create_table(self._connection, config, plan.from_ms - len(plan.tables()) + number)
        await self._people(plan.people(), plan.from_ms)

    async def write(self, hands: Sequence[PlayedHand]) -> None:
        """One batch: opened, played and ended."""
        begun_ms = max(hand.plan.opened_ms for hand in hands)
        ended_ms = max(hand.closed_ms for hand in hands)
        units = [_opening(hand) for hand in hands]
        growth = await self._log.append(self._driver, [open_leaf(unit) for unit in units], begun_ms)
        self._log.keep()
        await insert_hands(self._driver, sign_openings(units, growth), self._keys.seals, self._random)
        await self._contributions(hands)
        await verbs.hold_many(self._connection, [_hold(hand) for hand in hands])
        await self._events(hands)
        settled = [hand for hand in hands if hand.void_reason is None]
        await verbs.settle_many(self._connection, [_settlement(hand) for hand in settled])
        void = [
            Release(of_hand(UUID(bytes=hand.plan.hand_id)), hand.void_reason, hand.closed_ms)
            for hand in hands
            if hand.void_reason is not None
        ]
        if void:
            await verbs.release_many(self._connection, void)
        leaves = [_close_leaf(hand) for hand in hands]
        closing = await self._log.append(self._driver, leaves, ended_ms)
        self._log.keep()
        await self._close(hands, closing.first_index)

    async def note_presence(
        self, watchers: Sequence[tuple[UUID, UUID, int]], disconnects: Sequence[tuple[UUID, UUID, int]]
    ) -> None:
        """(hand, player, when) of those who looked on, and of those who lost the line."""
        await self._driver.copy_records_to_table(
            "hand_watchers", records=watchers, columns=("hand_id", "player_id", "since_ms")
        )
        await self._driver.copy_records_to_table(
            "hand_disconnects", records=disconnects, columns=("hand_id", "player_id", "at_ms")
        )

    async def close_tables(self, tables: Sequence[TableConfig], at_ms: int) -> None:
        for config in tables:
            await queries.close_table(self._connection, config.table_id, at_ms)

    async def _people(self, people: Sequence[SeededPlayer], at_ms: int) -> None:
        await self._driver.copy_records_to_table(
            "players",
            records=[(each.player_id, each.name, "guest", "player", each.arrived_ms) for each in people],
            columns=("player_id", "name", "kind", "role", "created_ms"),
        )
        await self._driver.copy_records_to_table(
            "sessions",
            records=[
                (
                    each.token_hash,
                    each.player_id,
                    each.arrived_ms,
                    each.arrived_ms + _SESSION_MS,
                    "Chrome · Android",
                    each.address,
                    each.device_id,
                )
                for each in people
            ],
            columns=("token_hash", "player_id", "created_ms", "expires_ms", "device", "address", "device_id"),
        )
        await self._driver.execute(
            _OPEN_ACCOUNTS, [each.player_id for each in people], [asset.value for asset in Asset]
        )
        drafts = [_welcome(each.player_id, asset, at_ms) for asset in Asset for each in people]
        for first in range(0, len(drafts), MAX_DRAFTS):
            await post(self._connection, drafts[first : first + MAX_DRAFTS])

    async def _contributions(self, hands: Sequence[PlayedHand]) -> None:
        await self._driver.copy_records_to_table(
            "hand_contributions",
            records=[(UUID(bytes=hand.plan.hand_id), *given) for hand in hands for given in hand.contributions],
            columns=("hand_id", "seat", "hash", "nonce", "text"),
        )
        lists = [
            CloseHashes(UUID(bytes=hand.plan.table_id), 1, UUID(bytes=hand.plan.hand_id), hand.hashes_receipt)
            for hand in hands
        ]
        await close_lists(self._driver, lists)

    async def _events(self, hands: Sequence[PlayedHand]) -> None:
        await self._driver.copy_records_to_table(
            "hand_events",
            records=[(UUID(bytes=hand.plan.hand_id), *event, "{}") for hand in hands for event in hand.events],
            columns=("hand_id", "k", "data", "head", "clock"),
        )

    async def _close(self, hands: Sequence[PlayedHand], first_leaf: int) -> None:
        await self._driver.execute(
            _CLOSE,
            [UUID(bytes=hand.plan.hand_id) for hand in hands],
            [hand.server_seed for hand in hands],
            [hand.settled.outcome.word for hand in hands],
            [hand.void_reason for hand in hands],
            [hand.closed_ms for hand in hands],
            list(range(first_leaf, first_leaf + len(hands))),
        )
        lines = [(UUID(bytes=hand.plan.hand_id), line) for hand in hands for line in hand.settled.lines]
        await self._driver.execute(
            _SCORE,
            [hand_id for hand_id, _ in lines],
            [line.seat for _, line in lines],
            [line.points for _, line in lines],
            [line.delta for _, line in lines],
        )


def _opening(hand: PlayedHand) -> OpenHand:
    plan = hand.plan
    return OpenHand(
        1, HandOpening(plan.terms(), hand.commitment, hand.server_seed, plan.asset, HOLD_POINTS * plan.rate)
    )


def _welcome(player_id: UUID, asset: Asset, at_ms: int) -> Draft:
    reason = "welcome"
    return Draft(
        key=f"grant:welcome:{asset}:{player_id}",
        kind=EntryKind.GRANT,
        asset=asset,
        body=body_hash("grant", player_id, asset, WELCOME_UNITS, reason),
        reason=reason,
        at_ms=at_ms,
        lines=(of_house(AccountKind.ISSUANCE, -WELCOME_UNITS), of_player(player_id, WELCOME_UNITS)),
        player_id=player_id,
    )


def _hold(hand: PlayedHand) -> HoldRequest:
    plan = hand.plan
    amounts = tuple(sorted((UUID(bytes=player_id), HOLD_POINTS * plan.rate) for _, player_id in plan.players))
    contest = of_hand(UUID(bytes=plan.hand_id))
    return HoldRequest(contest, UUID(bytes=plan.table_id), Asset(plan.asset), amounts, plan.opened_ms)


def _settlement(hand: PlayedHand) -> Settlement:
    plan = hand.plan
    players = dict(plan.players)
    deltas = tuple((UUID(bytes=players[line.seat]), line.delta) for line in hand.settled.lines)
    contest = of_hand(UUID(bytes=plan.hand_id))
    commission = hand.settled.commission
    return Settlement(contest, UUID(bytes=plan.table_id), Asset(plan.asset), deltas, commission, hand.closed_ms)


def _close_leaf(hand: PlayedHand) -> bytes:
    reason = None if hand.void_reason is None else VoidReason.from_word(hand.void_reason)
    outcome = Outcome.from_word(hand.settled.outcome.word)
    last_head = Hash(hand.events[-1][2])
    return CloseLeaf(Id(hand.plan.hand_id), outcome, reason, hand.server_seed, last_head).encode()
