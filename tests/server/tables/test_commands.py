"""What seated players may ask of a table, one by one, and how it refuses."""

from typing import Any

import pytest

from server.protocol.messages import Ack, Error, ErrorCode
from tests.server.tables.doubles import Asker, World, on_turn


def code(answer: Ack | Error) -> ErrorCode | None:
    return answer.code if isinstance(answer, Error) else None


def seats(player: Asker) -> list[str | None]:
    return [None if seat.player is None else seat.player.name for seat in player.table.public.seats]


async def waiting_table(seat_count: int = 4) -> tuple[World, Any]:
    world = World()
    table_id = world.new_table(seat_count)
    await world.start()
    return world, table_id


# --- chairs ---


async def test_sitting_takes_the_first_free_chair_or_the_one_asked_for_and_shows_the_table() -> None:
    world, table_id = await waiting_table()
    one, two = world.new_player(table_id, "one"), world.new_player(table_id, "two")
    assert (await one.ask("sit")).model_dump()["result"] == {"seat": 0}
    assert (await two.ask("sit", seat=3)).model_dump()["result"] == {"seat": 3}
    assert seats(one) == seats(two) == ["one", None, None, "two"]
    assert two.table.you is not None
    assert (two.table.you.seat, two.table.you.may_act) == (3, True)
    assert [chair.seat for chair in world.stored(table_id).chairs] == [0, 3]
    assert world.house.seated_at(one.player.player_id) == [table_id]


async def test_sitting_is_refused_on_a_taken_missing_or_second_chair_and_at_a_full_table() -> None:
    world, table_id = await waiting_table()
    players = await world.seat(table_id, 3)
    late = world.new_player(table_id)
    assert code(await late.ask("sit", seat=1)) is ErrorCode.SEAT_TAKEN
    assert code(await late.ask("sit", seat=7)) is ErrorCode.NO_SUCH_SEAT
    assert code(await players[0].ask("sit", seat=3)) is ErrorCode.ALREADY_SEATED
    await world.seat(table_id, 1)
    assert code(await late.ask("sit")) is ErrorCode.TABLE_FULL


async def test_leaving_between_hands_frees_the_chair_at_once() -> None:
    world, table_id = await waiting_table()
    player = (await world.seat(table_id, 1))[0]
    assert code(await player.ask("leave_table")) is None
    assert seats(player) == [None] * 4
    assert player.table.you is None
    assert world.house.seated_at(player.player.player_id) == []
    assert world.stored(table_id).chairs == ()
    assert code(await player.ask("leave_table")) is ErrorCode.NOT_SEATED


async def test_leaving_in_mid_hand_costs_40_at_once_and_keeps_the_chair_in_name() -> None:
    world = World()
    table_id, players = await world.dealt(count=3)
    leaver = next(player for player in players if player is not on_turn(players))
    seat = leaver.seat
    assert code(await leaver.ask("leave_table")) is None
    others = [player for player in players if player is not leaver]
    shown = others[0].table.public.seats[seat]
    assert (shown.out, shown.points, shown.leaving) == ("left", 40, True)
    assert leaver.table.you is None
    assert world.house.seated_at(leaver.player.player_id) == []
    late = world.new_player(table_id)
    assert code(await late.ask("sit", seat=seat)) is ErrorCode.SEAT_TAKEN


async def test_who_left_in_mid_hand_may_take_the_own_chair_back_and_waits_for_the_next_hand() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    leaver = next(player for player in players if player is not on_turn(players))
    seat = leaver.seat
    await leaver.ask("leave_table")
    assert code(await leaver.ask("sit", seat=3)) is ErrorCode.ALREADY_SEATED
    assert code(await leaver.ask("sit")) is None
    assert leaver.seat == seat
    shown = leaver.table.public.seats[seat]
    assert (shown.out, shown.leaving) == ("left", False)


async def test_leaving_after_the_hand_plays_it_to_its_end_and_can_be_taken_back() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    for player in players[:2]:
        await player.ask("leave_table", after_hand=True)
    assert players[0].table.public.seats[0].leaving
    assert players[0].table.public.seats[0].out is None
    assert code(await players[1].ask("sit")) is None
    while players[2].table.public.phase == "playing":
        await on_turn(players).move("drop")
    names = [player.player.name for player in players]
    assert seats(players[2]) == [None, names[1], names[2], None]
    assert world.house.seated_at(players[0].player.player_id) == []


async def test_sitting_out_skips_coming_hands_and_not_the_running_one() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    assert code(await players[0].ask("sit_out", on=True)) is None
    resting = players[0].table.public.seats[0]
    assert (resting.in_hand, resting.why_waiting) == (True, "sitting_out")
    while players[0].table.public.phase == "playing":
        await on_turn(players).move("drop")
    await world.pass_ms(world.timing.result_pause_ms)
    hand = players[0].table.public.hand
    assert hand is not None
    assert (hand.hand_no, hand.players) == (2, [1, 2])
    assert code(await players[0].ask("sit_out", on=False)) is None
    assert players[0].table.public.seats[0].why_waiting == "next_hand"


async def test_a_player_who_sits_down_in_mid_hand_waits_for_the_next() -> None:
    world = World()
    table_id, players = await world.dealt(count=2)
    late = (await world.seat(table_id, 1))[0]
    assert late.table.public.seats[2].why_waiting == "next_hand"
    assert late.table.you is not None
    assert late.table.you.cards == []
    assert code(await late.ask("draw", source="stock", **late.turn_fields())) is ErrorCode.NOT_IN_HAND
    assert code(await late.ask("ready")) is ErrorCode.NOT_NOW
    assert players[0].table.public.hand is not None
    assert players[0].table.public.hand.players == [0, 1]


async def test_the_house_knows_no_such_table() -> None:
    world, _ = await waiting_table()
    stranger = world.new_player(world.new_table())
    stranger.post("sit")
    assert stranger.connection.last(Error).code is ErrorCode.UNKNOWN_TABLE


# --- the play ---


async def test_draw_from_stock_and_discard() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    assert player.table.you is not None
    assert player.table.you.allowed[:3] == ["draw_stock", "draw_pile", "drop"]
    assert code(await player.move("draw", source="stock")) is None
    you = player.table.you
    assert len(you.cards) == 14
    assert you.drawn_card == you.cards[-1]
    assert you.allowed[:2] == ["discard", "declare"]
    drawn = you.cards[-1]
    assert code(await player.move("discard", card=drawn)) is None
    hand = player.table.public.hand
    assert hand is not None
    assert hand.discard_pile[-1] == drawn
    assert hand.turn is not None
    assert (hand.turn.seat, hand.turn.number) == (1 - player.seat, 2)


async def test_draw_from_the_pile_is_seen_by_all_until_the_card_is_discarded() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    other = next(each for each in players if each is not player)
    hand = player.table.public.hand
    assert hand is not None
    top = hand.discard_pile[-1]
    assert code(await player.move("draw", source="pile")) is None
    assert other.table.public.hand is not None
    assert [(taken.seat, taken.card) for taken in other.table.public.hand.taken] == [(player.seat, top)]
    assert code(await player.move("discard", card=top)) is ErrorCode.TAKEN_CARD_NOT_RETURNABLE
    assert player.table.you is not None
    card = next(card for card in player.table.you.cards if card % 53 != top % 53)
    await player.move("discard", card=card)
    await other.move("draw", source="stock")
    assert other.table.you is not None
    await other.move("discard", card=other.table.you.cards[-1])
    await player.move("draw", source="stock")
    await player.move("discard", card=top)
    assert other.table.public.hand.taken == []


async def test_a_drop_before_the_first_draw_costs_20_and_says_so() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    player = on_turn(players)
    assert player.table.you is not None
    assert (player.table.you.drop_points, player.table.you.drop_cost) == (20, 200)
    assert code(await player.move("drop")) is None
    shown = player.table.public.seats[player.seat]
    assert (shown.out, shown.points) == ("first_drop", 20)
    assert player.table.you.drop_points is None


async def test_a_drop_after_a_draw_costs_40_and_is_refused_within_a_turn() -> None:
    world = World()
    _, players = await world.dealt(count=2)
    player, other = on_turn(players), next(each for each in players if each is not on_turn(players))
    await player.move("draw", source="stock")
    assert code(await player.move("drop")) is ErrorCode.DROP_TOO_LATE
    assert player.table.you is not None
    await player.move("discard", card=player.table.you.cards[-1])
    await other.move("draw", source="stock")
    assert other.table.you is not None
    await other.move("discard", card=other.table.you.cards[-1])
    assert player.table.you.drop_points == 40
    assert code(await player.move("drop")) is None
    result = player.table.public.result
    assert result is not None
    assert (result.outcome, result.winner, result.commission) == ("last_in", other.seat, 20)
    assert {line.seat: line.delta for line in result.lines} == {player.seat: -400, other.seat: 380}
    assert all(line.arrangement is None for line in result.lines)


async def test_a_wrong_declare_is_out_for_80_and_its_cards_are_seen() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    player = on_turn(players)
    await player.move("draw", source="stock")
    assert player.table.you is not None
    finish = player.table.you.cards[0]
    assert code(await player.move("declare", finish_card=finish)) is None
    shown = player.table.public.seats[player.seat]
    assert (shown.out, shown.points) == ("wrong_declare", 80)
    hand = player.table.public.hand
    assert hand is not None
    assert hand.discard_pile[-1] == finish
    declared = player.connection.table.events[-1]
    assert (declared["type"], declared["valid"]) == ("declare", 0)


@pytest.mark.parametrize(
    ("type_", "fields", "refusal"),
    [
        ("discard", {"card": 0}, ErrorCode.DRAW_FIRST),
        ("declare", {"finish_card": 0}, ErrorCode.DRAW_FIRST),
    ],
)
async def test_the_draw_comes_first(type_: str, fields: dict[str, Any], refusal: ErrorCode) -> None:
    world = World()
    _, players = await world.dealt()
    assert code(await on_turn(players).move(type_, **fields)) is refusal


async def test_after_the_draw_refusals_name_what_is_wrong_and_what_is_allowed() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    await player.move("draw", source="stock")
    again = await player.move("draw", source="pile")
    assert isinstance(again, Error)
    assert again.code is ErrorCode.ALREADY_DRAWN
    assert again.allowed == ["discard", "declare", "leave_table"]
    assert player.table.you is not None
    held = player.table.you.cards
    foreign = next(card for card in range(106) if card not in held)
    assert code(await player.move("discard", card=foreign)) is ErrorCode.NOT_YOUR_CARD
    groups = [held[1:13]]
    assert code(await player.move("declare", finish_card=held[0], groups=groups)) is ErrorCode.BAD_GROUPS


async def test_nobody_acts_out_of_turn() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    waiting = [player for player in players if player is not on_turn(players)]
    for type_, fields in (("draw", {"source": "stock"}), ("drop", {}), ("discard", {"card": waiting[0].seat})):
        assert code(await waiting[0].move(type_, **fields)) is ErrorCode.NOT_YOUR_TURN


async def test_a_spectator_can_do_nothing_but_watch_and_sit() -> None:
    world = World()
    table_id, _ = await world.dealt()
    watcher = world.new_player(table_id)
    await watcher.ask("watch_table")
    assert watcher.table.you is None
    fields = watcher.turn_fields()
    for type_, more in (
        ("draw", fields | {"source": "stock"}),
        ("arrange", {"hand_id": fields["hand_id"]}),
        ("ready", {}),
        ("sit_out", {"on": True}),
        ("leave_table", {}),
    ):
        refused = await watcher.ask(type_, **more)
        assert isinstance(refused, Error)
        assert (refused.code, refused.allowed) == (ErrorCode.NOT_SEATED, ["sit"])


async def test_drop_next_comes_true_as_the_turn_begins_before_its_clock() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    player = on_turn(players)
    wisher = next(each for each in players if each.seat == (player.seat + 1) % 3)
    hand_id = player.turn_fields()["hand_id"]
    assert code(await wisher.ask("drop_next", hand_id=hand_id, on=True)) is None
    assert wisher.table.you is not None
    assert wisher.table.you.drop_next
    assert all(each.table.you is not None and not each.table.you.drop_next for each in players if each is not wisher)
    await player.move("draw", source="stock")
    assert player.table.you is not None
    await player.move("discard", card=player.table.you.cards[-1])
    assert player.table.public.seats[wisher.seat].out == "first_drop"
    assert [event["type"] for event in player.table.events] == ["discard", "out"]
    assert on_turn(players) not in (player, wisher)


async def test_drop_next_can_be_taken_back_and_on_the_own_turn_drops_at_once() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    player = on_turn(players)
    hand_id = player.turn_fields()["hand_id"]
    other = next(each for each in players if each is not player)
    await other.ask("drop_next", hand_id=hand_id, on=True)
    await other.ask("drop_next", hand_id=hand_id, on=False)
    assert other.table.you is not None
    assert not other.table.you.drop_next
    assert code(await player.ask("drop_next", hand_id=hand_id, on=True)) is None
    assert player.table.public.seats[player.seat].out == "first_drop"
    assert code(await player.ask("drop_next", hand_id=hand_id, on=True)) is ErrorCode.NOT_IN_HAND


async def test_arrange_answers_from_the_own_cards_alone() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    hand_id = player.turn_fields()["hand_id"]
    before = await player.ask("arrange", hand_id=hand_id)
    assert isinstance(before, Ack)
    assert before.result is not None
    assert player.table.you is not None

    def cards_of(arrangement: dict[str, Any]) -> list[int]:
        return sorted([*arrangement["deadwood"], *(card for group in arrangement["groups"] for card in group["cards"])])

    assert cards_of(before.result["arrangement"]) == sorted(player.table.you.cards)
    await player.move("draw", source="stock")
    after = await player.ask("arrange", hand_id=hand_id)
    assert isinstance(after, Ack)
    assert after.result is not None
    assert sorted(each["card"] for each in after.result["discards"]) == sorted(player.table.you.cards)
    best = min(each["points"] for each in after.result["discards"])
    assert after.result["arrangement"]["points"] == best
    assert len(cards_of(after.result["arrangement"])) == 13


async def test_a_hand_is_no_longer_played_when_it_is_over() -> None:
    world = World()
    _, players = await world.dealt()
    player = on_turn(players)
    fields = player.turn_fields()
    await player.move("drop")
    assert code(await player.ask("draw", source="stock", **fields)) is ErrorCode.HAND_OVER
    assert code(await player.ask("contribute", hand_id=fields["hand_id"], hash="00" * 32)) is ErrorCode.HAND_OVER


async def test_commands_for_a_hand_when_none_was_ever_played_or_before_the_deal() -> None:
    world = World()
    table_id = world.new_table()
    await world.start()
    players = await world.seat(table_id, 2)
    nowhere = str(table_id)
    assert code(await players[0].ask("draw", source="stock", hand_id=nowhere, turn=1)) is ErrorCode.NO_HAND
    await world.pass_ms(world.timing.countdown_ms)
    assert code(await players[0].ask("draw", source="stock", hand_id=nowhere, turn=1)) is ErrorCode.STALE_HAND
    hand_id = str(players[0].connection.receipt("commit").hand_id)
    for type_, more in (("draw", {"source": "stock", "turn": 1}), ("drop_next", {"on": True}), ("arrange", {})):
        assert code(await players[0].ask(type_, hand_id=hand_id, **more)) is ErrorCode.NOT_NOW
