"""Opening hands: the sealed seed, the open leaf, the commit receipt."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from fairness.commitment import RandomSource
from fairness.encoding import Hash
from fairness.json_form import JsonObject
from fairness.leaves import OpenLeaf
from fairness.receipts import CommitReceipt
from fairness.sealing import SealRing
from server.eventlog.contributions import expect_rows
from server.eventlog.driver import Driver
from server.eventlog.log import Growth
from server.eventlog.units import OpenHand

_INSERT_HANDS: Final = """
INSERT INTO hands (hand_id, table_id, hand_no, asset, terms, rules, terms_hash, commitment, sealed_seed,
                   commit_receipt, opened_ms, open_leaf)
SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::bytea[], $6::jsonb[], $7::bytea[],
                     $8::bytea[], $9::bytea[], $10::jsonb[], $11::bigint[], $12::bigint[])
"""
_INSERT_PLAYERS: Final = """
INSERT INTO hand_players (hand_id, seat, player_id) SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::uuid[])
"""
_COUNT_HANDS: Final = """
UPDATE tables SET last_hand_no = opened.hand_no
FROM unnest($1::uuid[], $2::bigint[]) AS opened (table_id, hand_no) WHERE tables.table_id = opened.table_id
"""


def open_leaf(unit: OpenHand) -> bytes:
    terms = unit.opening.terms
    return OpenLeaf(terms.hand_id, terms.table_id, terms.hand_no, terms.hash(), Hash(unit.opening.commitment)).encode()


@dataclass(frozen=True, slots=True)
class OpenedHand:
    unit: OpenHand
    leaf_index: int
    receipt: JsonObject


def sign_openings(units: Sequence[OpenHand], growth: Growth) -> tuple[OpenedHand, ...]:
    """The units' commit receipts; their open leaves are the first ones of the growth, in the same order."""
    return tuple(
        OpenedHand(unit, leaf_index, _commit_receipt(unit, leaf_index, growth).to_json())
        for leaf_index, unit in enumerate(units, start=growth.first_index)
    )


async def insert_hands(driver: Driver, opened: Sequence[OpenedHand], seals: SealRing, random: RandomSource) -> None:
    if not opened:
        return
    openings = [each.unit.opening for each in opened]
    hand_ids = [each.unit.hand_id for each in opened]
    table_ids = [each.unit.table_id for each in opened]
    hand_numbers = [opening.terms.hand_no for opening in openings]
    await driver.execute(
        _INSERT_HANDS,
        hand_ids,
        table_ids,
        hand_numbers,
        [opening.asset for opening in openings],
        [opening.terms.encode() for opening in openings],
        [json.dumps(dict(opening.terms.rules)) for opening in openings],
        [opening.terms.hash() for opening in openings],
        [opening.commitment for opening in openings],
        [seals.seal(opening.server_seed, opening.terms.hand_id, opening.commitment, random) for opening in openings],
        [json.dumps(each.receipt) for each in opened],
        [opening.terms.opened_ms for opening in openings],
        [each.leaf_index for each in opened],
    )
    seated = [(UUID(bytes=opening.terms.hand_id), *player) for opening in openings for player in opening.terms.players]
    await driver.execute(
        _INSERT_PLAYERS,
        [hand_id for hand_id, _, _ in seated],
        [seat for _, seat, _ in seated],
        [UUID(bytes=player_id) for _, _, player_id in seated],
    )
    expect_rows(await driver.execute(_COUNT_HANDS, table_ids, hand_numbers), len(opened), "tables")


def _commit_receipt(unit: OpenHand, leaf_index: int, growth: Growth) -> CommitReceipt:
    return CommitReceipt.sign(
        growth.key,
        unit.opening.terms.hash(),
        unit.opening.commitment,
        leaf_index=leaf_index,
        tree_size=growth.head.tree_size,
        root=growth.head.root,
        inclusion=growth.inclusion(leaf_index),
        at_ms=growth.head.at_ms,
    )
