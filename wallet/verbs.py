"""The verbs of the wallet: the only ways in which tokens move.

Every verb takes a connection that is already in a transaction, so that what belongs together is committed together;
`wallet.transactions.in_transaction` gives one and tries again when the database asks for it. Each is idempotent by a
key: done once, and from then on answered with the same result. Refusals (`wallet.refusals`) are raised before
anything is written. Verbs on hands and matches (`wallet.contests`) take many at once: the statements are as many for
thirty-two hands as for one.
"""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from wallet.accounts import AccountKind, Asset, of_house, of_player
from wallet.adjustments import adjust_approve, adjust_reject, adjust_request
from wallet.contests import Contest, ContestKind, of_hand, of_match
from wallet.endings import draft_release, draft_settlement, read_ends
from wallet.holding import draft_hold, keep_sessions, read_standings, refusals_of
from wallet.journal import Draft, EntryKind, Posted, already_posted, bodies_by_key, post
from wallet.open_holds import OpenHold, open_holds
from wallet.refusals import EndRefusal, EndRefused, HoldRefusalCode, HoldRefused, InsufficientFunds, NothingToAddTo
from wallet.requests import MAX_UNITS, HoldRequest, Release, Settlement, body_hash, require_reason
from wallet.standing import lock_balances
from wallet.statement import balance_at, balances, statement, trial_balance

__all__ = [
    "Contest",
    "ContestKind",
    "HoldRequest",
    "OpenHold",
    "Posted",
    "Release",
    "Settlement",
    "adjust_approve",
    "adjust_reject",
    "adjust_request",
    "balance_at",
    "balances",
    "grant",
    "hold_many",
    "lock_contests",
    "of_hand",
    "of_match",
    "open_accounts",
    "open_holds",
    "release_many",
    "settle_many",
    "statement",
    "trial_balance",
]

OPEN_ACCOUNTS: Final = text(
    "INSERT INTO wallet.accounts (player_id, asset, kind)"
    " SELECT :player_id, asset, 'player' FROM unnest(CAST(:assets AS text[])) asset ON CONFLICT DO NOTHING"
)

LOCK_CONTESTS: Final = text(
    "SELECT wallet.lock_contests(CAST(:kinds AS text[]), CAST(:ids AS uuid[]), CAST(:players AS uuid[]),"
    " CAST(:assets AS text[]))"
)


async def open_accounts(connection: AsyncConnection, player_id: UUID) -> None:
    """Give a player their accounts, one per asset. Done before: nothing happens."""
    await connection.execute(OPEN_ACCOUNTS, {"player_id": player_id, "assets": list(Asset)})


async def grant(
    connection: AsyncConnection,
    key: str,
    player_id: UUID,
    asset: Asset,
    amount: int,
    reason: str,
    at_ms: int | None = None,
) -> Posted:
    """Bring new tokens into circulation for a player; `key` is the caller's name for this one gift.

    amount: units, above 0. at_ms None: the database's clock. Raises KeyReused, NoAccount, ValueError.
    """
    if not 0 < amount <= MAX_UNITS:
        raise ValueError(f"a grant of {amount}")
    require_reason(reason)
    draft = Draft(
        key=f"grant:{key}",
        kind=EntryKind.GRANT,
        asset=asset,
        body=body_hash("grant", player_id, asset, amount, reason),
        reason=reason,
        at_ms=at_ms,
        lines=(of_house(AccountKind.ISSUANCE, -amount), of_player(player_id, amount)),
        player_id=player_id,
    )
    done = await already_posted(connection, [(draft.key, draft.body)])
    if draft.key in done:
        return done[draft.key]
    await lock_balances(connection, [(player_id, asset)])
    return (await post(connection, [draft]))[draft.key]


async def lock_contests(connection: AsyncConnection, requests: Sequence[HoldRequest | Settlement | Release]) -> None:
    """Lock everybody's accounts for a transaction that goes on to call more than one verb with these requests.

    One verb alone locks in one pass, in id order, and needs this not. Two verbs lock in two, and two such transactions
    can wait for each other until the database breaks one of them a second later.
    """
    holds = [request for request in requests if isinstance(request, HoldRequest)]
    ending = [request.contest for request in requests if not isinstance(request, HoldRequest)]
    pairs = {(player_id, hold.asset) for hold in holds for player_id, _ in hold.amounts}
    await connection.execute(
        LOCK_CONTESTS,
        {
            "kinds": [contest.kind for contest in ending],
            "ids": [contest.id for contest in ending],
            "players": [player_id for player_id, _ in pairs],
            "assets": [asset for _, asset in pairs],
        },
    )


async def hold_many(connection: AsyncConnection, requests: Sequence[HoldRequest]) -> tuple[Posted, ...]:
    """Set tokens aside for every player of these hands and matches; all or none. Answers in the order of the requests.

    Raises InsufficientFunds or HoldRefused (naming contests, players and why), NothingToAddTo, KeyReused, NoAccount.
    """
    done = await already_posted(connection, [(request.key, request.body) for request in requests])
    fresh = [request for request in requests if request.key not in done]
    if fresh:
        standings = await read_standings(connection, fresh)
        await _require_open_holds(connection, [request for request in fresh if request.more is not None])
        refusals = refusals_of(fresh, standings)
        if refusals:
            poor = all(refusal.code is HoldRefusalCode.INSUFFICIENT_FUNDS for refusal in refusals)
            raise InsufficientFunds(refusals) if poor else HoldRefused(refusals)
        done |= await post(connection, [draft_hold(request) for request in fresh])
        await keep_sessions(connection, standings, fresh)
    return tuple(done[request.key] for request in requests)


async def _require_open_holds(connection: AsyncConnection, later: Sequence[HoldRequest]) -> None:
    """Raises NothingToAddTo unless each of these adds to an open hold of its own asset and table."""
    if not later:
        return
    standing = {
        (hold.contest, hold.asset, hold.table_id)
        for hold in await open_holds(connection, [request.contest for request in later])
    }
    missing = [
        request.contest for request in later if (request.contest, request.asset, request.table_id) not in standing
    ]
    if missing:
        raise NothingToAddTo(missing)


async def release_many(connection: AsyncConnection, releases: Sequence[Release]) -> tuple[Posted, ...]:
    """Give back everything held for these hands and matches; all or none. Raises EndRefused, KeyReused."""
    return await _end(connection, releases)


async def settle_many(connection: AsyncConnection, settlements: Sequence[Settlement]) -> tuple[Posted, ...]:
    """Move what the losers of these contests owe and end the holds; all or none. Raises EndRefused, KeyReused."""
    return await _end(connection, settlements)


async def _end(connection: AsyncConnection, ends: Sequence[Settlement | Release]) -> tuple[Posted, ...]:
    bodies = bodies_by_key([(end.key, end.body) for end in ends])  # each is a hash over all players: once is enough
    done, holds = await read_ends(connection, ends, bodies)
    if len(done) < len(ends):
        drafts: list[Draft] = []
        refusals: list[EndRefusal] = []
        for end, (key, body) in zip(ends, bodies.items(), strict=True):
            if key in done:
                continue
            hold = holds.get(end.contest)
            draft = (
                draft_settlement(end, key, body, hold)
                if isinstance(end, Settlement)
                else draft_release(end, key, body, hold)
            )
            if isinstance(draft, Draft):
                drafts.append(draft)
            else:
                refusals.append(draft)
        if refusals:
            raise EndRefused(refusals)
        done |= await post(connection, drafts)
    return tuple(done[key] for key in bodies)
