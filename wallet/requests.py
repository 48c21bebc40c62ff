"""What is asked of the verbs: each request is whole, carries its own key, and checks itself.

A request's key is derived from its contest (a hand or a match), so that a retry can't invent another one. `body` is
what two requests of one key must agree on: everything but the time, which a retry may tell anew.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from json import dumps
from typing import Final
from uuid import UUID

from wallet.accounts import AmountUnits, Asset
from wallet.contests import Contest, ContestKind

MAX_PLAYERS: Final = 16
"""Players of one hand or match; twice what the largest table seats."""
MAX_UNITS: Final = 10**15
"""Largest amount of one line: 10 trillion tokens, so that no sum of lines leaves a 64-bit integer."""
MAX_NAME: Final = 60
"""Characters of a later hold's name."""
MAX_REASON: Final = 200
"""Characters of a reason."""


@dataclass(frozen=True, slots=True)
class HoldRequest:
    """Set tokens aside for every player of one hand or match.

    amounts: (player_id, units) in any order, each player once, units > 0.
    more: only for a match whose hold is open, to which it adds: somebody buys in again. Its name within the match, of
    1 to 60 characters, chosen so that a retry repeats it and the next buy-in does not. Raises ValueError otherwise.
    """

    contest: Contest
    table_id: UUID
    asset: Asset
    amounts: tuple[tuple[UUID, int], ...]
    at_ms: int
    more: str | None = None

    def __post_init__(self) -> None:
        _require_players(self.amounts)
        for player_id, amount in self.amounts:
            if not 0 < amount <= MAX_UNITS:
                raise ValueError(f"{self.contest}: a hold of {amount} for {player_id}")
        if self.more is not None:
            _require_name_of_more(self.contest, self.more)

    @property
    def key(self) -> str:
        return f"hold:{self.contest.key}" if self.more is None else f"hold:{self.contest.key}:{self.more}"

    @property
    def body(self) -> bytes:
        return body_hash("hold", self.contest.key, self.table_id, self.asset, _sorted_pairs(self.amounts))


@dataclass(frozen=True, slots=True)
class Release:
    """Give everything held for a hand or match back: it is void, or recovery found that it never ran."""

    contest: Contest
    reason: str
    at_ms: int

    def __post_init__(self) -> None:
        require_reason(self.reason)

    @property
    def key(self) -> str:
        return f"release:{self.contest.key}"

    @property
    def body(self) -> bytes:
        return body_hash("release", self.contest.key, self.reason)


@dataclass(frozen=True, slots=True)
class Settlement:
    """End a hand or match: move what the losers owe to the winners and the house, give the rest of each hold back.

    deltas: (player_id, units) for those who were held for, losers below zero, each player once; a player left out
    neither wins nor loses. Deltas and commission sum to zero. Raises ValueError otherwise.
    """

    contest: Contest
    table_id: UUID
    asset: Asset
    deltas: tuple[tuple[UUID, int], ...]
    commission: int
    at_ms: int

    def __post_init__(self) -> None:
        _require_players(self.deltas)
        if not 0 <= self.commission <= MAX_UNITS:
            raise ValueError(f"{self.contest}: a commission of {self.commission}")
        if any(abs(delta) > MAX_UNITS for _, delta in self.deltas):
            raise ValueError(f"{self.contest}: an amount beyond {MAX_UNITS}")
        total = sum(delta for _, delta in self.deltas) + self.commission
        if total != 0:
            raise ValueError(f"{self.contest}: deltas and commission sum to {total}, not 0")

    @property
    def key(self) -> str:
        return f"settle:{self.contest.key}"

    @property
    def body(self) -> bytes:
        return body_hash(
            "settle",
            self.contest.key,
            self.table_id,
            self.asset,
            _sorted_pairs(self.deltas),
            AmountUnits(self.commission),
        )


def body_hash(*parts: object) -> bytes:
    """SHA-256 of the parts as JSON; ids as text."""
    return sha256(dumps(parts, ensure_ascii=False, default=str, separators=(",", ":")).encode()).digest()


def require_reason(reason: str) -> None:
    if not reason.strip() or len(reason) > MAX_REASON or "\x00" in reason:
        raise ValueError(f"a reason is 1 to {MAX_REASON} characters")


def _require_name_of_more(contest: Contest, name: str) -> None:
    if contest.kind is not ContestKind.MATCH:
        raise ValueError(f"{contest}: only for a match can more be held than at first")
    if not 1 <= len(name) <= MAX_NAME or not (name.isascii() and name.isprintable()):
        raise ValueError(f"{contest}: {name!r} is no name for a later hold")


def _sorted_pairs(pairs: Iterable[tuple[UUID, int]]) -> list[tuple[str, int]]:
    return sorted((str(player_id), amount) for player_id, amount in pairs)


def _require_players(pairs: tuple[tuple[UUID, int], ...]) -> None:
    if not 1 <= len(pairs) <= MAX_PLAYERS:
        raise ValueError(f"{len(pairs)} players: allowed are 1 to {MAX_PLAYERS}")
    if len({player_id for player_id, _ in pairs}) != len(pairs):
        raise ValueError("a player is named twice")
