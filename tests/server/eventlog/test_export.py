"""What anybody may read: finished hands that verify, public events of running ones, a log that audits clean."""

from itertools import pairwise

from fairness.audit import (
    ConsistencyProof,
    InclusionProof,
    LeafRange,
    audit_leaves,
    check_consistency,
    check_head,
    check_inclusion,
)
from fairness.receipts import TreeHead
from fairness.signing import KeyRing
from fairness.verify import verify_hand
from server.eventlog import export
from server.eventlog.log import HEAD_EVERY_MS
from server.eventlog.units import Beat


async def play_hands(world, journal, count: int, seat_count: int = 4, players: int = 3) -> list:
    table = await world.table(journal, seat_count)
    seated = await world.players(players)
    hands = [world.hand(table, seated, seed=number, hand_no=number) for number in range(1, count + 1)]
    for hand in hands:
        await hand.play(journal)
    return hands


async def read(world, what, *arguments):
    async with world.engine.connect() as connection:
        return await what(connection, *arguments)


async def published(world) -> KeyRing:
    return KeyRing.from_json(await read(world, export.public_keys))


async def test_the_file_of_a_finished_hand_verifies(world) -> None:
    async with world.journal() as journal:
        hands = [*await play_hands(world, journal, 3), *await play_hands(world, journal, 2, 8, 6)]
        silent = world.hand(await world.table(journal), await world.players(2), seed=9, silent=(0,))
        void = world.hand(await world.table(journal), await world.players(2), seed=9, moves=1)
        for hand in (silent, void):
            await hand.play(journal)
    keys = await published(world)
    for hand in (*hands, silent, void):
        report = verify_hand(await read(world, export.hand_file, hand.id), keys)
        assert report.ok, report.first_failure
        assert report.hand_id == hand.id.hex()


async def test_a_running_or_unknown_hand_has_no_file(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2))
        await hand.play(journal, upto=2)
        assert await read(world, export.hand_file, hand.id) is None
        assert await read(world, export.hand_file, bytes(16)) is None
        assert await read(world, export.log_inclusion, bytes(16)) is None


async def test_public_events_of_a_running_hand_by_range(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2))
        await hand.play(journal, upto=2)
        events = await read(world, export.live_events, hand.id, 1, 3)
        assert [(event["k"], event["type"]) for event in events] == [(1, "dealt"), (2, "wild"), (3, "open")]
        assert await read(world, export.live_events, hand.id, 4, 100) == []


async def test_the_log_audits_clean_however_it_grew(world) -> None:
    heads = []
    hands = []
    for _ in range(3):  # a new node each time reads the tree's edge again
        async with world.journal() as journal:
            hands += await play_hands(world, journal, 2, players=2)
            running = world.hand(await world.table(journal), await world.players(2))
            await running.play(journal, upto=1)
            hands.append(running)
            heads.append(TreeHead.from_json(await read(world, export.log_head)))
    keys = await published(world)
    assert [head.tree_size for head in heads] == [5, 10, 15]
    for head in heads:
        assert check_head("head", head, keys).ok
    for old, new in pairwise(heads):
        proof = ConsistencyProof.from_json(await read(world, export.log_consistency, old.tree_size, new.tree_size))
        assert check_consistency(old, new, proof).ok
    leaves = LeafRange.from_json(await read(world, export.log_leaves, 0, 100)).leaves
    for head in heads:
        findings = list(audit_leaves(leaves, head, heads[0]))
        assert [finding.words for finding in findings if finding.ok is False] == []
    for hand in hands:
        proof = InclusionProof.from_json(await read(world, export.log_inclusion, hand.id))
        assert all(finding.ok is not False for finding in check_inclusion(proof, hand.id))


async def test_proofs_between_all_sizes(world) -> None:
    async with world.journal() as journal:
        await play_hands(world, journal, 5, players=2)
    roots = dict(tuple(row) for row in await world.fetch("SELECT tree_size, root FROM tree_heads"))
    assert set(roots) >= set(range(1, 11))
    for old in range(1, 11):
        for size in range(old, 11):
            proof = ConsistencyProof.from_json(await read(world, export.log_consistency, old, size))
            older, newer = (TreeHead(each, roots[each], 0, b"") for each in (old, size))
            assert check_consistency(older, newer, proof).ok
    assert await read(world, export.log_consistency, 3, 11) is None
    assert await read(world, export.log_consistency, 4, 3) is None


async def test_leaves_by_range(world) -> None:
    async with world.journal() as journal:
        await play_hands(world, journal, 2, players=2)
    everything = (await read(world, export.log_leaves, 0, 1_000))["leaves"]
    assert len(everything) == 4
    assert (await read(world, export.log_leaves, 1, 3)) == {"from": 1, "leaves": everything[1:3]}
    assert (await read(world, export.log_leaves, 4, 10))["leaves"] == []


async def test_a_head_is_signed_every_minute_without_any_hand(world) -> None:
    now_ms = world.now_ms()
    world.now_ms = lambda: now_ms
    async with world.journal() as journal:
        for step_ms in (0, HEAD_EVERY_MS - 1, 1, HEAD_EVERY_MS):
            now_ms += step_ms
            await journal.committer.submit(Beat())
    heads = await world.fetch("SELECT tree_size, at_ms FROM tree_heads ORDER BY at_ms")
    start_ms = heads[0].at_ms
    assert [(head.tree_size, head.at_ms - start_ms) for head in heads] == [
        (0, 0),
        (0, HEAD_EVERY_MS),
        (0, 2 * HEAD_EVERY_MS),
    ]


async def test_every_receipt_stands_in_a_signed_tree(world) -> None:
    async with world.journal() as journal:
        hands = await play_hands(world, journal, 3, players=2)
    for hand in hands:
        file = await read(world, export.hand_file, hand.id)
        receipt = file["commit_receipt"]
        stored = await world.fetch("SELECT root FROM tree_heads WHERE tree_size = :size", size=receipt["tree_size"])
        assert receipt["root"] in {row.root.hex() for row in stored}
