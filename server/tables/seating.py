"""The chairs of one table: who sits, who is leaving, who pauses. Values: what is not stored is not yet so."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from server.protocol.messages import ErrorCode, Player
from server.tables.ports import Chair
from server.tables.refusal import Refused


@dataclass(frozen=True, slots=True)
class Seating:
    """chairs: the taken ones, ascending."""

    seat_count: int
    chairs: tuple[Chair, ...] = ()

    def at(self, seat: int) -> Chair | None:
        return next((chair for chair in self.chairs if chair.seat == seat), None)

    def of(self, player_id: UUID) -> Chair | None:
        """The chair of a player who sits here and has not gone."""
        chair = self.in_name_of(player_id)
        return None if chair is None or chair.gone else chair

    def in_name_of(self, player_id: UUID) -> Chair | None:
        """The chair that is a player's, even if they left in mid-hand and it only waits for the hand's end."""
        return next((chair for chair in self.chairs if chair.player.player_id == player_id), None)

    def chair_of(self, player_id: UUID) -> Chair:
        """Raises Refused for somebody who has no chair."""
        chair = self.of(player_id)
        if chair is None:
            raise Refused(ErrorCode.NOT_SEATED, "You have no chair at this table.", ("sit",))
        return chair

    @property
    def present(self) -> tuple[Chair, ...]:
        """The chairs of those who have not gone."""
        return tuple(chair for chair in self.chairs if not chair.gone)

    @property
    def playing_on(self) -> tuple[Chair, ...]:
        """The chairs that would be dealt into the next hand."""
        return tuple(chair for chair in self.chairs if not (chair.gone or chair.leaving or chair.sitting_out))

    def sit(self, player: Player, seat: int | None, kept: int = 0) -> tuple["Seating", int]:
        """Seat a player on `seat` or the first free chair; returns the seat taken.

        kept: how many free chairs are kept for others, who wait. Whoever is leaving, or left in mid-hand, takes their
        own chair back this way; to ask for the chair that one has changes nothing, so that it can be asked again when
        the answer was lost. Raises Refused.
        """
        own = self.in_name_of(player.player_id)
        if own is not None:
            return self._take_back(own, seat), own.seat
        free = [number for number in range(self.seat_count) if self.at(number) is None]
        if seat is not None and seat >= self.seat_count:
            raise Refused(ErrorCode.NO_SUCH_SEAT, f"This table has the seats 0 to {self.seat_count - 1}.")
        if not free:
            raise Refused(ErrorCode.TABLE_FULL, "Every chair of this table is taken.", ("join_waiting",))
        if len(free) <= kept:
            words = "The free chairs of this table are kept for those who wait."
            raise Refused(ErrorCode.TABLE_FULL, words, ("join_waiting",))
        if seat is not None and seat not in free:
            raise Refused(ErrorCode.SEAT_TAKEN, f"Seat {seat} is taken; free are {_words(free)}.")
        taken = free[0] if seat is None else seat
        chairs = sorted((*self.chairs, Chair(taken, player)), key=lambda chair: chair.seat)
        return replace(self, chairs=tuple(chairs)), taken

    def _take_back(self, own: Chair, seat: int | None) -> "Seating":
        is_given_up = own.leaving or own.gone
        if seat not in (None, own.seat):
            words = "Until this hand ends your chair here is" if is_given_up else "You already sit at this table, on"
            raise Refused(ErrorCode.ALREADY_SEATED, f"{words} seat {own.seat}.")
        if not is_given_up:
            return self
        return self.changed(replace(own, leaving=False, gone=False, sitting_out=False))

    def changed(self, chair: Chair) -> "Seating":
        """With this chair in place of the one on its seat."""
        return replace(self, chairs=tuple(chair if old.seat == chair.seat else old for old in self.chairs))

    def without(self, seat: int) -> "Seating":
        return replace(self, chairs=tuple(chair for chair in self.chairs if chair.seat != seat))

    def sat_out(self, player_ids: Iterable[UUID]) -> "Seating":
        """These players keep their chairs and skip coming hands."""
        ids = frozenset(player_ids)
        return replace(
            self,
            chairs=tuple(
                replace(chair, sitting_out=True) if chair.player.player_id in ids else chair for chair in self.chairs
            ),
        )

    def after_hand(self) -> "Seating":
        """Without those who left during the hand or wanted to leave after it."""
        return replace(self, chairs=tuple(chair for chair in self.chairs if not (chair.gone or chair.leaving)))


def _words(seats: Iterable[int]) -> str:
    return ", ".join(str(seat) for seat in seats)
