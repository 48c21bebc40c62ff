"""A refusal on its way to the player who asked: nothing was done."""

from collections.abc import Iterable

from server.protocol.messages import ErrorCode


class Refused(Exception):
    """code: for programs. words: for the person. allowed: what would be accepted now, by name.

    shows_table: the asker acted on a state that is no longer, so a fresh one is sent along.
    """

    def __init__(self, code: ErrorCode, words: str, allowed: Iterable[str] = (), shows_table: bool = False) -> None:
        super().__init__(words)
        self.code = code
        self.words = words
        self.allowed = tuple(allowed)
        self.shows_table = shows_table
