"""How a hand's end becomes an entry: one reading for all hands, then pure decisions over the hold open for each."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import AccountKind, of_house, of_player
from wallet.journal import Draft, EntryKind, Posted, bodies_by_key, posted_before
from wallet.open_holds import OpenHold, hold_from_row
from wallet.refusals import HandEndRefusal, HandEndRefusalCode
from wallet.requests import Release, Settlement

ENDS: Final = text(
    "SELECT key, posted_as, body_hash, hand_id, table_id, asset, entry_id, player_ids, amounts, at_ms"
    " FROM wallet.read_ends(CAST(:keys AS text[]), CAST(:hand_ids AS uuid[]))"
)


async def read_ends(
    connection: AsyncConnection, ends: Sequence[Settlement | Release]
) -> tuple[dict[str, Posted], dict[UUID, OpenHold]]:
    """Which of these ends are done already, by key, and the holds that are open for the hands of the others.

    Raises KeyReused; ValueError when one call names a key twice.
    """
    bodies = bodies_by_key([(end.key, end.body) for end in ends])
    rows = await connection.execute(ENDS, {"keys": list(bodies), "hand_ids": [end.hand_id for end in ends]})
    done: dict[str, Posted] = {}
    holds: dict[UUID, OpenHold] = {}
    for key, posted_as, body, *hold in rows:
        if posted_as is not None:
            done[key] = posted_before(key, posted_as, body, bodies[key])
        elif hold[0] is not None:
            holds[hold[0]] = hold_from_row(*hold)
    return done, holds


def draft_settlement(settlement: Settlement, hold: OpenHold | None) -> Draft | HandEndRefusal:
    """The whole hold leaves `held`; what each player has left after their delta becomes available again.

    Nobody can lose more than was held for them: the tokens beyond would be somebody else's.
    """
    hand_id = settlement.hand_id
    if hold is None:
        return _no_open_hold(settlement)
    if hold.asset is not settlement.asset:
        return HandEndRefusal(hand_id, HandEndRefusalCode.OTHER_ASSET, f"its hold is in {hold.asset}")
    if hold.table_id != settlement.table_id:
        return HandEndRefusal(hand_id, HandEndRefusalCode.OTHER_TABLE, f"its hold is of table {hold.table_id}")
    deltas = dict(settlement.deltas)
    lines = []
    for player_id, amount in hold.amounts:
        rest = amount + deltas.pop(player_id, 0)
        if rest < 0:
            words = f"{player_id} would lose {amount - rest} units, and {amount} are held"
            return HandEndRefusal(hand_id, HandEndRefusalCode.BEYOND_HOLD, words)
        lines.append(of_player(player_id, rest, -amount))
    if deltas:
        words = f"nothing is held for {', '.join(map(str, deltas))}"
        return HandEndRefusal(hand_id, HandEndRefusalCode.NOT_IN_HAND, words)
    if settlement.commission:
        lines.append(of_house(AccountKind.COMMISSION, settlement.commission))
    return Draft(
        key=settlement.key,
        kind=EntryKind.SETTLE,
        asset=settlement.asset,
        body=settlement.body,
        reason="hand settled",
        at_ms=settlement.at_ms,
        lines=tuple(lines),
        hand_id=hand_id,
        table_id=settlement.table_id,
    )


def draft_release(release: Release, hold: OpenHold | None) -> Draft | HandEndRefusal:
    """Everything that is held for the hand becomes available again."""
    if hold is None:
        return _no_open_hold(release)
    return Draft(
        key=release.key,
        kind=EntryKind.RELEASE,
        asset=hold.asset,
        body=release.body,
        reason=release.reason,
        at_ms=release.at_ms,
        lines=tuple(of_player(player_id, amount, -amount) for player_id, amount in hold.amounts),
        hand_id=release.hand_id,
        table_id=hold.table_id,
    )


def _no_open_hold(end: Settlement | Release) -> HandEndRefusal:
    return HandEndRefusal(end.hand_id, HandEndRefusalCode.NO_OPEN_HOLD, "nothing is held for it")
