import pytest

from server.tables.clock import SystemClock
from server.tables.timing import TableTiming


@pytest.mark.parametrize(
    "wrong", [{"countdown_ms": -1}, {"seeds_window_ms": 0}, {"hands_sitting_out": 0}, {"grace_ms": -5}]
)
def test_a_wait_out_of_range_is_refused_by_name(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        TableTiming(**wrong)


async def test_the_real_clock_returns_at_or_after_the_deadline() -> None:
    clock = SystemClock()
    deadline_ms = clock.now_ms() + 5
    await clock.sleep_until(deadline_ms)
    assert clock.now_ms() >= deadline_ms
    await clock.sleep_until(deadline_ms - 1_000_000)
