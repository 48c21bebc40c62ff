"""What a batch does with tokens: hold for the hands that open, settle or give back for those that end."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.terms import Terms
from server.eventlog.closings import EndingHand
from server.eventlog.units import OpenHand
from server.tables.ports import HoldReason, HoldsRefused
from wallet import verbs
from wallet.accounts import Asset
from wallet.contests import of_hand
from wallet.refusals import HoldRefused, NoAccount
from wallet.requests import HoldRequest, Release, Settlement


async def move_tokens(
    connection: AsyncConnection, openings: Sequence[OpenHand], ending: Sequence[EndingHand], now_ms: int
) -> dict[UUID, HoldsRefused]:
    """End the holds of the hands that end, and hold for each hand that all its players can cover.

    Returns the refusals of the others, by table.
    """
    holds = [_hold(unit, now_ms) for unit in openings]
    settlements = [_settlement(hand, now_ms) for hand in ending if hand.void_reason is None]
    releases = [Release(of_hand(hand.hand_id), reason.word, now_ms) for hand in ending if (reason := hand.void_reason)]
    if sum(map(bool, (holds, settlements, releases))) > 1:
        await verbs.lock_contests(connection, [*holds, *settlements, *releases])
    if settlements:
        await verbs.settle_many(connection, settlements)
    if releases:
        await verbs.release_many(connection, releases)
    return await _take_holds(connection, openings, now_ms)


async def _take_holds(connection: AsyncConnection, units: Sequence[OpenHand], now_ms: int) -> dict[UUID, HoldsRefused]:
    refused: dict[UUID, HoldsRefused] = {}
    left = list(units)
    while left:
        try:
            await verbs.hold_many(connection, [_hold(unit, now_ms) for unit in left])
            break
        except HoldRefused as refusal:
            reasons = {
                contest.id: {
                    each.player_id: HoldReason(each.code.value) for each in refusal.refusals if each.contest == contest
                }
                for contest in refusal.contests
            }
        except NoAccount as refusal:
            reasons = {
                unit.hand_id: dict.fromkeys(without, HoldReason.NO_ACCOUNT)
                for unit in left
                if (without := _players(unit.opening.terms) & set(refusal.player_ids))
            }
        kept = [unit for unit in left if unit.hand_id not in reasons]
        assert len(kept) < len(left), "a refusal names a hand of the call"
        refused |= {unit.table_id: HoldsRefused(reasons[unit.hand_id]) for unit in left if unit.hand_id in reasons}
        left = kept
    return refused


def _hold(unit: OpenHand, now_ms: int) -> HoldRequest:
    opening = unit.opening
    amounts = tuple((player_id, opening.hold_units) for player_id in sorted(_players(opening.terms)))
    return HoldRequest(of_hand(unit.hand_id), unit.table_id, Asset(opening.asset), amounts, now_ms)


def _players(terms: Terms) -> set[UUID]:
    return {UUID(bytes=player_id) for _, player_id in terms.players}


def _settlement(hand: EndingHand, now_ms: int) -> Settlement:
    closing = hand.closing
    return Settlement(of_hand(hand.hand_id), hand.table_id, hand.asset, closing.deltas, closing.commission, now_ms)
