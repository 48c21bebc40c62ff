"""All verbs in random order with random failures: sums zero, nothing below zero, every hold ends, twice is once.

A model of plain dicts says what the ledger must show after every step. Failures are real ones: an exception after the
work, a connection that the database cuts in the middle, a commit whose answer never arrives, a serialization failure.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from enum import Enum
from typing import Any
from uuid import UUID, uuid4

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.pool import NullPool

from server.database import create_engine
from wallet.accounts import Asset
from wallet.check import FindingCode, check
from wallet.contests import Contest, ContestKind
from wallet.refusals import AdjustmentRefused, EndRefused, InsufficientFunds, KeyReused, NothingToAddTo
from wallet.statement import TrialBalanceSide
from wallet.transactions import in_transaction
from wallet.verbs import (
    HoldRequest,
    Release,
    Settlement,
    adjust_approve,
    adjust_reject,
    adjust_request,
    balances,
    grant,
    hold_many,
    open_accounts,
    open_holds,
    release_many,
    settle_many,
    trial_balance,
)

PLAYERS = 5
Work = Callable[[AsyncConnection], Awaitable[Any]]


class Failure(Enum):
    NONE = "none"
    RAISES_AFTER_THE_WORK = "raises after the work"
    CONNECTION_CUT = "connection cut"
    ANSWER_LOST = "answer lost"
    TOLD_TO_TRY_AGAIN = "told to try again"


class Lost(Exception):
    """The rest of the transaction failed."""


failures = st.sampled_from(Failure)
assets = st.sampled_from(Asset)
amounts = st.integers(1, 500)
contest_kinds = st.sampled_from(ContestKind)
players = st.integers(0, PLAYERS - 1)
seatings = st.lists(players, min_size=1, max_size=PLAYERS, unique=True)


class Ledger(RuleBasedStateMachine):
    def __init__(self, database_url: str) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.engine = create_engine(database_url)
        self.admin = create_async_engine(database_url, poolclass=NullPool)
        self.ids = [uuid4() for _ in range(PLAYERS)]
        self.available = {(player, asset): 0 for player in self.ids for asset in Asset}
        self.house = {(kind, asset): 0 for kind in ("issuance", "commission", "void") for asset in Asset}
        self.open: dict[Contest, HoldRequest] = {}
        self.ended: list[Settlement | Release] = []
        self.asked: dict[UUID, tuple[UUID, Asset, int]] = {}
        self.house_before: dict[tuple[str, Asset], int] = {}

    def teardown(self) -> None:
        """Every hold ends: what is still open is released, and the whole ledger is proven."""
        self.settle_down([Release(contest, "closing", 9) for contest in self.open])
        self.open.clear()
        self.runner.run(self._prove())
        self.runner.run(self.engine.dispose())
        self.runner.close()

    # -- running work ------------------------------------------------------------------------------------------------

    def do(self, work: Work, failure: Failure) -> bool:
        """Run work under a failure; returns whether it must have taken effect. Refusals come out."""
        if failure is Failure.NONE:
            self.runner.run(in_transaction(self.engine, work))
            return True
        if failure is Failure.ANSWER_LOST:  # done, and the caller, who does not know, does it again
            for _ in range(2):
                self.runner.run(in_transaction(self.engine, work))
            return True
        if failure is Failure.TOLD_TO_TRY_AGAIN:
            self.runner.run(in_transaction(self.engine, self._once_told_to_try_again(work)))
            return True
        try:
            self.runner.run(in_transaction(self.engine, self._spoilt(work, failure)))
        except (Lost, DBAPIError):
            return False
        raise AssertionError("a spoilt transaction went through")

    def _once_told_to_try_again(self, work: Work) -> Work:
        attempts = 0

        async def twice(connection: AsyncConnection) -> None:
            nonlocal attempts
            attempts += 1
            await work(connection)
            if attempts == 1:
                await connection.execute(text("DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$"))

        return twice

    def _spoilt(self, work: Work, failure: Failure) -> Work:
        async def spoil(connection: AsyncConnection) -> None:
            await work(connection)
            if failure is Failure.RAISES_AFTER_THE_WORK:
                raise Lost
            pid = (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one()
            async with self.admin.connect() as other:
                await other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})

        return spoil

    def settle_down(self, releases: list[Release]) -> None:
        if releases:
            self.runner.run(in_transaction(self.engine, lambda c: release_many(c, releases)))

    # -- what can happen ---------------------------------------------------------------------------------------------

    @initialize()
    def players_arrive(self) -> None:
        async def arrive(connection: AsyncConnection) -> None:
            for player in self.ids:
                await open_accounts(connection, player)
            for row in await trial_balance(connection):
                self.house_before[row.side, row.asset] = row.balance

        self.runner.run(in_transaction(self.engine, arrive))

    @rule(player=players, asset=assets, amount=amounts, failure=failures, twice=st.booleans())
    def grants(self, player: int, asset: Asset, amount: int, failure: Failure, twice: bool) -> None:
        key, who = str(uuid4()), self.ids[player]
        if self.do(lambda c: grant(c, key, who, asset, amount, "gift", 1), failure):
            self.available[who, asset] += amount
            self.house["issuance", asset] -= amount
            if twice:
                assert self.runner.run(
                    in_transaction(self.engine, lambda c: grant(c, key, who, asset, amount, "gift", 2))
                ).already_done
                try:
                    self.do(lambda c: grant(c, key, who, asset, amount + 1, "gift", 1), Failure.NONE)
                except KeyReused:
                    return
                raise AssertionError("another body was accepted")

    @rule(
        contests=st.lists(st.tuples(contest_kinds, seatings, amounts, assets), min_size=1, max_size=4),
        failure=failures,
    )
    def holds(self, contests: list[tuple[ContestKind, list[int], int, Asset]], failure: Failure) -> None:
        requests = [
            HoldRequest(Contest(kind, uuid4()), uuid4(), asset, tuple((self.ids[seat], amount) for seat in seats), 1)
            for kind, seats, amount, asset in contests
        ]
        left = dict(self.available)
        for request in requests:
            for player, amount in request.amounts:
                left[player, request.asset] -= amount
        try:
            done = self.do(lambda c: hold_many(c, requests), failure)
        except InsufficientFunds:
            assert min(left.values()) < 0
            return
        assert min(left.values()) >= 0
        if done:
            self.available = left
            self.open |= {request.contest: request for request in requests}

    @precondition(lambda self: self._matches())
    @rule(data=st.data(), seats=seatings, amount=amounts, failure=failures)
    def buy_in_again(self, data: st.DataObject, seats: list[int], amount: int, failure: Failure) -> None:
        before = data.draw(st.sampled_from(self._matches()))
        bought = tuple((self.ids[seat], amount) for seat in seats)
        request = replace(before, amounts=bought, more=str(uuid4()))
        try:
            done = self.do(lambda c: hold_many(c, [request]), failure)
        except InsufficientFunds:
            assert min(self.available[player, before.asset] for player, _ in bought) < amount
            return
        if done:
            for player, _ in bought:
                self.available[player, before.asset] -= amount
            all_bought = Counter(dict(before.amounts)) + Counter(dict(bought))
            self.open[before.contest] = replace(before, amounts=tuple(all_bought.items()))

    def _matches(self) -> list[HoldRequest]:
        return [hold for contest, hold in self.open.items() if contest.kind is ContestKind.MATCH]

    @precondition(lambda self: self.ended)
    @rule(data=st.data())
    def nobody_buys_into_what_has_ended(self, data: st.DataObject) -> None:
        contest = data.draw(st.sampled_from(self.ended)).contest
        if contest.kind is ContestKind.HAND:
            return
        late = HoldRequest(contest, uuid4(), Asset.HT, ((self.ids[0], 1),), 3, more=str(uuid4()))
        try:
            self.do(lambda c: hold_many(c, [late]), Failure.NONE)
        except (NothingToAddTo, InsufficientFunds):
            return
        raise AssertionError("what had ended was held for again")

    @precondition(lambda self: self.open)
    @rule(data=st.data(), failure=failures)
    def settles(self, data: st.DataObject, failure: Failure) -> None:
        hands = data.draw(st.lists(st.sampled_from(list(self.open)), min_size=1, max_size=4, unique=True))
        ends = [self._result(self.open[hand], data) for hand in hands]
        if self.do(lambda c: settle_many(c, ends), failure):
            for end in ends:
                hold = self.open.pop(end.contest)
                deltas = dict(end.deltas)
                for player, amount in hold.amounts:
                    self.available[player, hold.asset] += amount + deltas.get(player, 0)
                self.house["commission", hold.asset] += end.commission
            self.ended += ends

    def _result(self, hold: HoldRequest, data: st.DataObject) -> Settlement:
        (winner, _), *losers = hold.amounts
        lost = [(player, -data.draw(st.integers(0, amount))) for player, amount in losers]
        win = -sum(delta for _, delta in lost)
        commission = data.draw(st.integers(0, win))
        deltas = ((winner, win - commission), *lost)
        return Settlement(hold.contest, hold.table_id, hold.asset, deltas, commission, 2)

    @precondition(lambda self: self.open)
    @rule(data=st.data())
    def a_loss_beyond_the_hold_is_refused(self, data: st.DataObject) -> None:
        hold = self.open[data.draw(st.sampled_from(list(self.open)))]
        player, amount = hold.amounts[0]
        end = Settlement(hold.contest, hold.table_id, hold.asset, ((player, -amount - 1),), amount + 1, 2)
        try:
            self.do(lambda c: settle_many(c, [end]), Failure.NONE)
        except EndRefused:
            return
        raise AssertionError("somebody lost more than was held")

    @precondition(lambda self: self.open)
    @rule(data=st.data(), failure=failures)
    def releases(self, data: st.DataObject, failure: Failure) -> None:
        contests = data.draw(st.lists(st.sampled_from(list(self.open)), min_size=1, max_size=4, unique=True))
        ends = [Release(contest, "void", 2) for contest in contests]
        if self.do(lambda c: release_many(c, ends), failure):
            for end in ends:
                hold = self.open.pop(end.contest)
                for player, amount in hold.amounts:
                    self.available[player, hold.asset] += amount
            self.ended += ends

    @precondition(lambda self: self.ended)
    @rule(data=st.data())
    def what_has_ended_ends_again(self, data: st.DataObject) -> None:
        """The same end is answered as before; the other kind of end is refused."""
        end = data.draw(st.sampled_from(self.ended))
        if isinstance(end, Settlement):
            (again,) = self.runner.run(in_transaction(self.engine, lambda c: settle_many(c, [end])))
            other = Release(end.contest, "void", 3)
            refused = lambda c: release_many(c, [other])  # noqa: E731
        else:
            (again,) = self.runner.run(in_transaction(self.engine, lambda c: release_many(c, [end])))
            settlement = Settlement(end.contest, uuid4(), Asset.HT, ((self.ids[0], 0),), 0, 3)
            refused = lambda c: settle_many(c, [settlement])  # noqa: E731
        assert again.already_done
        try:
            self.do(refused, Failure.NONE)
        except EndRefused:
            return
        raise AssertionError("a hand ended twice")

    @rule(player=players, asset=assets, amount=st.integers(-500, 500).filter(bool), failure=failures)
    def an_operator_asks(self, player: int, asset: Asset, amount: int, failure: Failure) -> None:
        adjustment_id, who = uuid4(), self.ids[player]
        work: Work = lambda c: adjust_request(c, adjustment_id, who, asset, amount, "why", self.ids[0], 1)  # noqa: E731
        if self.do(work, failure):
            self.asked[adjustment_id] = (who, asset, amount)

    @precondition(lambda self: self.asked)
    @rule(data=st.data(), approves=st.booleans(), failure=failures)
    def another_decides(self, data: st.DataObject, approves: bool, failure: Failure) -> None:
        adjustment_id = data.draw(st.sampled_from(list(self.asked)))
        who, asset, amount = self.asked[adjustment_id]
        decide = adjust_approve if approves else adjust_reject
        enough = self.available[who, asset] + amount >= 0
        try:
            done = self.do(lambda c: decide(c, adjustment_id, self.ids[1], 2), failure)
        except AdjustmentRefused:
            assert approves
            assert not enough
            return
        assert enough or not approves
        if done:
            del self.asked[adjustment_id]
            if approves:
                self.available[who, asset] += amount
                self.house["issuance" if amount > 0 else "void", asset] -= amount

    # -- what must hold ----------------------------------------------------------------------------------------------

    @invariant()
    def the_ledger_shows_what_the_model_says(self) -> None:
        self.runner.run(self._compare())

    async def _compare(self) -> None:
        held = {(player, asset): 0 for player in self.ids for asset in Asset}
        for hold in self.open.values():
            for player, amount in hold.amounts:
                held[player, hold.asset] += amount
        async with self.engine.connect() as connection:
            for player in self.ids:
                for asset, balance in (await balances(connection, player)).items():
                    assert balance == (self.available[player, asset], held[player, asset])
            rows = await trial_balance(connection)
            assert {hold.contest for hold in await open_holds(connection)} == set(self.open)
        for asset in Asset:
            assert sum(row.balance for row in rows if row.asset is asset) == 0
        for row in rows:
            if row.side not in (TrialBalanceSide.AVAILABLE, TrialBalanceSide.HELD) and self.house_before:
                moved = row.balance - self.house_before[row.side, row.asset]
                assert moved == self.house[row.side, row.asset]

    async def _prove(self) -> None:
        async with self.admin.connect() as connection:
            report = await check(connection)
            assert [finding for finding in report.findings if finding.code is not FindingCode.HOLD_OUTLIVED] == []
            assert await open_holds(connection) == ()


def test_any_order_of_verbs_with_any_failures_keeps_the_ledger_true(database_url: str) -> None:
    run_state_machine_as_test(
        lambda: Ledger(database_url),
        settings=settings(
            max_examples=15, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
