"""Following tips: each narrows what may be done, in order, and what is left is done by a fixed order.

So the earlier tip takes precedence: a later one chooses among what the earlier ones have left, and a tip that would
leave nothing has no say.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

SeenT = TypeVar("SeenT")
ChoiceT = TypeVar("ChoiceT")
OtherT = TypeVar("OtherT")


@dataclass(frozen=True, slots=True)
class Tip(Generic[SeenT, ChoiceT]):
    """keep: those of the choices that follow the tip; none where it does not apply."""

    name: StrEnum
    keep: Callable[[SeenT, Sequence[ChoiceT]], Iterable[ChoiceT]]


@dataclass(frozen=True, slots=True)
class Advice(Generic[ChoiceT]):
    """followed: the tips that narrowed the choice, the one with most say first; none where the fixed order decided."""

    choice: ChoiceT
    followed: tuple[StrEnum, ...]

    def as_action(self, act: Callable[[ChoiceT], OtherT]) -> "Advice[OtherT]":
        return Advice(act(self.choice), self.followed)


def advise(tips: Sequence[Tip[SeenT, ChoiceT]], seen: SeenT, choices: Sequence[ChoiceT]) -> Advice[ChoiceT]:
    """What the tips say. choices: at least one, in the fixed order: the first that the tips leave is chosen."""
    followed: list[StrEnum] = []
    left = tuple(choices)
    for tip in tips:
        if len(left) == 1:
            break
        kept = set(tip.keep(seen, left))
        if kept and len(kept) < len(left):
            left = tuple(choice for choice in left if choice in kept)
            followed.append(tip.name)
    return Advice(left[0], tuple(followed))
