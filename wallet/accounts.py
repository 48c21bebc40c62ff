"""The chart of accounts: which accounts exist, in which tokens, and which of them may stand below zero.

A player has one account per asset, with two sides: `available` (may be staked) and `held` (set aside until a hand
or match ends). Per asset the house has `commission` (its part of wins), `issuance` (where tokens come from: it stands
below zero by exactly what is in circulation) and `void` (tokens that a correction took out of circulation). Signs:
what an account owns is positive, so all accounts of one asset sum to zero at every moment.
"""

from enum import StrEnum
from typing import Final, NamedTuple, NewType
from uuid import UUID

AmountUnits = NewType("AmountUnits", int)
"""Tokens in the smallest unit, 1/100 token. Always whole."""

UNITS_PER_TOKEN: Final = 100


class Asset(StrEnum):
    """What kind of token an amount is in; no entry mixes two."""

    HT = "HT"
    """House tokens."""
    PT = "PT"
    """Practice tokens: what tables with bots play for."""


class AccountKind(StrEnum):
    PLAYER = "player"
    COMMISSION = "commission"
    ISSUANCE = "issuance"
    VOID = "void"


HOUSE_KINDS: Final = (AccountKind.COMMISSION, AccountKind.ISSUANCE, AccountKind.VOID)

HOUSE_SHARDS: Final = 16
"""Each house account exists this many times per asset, so that tables never wait for one row (docs/ledger.md)."""


class Account(NamedTuple):
    """One account as a line names it; player_id is None for the house, whose shard the database chooses."""

    kind: AccountKind
    player_id: UUID | None


class Line(NamedTuple):
    """What an entry does to one account: units onto (or, below zero, from) its two sides. The house holds nothing."""

    account: Account
    available: int
    held: int = 0


class Balance(NamedTuple):
    """What a player has in one asset, on the two sides of the account."""

    available: AmountUnits
    held: AmountUnits


NO_BALANCE: Final = Balance(AmountUnits(0), AmountUnits(0))


def of_player(player_id: UUID, available: int, held: int = 0) -> Line:
    return Line(Account(AccountKind.PLAYER, player_id), available, held)


def of_house(kind: AccountKind, units: int) -> Line:
    assert kind in HOUSE_KINDS, f"{kind} belongs to a player"
    return Line(Account(kind, None), units)
