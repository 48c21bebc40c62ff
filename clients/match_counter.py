"""Hears one table until whole matches were played there, and words each that has ended."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

from server.protocol.messages import MatchView, Table, TableSummary


def match_line(table: TableSummary, match: MatchView) -> dict[str, Any]:
    """One ended match: who won, how everybody stood, and what it paid."""
    result = match.result
    assert result is not None, "a match that has ended has a result"
    return {
        "match_id": str(match.match_id),
        "table": table.name,
        "format": table.rules.format,
        "hands": match.hand,
        "ended": result.outcome,
        "winners": result.winners,
        "scores": {str(line.seat): line.score for line in result.lines},
        "staked": {str(line.seat): line.staked for line in result.lines},
        "tokens": {str(line.seat): line.delta for line in result.lines},
        "commission": result.commission,
        "asset": table.asset,
    }


class MatchCounter:
    """Reports each ended match of one table once, and knows when enough were played."""

    def __init__(self, matches: int, report: Callable[[TableSummary, MatchView], None]) -> None:
        self._matches = matches
        self._report = report
        self._seen: set[UUID] = set()
        self._first = True
        self.enough = asyncio.Event()

    def wants_more(self) -> bool:
        return not self.enough.is_set()

    def hear(self, table: Table) -> None:
        match = table.public.match
        ended = match is not None and match.result is not None
        if self._first and match is not None and ended:
            # One that ended before we came is not ours to report.
            self._seen.add(match.match_id)
            self._matches += 1
        self._first = False
        if match is None or not ended or match.match_id in self._seen or self.enough.is_set():
            return
        self._seen.add(match.match_id)
        self._report(table.public.table, match)
        if len(self._seen) == self._matches:
            self.enough.set()
