"""What a table keeps in mind about each player and would not miss after a restart."""

from dataclasses import dataclass, field
from uuid import UUID

from server.protocol.messages import AutoPlayed


@dataclass(slots=True)
class PlayerNotes:
    """ready: wants the next hand now. drop_next: drop at the next turn. refused: too few tokens for the last hand.

    hands_sat_out: hands opened in a row without this chair. away: what was played for them since their last own action.
    dropped_by_clock: in the last hand the table dropped them for missed turns.
    """

    ready: bool = False
    drop_next: bool = False
    refused: bool = False
    hands_sat_out: int = 0
    away: AutoPlayed | None = None
    dropped_by_clock: bool = False

    def was_played_for(self, card: int | None) -> None:
        turns = 0 if self.away is None else self.away.turns
        self.away = AutoPlayed(turns=turns + 1, last_card=card)


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
