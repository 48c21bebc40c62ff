"""What a seat knows when it is on turn, and what it may decide: all that any strategy sees and says."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from rummy.cards import FACES_PER_DECK, Card, Rank, face_of


class BeforeDraw(StrEnum):
    """What a seat may do when its turn begins."""

    STOCK = "stock"
    PILE = "pile"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Finish:
    """What a seat does with its fourteenth card: throw it, or finish with it face down."""

    card: Card
    declare: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """A card that a seat took from the pile before everybody's eyes and has not thrown back."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class SeatKnowledge:
    """What one seat knows when it is on turn: its own cards, and what everybody at the table sees.

    cards: 13 before the draw, 14 after it. pile: bottom first. drop_points: what giving up costs now, None
    when it may not. not_returnable: the card just taken from the pile, where the table forbids throwing it back.
    turned: the card that was turned up to find the wild rank. turn_number: of the hand, 1 for its first turn.
    opponents: the seats still in, in the order in which they play after this one. owed_points: what those who are out
    have left for, which the winner gets. taken: by the others, whether still in or out.
    """

    cards: tuple[Card, ...]
    wild_rank: Rank | None
    pile: tuple[Card, ...]
    may_draw_pile: bool
    drop_points: int | None
    not_returnable: Card | None
    decks: int
    turned: Card
    turn_number: int
    player_count: int
    opponents: tuple[int, ...]
    owed_points: int
    taken: tuple[Taken, ...]

    def may_throw(self, card: Card) -> bool:
        """Whether the table lets this card be discarded: copies of the card just taken are alike."""
        return self.not_returnable is None or face_of(card) != face_of(self.not_returnable)

    def unseen_copies(self) -> list[int]:
        """How many copies of each face this seat has not seen: they lie in the stock or in somebody's hand."""
        copies = [self.decks] * FACES_PER_DECK
        for card in (*self.cards, *self.pile, self.turned, *(taken.card for taken in self.taken)):
            copies[face_of(card)] -= 1
        return copies


class Strategy(Protocol):
    """Decides for one seat: the same knowledge always gives the same decision."""

    def before_draw(self, known: SeatKnowledge) -> BeforeDraw: ...

    def after_draw(self, known: SeatKnowledge) -> Finish: ...
