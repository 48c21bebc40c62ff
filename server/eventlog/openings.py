"""Opening hands: holds, the sealed seed, the open leaf, the commit receipt."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.commitment import RandomSource
from fairness.encoding import Hash
from fairness.json_form import JsonObject
from fairness.leaves import OpenLeaf
from fairness.receipts import CommitReceipt
from fairness.sealing import SealRing
from fairness.terms import Terms
from server.eventlog.contributions import expect_rows
from server.eventlog.driver import Driver
from server.eventlog.log import Growth
from server.eventlog.units import OpenHand
from server.tables.ports import HoldsRefused
from wallet import verbs
from wallet.accounts import Asset
from wallet.refusals import HoldRefused, NoAccount
from wallet.requests import HoldRequest

NO_ACCOUNT: Final = "no_account"

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


async def take_holds(connection: AsyncConnection, units: Sequence[OpenHand], now_ms: int) -> dict[UUID, HoldsRefused]:
    """Hold tokens for each hand that all its players can cover; returns the others' refusals, by table."""
    refused: dict[UUID, HoldsRefused] = {}
    left = list(units)
    while left:
        try:
            await verbs.hold_many(connection, [_hold_request(unit, now_ms) for unit in left])
            break
        except HoldRefused as refusal:
            reasons = {
                hand_id: {each.player_id: each.code.value for each in refusal.refusals if each.hand_id == hand_id}
                for hand_id in refusal.hand_ids
            }
        except NoAccount as refusal:
            reasons = {
                unit.hand_id: dict.fromkeys(without, NO_ACCOUNT)
                for unit in left
                if (without := _players(unit.opening.terms) & set(refusal.player_ids))
            }
        kept = [unit for unit in left if unit.hand_id not in reasons]
        assert len(kept) < len(left), "a refusal names a hand of the call"
        refused |= {unit.table_id: HoldsRefused(reasons[unit.hand_id]) for unit in left if unit.hand_id in reasons}
        left = kept
    return refused


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


def _hold_request(unit: OpenHand, now_ms: int) -> HoldRequest:
    opening = unit.opening
    amounts = tuple((player_id, opening.hold_units) for player_id in sorted(_players(opening.terms)))
    return HoldRequest(unit.hand_id, unit.table_id, Asset(opening.asset), amounts, now_ms)


def _players(terms: Terms) -> set[UUID]:
    return {UUID(bytes=player_id) for _, player_id in terms.players}


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
