"""What a match pays: the pot to its winners, the house's part of what they win. Source: docs/formats.md section 5."""

from dataclasses import dataclass

from rummy.formats.match import MatchState
from rummy.scoring import commission_of


@dataclass(frozen=True, slots=True)
class PayoutLine:
    """One player's part in token units. staked: all buy-ins. delta: what the match gave or cost them in the end."""

    seat: int
    staked: int
    delta: int


@dataclass(frozen=True, slots=True)
class Payout:
    """lines: every player, ascending. The deltas and the commission sum to zero, to the unit."""

    pot: int
    lines: tuple[PayoutLine, ...]
    commission: int

    def __post_init__(self) -> None:
        assert sum(line.delta for line in self.lines) + self.commission == 0, "a payout that does not sum to zero"
        assert sum(line.staked for line in self.lines) == self.pot, "a pot that is not its buy-ins"


def pot_of(state: MatchState, buy_in: int) -> int:
    """All buy-ins so far, in token units."""
    return sum(_staked(player.rejoins, buy_in) for player in state.players)


def payout_of(state: MatchState, buy_in: int, commission_bp: int) -> Payout:
    """The end of a match in tokens; of a void one, everybody's buy-ins back. Raises ValueError for one that goes on.

    Winners share the pot in whole units; units that are left over go one each to the lowest seats. Commission is taken
    from what a winner wins: the share less the own buy-ins.
    """
    if not state.is_over:
        raise ValueError("the match goes on")
    pot = pot_of(state, buy_in)
    shares = _shares(pot, state.winners)
    lines, commission = [], 0
    for player in state.players:
        staked = _staked(player.rejoins, buy_in)
        share = staked if state.is_void else shares.get(player.seat, 0)
        fee = commission_of(max(share - staked, 0), commission_bp)
        commission += fee
        lines.append(PayoutLine(player.seat, staked, share - staked - fee))
    return Payout(pot, tuple(lines), commission)


def _staked(rejoins: int, buy_in: int) -> int:
    return buy_in * (1 + rejoins)


def _shares(pot: int, winners: tuple[int, ...]) -> dict[int, int]:
    """Equal whole shares, ascending seats; together the whole pot."""
    if not winners:
        return {}
    each, over = divmod(pot, len(winners))
    return {seat: each + (place < over) for place, seat in enumerate(winners)}
