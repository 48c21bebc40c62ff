"""`python -m server keys ...`: what keys the house has, new ones, and forgetting old ones (docs/operations.md)."""

import asyncio
import secrets
import time
from pathlib import Path
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.key_files import read_key_file
from fairness.sealing import KEY_FILE as SEAL_KEY_FILE
from fairness.sealing import SealRing, retire_seal_key, rotate_seal_ring
from fairness.signing import KEY_FILE as SIGNING_KEY_FILE
from fairness.signing import SigningKeys, day_of, rotate_signing_keys
from server.database import create_engine, migrate
from server.eventlog.driver import driver_of
from server.house_folder import database_of, only_house_of
from server.settings import Settings

_OPEN_SEEDS: Final = "SELECT hand_id, commitment, sealed_seed FROM hands WHERE status = 'open' FOR UPDATE"
_SEAL_ANEW: Final = """
UPDATE hands SET sealed_seed = anew.sealed_seed
FROM unnest($1::uuid[], $2::bytea[]) AS anew (hand_id, sealed_seed) WHERE hands.hand_id = anew.hand_id
"""


class NoKeys(Exception):
    """The keys folder holds none yet."""


def show(settings: Settings) -> None:
    """Print every key's id and what it is for; never a key."""
    signing, seals = _read(settings.keys_path)
    now_ms = _now_ms()
    for key in signing.published:
        signs = "signs now" if key == signing.at(now_ms).published else "signed before"
        print(f"signing  {key.key_id.hex()}  {key.first_day} to {key.last_day}  {signs}")
    for key_id in seals.keys:
        print(f"sealing  {key_id.hex()}  {'seals now' if key_id == seals.current else 'opens what it sealed'}")


def rotate(settings: Settings) -> None:
    """A new signing key and a new sealing key, from the house's next start on."""
    _read(settings.keys_path)
    rotate_signing_keys(settings.keys_path, secrets.token_bytes, day_of(_now_ms()))
    rotate_seal_ring(settings.keys_path, secrets.token_bytes)
    show(settings)
    print("the house uses the new keys from its next start on")


def retire(settings: Settings) -> None:
    """Forget every sealing key but the newest, having sealed the seeds of running hands anew with that.

    Signing keys lose their secret by themselves when they run out, and their public part is kept for ever. The house
    must not run: it would go on sealing with the key that it started with. Raises FolderInUse.
    """
    _, seals = _read(settings.keys_path)
    with only_house_of(settings.data_dir), database_of(settings) as url:
        resealed = asyncio.run(_seal_anew(url, seals))
    for key_id in seals.keys:
        if key_id != seals.current:
            retire_seal_key(settings.keys_path, key_id)
    show(settings)
    print(f"{resealed} running hands were sealed anew, {len(seals.keys) - 1} old keys forgotten")


async def _seal_anew(url: str, seals: SealRing) -> int:
    """Returns how many seeds of running hands another key than the current one had sealed."""
    await migrate(url)
    engine = create_engine(url)
    try:
        async with engine.begin() as connection:
            return await seal_open_hands_anew(connection, seals)
    finally:
        await engine.dispose()


async def seal_open_hands_anew(connection: AsyncConnection, seals: SealRing) -> int:
    await connection.exec_driver_sql("SELECT 1")  # SQLAlchemy opens its transaction with the first statement it sends
    driver = await driver_of(connection)
    anew = {
        row["hand_id"]: seals.reseal(row["sealed_seed"], row["hand_id"].bytes, row["commitment"], secrets.token_bytes)
        for row in await driver.fetch(_OPEN_SEEDS)
        if row["sealed_seed"][1:9] != seals.current
    }
    await driver.execute(_SEAL_ANEW, list(anew), list(anew.values()))
    return len(anew)


def _read(directory: Path) -> tuple[SigningKeys, SealRing]:
    """Both key files. Raises NoKeys."""
    try:
        return (
            SigningKeys.from_json(read_key_file(directory / SIGNING_KEY_FILE)),
            SealRing.from_json(read_key_file(directory / SEAL_KEY_FILE)),
        )
    except FileNotFoundError:
        raise NoKeys(f"{directory} has no keys yet: the house makes them at its first start") from None


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
