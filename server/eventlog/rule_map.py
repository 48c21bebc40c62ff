"""A table's rules as the database keeps them: the rule map that its hands' terms are bound to."""

from collections.abc import Mapping

from fairness.replay import rules_map
from rummy.rules import ReturnTakenCard, TableRules, TakeWildFromPile

__all__ = ["read_rules", "rules_map"]


def read_rules(seat_count: int, rules: Mapping[str, str]) -> TableRules:
    """The table rules again. Raises KeyError, ValueError for a map that no table was opened with."""
    return TableRules(
        seat_count,
        min_players=int(rules["min_players"]),
        turn_seconds=int(rules["turn_seconds"]),
        time_bank_seconds=int(rules["time_bank_seconds"]),
        missed_turns_to_drop=int(rules["missed_turns_to_drop"]),
        take_wild_from_pile=TakeWildFromPile(rules["take_wild_from_pile"]),
        return_taken_card=ReturnTakenCard(rules["return_taken_card"]),
        reshuffles_allowed=int(rules["reshuffles_allowed"]),
    )
