"""Random hands through the real table and a clock that jumps: whatever players, clock, operator and storage do.

RUMMY_VIRTUAL_HANDS says how many; RUMMY_VIRTUAL_SEED repeats one run. Every hand is judged by a second opinion, every
state is counted card by card, and each thing that can happen has to happen.
"""

import os
from collections import Counter
from random import Random
from typing import Any, Final
from uuid import UUID

from fairness.contributions import contribution_hash
from fairness.event_codec import decode_event
from fairness.events import Event
from rummy import actions
from rummy.actions import Action
from rummy.random_play import ABSENT, PATIENT, RESTLESS, Temper, random_action
from rummy.refusals import legal_discards
from rummy.rules import ReturnTakenCard, TakeWildFromPile
from rummy.solver import best_discard
from rummy.state import HandState, check_invariants
from server.protocol.messages import Player
from server.tables.phases import Countdown, Playing, Result, Seeds, Waiting
from server.tables.rummy_game import RummyHand
from server.tables.table import Table
from tests.server.tables.doubles import Asker, MemoryHand, World
from tests.server.tables.referee import Referee

HANDS: Final = int(os.environ.get("RUMMY_VIRTUAL_HANDS", "150"))
SEED: Final = int(os.environ.get("RUMMY_VIRTUAL_SEED", "1"))
HANDS_OF_A_TABLE: Final = 25
MOST_STEPS_OF_A_HAND: Final = 5_000

HASTY: Final = Temper(
    drop=0.22, leave=0.02, time_out=0.06, void=0.002, take_from_pile=0.3, look_for_declare=0.3, rash_declare=0.08
)
SKILLED: Final = Temper(drop=0, leave=0, time_out=0.005, void=0, take_from_pile=0.1, look_for_declare=1, rash_declare=0)
TEMPERS: Final = ((HASTY, 78), (RESTLESS, 10), (ABSENT, 8), (PATIENT, 2), (SKILLED, 2))

MUST_HAPPEN: Final = (
    "draw from the stock, draw from the pile, timeout, first_drop, middle_drop, left, missed_turns, wrong declare,"
    "valid declare, last in, reshuffle, void stock_exhausted, void operator, void not_enough_players,"
    "void before the deal, restart, restart in the seeds, storage away, answer of the storage lost, refused"
)


class LeanConnection:
    """Remembers answers and nothing else."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.answers: list[str] = []

    def send(self, text: str) -> None:
        if text.startswith(('{"type":"ack"', '{"type":"error"')):
            self.answers.append(text)


class VirtualTable:
    """One table with random people at it, for as many hands as it is asked for."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.world = World(seed)
        self.happened: Counter[str] = Counter()
        seat_count = self.rng.choice((4, 6, 8))
        self.table_id = self.world.new_table(
            seat_count,
            rate=self.rng.choice((1, 7, 10, 333)),
            commission_bp=self.rng.choice((0, 500, 1_250)),
            missed_turns_to_drop=self.rng.choice((1, 2, 3)),
            take_wild_from_pile=self.rng.choice(list(TakeWildFromPile)),
            return_taken_card=self.rng.choice(list(ReturnTakenCard)),
            reshuffles_allowed=self.rng.choice((0, 1, 3)),
        )
        people = min(self.rng.choice((2, 3, 4, seat_count)), seat_count)
        self.askers = [self._person() for _ in range(people)]
        self.temper = HASTY
        self.nonces: dict[tuple[UUID, int], bytes] = {}

    def _person(self) -> Asker:
        asker = self.world.new_player(self.table_id)
        asker.connection = LeanConnection(asker.player)  # type: ignore[assignment]
        return asker

    @property
    def table(self) -> Table[RummyHand]:
        actor = self.world.house._tables[self.table_id]._actor
        assert actor is not None
        return actor._table

    @property
    def hands(self) -> list[MemoryHand]:
        return self.world.stored(self.table_id).hands

    async def play(self, hands: int) -> None:
        await self.world.start()
        await self._watch()
        judged = steps = 0
        while judged < hands:
            steps += 1
            assert steps < MOST_STEPS_OF_A_HAND, f"the table is stuck: {self.table.phase}"
            await self._step()
            if len(self.hands) > judged and self.hands[judged].closing is not None:
                self._judge(self.hands[judged])
                judged, steps = judged + 1, 0
                self.temper = self.rng.choices(*zip(*TEMPERS, strict=True))[0]
        await self.world.house.stop()

    async def _step(self) -> None:
        if self.rng.random() < (0.03 if isinstance(self.table.phase, Seeds) else 0.004):
            await self._restart()
        if self.rng.random() < 0.01:
            self._trouble_the_storage()
        match self.table.phase:
            case Waiting() | Countdown() | Result() as phase:
                await self._between_hands(None if isinstance(phase, Waiting) else phase.deadline_ms)
                # Whoever came and went too often has to wait before sitting down again.
                await self.world.pass_ms(10_000 if isinstance(phase, Waiting) else 0)
            case Seeds() as phase:
                await self._seeds(phase)
            case Playing(_, hand, _):
                self._count_cards(hand.state)
                await self._act(hand.state)
        while self.world.house._tables[self.table_id].is_paused:
            await self.world.pass_ms(1_000)

    def _trouble_the_storage(self) -> None:
        """The next call fails once, or is stored and its answer lost."""
        self.world.journal.fail = 1
        self.world.journal.stores_failing = self.rng.random() < 0.5
        self.happened["answer of the storage lost" if self.world.journal.stores_failing else "storage away"] += 1

    async def _restart(self) -> None:
        """The next run must find the very same hand."""
        before = self.table.game_state if self.table.running is not None else None
        self.happened["restart in the seeds" if isinstance(self.table.phase, Seeds) else "restart"] += 1
        self.world.journal.fail = 0
        await self.world.restart()
        await self._watch()
        if before is not None:
            after = self.table.game_state
            assert after is not None
            assert (after.state.seats, after.state.stock, after.state.discard_pile, after.state.turn_number) == (
                before.state.seats,
                before.state.stock,
                before.state.discard_pile,
                before.state.turn_number,
            )

    async def _watch(self) -> None:
        """Everybody is here, and is shown everything."""
        for asker in self.askers:
            await self._ask(asker, "watch_table")

    async def _between_hands(self, deadline_ms: int | None) -> None:
        for asker in self.askers:
            chair = self.table.seating.of(asker.player.player_id)
            if chair is None or chair.leaving:
                await self._ask(asker, "sit")
            elif chair.sitting_out:
                await self._ask(asker, "sit_out", on=False)
        if deadline_ms is not None:
            await self.world.pass_ms(max(deadline_ms - self.world.clock.ms, 0))

    async def _seeds(self, phase: Seeds) -> None:
        roll = self.rng.random()
        if roll < 0.01:
            self.world.house.void_hand(self.table_id)
            await self.world.settle()
            self.happened["void before the deal"] += 1
        elif roll < 0.03:
            for asker in self.askers:
                await self._ask(asker, "leave_table")
        elif roll < 0.5:
            for seat in phase.record.seats:
                await self._contribute(phase, seat)
        else:
            await self.world.pass_ms(max(phase.deadline_ms - self.world.clock.ms, 0))

    async def _contribute(self, phase: Seeds, seat: int) -> None:
        asker = self._at(phase.record.player_at(seat))
        nonce = self.nonces.setdefault((phase.record.hand_id, seat), self.rng.randbytes(32))
        hand_id = str(phase.record.hand_id)
        if phase.round.stage == "hashes":
            K = contribution_hash(phase.record.terms_hash, seat, nonce, b"")
            await self._ask(asker, "contribute", hand_id=hand_id, hash=K.hex())
        elif phase.round.hash_of(seat) is not None:
            await self._ask(asker, "reveal", hand_id=hand_id, nonce=nonce.hex())

    async def _act(self, state: HandState) -> None:
        if self.rng.random() < 0.02:
            await self._try_something_illegal(state)
            return
        action = random_action(state, self.temper, self.rng)
        if self.temper is SKILLED and isinstance(action, actions.Discard):
            best = best_discard(state.seat(action.seat).cards, state.wild_rank)
            action = (
                actions.Discard(action.seat, best.card) if best.card in legal_discards(state, action.seat) else action
            )
        match action:
            case actions.Timeout():
                phase = self.table.phase
                assert isinstance(phase, Playing)
                await self.world.pass_ms(max(phase.clock.deadline_ms - self.world.clock.ms, 0))
            case actions.Void():
                self.world.house.void_hand(self.table_id)
                await self.world.settle()
            case actions.Leave(seat):
                await self._ask(self._in_seat(seat), "leave_table", after_hand=self.rng.random() < 0.3)
            case _:
                await self._move(state, action)

    async def _move(self, state: HandState, action: Action) -> None:
        assert state.turn_seat is not None
        asker = self._in_seat(state.turn_seat)
        match action:
            case actions.DrawFromStock():
                await self._in_turn(asker, "draw", source="stock")
            case actions.DrawFromPile():
                await self._in_turn(asker, "draw", source="pile")
            case actions.Discard(_, card):
                await self._in_turn(asker, "discard", card=card)
            case actions.Declare(_, card, _):
                await self._in_turn(asker, "declare", finish_card=card)
            case actions.Drop():
                await self._in_turn(asker, "drop")

    async def _try_something_illegal(self, state: HandState) -> None:
        """Refused, and nothing changes; the same command once more is refused alike."""
        assert state.turn_seat is not None
        wrong_seat = self.rng.choice(self.table.running.record.seats)  # type: ignore[union-attr]
        asker = self._in_seat(wrong_seat)
        card = self.rng.choice(state.seat(wrong_seat).cards)
        other = self.rng.choice([c for c in state.setup.every_card if c not in state.seat(state.turn_seat).cards])
        fields = self._turn_fields()
        wrong: list[tuple[Asker, str, dict[str, Any]]] = [
            (self._in_seat(state.turn_seat), "draw", fields | {"source": "stock", "turn": fields["turn"] + 1}),
            (self._in_seat(state.turn_seat), "discard", fields | {"card": other}),
            (self._in_seat(state.turn_seat), "declare", fields | {"finish_card": other}),
        ]
        if wrong_seat != state.turn_seat:
            wrong += [(asker, "discard", fields | {"card": card}), (asker, "draw", fields | {"source": "stock"})]
        cheat, type_, content = self.rng.choice(wrong)
        rows = list(self.hands[-1].rows)
        command = cheat.command(type_, **content)
        for _ in range(2):
            self.world.house.post(cheat.connection, command)
            await self.world.settle()
            assert cheat.connection.answers[-1].startswith('{"type":"error"')  # type: ignore[attr-defined]
        assert self.hands[-1].rows == rows
        self.happened["refused"] += 1

    async def _in_turn(self, asker: Asker, type_: str, **fields: Any) -> None:
        answers = await self._ask(asker, type_, **self._turn_fields(), **fields)
        assert len(answers) == 1, f"{type_} was answered {len(answers)} times"
        assert answers[0].startswith('{"type":"ack"'), answers

    def _turn_fields(self) -> dict[str, Any]:
        phase = self.table.phase
        assert isinstance(phase, Playing)
        return {"hand_id": str(phase.record.hand_id), "turn": phase.clock.number}

    async def _ask(self, asker: Asker, type_: str, **fields: Any) -> list[str]:
        connection = asker.connection
        assert isinstance(connection, LeanConnection)
        connection.answers.clear()
        asker.post(type_, **fields)
        await self.world.settle()
        if not connection.answers:
            # The storage is away: the table tries again by itself.
            await self.world.pass_ms(5_000)
        return connection.answers

    def _at(self, player_id: UUID) -> Asker:
        return next(asker for asker in self.askers if asker.player.player_id == player_id)

    def _in_seat(self, seat: int) -> Asker:
        running = self.table.running
        assert running is not None
        return self._at(running.record.player_at(seat))

    @staticmethod
    def _count_cards(state: HandState) -> None:
        """Every card in one place; 14 cards only with the seat that has drawn."""
        check_invariants(state)
        places = [*state.stock, *state.discard_pile]
        places += [card for card in (state.turned, state.finish_card) if card is not None]
        for number, seat in enumerate(state.seats):
            if seat is not None:
                places += seat.cards
                assert len(seat.cards) in (13, 14)
                assert len(seat.cards) == 13 or number == state.turn_seat or not seat.is_in
        assert sorted(places) == sorted(state.setup.every_card)

    def _judge(self, hand: MemoryHand) -> None:
        events: list[Event] = [decode_event(row.data) for row in hand.rows]
        self.happened += Referee(hand.opening.terms).judge(events)
        assert hand.closing is not None
        assert sum(delta for _, delta in hand.closing.deltas) + hand.closing.commission == 0
        assert all(delta >= -hand.opening.hold_units for _, delta in hand.closing.deltas)


async def test_random_hands_in_virtual_time_keep_every_rule_b23() -> None:
    print(f"RUMMY_VIRTUAL_SEED={SEED}")
    happened: Counter[str] = Counter()
    played = 0
    while played < HANDS:
        table = VirtualTable(SEED * 1_000_000 + played)
        await table.play(min(HANDS_OF_A_TABLE, HANDS - played))
        played += len(table.hands)
        happened += table.happened
    print(dict(happened))
    missing = {name.strip() for name in MUST_HAPPEN.split(",")} - set(happened)
    assert not missing, f"never happened in {played} hands: {missing}"
