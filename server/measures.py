"""What the house tells Prometheus. No label names a player, a table, a hand or a card."""

import asyncio
import time
from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from server.eventlog.committer import Committer
from server.tables.hub import House

LAG_SECONDS: Final = 0.25
"""How often the event loop's lag is looked at."""

_MOVE_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_COMMIT_UNITS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
_LAG_SECONDS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0)


class HouseMeasures:
    """One per house, with a registry of its own; satisfies `server.tables.ports.Measures`."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        self._commands = Counter(
            "rummy_commands", "Commands answered, by how that went", ("command", "outcome"), registry=self.registry
        )
        self._move_seconds = Histogram(
            "rummy_command_seconds",
            "From a table's command read off its socket to its answer, durable",
            registry=self.registry,
            buckets=_MOVE_SECONDS,
        )
        self._hands = Counter("rummy_hands", "Hands ended, by outcome", ("outcome",), registry=self.registry)
        self._commit_seconds = Histogram(
            "rummy_journal_commit_seconds",
            "One transaction of the journal, with its repeats",
            registry=self.registry,
            buckets=_MOVE_SECONDS,
        )
        self._commit_units = Histogram(
            "rummy_journal_batch_units", "Units in one transaction", registry=self.registry, buckets=_COMMIT_UNITS
        )
        self._sockets = Gauge("rummy_sockets", "Open sockets", registry=self.registry)
        self._closed = Counter(
            "rummy_sockets_closed", "Sockets closed, by our close code or `peer`", ("code",), registry=self.registry
        )
        self._drops = Counter(
            "rummy_outbox_drops", "Connections dropped because they could not keep up", registry=self.registry
        )
        self._lag = Histogram(
            "rummy_event_loop_lag_seconds",
            "How late the event loop wakes a task that sleeps",
            registry=self.registry,
            buckets=_LAG_SECONDS,
        )

    def now(self) -> float:
        return time.perf_counter()

    def answered(self, command: str, outcome: str, began: float) -> None:
        self._commands.labels(command, outcome).inc()
        self._move_seconds.observe(time.perf_counter() - began)

    def refused_unread(self, outcome: str) -> None:
        """A message that no command could be read from, or that came too soon."""
        self._commands.labels("unread", outcome).inc()

    def hand_ended(self, outcome: str) -> None:
        self._hands.labels(outcome).inc()

    def committed(self, units: int, seconds: float) -> None:
        self._commit_seconds.observe(seconds)
        self._commit_units.observe(units)

    def socket_opened(self) -> None:
        self._sockets.inc()

    def socket_closed(self, code: int | None, was_too_slow: bool) -> None:
        """code: None when the peer closed it."""
        self._sockets.dec()
        self._closed.labels("peer" if code is None else str(code)).inc()
        if was_too_slow:
            self._drops.inc()

    def watch(self, house: House, committer: Committer) -> None:
        """Also tell what these say of themselves whenever somebody asks."""
        self.registry.register(_Standing(house, committer))

    async def watch_loop(self) -> None:
        """Measure the event loop's lag for as long as this runs."""
        while True:
            due = time.perf_counter() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            self._lag.observe(max(time.perf_counter() - due, 0.0))


class _Standing(Collector):
    """How many tables, hands and people there are right now."""

    def __init__(self, house: House, committer: Committer) -> None:
        self._house = house
        self._committer = committer

    def collect(self) -> Iterator[Metric]:
        listed, private = self._house.summaries(), self._house.private_tables()
        every = [*listed, *private]
        tables = GaugeMetricFamily("rummy_tables", "Open tables", labels=("kind",))
        tables.add_metric(("listed",), len(listed))
        tables.add_metric(("private",), len(private))
        yield tables
        seats = GaugeMetricFamily("rummy_seats", "Chairs, by who sits there", labels=("taken_by",))
        bots = sum(table.bots for table in every)
        seats.add_metric(("bot",), bots)
        seats.add_metric(("person",), sum(table.seated for table in every) - bots)
        seats.add_metric(("nobody",), sum(table.seat_count - table.seated for table in every))
        yield seats
        yield GaugeMetricFamily("rummy_hands_running", "Hands that run", value=self._house.hands_running())
        yield GaugeMetricFamily("rummy_waiting", "People in line for a chair", value=sum(t.waiting for t in every))
        yield GaugeMetricFamily("rummy_journal_waiting", "Units that wait to be stored", value=self._committer.waiting)
        yield GaugeMetricFamily(
            "rummy_draining", "1 while the house opens no more hands", value=self._house.is_draining
        )
