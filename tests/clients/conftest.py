"""A house of each test's own with bots to play against: whoever a test leaves sitting disturbs no other test."""

import pytest

from tests.live_house import LiveHouse, OpenHouse


@pytest.fixture
def practice_house(open_house: OpenHouse) -> LiveHouse:
    return open_house(RUMMY_PRACTICE_BOTS="8", RUMMY_COUNTDOWN_MS="1500")
