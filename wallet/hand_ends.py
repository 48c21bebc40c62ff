"""How a hand's end becomes an entry: pure decisions over the hold that is open for it."""

from wallet.accounts import Account, AccountKind, available, held, house
from wallet.journal import Draft, EntryKind
from wallet.open_holds import OpenHold
from wallet.refusals import HandEndRefusal, HandEndRefusalCode
from wallet.requests import Release, Settlement


def draft_settlement(settlement: Settlement, hold: OpenHold | None) -> Draft | HandEndRefusal:
    """The whole hold leaves `held`; what each player has left after their delta becomes available again.

    Nobody can lose more than was held for them: the tokens beyond would be somebody else's.
    """
    hand_id = settlement.hand_id
    if hold is None:
        return _no_open_hold(settlement)
    if hold.asset is not settlement.asset:
        return HandEndRefusal(hand_id, HandEndRefusalCode.OTHER_ASSET, f"its hold is in {hold.asset}")
    deltas = dict(settlement.deltas)
    lines: list[tuple[Account, int]] = []
    for player_id, amount in hold.amounts:
        lines.append((held(player_id), -amount))
        rest = amount + deltas.pop(player_id, 0)
        if rest < 0:
            words = f"{player_id} would lose {amount - rest} units, and {amount} are held"
            return HandEndRefusal(hand_id, HandEndRefusalCode.BEYOND_HOLD, words)
        if rest > 0:
            lines.append((available(player_id), rest))
    if deltas:
        words = f"nothing is held for {', '.join(map(str, deltas))}"
        return HandEndRefusal(hand_id, HandEndRefusalCode.NOT_IN_HAND, words)
    if settlement.commission:
        lines.append((house(AccountKind.COMMISSION), settlement.commission))
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
    lines = [(held(player_id), -amount) for player_id, amount in hold.amounts]
    lines += [(available(player_id), int(amount)) for player_id, amount in hold.amounts]
    return Draft(
        key=release.key,
        kind=EntryKind.RELEASE,
        asset=hold.asset,
        body=release.body,
        reason=release.reason,
        at_ms=release.at_ms,
        lines=tuple(lines),
        hand_id=release.hand_id,
        table_id=hold.table_id,
    )


def _no_open_hold(end: Settlement | Release) -> HandEndRefusal:
    return HandEndRefusal(end.hand_id, HandEndRefusalCode.NO_OPEN_HOLD, "nothing is held for it")
