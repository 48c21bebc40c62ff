"""Nobody is ever sent what they may not know (FIELD_LOG B31-B33): every byte to every connection is held against it.

The checker does not trust the views: any number in a message is a card unless its field is known to hold something
else, and what a seat may know is worked out from the stored events and the deck alone.
"""

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any, Final
from uuid import UUID

import pytest

from clients.python.seat_player import knowledge_of
from clients.python.strategies import BeforeDraw, Sensible
from fairness.deck import hand_key
from fairness.event_codec import decode_event
from fairness.events import (
    Declared,
    Discarded,
    DrewFromPile,
    Event,
    PileOpened,
    RosterClosed,
    Shown,
    WildTurned,
)
from fairness.replay import showings
from server.protocol.messages import Ack, Error, ErrorCode
from tests.server.tables.doubles import Asker, MemoryHand, ScriptedConnection, World

HANDS: Final = int(os.environ.get("RUMMY_LEAK_HANDS", "18"))

_OTHER_NUMBERS: Final = (
    "epoch seq now_ms at_ms phase_deadline_ms stage_deadline_ms clock_ms deadline_ms bank_ms opened_ms",
    "k r auto valid number turns misses reshuffles hand_no leaf_index tree_size stock_count card_count",
    "seat seats seat_count seated bots players dealer winner decks wild_rank",
    "points delta commission rate commission_bp drop_points drop_cost",
    "min_players turn_seconds time_bank_seconds missed_turns_to_drop reshuffles_allowed",
    "buy_in free waiting spectators position offer_until_ms until_ms line_id",
    # Advice: a face that would help is no card of anybody's (test_rummy_game holds that it tells nothing hidden).
    "distance face unseen",
)
NO_CARDS: Final = frozenset(name for line in _OTHER_NUMBERS for name in line.split())
"""Fields whose numbers are no cards."""


def numbers_that_may_be_cards(value: Any, field: str = "") -> Iterator[int]:
    match value:
        case bool():
            return
        case int() if field not in NO_CARDS:
            yield value
        case dict():
            for name, inner in value.items():
                yield from numbers_that_may_be_cards(inner, name)
        case list():
            for inner in value:
                yield from numbers_that_may_be_cards(inner, field)


def public_cards(event: Event) -> tuple[int, ...]:
    match event:
        case WildTurned() | PileOpened() | Discarded() | DrewFromPile():
            return (event.card,)
        case Declared():
            return (event.finish_card, *(card for group in event.groups for card in group))
        case Shown():
            return event.cards
        case _:
            return ()


class Watchdog:
    """Reads every new text of every connection against what its player may know by now."""

    def __init__(self, world: World, table_id: UUID) -> None:
        self._world = world
        self._table_id = table_id
        self._read: dict[ScriptedConnection, int] = {}
        self.bytes_checked = 0

    def check(self, connections: list[ScriptedConnection]) -> None:
        hands = self._world.stored(self._table_id).hands
        known = [self._known(hand) for hand in hands[-2:]]
        for connection in connections:
            may_know = set().union(*(self._of(each, connection.player.player_id) for each in known))
            for text in connection.texts[self._read.get(connection, 0) :]:
                self.bytes_checked += len(text)
                document = json.loads(text)
                self._check_away(document, connection.player.player_id)
                leaked = set(numbers_that_may_be_cards(document)) - may_know
                assert not leaked, f"{sorted(leaked)} in {text[:2000]}"
                self._check_secrets(text, document, connection, hands[-1] if hands else None)
            self._read[connection] = len(connection.texts)

    def _check_secrets(
        self, text: str, document: dict[str, Any], connection: ScriptedConnection, hand: MemoryHand | None
    ) -> None:
        if hand is None or hand.closing is not None:
            return
        assert hand.opening.server_seed.hex() not in text, "the server seed before its reveal"
        if not hand.rows:
            for seat, (nonce, _) in hand.reveals.items():
                assert nonce.hex() not in text, f"the nonce of seat {seat} before the roster"

    def _check_away(self, document: dict[str, Any], player_id: UUID) -> None:
        """What was played for somebody reaches back some hands, and is nothing but what lay open on the pile there.

        It is taken out of the document when it has been checked.
        """
        away = (document.get("you") or {}).pop("away", None)
        if away is None:
            return
        by_number = {hand.opening.terms.hand_no: hand for hand in self._world.stored(self._table_id).hands}
        thrown: dict[int, set[int]] = {}
        for told in away["hands"]:
            hand = by_number[told["hand_no"]]
            seat = next(seat for seat, player in hand.opening.terms.players if player == player_id.bytes)
            events = [decode_event(row.data) for row in hand.rows]
            thrown[told["hand_no"]] = {
                each.card for each in events if isinstance(each, Discarded) and each.seat == seat
            }
            assert set(told["discards"]) <= thrown[told["hand_no"]]
        assert away["last_card"] is None or away["last_card"] in set().union(*thrown.values())

    @staticmethod
    def _of(known: tuple[set[int], dict[bytes, set[int]]], player_id: UUID) -> set[int]:
        shared, own = known
        return shared | own.get(player_id.bytes, set())

    @staticmethod
    def _known(hand: MemoryHand) -> tuple[set[int], dict[bytes, set[int]]]:
        """What all may know of a hand, and what each player was shown besides."""
        events = [decode_event(row.data) for row in hand.rows]
        if not events:
            return set(), {}
        terms = hand.opening.terms
        first = events[0]
        assert isinstance(first, RosterClosed)
        hk = hand_key(hand.opening.server_seed, terms.hash(), first.roster.hash())
        shown = showings(terms, hk, events)
        own = {
            bytes(player): {card for showing in shown[seat] for card in showing.cards} for seat, player in terms.players
        }
        return {card for event in events for card in public_cards(event)}, own


class RandomPlayer:
    """Plays anything that is allowed; now and then with some sense, so that hands are also declared."""

    def __init__(self, asker: Asker, rng: Random) -> None:
        self.asker = asker
        self._rng = rng
        self.sensible = rng.random() < 0.4

    async def act(self) -> None:
        you = self.asker.table.you
        if you is None:
            await self.asker.ask("sit")
            return
        allowed = set(you.allowed)
        if "contribute" in allowed:
            await self._maybe(0.9, "contribute", self.asker.hash_fields)
        elif "reveal" in allowed:
            await self._maybe(0.9, "reveal", self.asker.reveal_fields)
        elif {"draw_stock", "discard"} & allowed:
            await self._turn(allowed)
        elif "ready" in allowed:
            await self.asker.ask("ready")

    async def _maybe(self, chance: float, type_: str, fields: Any) -> None:
        if self._rng.random() < chance:
            await self.asker.ask(type_, **fields())
        else:
            await self.asker.world.pass_ms(4_000)

    async def _turn(self, allowed: set[str]) -> None:
        if self._rng.random() < 0.03:
            await self.asker.world.pass_ms(70_000)
            return
        if self._rng.random() < 0.05:
            hand_id = self.asker.turn_fields()["hand_id"]
            assert isinstance(await self.asker.ask("arrange", hand_id=hand_id), Ack)
        assert self.asker.table.you is not None
        known = knowledge_of(self.asker.table, self.asker.table.you)
        if "draw_stock" in allowed:
            await self._draw(known, allowed)
        else:
            await self._finish(known)

    async def _draw(self, known: Any, allowed: set[str]) -> None:
        roll = self._rng.random()
        if self.sensible:
            choice = Sensible().before_draw(known)
            if choice is not BeforeDraw.DROP:
                await self.asker.move("draw", source=choice.value)
                return
        if roll < 0.02:
            await self.asker.move("drop")
        elif roll < 0.4 and "draw_pile" in allowed:
            await self.asker.move("draw", source="pile")
        else:
            await self.asker.move("draw", source="stock")

    async def _finish(self, known: Any) -> None:
        if self.sensible:
            finish = Sensible().after_draw(known)
            if finish.declare:
                await self.asker.move("declare", finish_card=finish.card)
            else:
                await self.asker.move("discard", card=finish.card)
            return
        if self._rng.random() < 0.01:
            await self.asker.move("declare", finish_card=self._rng.choice(known.cards))
            return
        answer = await self.asker.move("discard", card=self._rng.choice(known.cards))
        if isinstance(answer, Error):
            assert answer.code is ErrorCode.TAKEN_CARD_NOT_RETURNABLE


async def disturb(
    world: World, players: list[RandomPlayer], connections: list[ScriptedConnection], rng: Random
) -> None:
    """What goes on besides the play: lost lines, second windows, leaving, resting, deploys."""
    player = rng.choice(players)
    asker = player.asker
    match rng.randrange(7):
        case 0:
            world.house.disconnected(asker.connection)
            await world.settle()
            await reconnect(asker, connections, rng)
        case 1:
            await reconnect(asker, connections, rng)
        case 2:
            await asker.ask("leave_table", after_hand=rng.random() < 0.7)
        case 3:
            await asker.ask("sit_out", on=rng.random() < 0.3)
        case 4 if asker.table.public.phase == "playing" and asker.table.public.hand is not None:
            await asker.ask("drop_next", hand_id=str(asker.table.public.hand.hand_id), on=rng.random() < 0.3)
        case 5:
            await world.restart()
            for each in players:
                await reconnect(each.asker, connections, rng)
        case _:
            player.sensible = rng.random() < 0.4


async def reconnect(asker: Asker, connections: list[ScriptedConnection], rng: Random) -> None:
    last = asker.table
    asker.connection = ScriptedConnection(asker.player)
    connections.append(asker.connection)
    resume = {"epoch": last.epoch, "seq": last.seq} if rng.random() < 0.5 else None
    await asker.ask("watch_table", resume=resume)


@pytest.mark.parametrize("seat_count", [4, 6, 8])
async def test_nobody_is_sent_a_card_or_secret_that_is_not_theirs_to_know_b31_b32_b33(seat_count: int) -> None:
    rng = Random(seat_count)
    world = World(seed=seat_count)
    table_id = world.new_table(seat_count, missed_turns_to_drop=2)
    await world.start()
    askers = await world.seat(table_id, seat_count - 1)
    watcher = world.new_player(table_id)
    await watcher.ask("watch_table")
    players = [RandomPlayer(asker, rng) for asker in askers]
    connections = [asker.connection for asker in (*askers, watcher)]
    watchdog = Watchdog(world, table_id)
    hands = world.stored(table_id).hands
    wanted, steps = HANDS // 3, 0
    while sum(hand.closing is not None for hand in hands) < wanted:
        steps += 1
        assert steps < 400 * HANDS, f"{len(hands)} hands in {steps} rounds: the table is stuck"
        before = len(watcher.connection.texts)
        for player in players:
            await player.act()
        if rng.random() < 0.03:
            await disturb(world, players, connections, rng)
        if len(watcher.connection.texts) == before:
            await world.pass_ms(3_000)
        watchdog.check(connections)
        connections = [*(player.asker.connection for player in players), watcher.connection]
    for hand in hands:
        if hand.closing is not None:
            assert sum(delta for _, delta in hand.closing.deltas) + hand.closing.commission == 0
    assert watchdog.bytes_checked > 10_000 * wanted
