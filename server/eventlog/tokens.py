"""What a batch does with tokens: hold for hands and matches that open, settle or give back for those that end."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from fairness.terms import Terms
from server.eventlog.closings import EndingHand
from server.eventlog.matches import PlacedStep
from server.eventlog.units import OpenHand
from server.tables.ports import HoldReason, HoldsRefused
from wallet import verbs
from wallet.accounts import Asset
from wallet.contests import of_hand, of_match
from wallet.refusals import HoldRefused, NoAccount
from wallet.requests import HoldRequest, Release, Settlement


@dataclass(frozen=True, slots=True)
class _Stake:
    """What is to be held before a table's unit may be stored."""

    table_id: UUID
    request: HoldRequest

    @property
    def players(self) -> set[UUID]:
        return {player_id for player_id, _ in self.request.amounts}


async def move_tokens(
    connection: AsyncConnection,
    openings: Sequence[OpenHand],
    ending: Sequence[EndingHand],
    steps: Sequence[PlacedStep],
    now_ms: int,
) -> dict[UUID, HoldsRefused]:
    """End the holds of what ends, and hold for each hand, match and rejoin that its players can cover.

    steps: of matches, those that come with a hand's end too. The hands of a match hold and move nothing themselves.
    Returns the refusals of the others, by table.
    """
    stakes = [*_of_openings(openings, now_ms), *_of_rejoins(steps, now_ms)]
    settlements = [*_of_hands(ending, now_ms), *_of_matches(steps, now_ms)]
    releases = [*_of_void_hands(ending, now_ms), *_of_void_matches(steps, now_ms)]
    if sum(map(bool, (stakes, settlements, releases))) > 1:
        await verbs.lock_contests(connection, [*(stake.request for stake in stakes), *settlements, *releases])
    if settlements:
        await verbs.settle_many(connection, settlements)
    if releases:
        await verbs.release_many(connection, releases)
    return await _take_holds(connection, stakes)


async def _take_holds(connection: AsyncConnection, stakes: Sequence[_Stake]) -> dict[UUID, HoldsRefused]:
    refused: dict[UUID, HoldsRefused] = {}
    left = list(stakes)
    while left:
        try:
            await verbs.hold_many(connection, [stake.request for stake in left])
            break
        except HoldRefused as refusal:
            reasons = {
                contest: {
                    each.player_id: HoldReason(each.code.value) for each in refusal.refusals if each.contest == contest
                }
                for contest in refusal.contests
            }
        except NoAccount as refusal:
            reasons = {
                stake.request.contest: dict.fromkeys(without, HoldReason.NO_ACCOUNT)
                for stake in left
                if (without := stake.players & set(refusal.player_ids))
            }
        kept = [stake for stake in left if stake.request.contest not in reasons]
        assert len(kept) < len(left), "a refusal names a contest of the call"
        refused |= {
            stake.table_id: HoldsRefused(reasons[stake.request.contest])
            for stake in left
            if stake.request.contest in reasons
        }
        left = kept
    return refused


def _of_openings(openings: Iterable[OpenHand], now_ms: int) -> Iterable[_Stake]:
    for unit in openings:
        opening = unit.opening
        if opening.hold_units == 0:
            continue
        amounts = tuple((player_id, opening.hold_units) for player_id in sorted(_players(opening.terms)))
        contest = of_hand(unit.hand_id) if opening.match is None else of_match(opening.match.match_id)
        yield _Stake(unit.table_id, HoldRequest(contest, unit.table_id, Asset(opening.asset), amounts, now_ms))


def _of_rejoins(steps: Iterable[PlacedStep], now_ms: int) -> Iterable[_Stake]:
    for placed in steps:
        rejoin = placed.step.rejoin
        if rejoin is None:
            continue
        more = f"rejoin:{rejoin.rejoin_id}"
        amounts = ((rejoin.player_id, rejoin.units),)
        contest = of_match(placed.match_id)
        yield _Stake(placed.table_id, HoldRequest(contest, placed.table_id, placed.asset, amounts, now_ms, more=more))


def _players(terms: Terms) -> set[UUID]:
    return {UUID(bytes=player_id) for _, player_id in terms.players}


def _of_hands(ending: Iterable[EndingHand], now_ms: int) -> Iterable[Settlement]:
    for hand in ending:
        closing = hand.closing
        if hand.void_reason is None and closing.match is None:
            yield Settlement(
                of_hand(hand.hand_id), hand.table_id, hand.asset, closing.deltas, closing.commission, now_ms
            )


def _of_void_hands(ending: Iterable[EndingHand], now_ms: int) -> Iterable[Release]:
    for hand in ending:
        if (reason := hand.void_reason) is not None and hand.closing.match is None:
            yield Release(of_hand(hand.hand_id), reason.word, now_ms)


def _of_matches(steps: Iterable[PlacedStep], now_ms: int) -> Iterable[Settlement]:
    for placed in steps:
        end = placed.step.end
        if end is not None and end.outcome != "void":
            deltas = tuple((line.player_id, line.delta) for line in end.lines)
            contest = of_match(placed.match_id)
            yield Settlement(contest, placed.table_id, placed.asset, deltas, end.commission, now_ms)


def _of_void_matches(steps: Iterable[PlacedStep], now_ms: int) -> Iterable[Release]:
    for placed in steps:
        if placed.step.end is not None and placed.step.end.outcome == "void":
            yield Release(of_match(placed.match_id), "the match is void", now_ms)
