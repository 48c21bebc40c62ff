"""Every way in which the wallet says no: a code, whom and which hand or match it concerns, and plain words.

A verb that raises one of these has written nothing and has not spoilt its transaction: the caller may leave
out what was refused and go on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from wallet.accounts import AmountUnits
from wallet.contests import Contest


class WalletRefusal(Exception):
    """Base of all refusals of the wallet."""


class KeyReused(WalletRefusal):
    """The same key came with another body: one of the two callers is wrong, and nothing was done."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} was posted before with other contents")
        self.key = key


class NoAccount(WalletRefusal):
    """These players have no accounts: `open_accounts` comes first."""

    def __init__(self, player_ids: Iterable[UUID]) -> None:
        self.player_ids = tuple(player_ids)
        super().__init__(f"no accounts for {', '.join(map(str, self.player_ids))}")


class HoldRefusalCode(StrEnum):
    INSUFFICIENT_FUNDS = "insufficient_funds"
    LOSS_LIMIT = "loss_limit"
    SESSION_REMINDER = "session_reminder"
    COOL_OFF = "cool_off"
    SELF_EXCLUSION = "self_exclusion"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class HoldRefusal:
    """Why one player can't join one hand or match.

    have, need: units available and asked for (INSUFFICIENT_FUNDS), or units that may still be lost in the running
    24 hours and asked for (LOSS_LIMIT). until_ms: when the reason ends by itself, where that is known.
    """

    contest: Contest
    player_id: UUID
    code: HoldRefusalCode
    words: str
    have: AmountUnits | None = None
    need: AmountUnits | None = None
    until_ms: int | None = None


class HoldRefused(WalletRefusal):
    """No hold of the call was taken; `refusals` names every hand or match and player that stood in the way."""

    def __init__(self, refusals: Sequence[HoldRefusal]) -> None:
        super().__init__("; ".join(f"{r.contest}, player {r.player_id}: {r.words}" for r in refusals))
        self.refusals = tuple(refusals)

    @property
    def code(self) -> HoldRefusalCode:
        return self.refusals[0].code

    @property
    def contests(self) -> frozenset[Contest]:
        return frozenset(refusal.contest for refusal in self.refusals)

    @property
    def player_ids(self) -> frozenset[UUID]:
        return frozenset(refusal.player_id for refusal in self.refusals)


class NothingToAddTo(WalletRefusal):
    """More was to be held for matches whose hold is not open, or is in another asset or of another table."""

    def __init__(self, contests: Iterable[Contest]) -> None:
        self.contests = frozenset(contests)
        super().__init__(f"no open hold to add to: {', '.join(map(str, self.contests))}")


class InsufficientFunds(HoldRefused):
    """Every refusal of the call is for want of tokens."""


class EndRefusalCode(StrEnum):
    NO_OPEN_HOLD = "no_open_hold"
    BEYOND_HOLD = "beyond_hold"
    NOT_IN_CONTEST = "not_in_contest"
    OTHER_ASSET = "other_asset"
    OTHER_TABLE = "other_table"


@dataclass(frozen=True, slots=True)
class EndRefusal:
    contest: Contest
    code: EndRefusalCode
    words: str


class EndRefused(WalletRefusal):
    """A settlement or release does not fit what is held; nothing of the call was done."""

    def __init__(self, refusals: Sequence[EndRefusal]) -> None:
        super().__init__("; ".join(f"{r.contest}: {r.words}" for r in refusals))
        self.refusals = tuple(refusals)

    @property
    def contests(self) -> frozenset[Contest]:
        return frozenset(refusal.contest for refusal in self.refusals)


class AdjustmentRefusalCode(StrEnum):
    UNKNOWN = "unknown"
    SAME_OPERATOR = "same_operator"
    ALREADY_DECIDED = "already_decided"
    INSUFFICIENT_FUNDS = "insufficient_funds"
    UNKNOWN_ENTRY = "unknown_entry"


class AdjustmentRefused(WalletRefusal):
    def __init__(self, adjustment_id: UUID, code: AdjustmentRefusalCode, words: str) -> None:
        super().__init__(f"adjustment {adjustment_id}: {words}")
        self.adjustment_id = adjustment_id
        self.code = code


class LimitRefusalCode(StrEnum):
    OUT_OF_BOUNDS = "out_of_bounds"
    ONLY_LONGER = "only_longer"


class LimitRefused(WalletRefusal):
    def __init__(self, code: LimitRefusalCode, words: str) -> None:
        super().__init__(words)
        self.code = code
