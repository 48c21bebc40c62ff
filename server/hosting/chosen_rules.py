"""The rules that whoever opens a table has chosen."""

from rummy.rules import ReturnTakenCard, TableRules, TakeWildFromPile
from server.protocol.lobby_commands import PrivateRules


def chosen_rules(seat_count: int, rules: PrivateRules) -> TableRules:
    """Raises ValueError for what no table may have."""
    return TableRules(
        seat_count,
        min_players=rules.min_players,
        turn_seconds=rules.turn_seconds,
        time_bank_seconds=rules.time_bank_seconds,
        missed_turns_to_drop=rules.missed_turns_to_drop,
        take_wild_from_pile=TakeWildFromPile(rules.take_wild_from_pile),
        return_taken_card=ReturnTakenCard(rules.return_taken_card),
        reshuffles_allowed=rules.reshuffles_allowed,
    )
