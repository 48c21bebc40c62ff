"""The chart of accounts: which accounts exist, in which tokens, and which of them may stand below zero.

Per player and asset there is `available` (may be staked or taken out) and `held` (set aside until a hand ends).
Per asset the house has `commission` (its part of wins), `issuance` (where tokens come from: it stands below
zero by exactly what is in circulation) and `void` (tokens that a correction took out of circulation). Signs: what
an account owns is positive, so all accounts of one asset sum to zero at every moment.
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
    AVAILABLE = "available"
    HELD = "held"
    COMMISSION = "commission"
    ISSUANCE = "issuance"
    VOID = "void"


PLAYER_KINDS: Final = (AccountKind.AVAILABLE, AccountKind.HELD)
HOUSE_KINDS: Final = (AccountKind.COMMISSION, AccountKind.ISSUANCE, AccountKind.VOID)
MAY_BE_NEGATIVE: Final = frozenset({AccountKind.ISSUANCE})

HOUSE_SHARDS: Final = 16
"""Each house account exists this many times per asset, so that tables never wait for one row (docs/ledger.md)."""


class Account(NamedTuple):
    """One account as a posting names it; player_id is None for the house, whose shard the database chooses."""

    kind: AccountKind
    player_id: UUID | None


class Balance(NamedTuple):
    """What a player has in one asset."""

    available: AmountUnits
    held: AmountUnits


NO_BALANCE: Final = Balance(AmountUnits(0), AmountUnits(0))


def available(player_id: UUID) -> Account:
    return Account(AccountKind.AVAILABLE, player_id)


def held(player_id: UUID) -> Account:
    return Account(AccountKind.HELD, player_id)


def house(kind: AccountKind) -> Account:
    assert kind in HOUSE_KINDS, f"{kind} belongs to a player"
    return Account(kind, None)
