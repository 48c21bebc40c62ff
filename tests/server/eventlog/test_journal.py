"""What a table gives to the journal is stored whole, once, and only while it makes sense."""

from dataclasses import replace
from uuid import uuid4

import pytest

from fairness.commitment import commitment
from fairness.json_form import Fields
from fairness.receipts import CommitReceipt
from server.eventlog.errors import JournalConflict
from server.tables.ports import Chair, EventRow, Fenced, HoldsRefused
from wallet.accounts import Asset
from wallet.open_holds import open_holds
from wallet.statement import balances, trial_balance


async def test_a_hand_from_opening_to_settlement(world) -> None:
    async with world.journal() as journal:
        players = await world.players(3)
        hand = world.hand(await world.table(journal), players)
        receipt = await journal.open_hand(hand.epoch, hand.opening)
        commit = CommitReceipt.read(Fields(receipt, "receipt"))
        commit.check(world.keys.signing.ring, hand.opening.terms.hash(), hand.opening.commitment)
        async with world.engine.connect() as connection:
            holds = await open_holds(connection)
        assert {player for player, _ in holds[0].amounts} == {player.player_id for player in players}
        await hand.contribute(journal)
        for number in range(len(hand.batches)):
            await hand.append(journal, number)
    status, outcome, seed = (await world.fetch("SELECT status, outcome, server_seed FROM hands"))[0]
    assert (status, outcome, seed) == ("closed", hand.closing.outcome, hand.opening.server_seed)
    assert await world.stored_events(hand) == hand.events
    deltas = await world.fetch("SELECT player_id, delta FROM hand_players ORDER BY seat")
    assert tuple(tuple(row) for row in deltas) == hand.closing.deltas
    await assert_tokens_moved(world, hand)


async def assert_tokens_moved(world, hand) -> None:
    async with world.engine.connect() as connection:
        assert await open_holds(connection) == ()
        for player_id, delta in hand.closing.deltas:
            balance = (await balances(connection, player_id))[Asset.HT]
            assert (balance.available, balance.held) == (1_000_000 + delta, 0)
        assert sum(row.balance for row in await trial_balance(connection)) == 0


async def test_a_voided_hand_gives_everything_back(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2), moves=1)
        assert hand.closing.outcome == "void"
        await hand.play(journal)
    await assert_tokens_moved(world, hand)
    assert await world.scalar("SELECT void_reason FROM hands") == "operator"


async def test_every_call_made_again_is_done_once(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(3))
        first = await journal.open_hand(hand.epoch, hand.opening)
        assert await journal.open_hand(hand.epoch, hand.opening) == first
        for _ in range(2):
            await hand.contribute(journal)
        for number in range(len(hand.batches)):
            await hand.append(journal, number)
            await hand.append(journal, number)
        await hand.append(journal, 0)
        assert await journal.open_hand(hand.epoch, hand.opening) == first
        for _ in range(2):
            await hand.contribute(journal)
    assert await world.stored_events(hand) == hand.events
    assert await world.scalar("SELECT size FROM log_size") == 2
    await assert_tokens_moved(world, hand)


async def test_the_same_call_with_other_contents_is_a_conflict(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2))
        await hand.play(journal, upto=2)
        seat = next(iter(hand.hashes))
        nonce, words = hand.nonces[seat]
        row = hand.batches[1][0]
        forged = EventRow(row.k, row.data, bytes(32), row.clock)
        other = replace(hand.opening.terms, dealer=1)
        other_opening = replace(hand.opening, terms=other, commitment=commitment(other.hash(), bytes(32)))
        for call in (
            journal.open_hand(hand.epoch, other_opening),
            journal.record_hash(hand.table_id, hand.epoch, hand.id, seat, bytes(32)),
            journal.record_reveal(hand.table_id, hand.epoch, hand.id, seat, nonce, words + b"!"),
            journal.append(hand.table_id, hand.epoch, hand.id, [forged]),
        ):
            with pytest.raises(JournalConflict):
                await call


async def test_what_comes_at_the_wrong_time_is_a_conflict(world) -> None:
    async with world.journal() as journal:
        players = await world.players(2)
        table = await world.table(journal)
        hand = world.hand(table, players, silent=(1,))
        with pytest.raises(JournalConflict, match="no such hand"):
            await hand.append(journal, 0)
        await journal.open_hand(hand.epoch, hand.opening)
        with pytest.raises(JournalConflict, match="gave no hash"):
            await journal.record_reveal(hand.table_id, hand.epoch, hand.id, 0, bytes(32), b"")
        await journal.record_hash(hand.table_id, hand.epoch, hand.id, 0, hand.hashes[0])
        with pytest.raises(JournalConflict, match="not the time"):
            await journal.record_reveal(hand.table_id, hand.epoch, hand.id, 0, *hand.nonces[0])
        await journal.close_hashes(hand.table_id, hand.epoch, hand.id, hand.hashes_receipt)
        with pytest.raises(JournalConflict, match="list of hashes is closed"):
            await journal.record_hash(hand.table_id, hand.epoch, hand.id, 1, bytes(32))
        with pytest.raises(JournalConflict, match="the next event is 0"):
            await hand.append(journal, 1)
        with pytest.raises(JournalConflict, match="the last hand was number 1"):
            await journal.open_hand(table.epoch, world.hand(table, players, hand_no=3).opening)
        with pytest.raises(JournalConflict, match="was refused"):  # by the database: one open hand a table
            await journal.open_hand(table.epoch, world.hand(table, players, hand_no=2).opening)
        with pytest.raises(JournalConflict, match="no such table"):
            await journal.save_chairs(uuid4(), 1, (), None)


async def test_a_signed_list_must_be_the_stored_one(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(3))
        await journal.open_hand(hand.epoch, hand.opening)
        await journal.record_hash(hand.table_id, hand.epoch, hand.id, 0, hand.hashes[0])
        with pytest.raises(JournalConflict, match="not the list"):
            await journal.close_hashes(hand.table_id, hand.epoch, hand.id, hand.hashes_receipt)


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("seed", lambda closing: replace(closing, server_seed=bytes(32))),
        ("amounts", lambda closing: replace(closing, commission=closing.commission + 1)),
        ("record says", lambda closing: replace(closing, outcome="void", void_reason="operator")),
    ],
)
async def test_a_hand_cannot_end_otherwise_than_its_record_says(world, words, change) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2))
        assert hand.closing.outcome != "void"
        await hand.play(journal, upto=len(hand.batches) - 1)
        hand.closing = change(hand.closing)
        with pytest.raises(JournalConflict, match=words):
            await hand.append(journal, len(hand.batches) - 1)
    assert await world.scalar("SELECT status FROM hands") == "open"
    assert await world.scalar("SELECT max(k) FROM hand_events") == hand.batches[-2][-1].k


async def test_refused_holds_leave_nothing(world) -> None:
    async with world.journal() as journal:
        rich, poor = await world.players(2), await world.players(1, units=5)
        table = await world.table(journal)
        hand = world.hand(table, (*rich, *poor))
        with pytest.raises(HoldsRefused) as refused:
            await journal.open_hand(hand.epoch, hand.opening)
        assert refused.value.reasons == {poor[0].player_id: "insufficient_funds"}
        assert await world.scalar("SELECT count(*) FROM hands") == 0
        assert await world.scalar("SELECT size FROM log_size") == 0
        async with world.engine.connect() as connection:
            assert await open_holds(connection) == ()
        await journal.open_hand(table.epoch, world.hand(table, rich).opening)


async def test_a_player_without_accounts_is_named(world) -> None:
    async with world.journal() as journal:
        players = await world.players(2)
        stranger = players[0].model_copy(update={"player_id": uuid4()})
        hand = world.hand(await world.table(journal), (*players, stranger))
        with pytest.raises(HoldsRefused) as refused:
            await journal.open_hand(hand.epoch, hand.opening)
        assert refused.value.reasons == {stranger.player_id: "no_account"}


async def test_an_older_owner_is_fenced_from_everything(world) -> None:
    async with world.journal() as journal, world.journal() as newer:
        players = await world.players(2)
        hand = world.hand(await world.table(journal), players)
        await hand.play(journal, upto=2)
        taken = await newer.load_table(hand.table_id)
        assert taken.epoch == hand.epoch + 1
        nonce, words = hand.nonces[0]
        for call in (
            journal.open_hand(hand.epoch, hand.opening),
            journal.record_hash(hand.table_id, hand.epoch, hand.id, 0, hand.hashes[0]),
            journal.close_hashes(hand.table_id, hand.epoch, hand.id, hand.hashes_receipt),
            journal.record_reveal(hand.table_id, hand.epoch, hand.id, 0, nonce, words),
            hand.append(journal, 2),
            journal.save_chairs(hand.table_id, hand.epoch, (), 0),
            # Knowing the new epoch is not enough: it is another node's.
            journal.save_chairs(hand.table_id, taken.epoch, (), 0),
        ):
            with pytest.raises(Fenced):
                await call
        hand.table = taken
        await hand.append(newer, 2)


async def test_chairs_are_replaced_as_a_whole(world) -> None:
    async with world.journal() as journal:
        anna, bela, cora = await world.players(3)
        table = await world.table(journal)
        table_id = table.config.table_id
        await journal.save_chairs(table_id, table.epoch, (Chair(0, anna), Chair(1, bela)), 0)
        chairs = (Chair(1, bela, sitting_out=True), Chair(2, cora, leaving=True), Chair(3, anna, gone=True))
        await journal.save_chairs(table_id, table.epoch, chairs, 2)
        stored = await journal.load_table(table_id)
        assert (stored.chairs, stored.dealer) == (chairs, 2)
        await journal.save_chairs(table_id, stored.epoch, (), None)
        stored = await journal.load_table(table_id)
        assert (stored.chairs, stored.dealer) == ((), None)
