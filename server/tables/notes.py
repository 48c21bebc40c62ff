"""What a table keeps in mind about each player and would not miss after a restart."""

from dataclasses import dataclass, field
from uuid import UUID

from server.protocol.messages import AutoPlayed, ResultLine
from server.tables.away import with_result, with_turn


@dataclass(slots=True)
class PlayerNotes:
    """ready: wants the next hand now. drop_next: drop at the next turn. refused: too few tokens for the last hand.

    hands_sat_out: hands opened in a row while this chair sat out. away: what was played for them since their last own
    action. dropped_by_clock: the table dropped them for missed turns, in whichever hand, and they have done nothing of
    their own since.
    """

    ready: bool = False
    drop_next: bool = False
    refused: bool = False
    hands_sat_out: int = 0
    away: AutoPlayed | None = None
    dropped_by_clock: bool = False

    def is_idle(self, turns: int) -> bool:
        """Whether the clock has dropped them, or played so many turns for them, since their last own action."""
        return self.dropped_by_clock or (self.away is not None and self.away.turns >= turns)

    def was_played_for(self, hand_no: int, card: int | None, dropped: bool) -> None:
        self.away = with_turn(self.away, hand_no, card, dropped)

    def hand_ended(self, hand_no: int, line: ResultLine) -> None:
        if self.away is not None:
            self.dropped_by_clock = self.dropped_by_clock or line.out == "missed_turns"
            self.away = with_result(self.away, hand_no, line)


@dataclass(slots=True)
class Notebook:
    """The notes of the players who have a chair."""

    _by_player: dict[UUID, PlayerNotes] = field(default_factory=dict)

    def of(self, player_id: UUID) -> PlayerNotes:
        return self._by_player.setdefault(player_id, PlayerNotes())

    def keep_only(self, player_ids: frozenset[UUID]) -> None:
        for player_id in tuple(self._by_player):
            if player_id not in player_ids:
                del self._by_player[player_id]
