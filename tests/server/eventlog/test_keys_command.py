"""`python -m server keys`: new keys for new hands, and old sealing keys forgotten without losing a running hand."""

import asyncio
import re
import secrets
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import pytest

from fairness.sealing import SealBroken
from server import keys_command
from server.eventlog.keys import load_keys
from server.house_folder import FolderInUse
from server.keys_command import NoKeys
from server.settings import Settings
from tests.server.eventlog.conftest import World

NOW_MS = 1_800_000_000_000
HOLD_THE_FOLDER = """
import sys; from pathlib import Path; from server.house_folder import only_house_of
with only_house_of(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def settings_of(folder: Path, database_url: str | None = None) -> Settings:
    return Settings(data_dir=folder / "data", keys_dir=folder / "keys", database_url=database_url)


def ids(printed: str, what: str) -> list[str]:
    return re.findall(rf"^{what}  ([0-9a-f]{{16}})  ", printed, re.MULTILINE)


def test_there_is_nothing_to_rotate_before_the_first_start(tmp_path: Path) -> None:
    for act in (keys_command.show, keys_command.rotate, keys_command.retire):
        with pytest.raises(NoKeys, match="first start"):
            act(settings_of(tmp_path))


def test_rotating_makes_a_key_of_each_kind_and_shows_no_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_of(tmp_path)
    before = load_keys(settings.keys_path, secrets.token_bytes, NOW_MS)
    keys_command.rotate(settings)
    after = load_keys(settings.keys_path, secrets.token_bytes, NOW_MS)
    printed = capsys.readouterr().out
    assert len(ids(printed, "signing")) == len(ids(printed, "sealing")) == 2
    assert after.signing.published[:-1] == before.signing.published
    assert after.seals.current != before.seals.current
    for key in (*after.seals.keys.values(), *(key.secret for key in after.signing.usable)):
        assert key.hex() not in printed


async def test_a_hand_that_runs_outlives_the_key_it_was_sealed_with(
    world: World, tmp_path: Path, database_url: str
) -> None:
    settings = settings_of(tmp_path, database_url)
    world.keys = load_keys(settings.keys_path, secrets.token_bytes, NOW_MS)
    async with world.journal() as journal:
        hand = world.hand(await world.table(journal), await world.players(2))
        await journal.open_hand(hand.epoch, hand.opening)
    keys_command.rotate(settings)
    await asyncio.to_thread(keys_command.retire, settings)
    old, world.keys = world.keys, load_keys(settings.keys_path, secrets.token_bytes, NOW_MS)
    assert list(world.keys.seals.keys) == [world.keys.seals.current]
    async with world.journal() as journal:
        stored = await journal.load_table(hand.table_id)
        assert stored.live_hand is not None
        assert stored.live_hand.server_seed == hand.opening.server_seed
    sealed = await world.scalar(f"SELECT sealed_seed FROM hands WHERE hand_id = '{UUID(bytes=hand.id)}'")
    with pytest.raises(SealBroken):
        old.seals.unseal(sealed, hand.id, hand.opening.commitment)


def test_no_key_is_forgotten_while_the_house_runs(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    load_keys(settings.keys_path, secrets.token_bytes, NOW_MS)
    house = subprocess.Popen(
        [sys.executable, "-c", HOLD_THE_FOLDER, str(settings.data_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with house:
        assert house.stdout is not None
        house.stdout.readline()
        with pytest.raises(FolderInUse, match="another house runs"):
            keys_command.retire(settings)
        house.kill()
