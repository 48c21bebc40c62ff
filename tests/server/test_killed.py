"""SIGKILL at random moments while hands run: what was acknowledged stays, what was started ends, tokens add up.

RUMMY_KILLS says how often the house is killed; RUMMY_KILL_SEED repeats one run.
"""

import asyncio
import contextlib
import os
import random

from server.database import create_engine
from tests.live_house import OpenHouse
from tests.server.witnesses import Seats, check_wallet, prove_that_nothing_was_lost, until_every_running_hand_ended

KILLS = int(os.environ.get("RUMMY_KILLS", "3"))
SEED = int(os.environ.get("RUMMY_KILL_SEED", "0")) or random.randrange(1, 2**31)


async def test_a_house_killed_at_random_moments_loses_nothing(open_house: OpenHouse, database_url: str) -> None:
    print(f"RUMMY_KILL_SEED={SEED}")
    moments = random.Random(SEED)
    house = await asyncio.to_thread(open_house, forked=True)
    engine = create_engine(database_url)
    async with contextlib.AsyncExitStack() as stack:
        seats = Seats(house, stack)
        await seats.fill()
        for number in range(1, KILLS + 1):
            # One in four right after the start, when the tables have just been taken over; else in mid-play.
            if moments.random() < 0.75:
                await seats.until_moves_are_acknowledged()
            await asyncio.sleep(moments.uniform(0, 1))
            await asyncio.to_thread(house.kill)
            await asyncio.to_thread(house.start)
            await asyncio.to_thread(check_wallet, database_url)
            print(f"kill {number}: {len(seats.acknowledged())} moves acknowledged", flush=True)
        await until_every_running_hand_ended(engine)
        acknowledged = seats.acknowledged()

    await asyncio.to_thread(check_wallet, database_url)
    assert await prove_that_nothing_was_lost(engine, house.url, acknowledged) > 50
    await engine.dispose()
