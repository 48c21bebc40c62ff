"""Who is dealt into the next hand: everybody who sits and plays on, or, while a match goes on, those who are in it."""

from server.tables.game import State
from server.tables.ports import Chair
from server.tables.table import Table
from server.tables.table_match import TableMatch


def lineup(table: Table[State]) -> tuple[Chair, ...]:
    """The chairs of the next hand, ascending."""
    match = running_match(table)
    if match is None:
        return table.seating.playing_on
    return tuple(chair for chair in table.seating.present if match.seat_in(chair.player.player_id) == chair.seat)


def least_players(table: Table[State]) -> int:
    """How many the next hand needs: a match that goes on needs no more than two."""
    return table.game.settings.min_players if running_match(table) is None else 2


def running_match(table: Table[State]) -> TableMatch | None:
    """The match that goes on; None between matches, and in points."""
    return table.match if table.match is not None and not table.match.is_over else None
