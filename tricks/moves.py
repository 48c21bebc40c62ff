"""What every game of this room has in common of what is done and of what has happened."""

from dataclasses import dataclass

from tricks.cards import Card


@dataclass(frozen=True, slots=True)
class PlayCard:
    """An action of the seat on turn."""

    card: Card


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """An event."""

    seat: int
    card: Card
