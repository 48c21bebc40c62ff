"""Field reports of tokens, each by its number. The ledger's own storms are in tests/wallet."""

import asyncio
from itertools import product
from uuid import uuid4

from sqlalchemy import text

from rummy.events import HandEnded, Outcome
from rummy.scoring import settle_points
from server.database import create_engine
from wallet import verbs
from wallet.accounts import Asset
from wallet.check import check
from wallet.contests import of_hand
from wallet.requests import HoldRequest, Settlement
from wallet.transactions import in_transaction

HELD = 13_000
PARALLEL = 200


async def test_one_hand_settled_200_times_at_once_moves_its_tokens_once_b37(database_url: str) -> None:
    engine = create_engine(database_url)
    winner, loser = uuid4(), uuid4()
    hand = of_hand(uuid4())
    table_id = uuid4()
    try:
        async with engine.begin() as connection:
            for player in (winner, loser):
                await verbs.open_accounts(connection, player)
                await verbs.grant(connection, str(player), player, Asset.HT, 100_000, "start")
            hold = HoldRequest(hand, table_id, Asset.HT, ((winner, HELD), (loser, HELD)), 1)
            await verbs.hold_many(connection, [hold])
        settlement = Settlement(hand, table_id, Asset.HT, ((winner, 7_600), (loser, -8_000)), 400, 2)
        async with asyncio.TaskGroup() as settling:
            for _ in range(PARALLEL):
                settling.create_task(in_transaction(engine, lambda c: verbs.settle_many(c, [settlement])))
        async with engine.connect() as connection:
            entries = await connection.execute(text("SELECT count(*) FROM wallet.entries WHERE kind = 'settle'"))
            assert entries.scalar() == 1
            assert (await verbs.balances(connection, winner))[Asset.HT] == (107_600, 0)
            assert (await verbs.balances(connection, loser))[Asset.HT] == (92_000, 0)
        async with engine.connect() as connection:
            assert (await check(connection)).findings == ()
    finally:
        await engine.dispose()


def test_every_rate_points_seats_and_commission_give_whole_units_that_add_up_b38() -> None:
    for rate, points, seats, commission_bp in product(
        (1, 2, 3, 7, 50, 100, 12_345), range(81), range(2, 9), (0, 1, 250, 500, 1_000, 1_250, 9_999)
    ):
        # Losers that differ, so that shares do not hide in a round sum.
        owed = tuple((seat, 0 if seat == seats - 1 else (points + seat) % 81) for seat in range(seats))
        settlement = settle_points(HandEnded(Outcome.DECLARED, seats - 1, owed), rate, commission_bp)
        losses = -sum(line.delta for line in settlement.lines[:-1])
        assert losses == sum(counted for _, counted in owed) * rate
        assert settlement.lines[-1].delta + settlement.commission == losses
        assert settlement.commission == losses * commission_bp // 10_000 >= 0
        assert all(line.delta <= 0 for line in settlement.lines[:-1])
        assert all(type(line.delta) is int for line in settlement.lines)
