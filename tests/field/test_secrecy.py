"""Field reports of hidden cards and of fairness, each by its number."""

import hashlib
import json
from itertools import chain

from fairness.deck import derive_deck, hand_key
from fairness.encoding import Hash
from fairness.event_codec import decode_event
from fairness.events import RosterClosed
from fairness.terms import Terms
from server.protocol.messages import Ack, Error, ErrorCode
from tests.server.tables.doubles import World, on_turn


async def test_a_draw_of_another_is_a_count_and_looks_the_same_whatever_was_drawn_b32() -> None:
    """Same fields, same length, no identity and no place: hands that differ in the card alone can't be told apart."""
    seen: list[tuple[object, int]] = []
    for seed in range(1, 7):
        world = World(seed)
        _, players = await world.dealt(count=2)
        drawer, other = on_turn(players), next(p for p in players if p is not on_turn(players))
        await drawer.move("draw", source="stock")
        assert drawer.table.you is not None
        event = other.table.events[-1]
        assert set(event) == {"k", "type", "at_ms", "seat", "auto"}
        hand = other.table.public.hand
        assert hand is not None
        assert other.table.public.seats[drawer.seat].card_count == 14
        text = json.loads(other.connection.texts[-1])
        text["public"]["hand"] = None
        seen.append((sorted(text["public"]["seats"][drawer.seat]), len(json.dumps(event))))
        assert str(drawer.table.you.drawn_card) not in {str(number) for number in _numbers(event)} - {
            str(event[name]) for name in ("k", "at_ms", "seat", "auto")
        }
    assert len({json.dumps(each) for each in seen}) == 1


def _numbers(value: object) -> list[int]:
    if isinstance(value, dict):
        return list(chain.from_iterable(map(_numbers, value.values())))
    return [value] if isinstance(value, int) else []


async def test_the_finish_card_of_a_declare_lies_open_only_when_the_hand_says_so_b32() -> None:
    world = World(seed=2)
    _, players = await world.dealt(count=3)
    player, other = on_turn(players), next(p for p in players if p is not on_turn(players))
    await player.move("draw", source="stock")
    assert player.table.you is not None
    shown = player.table.you.cards[:13]
    finish = player.table.you.cards[13]
    before = "".join(other.connection.texts)
    assert isinstance(await player.move("declare", finish_card=finish), Ack)
    event = next(event for event in other.table.events if event["type"] == "declare")
    # A wrong declare: the rules lay all of it open, and not before.
    assert event["finish_card"] == finish
    assert sorted(chain.from_iterable(event["groups"])) == sorted(shown)
    assert json.dumps(shown) not in before


async def test_no_public_value_opens_the_deck_before_the_reveal_b34() -> None:
    """Our own code, fed with everything that is public in mid-hand in place of the seed, must not find the deal."""
    world = World(seed=3)
    table_id, players = await world.dealt(count=2)
    hand = world.stored(table_id).hands[0]
    roster_event = decode_event(hand.rows[0].data)
    assert isinstance(roster_event, RosterClosed)
    terms, th = hand.opening.terms, hand.opening.terms.hash()
    rh = roster_event.roster.hash()
    deck = derive_deck(hand_key(hand.opening.server_seed, th, rh), terms.decks)
    real_cards = [player.table.you.cards for player in players if player.table.you is not None]
    assert sorted(deck[: 2 * 13]) == sorted(chain.from_iterable(real_cards))

    public = {bytes(th), bytes(hand.opening.commitment), bytes(rh), bytes(32)}
    for one in roster_event.roster.contributions:
        public |= {bytes(one.hash or b""), bytes(one.nonce or b"")}
    public |= {row.head for row in hand.rows}
    public |= {hashlib.sha256(value).digest() for value in tuple(public)}
    for text in chain.from_iterable(player.connection.texts for player in players):
        public |= {bytes.fromhex(word) for word in _hex_words(json.loads(text))}
    assert len(public) > 20
    assert bytes(hand.opening.server_seed) not in public
    for guess in public:
        if len(guess) == 32:
            assert derive_deck(hand_key(guess, th, rh), terms.decks)[:26] != deck[:26]
            assert derive_deck(Hash(guess), terms.decks)[:26] != deck[:26]


def _hex_words(value: object) -> set[str]:
    if isinstance(value, dict):
        return set().union(*map(_hex_words, value.values()))
    if isinstance(value, list):
        return set().union(*map(_hex_words, value))
    return {value} if isinstance(value, str) and len(value) == 64 and set(value) <= set("0123456789abcdef") else set()


async def test_the_house_is_bound_before_it_knows_any_entropy_and_the_order_can_be_shown_b35() -> None:
    world = World(seed=4)
    table_id = world.new_table()
    await world.start()
    players = await world.seat(table_id, 2)
    await world.pass_ms(world.timing.countdown_ms)
    opened = world.journal.calls.index("open_hand")
    assert "record_hash" not in world.journal.calls
    await world.pass_ms(10)
    await world.contribute_all(players)
    assert world.journal.calls.index("record_hash") > opened
    assert world.journal.calls.index("record_reveal") > world.journal.calls.index("close_hashes")
    for player in players:
        times = [
            player.connection.receipt(kind).receipt["at_ms"] for kind in ("commit", "contribution", "hashes", "reveal")
        ]
        assert times == sorted(times)
        assert times[0] < times[1]
        assert Terms.from_json(player.connection.receipt("commit").receipt["terms"]).opened_ms <= times[0]


async def test_the_seed_of_an_earlier_hand_opens_nothing_in_the_next_b35() -> None:
    """A hash is bound to its hand's terms: sent again it stands for nothing, and its nonce does not open it."""
    world = World(seed=6)
    _, players = await world.dealt(count=2)
    old = {player: (player.hash_fields(), player.reveal_fields()) for player in players}
    await on_turn(players).move("drop")
    await world.pass_ms(world.timing.result_pause_ms)
    hand = players[0].table.public.hand
    assert hand is not None
    repeater, honest = players
    again = old[repeater][0] | {"hand_id": str(hand.hand_id)}
    assert isinstance(await repeater.ask("contribute", **again), Ack)
    assert isinstance(await honest.ask("contribute", **honest.hash_fields()), Ack)
    refused = await repeater.ask("reveal", **(old[repeater][1] | {"hand_id": str(hand.hand_id)}))
    assert isinstance(refused, Error)
    assert refused.code is ErrorCode.CONTRIBUTION_REFUSED
    assert isinstance(await honest.ask("reveal", **honest.reveal_fields()), Ack)
    await world.pass_ms(world.timing.seeds_window_ms)
    assert [seat.contribution for seat in players[0].table.public.seats[:2]] == ["withheld", "given"]
