"""A scripted client that cheats over a real socket: each try gets its own error, the other seats notice nothing."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.live_house import LiveHouse, module_house
from tests.raw_seat import AtTable, Document, dealt, raw_seat, seated


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, module_database_url: str) -> Iterator[LiveHouse]:
    yield from module_house(tmp_path_factory, module_database_url, {"RUMMY_RESULT_PAUSE_MS": "300"})


@asynccontextmanager
async def unnoticed(others: list[AtTable]) -> AsyncIterator[None]:
    """Whatever happens meanwhile, these are told nothing: but their own tokens, which come when they come."""
    for other in others:
        await other.ask({"type": "ping"})
    before = [len(other.heard) for other in others]
    yield
    for other, start in zip(others, before, strict=True):
        await other.ask({"type": "ping"})
        noticed = [message for message in other.heard[start:] if message["type"] not in ("pong", "balances")]
        assert noticed == []


async def refused(cheat: AtTable, others: list[AtTable], message: Document | str | bytes, code: str) -> Document:
    """The try gets this error, in words, and changes nothing for anybody."""
    before = cheat.table["seq"]
    async with unnoticed(others):
        answer = await cheat.ask(message)
        assert (answer["type"], answer["code"]) == ("error", code), answer
        assert len(answer["message"]) > 10
    assert cheat.table["seq"] == before
    return answer


async def play_turn(seat: AtTable) -> None:
    await seat.until(lambda: seat.is_on_turn)
    await seat.move("draw", source="stock")
    await seat.until(lambda: len(seat.cards) == 14)
    await seat.move("discard", card=seat.cards[-1])


async def test_out_of_turn(house: LiveHouse) -> None:
    async with dealt(house.url) as (first, cheat, third):
        for kind, fields in [
            ("draw", {"source": "stock"}),
            ("draw", {"source": "pile"}),
            ("discard", {"card": cheat.cards[0]}),
            ("declare", {"finish_card": cheat.cards[0]}),
            ("drop", {}),
        ]:
            answer = await refused(
                cheat, [first, third], cheat.command(kind, **cheat.turn(), **fields), "not_your_turn"
            )
            assert "draw_stock" not in answer["allowed"]
        await play_turn(first)


async def test_for_another_seat(house: LiveHouse) -> None:
    """No command names a seat to move for, and whoever adds one is told that it means nothing here."""
    async with dealt(house.url) as (victim, cheat, third):
        others = [victim, third]
        for extra in ({"seat": victim.seat}, {"player_id": str(victim.account.player_id)}, {"as": victim.seat}):
            await refused(cheat, others, cheat.command("draw", source="stock", **cheat.turn(), **extra), "malformed")
        await refused(cheat, others, cheat.command("sit", seat=victim.seat), "already_seated")
        async with raw_seat(house.url, "Stranger", table_id=cheat.table_id) as stranger:
            await stranger.do("watch_table")
            await refused(stranger, others, stranger.command("sit", seat=victim.seat), "seat_taken")
            await refused(stranger, others, stranger.command("drop", **cheat.turn()), "not_seated")
        await play_turn(victim)


async def test_with_a_card_that_it_does_not_hold(house: LiveHouse) -> None:
    async with dealt(house.url) as (cheat, *others):
        await cheat.move("draw", source="stock")
        for other in others:
            await other.until(lambda other=other: other.table["public"]["hand"]["turn"]["stage"] == "discard")
        foreign = others[0].cards[0]
        await refused(cheat, others, cheat.command("discard", **cheat.turn(), card=foreign), "not_your_card")
        await refused(cheat, others, cheat.command("declare", **cheat.turn(), finish_card=foreign), "not_your_card")
        shown = [[*cheat.cards[1:13], foreign]]
        declare = cheat.command("declare", **cheat.turn(), finish_card=cheat.cards[0], groups=shown)
        await refused(cheat, others, declare, "bad_groups")
        twice = [[*cheat.cards[1:13], cheat.cards[1]]]
        await refused(cheat, others, declare | {"groups": twice, "id": "twice"}, "bad_groups")
        await refused(cheat, others, cheat.command("discard", **cheat.turn(), card=159), "malformed")
        await cheat.move("discard", card=cheat.cards[0])


async def test_twice(house: LiveHouse) -> None:
    async with dealt(house.url) as (cheat, *others):
        draw = cheat.command("draw", source="stock", **cheat.turn(), id="the-draw")
        assert (await cheat.ask(draw))["type"] == "ack"
        await cheat.until(lambda: len(cheat.cards) == 14)
        for other in others:
            await other.until(lambda other=other: other.table["public"]["hand"]["turn"]["stage"] == "discard")
        async with unnoticed(others):
            assert (await cheat.ask(draw))["type"] == "ack"
        await refused(cheat, others, draw | {"id": "another"}, "already_drawn")
        await refused(cheat, others, draw | {"source": "pile"}, "same_id_other_command")
        await refused(cheat, others, cheat.command("drop", **cheat.turn()), "drop_too_late")
        assert len(cheat.cards) == 14


async def test_after_the_drop(house: LiveHouse) -> None:
    async with dealt(house.url) as (cheat, *others):
        turn = cheat.turn()
        await cheat.move("drop")
        for other in others:
            await other.until(lambda other=other, seat=cheat.seat: other.table["public"]["seats"][seat]["out"])
        await refused(cheat, others, cheat.command("draw", source="stock", **turn), "stale_turn")
        await refused(cheat, others, cheat.command("draw", source="stock", **cheat.turn()), "not_in_hand")
        await refused(cheat, others, cheat.command("drop_next", hand_id=turn["hand_id"], on=True), "not_in_hand")
        await play_turn(others[0])


async def test_after_the_hand(house: LiveHouse) -> None:
    async with dealt(house.url, count=2) as (cheat, other):
        turn = cheat.turn()
        await cheat.move("drop")
        await other.in_phase("result")
        await cheat.in_phase("result")
        await refused(cheat, [], cheat.command("draw", source="stock", **turn), "hand_over")
        await cheat.in_phase("seeds")
        await other.in_phase("seeds")
        await refused(cheat, [other], cheat.command("draw", source="stock", **turn), "stale_hand")


async def test_with_numbers_of_another_turn_hand_or_table(house: LiveHouse) -> None:
    async with dealt(house.url) as (cheat, *others):
        turn = cheat.turn()
        await play_turn(cheat)
        for seat in (cheat, *others):
            await seat.until(lambda seat=seat: seat.table["public"]["hand"]["turn"]["number"] == 2)
        await refused(cheat, others, cheat.command("draw", source="stock", **turn), "stale_turn")
        await refused(cheat, others, cheat.command("draw", source="stock", **turn | {"turn": 3}), "stale_turn")
        await refused(cheat, others, cheat.command("draw", source="stock", **turn | {"turn": 0}), "malformed")
        other_hand = turn | {"hand_id": str(cheat.account.player_id)}
        await refused(cheat, others, cheat.command("draw", source="stock", **other_hand), "stale_hand")
        nowhere = cheat.command("draw", source="stock", **turn) | {"table_id": turn["hand_id"]}
        await refused(cheat, others, nowhere, "unknown_table")


async def test_with_seeds_when_there_is_no_time_for_them(house: LiveHouse) -> None:
    async with dealt(house.url) as (first, cheat, third):
        hand_id = cheat.turn()["hand_id"]
        others = [first, third]
        contribute = cheat.command("contribute", hand_id=hand_id, hash="00" * 32)
        await refused(cheat, others, contribute, "contribution_refused")
        await refused(cheat, others, cheat.command("reveal", hand_id=hand_id, nonce="00" * 32), "contribution_refused")
        await refused(cheat, others, cheat.command("ready"), "not_now")


BAD_MESSAGES = [
    ("", "malformed"),
    ("draw", "malformed"),
    (b"\x80\x81", "malformed"),
    ('{"type": "draw"', "malformed"),
    ("[" * 8_000 + "]" * 8_000, "malformed"),
    ('{"id":"a","type":"ping","x":' * 500 + "1" + "}" * 500, "malformed"),
    ('{"id":"a","type":"nonsense"}', "malformed"),
    ('{"id":"a","id":"b","type":"draw","turn":1e400}', "malformed"),
    ('{"id":"a","type":"discard","card":' + "9" * 5_000 + "}", "malformed"),
    ('{"id":"a","type":"ping","pad":"' + "x" * 20_000 + '"}', "too_large"),
]


async def test_with_messages_that_are_none(house: LiveHouse) -> None:
    async with dealt(house.url) as (first, cheat, third):
        for message, code in BAD_MESSAGES:
            await refused(cheat, [first, third], message, code)
        await play_turn(first)
        await play_turn(cheat)


async def test_with_a_frame_larger_than_any_message(house: LiveHouse) -> None:
    async with dealt(house.url) as (first, cheat, third):
        await cheat.send('"' + "x" * 200_000 + '"')
        assert await cheat.close_code() == 1009
        await play_turn(first)
        async with raw_seat(house.url, account=cheat.account, table_id=cheat.table_id) as back:
            await back.do("watch_table")
            await play_turn(back)
            await play_turn(third)


async def test_with_ten_thousand_messages_at_once(house: LiveHouse) -> None:
    """The flooder is told, then closed; whoever is on turn is served as if nothing were."""
    async with dealt(house.url) as (first, cheat, third):
        arrange = cheat.command("arrange", hand_id=cheat.turn()["hand_id"])
        flood = asyncio.create_task(_flood(cheat, arrange, 10_000))
        async with asyncio.timeout(5):
            await play_turn(first)
        assert await cheat.close_code() == 4429
        await flood
        assert "too_many" in {message.get("code") for message in cheat.heard}
        async with raw_seat(house.url, account=cheat.account, table_id=cheat.table_id) as back:
            await back.do("watch_table")
            await play_turn(back)
        await play_turn(third)


async def _flood(cheat: AtTable, message: Document, count: int) -> None:
    with contextlib.suppress(ConnectionClosed):
        for number in range(count):
            await cheat.send(json.dumps(message | {"id": f"f{number}"}))


async def test_from_a_page_of_another_origin(house: LiveHouse) -> None:
    async with dealt(house.url) as (first, victim, third):
        async with unnoticed([first, victim, third]):
            async with httpx.AsyncClient(trust_env=False) as http:
                headers = victim.account.headers | {"origin": "http://evil.example"}
                answer = await http.post(f"{house.url}/api/sign-out", headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden_origin")
        await play_turn(first)
        await play_turn(victim)


async def test_with_a_session_that_was_stolen_after_its_sign_out(house: LiveHouse) -> None:
    async with dealt(house.url, size=8) as (first, victim, third):
        stolen = victim.account
        async with httpx.AsyncClient(trust_env=False) as http:
            assert (await http.post(f"{house.url}/api/sign-out", headers=stolen.headers)).status_code == 204
            assert await victim.close_code() == 4401
            for seat in (first, third):
                await seat.unasked()
            async with unnoticed([first, third]):
                for answer in (
                    await http.get(f"{house.url}/api/me", headers=stolen.headers),
                    await http.post(f"{house.url}/api/practice/top-up", headers=stolen.headers, json={}),
                ):
                    assert answer.status_code == 401
                    assert answer.json()["error"]["code"]


async def test_before_there_is_any_hand(house: LiveHouse) -> None:
    async with seated(house.url, 1) as (cheat,):
        hand_id = str(cheat.account.player_id)
        for kind, fields in [
            ("draw", {"source": "stock", "turn": 1}),
            ("arrange", {}),
            ("contribute", {"hash": "0" * 64}),
        ]:
            answer = await cheat.ask(cheat.command(kind, hand_id=hand_id, **fields))
            assert answer["code"] in ("no_hand", "stale_hand")
