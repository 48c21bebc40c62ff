"""What a deal of Baloot is played for, and what that makes the cards worth (sections 3 and 5)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tricks.cards import Suit
from tricks.tricks import JACK_AND_NINE, Ranking


class Mode(StrEnum):
    HOKUM = "hokum"
    SUN = "sun"


@dataclass(frozen=True, slots=True)
class Contract:
    """trump: a suit in Hokum, None in Sun."""

    mode: Mode
    trump: Suit | None

    def __post_init__(self) -> None:
        assert (self.trump is None) == (self.mode is Mode.SUN), "Hokum has a trump, Sun has none"

    @property
    def ranking(self) -> Ranking:
        return Ranking(self.trump, JACK_AND_NINE)


SUN: Final = Contract(Mode.SUN, None)


def hokum(trump: Suit) -> Contract:
    return Contract(Mode.HOKUM, trump)
