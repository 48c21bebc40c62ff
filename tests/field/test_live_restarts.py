"""A real house killed right after each answer, and seeds that no honest client sends: by their numbers, over sockets.

RUMMY_ACK_KILLS says after how many moves the house is killed.
"""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from websockets.exceptions import ConnectionClosed

from clients.python.account import Account
from tests.live_house import OpenHouse
from tests.raw_seat import AtTable, Document, dealt, raw_seat, seated

KILLS: Final = int(os.environ.get("RUMMY_ACK_KILLS", "3"))


@asynccontextmanager
async def back_again(accounts: list[Account], table_id: UUID) -> AsyncIterator[list[AtTable]]:
    """The same people with the sessions that they had, looking at their table."""
    async with contextlib.AsyncExitStack() as stack:
        seats = [
            await stack.enter_async_context(raw_seat(account.url, account=account, table_id=table_id))
            for account in accounts
        ]
        for seat in seats:
            await seat.do("watch_table")
        yield seats


def shared(seat: AtTable) -> Document:
    """What everybody at the table must see alike."""
    hand: Document = seat.table["public"]["hand"]
    return {**hand, "turn": {**hand["turn"], "clock_ms": 0, "deadline_ms": 0}}


def whole_hand(seat: AtTable) -> list[Document]:
    """The events of the snapshot that a newcomer is given."""
    snapshot = next(message for message in seat.heard if message["type"] == "table" and message["snapshot"])
    events: list[Document] = snapshot["events"]
    return events


def next_move(seat: AtTable) -> Document:
    if seat.table["public"]["hand"]["turn"]["stage"] == "draw":
        return seat.command("draw", source="stock", **seat.turn())
    return seat.command("discard", card=seat.cards[-1], **seat.turn())


async def test_no_answered_move_is_lost_when_the_house_dies_behind_the_answer_b01_b05_b11(
    open_house: OpenHouse,
) -> None:
    """Each move is answered, the house killed, and everybody comes back with the old session to one and the same table.

    The page sends its move once more, as it would that never heard the answer: done once, and nobody was timed out.
    """
    house = await asyncio.to_thread(open_house)
    async with dealt(house.url, count=2) as seats:
        table_id, accounts = seats[0].table_id, [seat.account for seat in seats]
        for number in range(KILLS):
            async with back_again(accounts, table_id) as here:
                mover = next(seat for seat in here if seat.is_on_turn)
                move = next_move(mover) | {"id": f"move-{number}"}
                answer = await mover.ask(move)
                assert answer["type"] == "ack"
                await asyncio.to_thread(house.kill)
            await asyncio.to_thread(house.start)
            async with back_again(accounts, table_id) as here:
                again = next(seat for seat in here if seat.account == mover.account)
                moved = [event for event in whole_hand(again) if event["type"] in ("draw_stock", "discard")]
                assert len(moved) == number + 1
                assert not any(event["auto"] for event in moved)
                assert await again.ask(move) == answer
                assert shared(here[0]) == shared(here[1])
                assert len(again.cards) == (14 if move["type"] == "draw" else 13)
                assert {seat["misses"] for seat in again.table["public"]["seats"]} == {0}


async def test_seeds_that_come_late_twice_empty_huge_or_broken_hold_nothing_up_b35(open_house: OpenHouse) -> None:
    house = await asyncio.to_thread(open_house, RUMMY_SEEDS_WINDOW_MS="6000")
    async with seated(house.url, 3) as (honest, odd, late):
        for seat in (honest, odd, late):
            await seat.in_phase("seeds")
            await seat.contribute()
        own = odd.contribution
        assert own is not None
        hand = {"hand_id": str(own.hand_id)}
        await odd.do("contribute", **hand, hash=own.hash.hex())
        assert (await odd.ask(odd.command("contribute", **hand, hash="00" * 32)))["code"] == "contribution_refused"
        await odd.until(lambda: odd.of_kind("receipt", kind="hashes"))

        reveal = odd.command("reveal", **hand, nonce=own.nonce.hex())
        for wrong, code in [
            (json.dumps(reveal | {"id": "a"}).replace("}", ', "text": "\\ud800"}'), "contribution_refused malformed"),
            (reveal | {"text": "two\nlines"}, "contribution_refused"),
            (reveal | {"text": "é" * 200}, "contribution_refused"),
            (reveal | {"text": "x" * 300}, "malformed"),
            (reveal | {"text": "x" * 30_000}, "too_large"),
            (reveal | {"nonce": "00" * 32}, "contribution_refused"),
            (reveal | {"nonce": ""}, "malformed"),
            (json.dumps(reveal).encode() + b"\xff", "malformed"),
        ]:
            answer = await odd.ask(wrong)
            assert answer["type"] == "error", wrong
            assert answer["code"] in code.split(), answer
        with contextlib.suppress(ConnectionClosed):
            await odd.send(json.dumps(reveal | {"text": "x" * 10_000_000}))
        assert await odd.close_code() == 1009
        async with raw_seat(house.url, account=odd.account, table_id=odd.table_id) as back:
            await back.do("watch_table")
            await back.do("reveal", **hand, nonce=own.nonce.hex(), text="")
            await back.do("reveal", **hand, nonce=own.nonce.hex(), text="")
            await honest.reveal()
            for seat in (honest, back, late):
                await seat.in_phase("playing")
            late_seed = late.contribution
            assert late_seed is not None
            too_late = late.command("reveal", **hand, nonce=late_seed.nonce.hex())
            assert (await late.ask(too_late))["code"] == "contribution_refused"
            status = {seat["seat"]: seat["contribution"] for seat in honest.table["public"]["seats"]}
            assert [status[seat.seat] for seat in (honest, back, late)] == ["given", "given", "withheld"]
            mover = next(seat for seat in (honest, back, late) if seat.is_on_turn)
            await mover.move("draw", source="stock")
