from server.web.limits import KeyedLimit, TokenBucket


def test_a_burst_passes_and_then_only_the_rate() -> None:
    bucket = TokenBucket(per_second=10, burst=3, at_ms=0)
    assert [bucket.take(0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(99)
    assert bucket.take(200)


def test_a_clock_set_back_neither_fills_nor_empties() -> None:
    bucket = TokenBucket(per_second=10, burst=1, at_ms=1_000)
    assert bucket.take(500)
    assert not bucket.take(510)


def test_each_key_has_its_own_allowance() -> None:
    now = 0
    limit = KeyedLimit.a_minute(2, now_ms=lambda: now)
    assert [limit.take("a"), limit.take("a"), limit.take("a"), limit.take("b")] == [True, True, False, True]
    now = 30_000
    assert limit.take("a")
