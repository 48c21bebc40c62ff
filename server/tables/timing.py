"""How long a table waits for people, in milliseconds. What a turn may take is a table rule and not set here."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableTiming:
    """Raises ValueError for a time below zero.

    seeds_window_ms: each of the two steps of the seeds (FAIRNESS_SPEC section 5).
    countdown_ms: from enough players to the next hand. match_countdown_ms: the same to a match, whose players are fixed
    from then on. result_pause_ms: how long a result stands at most; rejoin_ms: the same while somebody may rejoin.
    grace_ms: what the first turn, and a turn after an outage of ours, get on top of their clock.
    absent_ms: whoever was not connected for so long is not dealt into another hand.
    chair_kept_ms: whoever was not connected for so long gives up the chair, between hands.
    hands_sitting_out: after so many hands sitting out a chair is free again; hands_absent: the same for whoever is
    not here at all, so that nobody finds a table full of people who have gone.
    offer_ms: how long a free chair is kept for the first of those who wait.
    private_empty_ms: a private table at which nobody has sat for so long is closed.
    """

    seeds_window_ms: int = 4_000
    countdown_ms: int = 3_000
    result_pause_ms: int = 15_000
    grace_ms: int = 2_000
    match_countdown_ms: int = 10_000
    rejoin_ms: int = 15_000
    absent_ms: int = 120_000
    chair_kept_ms: int = 600_000
    hands_sitting_out: int = 5
    hands_absent: int = 1
    offer_ms: int = 30_000
    private_empty_ms: int = 600_000

    def pause_ms(self, offered: bool) -> int:
        """How long a result stands at most. offered: whether somebody may rejoin a match meanwhile."""
        return max(self.result_pause_ms, self.rejoin_ms) if offered else self.result_pause_ms

    def __post_init__(self) -> None:
        for name in ("countdown_ms", "match_countdown_ms", "result_pause_ms", "rejoin_ms", "grace_ms"):
            _require(name, getattr(self, name), 0)
        at_least_one = (
            "seeds_window_ms",
            "absent_ms",
            "chair_kept_ms",
            "hands_sitting_out",
            "hands_absent",
            "offer_ms",
            "private_empty_ms",
        )
        for name in at_least_one:
            _require(name, getattr(self, name), 1)


def _require(name: str, value: int, low: int) -> None:
    if value < low:
        raise ValueError(f"{name} is {value}: at least {low} is needed")
