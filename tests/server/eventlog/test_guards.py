"""What must hold is held by the database: the server's own role cannot break it."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine

COPY_OF_HAND = """
INSERT INTO hands (hand_id, table_id, hand_no, asset, terms, rules, terms_hash, commitment, sealed_seed,
                   commit_receipt, opened_ms, open_leaf)
SELECT gen_random_uuid(), table_id, hand_no + 1, asset, terms, rules, {terms_hash}, commitment, sealed_seed,
       commit_receipt, opened_ms, open_leaf - 1
FROM hands WHERE status = 'open'
"""
FALSE_STEPS = [
    ("UPDATE hands SET outcome = 'void' WHERE status = 'closed'", "on record"),
    ("UPDATE hands SET status = 'open', server_seed = NULL WHERE status = 'closed'", "on record"),
    ("UPDATE hands SET terms = '\\x00' WHERE status = 'open'", "on record"),
    ("UPDATE hands SET commitment = sha256('') WHERE status = 'open'", "on record"),
    ("UPDATE hands SET server_seed = sha256('') WHERE status = 'open'", "violates check"),
    ("UPDATE hands SET status = 'closed' WHERE status = 'open'", "violates check"),
    ("DELETE FROM hands", "permission denied"),
    ("DELETE FROM hand_contributions", "permission denied"),
    ("UPDATE hand_contributions SET text = 'x', nonce = sha256('')", "stands"),
    ("UPDATE hand_contributions SET hash = sha256('')", "stands"),
    ("UPDATE tables SET epoch = epoch - 1", "cannot go"),
    ("UPDATE tables SET last_hand_no = last_hand_no + 2", "cannot go"),
    ("UPDATE tables SET rate = rate + 1", "fixed"),
    ("UPDATE tables SET commission_bp = 0", "fixed"),
    ("UPDATE log_size SET size = size - 1", "cannot shrink"),
    ("DELETE FROM tables", "permission denied"),
    ("INSERT INTO log_leaves SELECT max(leaf_index) + 2, 'x' FROM log_leaves", "do not continue"),
    ("INSERT INTO log_leaves SELECT max(leaf_index) + 1, 'x' FROM log_leaves", "do not continue"),
    (
        "INSERT INTO hand_events SELECT hand_id, max(k) + 2, 'x', sha256(''), '{}' FROM hand_events"
        " JOIN hands USING (hand_id) WHERE status = 'open' GROUP BY hand_id",
        "do not continue",
    ),
    (
        "INSERT INTO hand_events SELECT hand_id, max(k) + 1, 'x', sha256(''), '{}' FROM hand_events"
        " JOIN hands USING (hand_id) WHERE status = 'closed' GROUP BY hand_id",
        "do not continue",
    ),
]
APPEND_ONLY = ("signing_keys", "log_leaves", "log_nodes", "tree_heads", "hand_events")


@pytest.fixture
async def ended(world):
    """A finished hand and a running one; yields the running one."""
    async with world.journal() as journal:
        players = await world.players(2)
        tables = await world.tables(journal, 2)
        await world.hand(tables[0], players).play(journal)
        running = world.hand(tables[1], players)
        await running.play(journal, upto=2)
        yield running


async def refused(world, statement: str, **values) -> str:
    """Run a statement as the server; returns why the database refused it."""
    with pytest.raises(DBAPIError) as error:
        async with world.engine.begin() as connection:
            await connection.execute(text(statement), values)
    return str(error.value.orig)


async def test_the_record_cannot_be_changed_or_deleted(world, ended) -> None:
    for name in APPEND_ONLY:
        await assert_append_only(world, name)


async def assert_append_only(world, name: str) -> None:
    column = await world.scalar(
        "SELECT column_name FROM information_schema.columns WHERE table_name = :name LIMIT 1", name=name
    )
    assert "permission denied" in await refused(world, f"UPDATE {name} SET {column} = {column}")
    assert "permission denied" in await refused(world, f"DELETE FROM {name}")
    assert "permission denied" in await refused(world, f"TRUNCATE {name}")


async def test_not_even_the_owner_changes_the_record_by_accident(world, ended) -> None:
    engine = create_async_engine(world.url)
    try:
        for statement in [f"{verb} {name}" for name in APPEND_ONLY for verb in ("DELETE FROM", "TRUNCATE")]:
            with pytest.raises(DBAPIError, match=r"append-only|cannot truncate a table referenced"):
                async with engine.begin() as connection:
                    await connection.execute(text(statement))
    finally:
        await engine.dispose()


async def test_false_steps_are_refused(world, ended) -> None:
    for statement, words in FALSE_STEPS:
        assert words in await refused(world, statement), statement


async def test_the_revealed_seed_must_keep_the_commitment(world, ended) -> None:
    reveal = "UPDATE hands SET server_seed = :seed WHERE status = 'open'"
    assert "hands_committed_seed" in await refused(world, reveal, seed=bytes(32))
    # The right one passes that constraint, and meets the next: a hand is not closed by its seed alone.
    assert "hands_complete_when_closed" in await refused(world, reveal, seed=ended.opening.server_seed)


async def test_the_hash_of_the_terms_is_theirs(world, ended) -> None:
    words = await refused(world, COPY_OF_HAND.format(terms_hash="sha256('')"))
    assert "hands_hash_of_terms" in words


async def test_a_table_has_one_open_hand(world, ended) -> None:
    words = await refused(world, COPY_OF_HAND.format(terms_hash="terms_hash"))
    assert "hands_one_open_per_table" in words
