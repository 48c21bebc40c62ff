"""What everybody may see of a table's format and its match."""

from rummy.formats.kinds import FULL_COUNT, MATCH_FORMATS, Deals, FormatName, Pool
from server.protocol.messages import MatchPlayer, MatchResult, MatchResultLine, MatchRules, MatchView
from server.tables.table_match import TableMatch


def match_rules(name: FormatName) -> MatchRules | None:
    """The numbers of a format that plays matches; None for points."""
    format_ = MATCH_FORMATS.get(name)
    if format_ is None:
        return None
    pool = format_ if isinstance(format_, Pool) else None
    deals = format_ if isinstance(format_, Deals) else None
    return MatchRules(
        kind="deals" if pool is None else "pool",
        limit=None if pool is None else pool.limit,
        rejoins=None if pool is None else pool.rejoins,
        rejoin_at_most=None if pool is None else pool.rejoin_at_most,
        deals=None if deals is None else deals.deals,
        chips=None if deals is None else deals.chips,
        first_drop=format_.first_drop,
        middle_drop=format_.middle_drop,
        full_count=FULL_COUNT,
    )


def match_view(match: TableMatch) -> MatchView:
    state = match.state
    return MatchView(
        match_id=match.match_id,
        pot=match.pot,
        hand=match.hand,
        counted=state.hands,
        tie_break=state.tie_break,
        players=[
            MatchPlayer(
                seat=player.seat,
                player=match.players[player.seat],
                score=player.score,
                standing=player.standing.value,
                rejoins=player.rejoins,
            )
            for player in state.players
        ],
        offers=list(state.offers),
        offer_points=state.comeback if state.offers else None,
        result=_result(match),
    )


def _result(match: TableMatch) -> MatchResult | None:
    payout = match.payout
    if payout is None:
        return None
    return MatchResult(
        outcome=match.outcome,
        winners=list(match.state.winners),
        pot=payout.pot,
        commission=payout.commission,
        lines=[
            MatchResultLine(
                seat=line.seat,
                player=match.players[line.seat],
                score=match.state.player(line.seat).score,
                standing=match.state.player(line.seat).standing.value,
                staked=line.staked,
                delta=line.delta,
            )
            for line in payout.lines
        ],
    )
