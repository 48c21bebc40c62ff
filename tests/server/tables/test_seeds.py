"""The two windows of the seeds (FAIRNESS_SPEC section 5) at a running table."""

from fairness.commitment import commitment
from fairness.contributions import contribution_hash, decode_hashes
from fairness.event_codec import decode_event
from fairness.events import RosterClosed, SeedRevealed
from fairness.json_form import Fields
from fairness.receipts import CommitReceipt, ContributionReceipt, HashesReceipt, RevealReceipt, StateReceipt
from fairness.terms import Terms
from fairness.transcript import SeatChain, Showing
from server.protocol.messages import Ack, Error, ErrorCode, Receipt, Table
from tests.server.tables.doubles import KEYS, Asker, World, on_turn

WINDOW_MS = 4_000


async def opened(count: int = 3) -> tuple[World, list[Asker]]:
    """A hand that is open, in its first window."""
    world = World()
    table_id = world.new_table(4)
    await world.start()
    players = await world.seat(table_id, count)
    await world.pass_ms(world.timing.countdown_ms)
    return world, players


def stage(player: Asker) -> str:
    hand = player.table.public.hand
    assert hand is not None
    return hand.stage


def words(player: Asker) -> list[str | None]:
    return [seat.contribution for seat in player.table.public.seats]


def receipt_body(receipt: Receipt, *extra: str) -> Fields:
    """The receipt without what is put around it for keeping."""
    around = {"protocol", "receipt", "hand_id", "terms_hash", "commitment", *extra}
    return Fields({key: value for key, value in receipt.receipt.items() if key not in around}, "receipt")


async def test_commitment_comes_before_any_contribution_with_terms_and_signature() -> None:
    world, players = await opened()
    for player in players:
        receipt = player.connection.receipt("commit")
        terms = Terms.from_json(receipt.receipt["terms"])
        assert terms.hash().hex() == receipt.receipt["terms_hash"]
        committed = bytes.fromhex(receipt.receipt["commitment"])
        CommitReceipt.read(receipt_body(receipt, "terms")).check(KEYS.ring, terms.hash(), committed)
        assert [bytes(player_id) for _, player_id in terms.players] == [p.player.player_id.bytes for p in players]
        assert player.table.public.hand is not None
        assert player.table.public.hand.commitment == receipt.receipt["commitment"]
    assert stage(players[0]) == "hashes"
    assert words(players[0]) == ["waiting", "waiting", "waiting", None]
    assert world.moved == [player.player.player_id for player in players]


async def test_both_windows_end_as_soon_as_everyone_has_answered() -> None:
    world, players = await opened()
    for player in players[:2]:
        await player.ask("contribute", **player.hash_fields())
    assert stage(players[0]) == "hashes"
    assert words(players[0]) == ["hashed", "hashed", "waiting", None]
    await players[2].ask("contribute", **players[2].hash_fields())
    assert stage(players[0]) == "reveals"
    for player in players:
        assert stage(player) == "reveals"
        await player.ask("reveal", **player.reveal_fields())
    assert stage(players[0]) == "playing"
    assert words(players[0]) == ["given", "given", "given", None]
    assert world.clock.ms == players[0].table.now_ms


async def test_who_answers_nothing_is_waited_for_until_each_window_ends() -> None:
    world, players = await opened()
    await players[0].ask("contribute", **players[0].hash_fields())
    await players[1].ask("contribute", **players[1].hash_fields())
    await world.pass_ms(WINDOW_MS - 1)
    assert stage(players[0]) == "hashes"
    await world.pass_ms(1)
    assert stage(players[0]) == "reveals"
    await players[0].ask("reveal", **players[0].reveal_fields())
    await world.pass_ms(WINDOW_MS)
    assert stage(players[0]) == "playing"
    assert words(players[0]) == ["given", "withheld", "none", None]


async def test_nobody_answers_and_the_hand_is_dealt_after_one_window() -> None:
    world, players = await opened()
    await world.pass_ms(WINDOW_MS)
    assert stage(players[0]) == "playing"
    assert words(players[0]) == ["none", "none", "none", None]


async def test_every_step_is_receipted_and_the_receipts_check() -> None:
    world, players = await opened()
    await world.contribute_all(players)
    for seat, player in enumerate(players):
        terms = Terms.from_json(player.connection.receipt("commit").receipt["terms"])
        th = terms.hash()
        given = ContributionReceipt.read(receipt_body(player.connection.receipt("contribution")))
        given.check(KEYS.ring, th)
        assert given.hash.hex() == player.hash_fields()["hash"]
        listed = HashesReceipt.read(receipt_body(player.connection.receipt("hashes")))
        listed.check(KEYS.ring, th)
        assert dict(decode_hashes(listed.hashes))[seat] == given.hash
        shown = RevealReceipt.read(receipt_body(player.connection.receipt("reveal")))
        shown.check(KEYS.ring, th)
        state = StateReceipt.read(receipt_body(player.connection.receipt("state")))
        state.check(KEYS.ring, th)
        assert player.table.you is not None
        chain = SeatChain(th, seat, player.player.player_id.bytes, [Showing(1, tuple(player.table.you.cards))])
        assert (state.k, state.seat_head) == (3, chain.head)


async def test_a_seat_gets_a_new_state_receipt_for_each_own_action_and_nobody_else_does() -> None:
    world = World()
    _, players = await world.dealt(count=3)
    counts = [len(player.connection.all(Receipt)) for player in players]
    player = on_turn(players)
    await player.move("draw", source="stock")
    assert player.table.you is not None
    await player.move("discard", card=player.table.you.cards[0])
    more = [len(each.connection.all(Receipt)) - count for each, count in zip(players, counts, strict=True)]
    assert more == [2 if each is player else 0 for each in players]


async def test_the_same_hash_again_is_answered_the_same_and_another_is_refused() -> None:
    _, players = await opened()
    player = players[0]
    await player.ask("contribute", **player.hash_fields())
    first = player.connection.receipt("contribution")
    assert isinstance(await player.ask("contribute", **player.hash_fields()), Ack)
    assert player.connection.receipt("contribution") == first
    other = await player.ask("contribute", **(player.hash_fields() | {"hash": "00" * 32}))
    assert isinstance(other, Error)
    assert other.code is ErrorCode.CONTRIBUTION_REFUSED


async def test_a_refused_reveal_leaves_the_seat_free_to_send_again() -> None:
    _, players = await opened(2)
    early = await players[0].ask(
        "reveal", hand_id=str(players[0].connection.receipt("commit").hand_id), nonce="00" * 32
    )
    assert isinstance(early, Error)
    assert early.code is ErrorCode.CONTRIBUTION_REFUSED
    for player in players:
        await player.ask("contribute", **player.hash_fields())
    wrong = players[0].reveal_fields() | {"nonce": "11" * 32}
    for bad in (wrong, players[0].reveal_fields() | {"text": "\x07"}, players[0].reveal_fields() | {"text": "é" * 200}):
        refused = await players[0].ask("reveal", **bad)
        assert isinstance(refused, Error)
        assert refused.code is ErrorCode.CONTRIBUTION_REFUSED
        assert refused.allowed == ["reveal"]
    assert isinstance(await players[0].ask("reveal", **players[0].reveal_fields()), Ack)
    assert isinstance(await players[1].ask("reveal", **players[1].reveal_fields()), Ack)
    late = await players[0].ask("reveal", **(players[0].reveal_fields() | {"nonce": "22" * 32}))
    assert isinstance(late, Error)
    assert late.code is ErrorCode.CONTRIBUTION_REFUSED


async def test_somebody_without_a_part_in_the_hand_may_not_contribute() -> None:
    world, players = await opened(2)
    late = (await world.seat(players[0].table_id, 1))[0]
    hand_id = str(players[0].connection.receipt("commit").hand_id)
    refused = await late.ask("contribute", hand_id=hand_id, hash="00" * 32)
    assert isinstance(refused, Error)
    assert refused.code is ErrorCode.NOT_IN_HAND
    assert late.table.public.seats[2].why_waiting == "next_hand"


async def test_a_text_is_part_of_the_contribution_as_its_bytes_were_sent() -> None:
    world, players = await opened(2)
    nonce, text = bytes(range(32)), "শুভ"
    receipt = players[0].connection.receipt("commit")
    th = Terms.from_json(receipt.receipt["terms"]).hash()
    K = contribution_hash(th, 0, nonce, text.encode())
    await players[0].ask("contribute", hand_id=str(receipt.hand_id), hash=K.hex())
    await players[1].ask("contribute", **players[1].hash_fields())
    await players[0].ask("reveal", hand_id=str(receipt.hand_id), nonce=nonce.hex(), text=text)
    await players[1].ask("reveal", **players[1].reveal_fields())
    roster = decode_event(world.stored(players[0].table_id).hands[0].rows[0].data)
    assert isinstance(roster, RosterClosed)
    assert roster.roster.contributions[0].text == text.encode()


async def test_the_seed_is_shown_only_with_the_end_and_is_the_one_promised() -> None:
    world = World()
    table_id, players = await world.dealt(count=2)
    seed = world.stored(table_id).hands[0].opening.server_seed.hex()
    assert all(seed not in text for player in players for text in player.connection.texts)
    assert isinstance(await on_turn(players).move("drop"), Ack)
    rows = world.stored(table_id).hands[0].rows
    revealed = decode_event(rows[-1].data)
    assert isinstance(revealed, SeedRevealed)
    terms = world.stored(table_id).hands[0].opening.terms
    assert commitment(terms.hash(), revealed.server_seed) == world.stored(table_id).hands[0].opening.commitment
    assert players[0].table.events[-1]["server_seed"] == seed


async def test_who_leaves_while_the_seeds_are_gathered_is_out_for_40_with_the_deal() -> None:
    """The hand is open and its tokens are held: leaving it costs what leaving in mid-hand costs (rules section 5)."""
    world, players = await opened(3)
    await players[0].ask("leave_table")
    assert players[1].table.public.seats[0].leaving
    await world.contribute_all(players[1:])
    table = players[1].table.public
    assert table.phase == "playing"
    assert (table.seats[0].out, table.seats[0].points) == ("left", 40)


async def test_everybody_leaves_before_the_deal_and_the_hand_is_void() -> None:
    world, players = await opened(2)
    watcher = world.new_player(players[0].table_id)
    await watcher.ask("watch_table")
    await players[0].ask("contribute", **players[0].hash_fields())
    await players[0].ask("leave_table")
    await players[1].ask("leave_table")
    result = watcher.table.public.result
    assert result is not None
    assert (result.outcome, result.void_reason) == ("void", "not_enough_players")
    assert [(line.points, line.delta) for line in result.lines] == [(0, 0), (0, 0)]
    closing = world.stored(players[0].table_id).hands[0].closing
    assert closing is not None
    assert closing.outcome == "void"
    kinds = [event["type"] for table in watcher.connection.all(Table) for event in table.events]
    assert kinds == ["roster", "void", "settle", "reveal"]
