"""What was counted is what the journal says, a pair that stands out is told in words, and cases keep every step."""

import itertools
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from fairness.event_codec import decode_event
from fairness.events import Discarded, DrewFromPile, DrewFromStock
from server.operator.integrity.counting import count_next
from server.operator.integrity.signals import assess
from tests.server.operator.conftest import DESK, PlayedHouse
from tests.server.web.clocked_house import done, refused

pytestmark = pytest.mark.asyncio(loop_scope="module")

SIGNALS = "integrity/signals"
WORDS = {"words": "the two always sit together"}


async def _counted(played: PlayedHouse) -> None:
    """Every hand, in batches of two; looking again counts nothing twice."""
    hands = []
    async with played.house.services.engine.begin() as connection:
        while not hands or hands[-1]:
            hands.append((await count_next(connection, 1, most=2)).hands)
    assert sum(hands) in (len(played.hands), 0)


async def test_pairs_and_feeds_and_paces_are_what_the_hands_say(played: PlayedHouse) -> None:
    await _counted(played)
    await _counted(played)
    flows: dict[tuple[UUID, UUID], int] = {}
    feeds: dict[tuple[UUID, UUID], list[int]] = {}
    moves = 0
    for hand in played.hands:
        players = {seat: UUID(bytes=player_id) for seat, player_id in hand.opening.terms.players}
        events = [decode_event(data) for _, data, _ in hand.events]
        points = dict(
            await played.world.fetch(
                "SELECT seat, points FROM hand_players WHERE hand_id = :id", id=UUID(bytes=hand.id)
            )
        )
        winner = None if hand.closing.outcome == "void" else next(seat for seat in points if points[seat] == 0)
        for pair in itertools.combinations(points, 2) if winner is not None else ():
            # Two who both lost have met, too.
            first, second = sorted(pair, key=players.__getitem__)
            flow = points[second] if first == winner else -points[first] if second == winner else 0
            met = (players[first], players[second])
            flows[met] = flows.get(met, 0) + flow
        for event, after in itertools.pairwise(events):
            if isinstance(after, DrewFromStock | DrewFromPile | Discarded):
                moves += not after.auto and after.at_ms > event.at_ms
            if not isinstance(event, Discarded) or not isinstance(after, DrewFromStock | DrewFromPile):
                continue
            if not event.auto and not after.auto:
                counts = feeds.setdefault((players[event.seat], players[after.seat]), [0, 0])
                counts[0] += 1
                counts[1] += isinstance(after, DrewFromPile)
    rows = await played.world.fetch("SELECT first_id, second_id, flow_points FROM integrity_pairs")
    assert {(first, second): flow for first, second, flow in rows} == flows
    rows = await played.world.fetch("SELECT feeder_id, taker_id, discards, taken FROM integrity_feeds")
    assert {(feeder, taker): [discards, taken] for feeder, taker, discards, taken in rows} == feeds
    declared = await played.world.scalar("SELECT count(*) FROM hand_events WHERE get_byte(data, 0) = 9")
    assert moves <= await played.world.scalar("SELECT sum(moves) FROM integrity_paces") <= moves + declared


async def _plant(played: PlayedHouse) -> list[UUID]:
    """Sixty hands in which one wins of another whatever there is, among others who do not; the counts alone."""
    async with played.house.services.engine.begin() as connection:
        ids = sorted((await connection.execute(text("SELECT player_id FROM players WHERE role = 'player'"))).scalars())
        for first in range(len(ids)):
            for second in range(first + 1, len(ids)):
                flow = 1_500 if (first, second) == (0, 1) else 20
                await connection.execute(
                    text(
                        "INSERT INTO integrity_pairs VALUES ('PT', :first, :second, 60, :flow, 24000, :units)"
                        " ON CONFLICT DO NOTHING"
                    ),
                    {"first": ids[first], "second": ids[second], "flow": flow, "units": 10 * flow},
                )
        await assess(connection, 2)
    return ids[:2]


async def test_a_pair_that_stands_out_is_an_alarm_with_its_evidence(played: PlayedHouse) -> None:
    winner, loser = await _plant(played)
    page = await done(played.get(SIGNALS, kind="one_sided_flow", alarm=True))
    assert [[each["player_id"] for each in signal["players"]] for signal in page["signals"]] == [
        [str(winner), str(loser)]
    ]
    signal = page["signals"][0]
    evidence = {figure["label"]: figure["value"] for figure in signal["evidence"]}
    assert (evidence["hands"], evidence["flow_points"], evidence["flow_units"]) == (60, 1_500, 15_000)
    assert signal["players"][0]["name"] in signal["words"]
    assert "1,500 points" in signal["words"]
    assert signal["score"] >= page["alarm_score"]
    found = await done(played.get(f"{SIGNALS}/{signal['signal_id']}"))
    assert found["signal"] == signal
    assert (await done(played.get(SIGNALS, player_id=loser)))["signals"]
    assert (await done(played.get(SIGNALS, player_id=uuid4())))["signals"] == []
    await refused(played.get(f"{SIGNALS}/{uuid4()}"), 404, "no_such_signal")


async def test_a_case_is_opened_noted_assigned_closed_and_opened_again(played: PlayedHouse) -> None:
    suspects = [str(each) for each in await _plant(played)]
    signal_id = (await done(played.get(SIGNALS)))["signals"][0]["signal_id"]
    wanted: dict[str, Any] = {"case_id": str(uuid4()), "player_ids": suspects, "signal_id": signal_id} | WORDS
    async with played.house.staff("Lata") as (lata, _):
        path = f"{DESK}/integrity/cases"
        await refused(played.auditor.post(path, json=wanted), 403, "read_only")
        await refused(lata.post(path, json=wanted | {"player_ids": [str(uuid4())]}), 404, "no_such_player")
        await refused(lata.post(path, json=wanted | {"signal_id": str(uuid4())}), 404, "no_such_signal")
        for _ in range(2):
            opened = await done(lata.post(path, json=wanted), 201)
        case = f"{path}/{wanted['case_id']}"
        await done(lata.post(f"{case}/note", json={"words": "asked for the hands of May"}))
        staff = {each["name"]: each["player_id"] for each in await done(lata.get(f"{DESK}/staff"))}
        await refused(lata.post(f"{case}/assign", json=WORDS | {"operator_id": staff["Ines"]}), 404, "no_such_player")
        await done(lata.post(f"{case}/assign", json=WORDS | {"operator_id": staff["Lata"]}))
        await refused(lata.post(f"{case}/reopen", json=WORDS), 409, "already_so")
        closed = await done(lata.post(f"{case}/close", json=WORDS | {"finding": "confirmed"}))
        assert (closed["case"]["open"], closed["case"]["finding"]) == (False, "confirmed")
        await refused(lata.post(f"{case}/close", json=WORDS | {"finding": "unfounded"}), 409, "already_so")
        shown = await done(lata.post(f"{case}/reopen", json=WORDS))
        assert [step["step"] for step in shown["steps"]] == ["opened", "note", "assigned", "closed", "reopened"]
        assert (shown["case"]["open"], shown["case"]["assignee"]["name"]) == (True, "Lata")
        assert opened["case"]["signal_id"] == signal_id
        assert [each["case_id"] for each in (await done(played.get("integrity/cases", open=True)))["cases"]] == [
            wanted["case_id"]
        ]
        assert (await done(played.get("integrity/cases", open=False)))["cases"] == []
        assert (await done(played.get(SIGNALS)))["signals"][0]["case_id"] == wanted["case_id"]
        acts = (await done(lata.get(f"{DESK}/acts", params={"subject": wanted["case_id"]})))["acts"]
        assert [act["act"] for act in acts] == ["reopen_case", "close_case", "assign_case", "note_case", "open_case"]
        await refused(lata.post(f"{path}/{uuid4()}/note", json=WORDS), 404, "no_such_case")


async def test_two_accounts_of_one_browser_at_one_table_are_an_alarm_and_of_one_address_none(
    played: PlayedHouse,
) -> None:
    ids = sorted(row[0] for row in await played.world.fetch("SELECT DISTINCT player_id FROM hand_players"))
    devices = [uuid4(), uuid4()]
    await _counted(played)
    async with played.house.services.engine.begin() as connection:
        for number, player_id in enumerate(ids[:3]):
            await connection.execute(
                text(
                    "INSERT INTO sessions (token_hash, player_id, created_ms, expires_ms, address, device_id)"
                    " VALUES (:token_hash, :player_id, 1, 2, '10.0.0.7', :device_id)"
                ),
                {"token_hash": uuid4().bytes * 2, "player_id": player_id, "device_id": devices[number // 2]},
            )
        await assess(connection, 3)
    signals = (await done(played.get(SIGNALS, kind="shared_device")))["signals"]
    found = {tuple(each["player_id"] for each in signal["players"]): signal for signal in signals}
    first, second, third = map(str, ids[:3])
    assert found[first, second]["alarm"]
    assert "the same browser" in found[first, second]["words"]
    assert not found[first, third]["alarm"]
    assert "the same address" in found[second, third]["words"]
