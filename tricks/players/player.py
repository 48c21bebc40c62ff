"""What every computer player is, whatever the game."""

from typing import Protocol, TypeVar

SeenT = TypeVar("SeenT", contravariant=True)
ActionT = TypeVar("ActionT", covariant=True)


class Player(Protocol[SeenT, ActionT]):
    """Chooses for the seat on turn. The same knowledge is answered with the same action, anywhere and at any time.

    A player that draws samples gets its seed when it is made and draws anew for each choice from that seed and from
    what it sees, so that no choice depends on how many were made before.
    """

    def choose(self, seen: SeenT) -> ActionT:
        """One of `seen.options`, which are never empty for the seat on turn."""
        ...
