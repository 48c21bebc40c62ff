"""While a hand runs, neither the database nor the logs hold what would show its cards."""

import subprocess
import traceback
from dataclasses import replace
from pathlib import Path

import pytest
import structlog
from sqlalchemy import make_url

from server.eventlog.errors import JournalConflict


@pytest.fixture
def dump(postgres_server, world):
    """The whole database as pg_dump writes it, bytes in hex."""

    def run() -> bytes:
        address = make_url(world.url).set(drivername="postgresql").render_as_string(hide_password=False)
        program = Path(postgres_server._server.bin_path) / "pg_dump"
        return subprocess.run([program, address], check=True, capture_output=True, timeout=60).stdout

    return run


def forms(secret: bytes) -> list[bytes]:
    """How bytes could stand in a dump: hex in either case, and as they are."""
    return [secret.hex().encode(), secret.hex().upper().encode(), secret]


async def test_a_running_hand_leaves_no_secret_in_the_database_or_the_logs(world, dump, capsys, caplog) -> None:
    with structlog.testing.capture_logs() as logged:
        async with world.journal() as journal:
            hand = world.hand(await world.table(journal), await world.players(2))
            await hand.play(journal, upto=2)
            await journal.load_tables()
            stored = dump()
    printed = capsys.readouterr()
    everything = stored + repr(logged).encode() + (printed.out + printed.err + caplog.text).encode()
    for secret in (hand.opening.server_seed, hand.hand_key):
        for form in forms(secret):
            assert form not in everything
    # Undealt cards: no three cards of the deck in a row, in any width that a card is written in anywhere.
    for width in (1, 2):
        for place in range(len(hand.deck) - 6):
            run = b"".join(card.to_bytes(width, "big") for card in hand.deck[place : place + 6])
            assert not any(form in everything for form in forms(run))
    for separator in (",", ", ", " "):
        for place in range(len(hand.deck) - 4):
            run = separator.join(map(str, hand.deck[place : place + 4])).encode()
            assert run not in everything
    assert hand.opening.commitment.hex().encode() in everything


async def test_the_seed_is_in_the_database_once_the_hand_has_ended(world, dump) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2))
        await hand.play(journal)
    assert hand.opening.server_seed.hex().encode() in dump()


async def test_a_refusal_of_the_database_does_not_quote_the_seed(world) -> None:
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2))
        last = len(hand.batches) - 1
        await hand.play(journal, upto=last)
        *before, reveal = hand.batches[last]
        hand.batches[last] = (*before, replace(reveal, head=b"short"))
        with pytest.raises(JournalConflict, match="hand_events_head_check") as refused:
            await hand.append(journal, last)
        shown = "".join(traceback.format_exception(refused.value))
    assert hand.opening.server_seed.hex() not in shown
    assert repr(hand.opening.server_seed)[2:-1] not in shown


def test_nothing_here_shows_its_secrets_when_printed(keys) -> None:
    shown = repr(keys)
    assert keys.signing.usable[0].secret.hex() not in shown
    assert repr(keys.signing.usable[0].secret)[2:-1] not in shown
    for key in keys.seals.keys.values():
        assert repr(key)[2:-1] not in shown
