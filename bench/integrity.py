"""Whether the desk's integrity watch finds players who play for each other, and leaves honest ones alone.

    python -m bench.integrity                               # 3 seeds of 2,000 hands
    python -m bench.integrity --hands 4000 --seeds 7

200 honest bots in clubs of eight, each weak or sensible, meet at four-seat tables, mostly within their club. Two more
sit down together and play for each other: whoever sits before the other throws what the other can use, takes what the
other throws, and one of them declares nothing while the other is still in. All hands are stored as a house stores them,
and judged by the very queries that run behind a house. Printed are the rank of the planted pair, the best score of an
honest one, and precision and recall of the alarms. Exits 1 when the planted pair is not first, or an honest pair is an
alarm.
"""

import argparse
import asyncio
import json
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncEngine

from bench.bots import decide, knowledge_at, taken_after
from clients.python.strategies import BeforeDraw, Finish, SeatKnowledge, Sensible, Strategy, Taken, Weak
from rummy.actions import Action
from rummy.events import Event
from rummy.solver import discard_options, fewest_after_discard, fewest_points
from rummy.state import HandState
from server import embedded_postgres
from server.database import create_engine, migrate
from server.eventlog.keys import load_keys
from server.operator.integrity.counting import count_next
from server.operator.integrity.reading import Signal, SignalFilter, signals_page
from server.operator.integrity.signals import ALARM_SCORE, assess
from server.seeding.plan import HistoryPlan
from server.seeding.playing import HandPlan, PlayedHand, Style, play
from server.seeding.storing import HistoryWriter

HONEST: Final = 200
CLUB: Final = 8
SEATS: Final = 4
AT_ONCE: Final = 10
HOME_SHARE: Final = 0.8
TOGETHER_SHARE: Final = 0.75
"""Of the planted pair's evenings."""
BATCH_MS: Final = 600_000
BEGINS_MS: Final = 1_800_000_000_000


class Partner:
    """Sensible, but for what it does for the other one, whose cards it is told of behind the house's back."""

    def __init__(self, seat: int, other: int, holds_back: bool) -> None:
        self._seat = seat
        self._other = other
        self._holds_back = holds_back
        self._sensible = Sensible()
        self.state: HandState | None = None

    def before_draw(self, known: SeatKnowledge) -> BeforeDraw:
        if known.may_draw_pile and self._before() == self._other:
            points, _ = fewest_after_discard((*known.cards, known.pile[-1]), known.wild_rank)
            if points < fewest_points(known.cards, known.wild_rank):
                return BeforeDraw.PILE
        wanted = self._sensible.before_draw(known)
        return BeforeDraw.STOCK if wanted is BeforeDraw.DROP and self._other_is_in(known) else wanted

    def after_draw(self, known: SeatKnowledge) -> Finish:
        finish = self._sensible.after_draw(known)
        if finish.declare and not (self._holds_back and self._other_is_in(known)):
            return finish
        options = [option for option in discard_options(known.cards, known.wild_rank) if known.may_throw(option.card)]
        least = min(option.points for option in options)
        # Only one of the two gives away what it needs itself: else the same cards go round for ever.
        spared = [option.card for option in options if self._holds_back or option.points == least]
        if not known.opponents or known.opponents[0] != self._other:
            return finish if not finish.declare else Finish(spared[0], declare=False)
        assert self.state is not None, "the table tells how it stands before it asks"
        theirs = self.state.seat(self._other).cards
        gift = min(spared, key=lambda card: fewest_after_discard((*theirs, card), known.wild_rank)[0])
        return Finish(gift, declare=False)

    def _other_is_in(self, known: SeatKnowledge) -> bool:
        return self._other in known.opponents

    def _before(self) -> int | None:
        """The seat that threw last."""
        assert self.state is not None, "the table tells how it stands before it asks"
        seats = self.state.seats_in
        earlier = [seat for seat in seats if seat < self._seat] or [seat for seat in seats if seat != self._seat]
        return max(earlier, default=None)


@dataclass(slots=True)
class Bots:
    """The strategies of one hand by seat, and what everybody saw them take."""

    strategies: dict[int, Strategy]
    taken: tuple[Taken, ...] = ()

    def choose(self, state: HandState, events: Sequence[Event]) -> Action:
        for event in events:
            self.taken = taken_after(self.taken, event)
        seat = state.turn_seat
        assert seat is not None, "the hand is not over"
        strategy = self.strategies[seat]
        if isinstance(strategy, Partner):
            strategy.state = state
        return decide(strategy, knowledge_at(state, seat, self.taken), seat, state.phase)


@dataclass(frozen=True, slots=True)
class Trial:
    """players: of the honest, by place; their strategy follows from it. planted: the last two."""

    seed: int
    hands: int

    @property
    def plan(self) -> HistoryPlan:
        return HistoryPlan(self.hands, HONEST + 2, 30, BEGINS_MS, self.seed, table_count=2 * AT_ONCE)

    def meetings(self) -> Iterator[tuple[tuple[int, ...], ...]]:
        """Who sits where, seat by seat, at the tables that play at once; nobody is at two."""
        rng = Random(f"{self.seed} meetings")
        left = self.hands
        while left > 0:
            clubs = rng.sample(range(HONEST // CLUB), min(AT_ONCE, left))
            away = iter(
                rng.sample([place for place in range(HONEST) if place // CLUB not in clubs], SEATS * len(clubs))
            )
            tables = []
            for number, club in enumerate(clubs):
                seats = rng.sample(range(club * CLUB, (club + 1) * CLUB), SEATS)
                seats = [place if rng.random() < HOME_SHARE else next(away) for place in seats]
                if number == 0 and rng.random() < TOGETHER_SHARE:
                    at = rng.randrange(SEATS - 1)
                    pair = [HONEST, HONEST + 1]
                    rng.shuffle(pair)
                    seats[at : at + 2] = pair
                elif number < 2:
                    seats[rng.randrange(SEATS)] = HONEST + number
                tables.append(tuple(seats))
            left -= len(tables)
            yield tuple(tables)

    def batches(self) -> Iterator[tuple[tuple[HandPlan, tuple[int, ...]], ...]]:
        plan = self.plan
        people = [person.player_id.bytes for person in plan.people()]
        tables = [table for table in plan.tables() if table.asset == "HT" and table.rules.seat_count >= SEATS]
        numbers = dict.fromkeys((table.table_id for table in tables), 0)
        rng = Random(f"{self.seed} hands")
        for turn, meeting in enumerate(self.meetings()):
            batch = []
            for table, seats in zip(tables, meeting, strict=False):
                numbers[table.table_id] += 1
                hand = HandPlan(
                    seed=rng.getrandbits(64),
                    hand_id=UUID(bytes=rng.randbytes(16), version=4).bytes,
                    table_id=table.table_id.bytes,
                    hand_no=numbers[table.table_id],
                    seat_count=table.rules.seat_count,
                    dealer=rng.randrange(SEATS),
                    rate=table.rate,
                    commission_bp=table.commission_bp,
                    opened_ms=BEGINS_MS + turn * BATCH_MS,
                    players=tuple((seat, people[place]) for seat, place in enumerate(seats)),
                    asset=table.asset,
                    style=Style.BRISK,
                )
                batch.append((hand, seats))
            yield tuple(batch)


def strategies(seats: Sequence[int]) -> dict[int, Strategy]:
    """By seat. seats: who sits there, by place."""
    chosen: dict[int, Strategy] = {}
    for seat, place in enumerate(seats):
        other = next((at for at, who in enumerate(seats) if who >= HONEST and who != place), None)
        if place >= HONEST and other is not None:
            chosen[seat] = Partner(seat, other, holds_back=place == HONEST)
        else:
            chosen[seat] = Weak() if place % 3 == 0 and place < HONEST else Sensible()
    return chosen


def play_batch(keys_path: Path, batch: tuple[tuple[HandPlan, tuple[int, ...]], ...]) -> list[PlayedHand]:
    keys = load_keys(keys_path, secrets.token_bytes, BEGINS_MS).signing
    return [play(hand, keys, Bots(strategies(seats)).choose) for hand, seats in batch]


@dataclass(frozen=True, slots=True)
class Found:
    """rank: of the planted pair among all, 1 for first, 0 for not found. honest: the best score of another pair."""

    seed: int
    rank: int
    planted: float
    honest: float
    alarms: int
    right: int
    seconds: float

    @property
    def precision(self) -> float:
        return self.right / self.alarms if self.alarms else 0.0

    @property
    def recall(self) -> float:
        return float(self.right > 0)

    @property
    def holds(self) -> bool:
        return self.rank == 1 and self.right == self.alarms == 1


async def run(trial: Trial, folder: Path, pool: ProcessPoolExecutor) -> Found:
    """Play, store and judge one trial, in a database of its own."""
    began = time.monotonic()
    url = embedded_postgres.start(folder)
    try:
        await migrate(url)
        engine = create_engine(url, connections=2)
        try:
            await _store(trial, engine, folder / "keys", pool)
            found = await _judge(engine)
        finally:
            await engine.dispose()
    finally:
        embedded_postgres.stop(folder)
    people = trial.plan.people()
    planted = frozenset(person.player_id for person in people[HONEST:])
    return _found(trial.seed, found, planted, time.monotonic() - began)


def _found(seed: int, found: Sequence[Signal], planted: frozenset[UUID], seconds: float) -> Found:
    best: dict[frozenset[UUID], float] = {}
    for signal in found:
        pair = frozenset(player.player_id for player in signal.players)
        best[pair] = max(signal.score, best.get(pair, 0.0))
    ranked = sorted(best, key=lambda pair: -best[pair])
    alarms = {frozenset(player.player_id for player in signal.players) for signal in found if signal.alarm}
    return Found(
        seed=seed,
        rank=ranked.index(planted) + 1 if planted in best else 0,
        planted=best.get(planted, 0.0),
        honest=max((score for pair, score in best.items() if pair != planted), default=0.0),
        alarms=len(alarms),
        right=int(planted in alarms),
        seconds=seconds,
    )


async def _store(trial: Trial, engine: AsyncEngine, keys_path: Path, pool: ProcessPoolExecutor) -> None:
    keys = load_keys(keys_path, secrets.token_bytes, BEGINS_MS)
    loop = asyncio.get_running_loop()
    played = [loop.run_in_executor(pool, play_batch, keys_path, batch) for batch in trial.batches()]
    async with engine.connect() as connection:
        writer = await HistoryWriter.on(connection, keys, secrets.token_bytes)
        await writer.begin(trial.plan)
        for batch in played:
            await writer.write(await batch)
        await connection.commit()


async def _judge(engine: AsyncEngine) -> tuple[Signal, ...]:
    async with engine.begin() as connection:
        while (await count_next(connection, BEGINS_MS)).hands:
            pass
        await assess(connection, BEGINS_MS + 1)
        page = await signals_page(connection, SignalFilter(), 0, 200)
    for signal in page.signals[:5]:
        print(f"  {signal.score:5.1f}  {signal.words}")
    return page.signals


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.integrity", description="Find planted colluders.")
    parser.add_argument("--hands", type=int, default=2_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--jobs", type=int, default=None)
    wanted = parser.parse_args()
    results = []
    with ProcessPoolExecutor(wanted.jobs) as pool:
        for seed in wanted.seeds:
            print(f"seed {seed}: {wanted.hands} hands of {HONEST} honest bots and a planted pair", flush=True)
            with tempfile.TemporaryDirectory(prefix="rummy-integrity-", ignore_cleanup_errors=True) as folder:
                results.append(asyncio.run(run(Trial(seed, wanted.hands), Path(folder), pool)))
            found = results[-1]
            print(
                f"  planted pair: rank {found.rank}, score {found.planted:.1f}; best honest pair {found.honest:.1f};"
                f" alarm line {ALARM_SCORE:.0f}; precision {found.precision:.2f}, recall {found.recall:.2f};"
                f" {found.seconds:.0f} s",
                flush=True,
            )
    precision = sum(found.right for found in results) / max(1, sum(found.alarms for found in results))
    recall = sum(found.recall for found in results) / len(results)
    print(json.dumps({"seeds": len(results), "precision": round(precision, 3), "recall": round(recall, 3)}))
    return 0 if all(found.holds for found in results) else 1


if __name__ == "__main__":
    sys.exit(main())
