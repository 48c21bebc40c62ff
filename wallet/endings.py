"""How the end of a hand or match becomes an entry: one reading for all, then pure decisions over the hold of each."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import AccountKind, of_house, of_player
from wallet.contests import Contest
from wallet.journal import Draft, EntryKind, Posted, posted_before
from wallet.open_holds import OpenHold, hold_from_row
from wallet.refusals import EndRefusal, EndRefusalCode
from wallet.requests import Release, Settlement

ENDS: Final = """
SELECT key, posted_as, body_hash, contest_kind, contest_id, table_id, asset, entry_id, player_ids, amounts, at_ms
FROM wallet.read_ends($1, $2, $3)
"""


async def read_ends(
    connection: AsyncConnection, ends: Sequence[Settlement | Release], bodies: Mapping[str, bytes]
) -> tuple[dict[str, Posted], dict[Contest, OpenHold]]:
    """Which of these ends are done already, by key, and the holds that are open for the contests of the others.

    bodies: of the ends, by key, in their order. Raises KeyReused.
    """
    contests = [end.contest for end in ends]
    asked = (list(bodies), [contest.kind for contest in contests], [contest.id for contest in contests])
    rows = await connection.exec_driver_sql(ENDS, asked)
    done: dict[str, Posted] = {}
    holds: dict[Contest, OpenHold] = {}
    for key, posted_as, body, *hold in map(tuple, rows):
        if posted_as is not None:
            done[key] = posted_before(key, posted_as, body, bodies[key])
        elif hold[0] is not None:
            standing = hold_from_row(*hold)
            holds[standing.contest] = standing
    return done, holds


def draft_settlement(settlement: Settlement, key: str, body: bytes, hold: OpenHold | None) -> Draft | EndRefusal:
    """The whole hold leaves `held`; what each player has left after their delta becomes available again.

    Nobody can lose more than was held for them: the tokens beyond would be somebody else's.
    """
    contest = settlement.contest
    if hold is None:
        return _no_open_hold(settlement)
    if hold.asset is not settlement.asset:
        return EndRefusal(contest, EndRefusalCode.OTHER_ASSET, f"its hold is in {hold.asset}")
    if hold.table_id != settlement.table_id:
        return EndRefusal(contest, EndRefusalCode.OTHER_TABLE, f"its hold is of table {hold.table_id}")
    deltas = dict(settlement.deltas)
    lines = []
    for player_id, amount in hold.amounts:
        rest = amount + deltas.pop(player_id, 0)
        if rest < 0:
            words = f"{player_id} would lose {amount - rest} units, and {amount} are held"
            return EndRefusal(contest, EndRefusalCode.BEYOND_HOLD, words)
        lines.append(of_player(player_id, rest, -amount))
    if deltas:
        words = f"nothing is held for {', '.join(map(str, deltas))}"
        return EndRefusal(contest, EndRefusalCode.NOT_IN_CONTEST, words)
    if settlement.commission:
        lines.append(of_house(AccountKind.COMMISSION, settlement.commission))
    return Draft(
        key=key,
        kind=EntryKind.SETTLE,
        asset=settlement.asset,
        body=body,
        reason=f"{contest.kind} settled",
        at_ms=settlement.at_ms,
        lines=tuple(lines),
        contest=contest,
        table_id=settlement.table_id,
    )


def draft_release(release: Release, key: str, body: bytes, hold: OpenHold | None) -> Draft | EndRefusal:
    """Everything that is held becomes available again."""
    if hold is None:
        return _no_open_hold(release)
    return Draft(
        key=key,
        kind=EntryKind.RELEASE,
        asset=hold.asset,
        body=body,
        reason=release.reason,
        at_ms=release.at_ms,
        lines=tuple(of_player(player_id, amount, -amount) for player_id, amount in hold.amounts),
        contest=release.contest,
        table_id=hold.table_id,
    )


def _no_open_hold(end: Settlement | Release) -> EndRefusal:
    return EndRefusal(end.contest, EndRefusalCode.NO_OPEN_HOLD, "nothing is held for it")
