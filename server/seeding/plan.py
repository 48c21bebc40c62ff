"""What a seeded history consists of: tables, people, and who meets where and when. All of it follows from one seed."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final
from uuid import UUID

from rummy.rules import TableRules
from server.seeding.playing import HandPlan, Style
from server.tables.ports import TableConfig

DAY_MS: Final = 86_400_000
HOUR_MS: Final = 3_600_000
_RATES: Final = (10, 25, 50, 100, 200)
_SEATS: Final = (4, 6, 6, 6, 8)
_HOUR_WEIGHTS: Final = (5, 3, 2, 1, 1, 1, 2, 3, 4, 5, 6, 6, 7, 7, 6, 6, 7, 8, 9, 10, 10, 10, 9, 7)
"""How much is played in each hour of the house's day."""
_HOUSE_OFFSET_MS: Final = 330 * 60_000
"""India's day, as the desk has it unless told otherwise."""
_FIRST_NAMES: Final = (
    *("Aarav", "Asha", "Bina", "Chandan", "Deepa", "Esha", "Farhan", "Gopal", "Hema", "Imran", "Jaya", "Kabir"),
    *("Lata", "Mohan", "Nisha", "Om", "Priya", "Rahul", "Sana", "Tara", "Uma", "Vikram", "Yash", "Zoya"),
)
_THRIFTY_SHARE: Final = 0.04
_FULL_SHARE: Final = 0.75
"""Of the tables that play at once."""
_MOST_SEATS: Final = max(_SEATS)
_SPREAD_MS: Final = 3_000
"""Hands of one batch open within so long."""


@dataclass(frozen=True, slots=True)
class SeededPlayer:
    """address, device: of the session that the player came with."""

    player_id: UUID
    name: str
    arrived_ms: int
    address: str
    device_id: UUID
    token_hash: bytes


@dataclass(frozen=True, slots=True)
class HistoryPlan:
    """hands: how many; from from_ms on, within `days` days. table_count: how many play at once at most."""

    hands: int
    players: int
    days: int
    from_ms: int
    seed: int
    table_count: int = 48

    def tables(self) -> tuple[TableConfig, ...]:
        rng = self._rng("tables")
        return tuple(self._table(number, rng) for number in range(self.table_count))

    def people(self) -> tuple[SeededPlayer, ...]:
        rng = self._rng("people")
        return tuple(self._person(number, rng) for number in range(self.players))

    def batches(self) -> Iterator[tuple[HandPlan, ...]]:
        """Hands that open together, earliest first; nobody is in two of a batch, and a batch ends before the next."""
        rng = self._rng("hands")
        tables, people = self.tables(), [person.player_id.bytes for person in self.people()]
        numbers = dict.fromkeys((table.table_id for table in tables), 0)
        sizes = self._sizes()
        for at_ms, size in sizes:
            chosen = rng.sample(tables, size)
            seats = [rng.randint(2, table.rules.seat_count) for table in chosen]
            meeting = rng.sample(people, sum(seats))
            batch = []
            for table, taken in zip(chosen, seats, strict=True):
                numbers[table.table_id] += 1
                here, meeting = meeting[:taken], meeting[taken:]
                batch.append(self._hand(table, numbers[table.table_id], at_ms, here, rng))
            yield tuple(batch)

    def _sizes(self) -> list[tuple[int, int]]:
        """When each batch opens, and how many hands it has: together all of them."""
        most = min(self.table_count, self.players // _MOST_SEATS)
        if most < 1:
            raise ValueError(f"{self.players} players are too few: a table may seat {_MOST_SEATS}")
        slots = math.ceil(self.hands / self.days / (_FULL_SHARE * most))
        times = [
            self.from_ms + day * DAY_MS + self._moment_ms(slot / slots)
            for day in range(self.days)
            for slot in range(slots)
        ]
        base, over = divmod(self.hands, len(times))
        return [(at_ms, size) for number, at_ms in enumerate(times) if (size := base + (number < over))]

    def _moment_ms(self, share: float) -> int:
        """The moment of 24 hours, from from_ms on, before which this share of them is played."""
        first_hour = (self.from_ms + _HOUSE_OFFSET_MS) // HOUR_MS % 24
        wanted = share * sum(_HOUR_WEIGHTS)
        for hour, weight in enumerate((*_HOUR_WEIGHTS[first_hour:], *_HOUR_WEIGHTS[:first_hour])):
            if wanted < weight:
                return round((hour + wanted / weight) * HOUR_MS)
            wanted -= weight
        return DAY_MS - 1

    def _hand(self, table: TableConfig, number: int, at_ms: int, players: list[bytes], rng: Random) -> HandPlan:
        seats = sorted(rng.sample(range(table.rules.seat_count), len(players)))
        return HandPlan(
            seed=rng.getrandbits(64),
            hand_id=_uuid(rng).bytes,
            table_id=table.table_id.bytes,
            hand_no=number,
            seat_count=table.rules.seat_count,
            dealer=rng.choice(seats),
            rate=table.rate,
            commission_bp=table.commission_bp,
            opened_ms=at_ms + rng.randrange(_SPREAD_MS),
            players=tuple(zip(seats, players, strict=True)),
            asset=table.asset,
            style=Style.THRIFTY if rng.random() < _THRIFTY_SHARE else Style.BRISK,
        )

    def _table(self, number: int, rng: Random) -> TableConfig:
        practice = number % 6 == 5
        rate, seat_count = _RATES[number % len(_RATES)], _SEATS[number // 2 % len(_SEATS)]
        name = f"{'Practice' if practice else 'Points'} {seat_count} at {rate / 100:g}, no. {number + 1}"
        return TableConfig(_uuid(rng), name, "PT" if practice else "HT", practice, rate, 500, TableRules(seat_count))

    def _person(self, number: int, rng: Random) -> SeededPlayer:
        address = f"10.{number // 250 % 250}.{number % 250}.{rng.randint(1, 250)}"
        return SeededPlayer(
            _uuid(rng),
            f"{rng.choice(_FIRST_NAMES)} {number + 1}",
            self.from_ms - rng.randrange(DAY_MS),
            address,
            _uuid(rng),
            rng.randbytes(32),
        )

    def _rng(self, what: str) -> Random:
        return Random(f"{self.seed} {what}")  # noqa: S311 - a history is to be repeatable


def _uuid(rng: Random) -> UUID:
    return UUID(bytes=rng.randbytes(16), version=4)
