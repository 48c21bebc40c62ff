"""The house's keys: from files outside the database; only public keys are written into it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.commitment import RandomSource
from fairness.sealing import SealRing, load_or_create_seal_ring
from fairness.signing import KeyRing, PublicKey, SigningKeys, day_of, load_or_create_signing_keys
from server.eventlog.driver import driver_of

_PUBLISH: Final = """
INSERT INTO signing_keys (key_id, public_key, first_day, last_day, signature)
SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::date[], $4::date[], $5::bytea[]) ON CONFLICT DO NOTHING
"""
_PUBLISHED: Final = "SELECT public_key, first_day, last_day, signature FROM signing_keys ORDER BY first_day, key_id"


@dataclass(frozen=True, slots=True)
class HouseKeys:
    """signing: signs receipts and tree heads. seals: keeps seeds secret at rest. They share nothing."""

    signing: SigningKeys = field(repr=False)
    seals: SealRing = field(repr=False)


def load_keys(directory: Path, random: RandomSource, now_ms: int) -> HouseKeys:
    """The keys from their directory; makes them on the first start and renews the signing key when it is due."""
    return HouseKeys(
        load_or_create_signing_keys(directory, random, day_of(now_ms)), load_or_create_seal_ring(directory, random)
    )


async def publish_keys(connection: AsyncConnection, keys: SigningKeys) -> None:
    """Write the public keys down, those that are not yet there."""
    published = keys.published
    columns = (
        [key.key_id for key in published],
        [key.public_key for key in published],
        [key.first_day for key in published],
        [key.last_day for key in published],
        [key.signature for key in published],
    )
    await connection.exec_driver_sql(_PUBLISH, columns)


async def published_keys(connection: AsyncConnection) -> KeyRing:
    """Every public key that the house ever published, oldest first."""
    rows = await (await driver_of(connection)).fetch(_PUBLISHED)
    return KeyRing(
        tuple(PublicKey(row["public_key"], row["first_day"], row["last_day"], row["signature"]) for row in rows)
    )
